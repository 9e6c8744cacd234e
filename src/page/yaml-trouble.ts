import { LineCounter, parseAllDocuments } from 'yaml';
import { parseKubeYaml } from '../base/yaml/kube-yaml.ts';

/** Where a text is no YAML, counted from 1. */
export interface YamlTrouble {
  readonly line: number;
  readonly column: number;
  readonly says: string;
}

/** What is wrong with the text of the editor; undefined where kubectl can read it. */
export function yamlTrouble(text: string): YamlTrouble | undefined {
  const [error] = parseKubeYaml(text, '').errors;
  if (error === undefined) return undefined;
  const lineCounter = new LineCounter();
  const documents = text.length > MOST_CHARACTERS ? [] : parseAllDocuments(text, { lineCounter, prettyErrors: false, logLevel: 'silent' });
  const position = (Array.isArray(documents) ? documents : []).flatMap((one) => one.errors)[0]?.pos[0];
  const place = position === undefined ? { line: error.line, col: 1 } : lineCounter.linePos(position);
  return { line: place.line, column: place.col, says: error.message };
}

/** The parser takes long for longer texts. */
const MOST_CHARACTERS = 100_000;
