import type { Json } from '../../base/json.ts';
import { countLines } from '../../base/value-count.ts';
import { parseKubeYaml } from '../../base/yaml/kube-yaml.ts';
import type { StoredLog } from '../memory-reader.ts';
import { csvRows, isCsvHeader } from './csv-rows.ts';
import { cutDumpLogs } from './dump-logs.ts';
import { MAX_VALUES } from './limits.ts';
import { parseJsonDocuments, tooManyValues } from './parse-json.ts';

/** What one file holds. */
export interface Documents {
  readonly documents: readonly {
    readonly value: Json;
    readonly line: number;
    /** A list of which some objects could not be read. */
    readonly isCut?: true;
  }[];
  readonly faults: readonly Fault[];
  readonly syntax: 'json' | 'yaml';
  /** Logs that stand between the documents of a `kubectl cluster-info dump`. */
  readonly logs: readonly StoredLog[];
  /** How many values the text has, at most. */
  readonly values: number;
}

/** Where a document cannot be parsed; line and column from 1. */
export interface Fault {
  readonly line: number;
  readonly column?: number;
  readonly message: string;
  /** What to do, where the text is not simply wrong. */
  readonly hint?: string;
  /** Nothing is wrong with the text: it is too much. */
  readonly isLeftOut?: true;
  /** What the document seems to declare. */
  readonly seems?: { readonly kind: string; readonly name: string };
}

/** Reads JSON or YAML documents, with the logs of a cluster-info dump between them; a fault where they have more values than `most`. */
export function readDocuments(text: string, path: string, most: number = MAX_VALUES): Documents {
  const { rest, logs } = cutDumpLogs(text);
  if (isCsvHeader(rest.slice(0, Math.max(0, rest.indexOf('\n'))))) {
    const value = csvRows(rest);
    return { documents: [{ value, line: 1 }], faults: [], syntax: 'json', logs, values: value.length * Object.keys(value[0] ?? {}).length };
  }
  const json = startsAsJson(rest) ? parseJsonDocuments(rest, most) : undefined;
  const mayBeFlowYaml = /\.ya?ml$/i.test(path);
  if (json !== undefined && (json.errors.length === 0 || json.values > most || !mayBeFlowYaml))
    return { documents: json.documents, faults: json.errors, syntax: 'json', logs, values: json.values };
  const { values } = countLines(rest, most);
  if (values > most) return { documents: [], faults: [{ line: 1, ...tooManyValues(most) }], syntax: 'yaml', logs, values };
  const { documents, errors } = parseKubeYaml(rest, path);
  return {
    documents: documents.flatMap(({ value, line }) => (value === undefined ? [] : [{ value, line }])),
    faults: errors.map(({ line, message, seems }) => ({ line, message, ...(seems === undefined ? {} : { seems }) })),
    syntax: 'yaml',
    logs,
    values,
  };
}

/** `line 12, column 5: a value is needed here`. */
export function formatFault({ line, column, message }: Fault): string {
  return `line ${String(line)}${column === undefined ? '' : `, column ${String(column)}`}: ${message}`;
}

/** Whether the first line that is no warning of kubectl's begins with a bracket. */
export function startsAsJson(text: string): boolean {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + 200)).trim();
    if (line !== '' && line !== '---' && !/^(?:Warning: |[WIEF]\d{4} )/.test(line)) return /^[[{]/.test(line);
    start = end + 1;
  }
  return false;
}
