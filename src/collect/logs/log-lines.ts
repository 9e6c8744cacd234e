import { asText, dig, isJsonObject } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { shorten } from '../../base/text.ts';

/** Longer lines are cut before anything looks at them; an entry in JSON, which may have a stack behind its words, is read as a whole. */
const LINE_LIMIT = 2000;
const ENTRY_LIMIT = 16_384;
/** What kubectl puts in front of a line: `--prefix`, then `--timestamps`. */
const KUBECTL_PREFIX = /^(?:\[pod\/[^\s\]]{1,300}\] )?(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d) )?/;
const COLOURS = /\u001b\[[0-9;]{0,16}m/g;
/** Fields that hold the words of a structured line, in the order they are told. */
const WORDS = ['message', 'msg', 'log', 'event', 'error', 'err', 'error.message', 'record', 'exception', 'stack', 'attr'] as const;

/** A log line as its program meant it: without kubectl's prefixes and colours, a JSON line reduced to its words. */
export function plainLine(line: string): string {
  const text = line.slice(0, ENTRY_LIMIT).replace(KUBECTL_PREFIX, '').replace(COLOURS, '').trim();
  const words = text.startsWith('{') ? structuredWords(text) : '';
  return words === '' ? text.slice(0, LINE_LIMIT).trimEnd() : words;
}

function structuredWords(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return '';
  }
  if (!isJsonObject(value)) return '';
  const words = WORDS.map((field) => wordsOf(value[field])).filter((part) => part !== undefined && part !== '');
  return shorten([...new Set(words)].join(': '), LINE_LIMIT);
}

function wordsOf(value: Json | undefined): string | undefined {
  return asText(value) ?? asText(dig(value, 'message')) ?? asText(dig(value, 'reason')) ?? storageError(dig(value, 'message'));
}

/** As MongoDB logs an error of its storage. Source: MongoDB src/mongo/db/storage/wiredtiger (mdb_handle_error). */
function storageError(message: Json | undefined): string | undefined {
  const parts = ['msg', 'error_str'].map((field) => asText(dig(message, field)) ?? '');
  return parts.includes('') ? undefined : parts.join(': ');
}

const TROUBLE =
  /fatal|panic|fail|denied|refused|cannot|can't|could ?n[o']t|unable|not found|no such|no space|invalid|illegal|killed|abort|traceback|unauthori[sz]ed|forbidden|time[ds]?[ -]?out|unreachable|unknown host|unknown database|unknownhost|read-?only|in use|too many|exhausted|out of memory|outofmemory|\boom|\bbad |missing|unresolved|name resolution|no route|reset by peer|broken pipe|\b13[479]\b|unrecogni[sz]ed|unknown (?:flag|option|shorthand|variable)|not (?:defined|implem)|not (?:yet )?(?:ready|received)|file exists|chain(?: already|\/target)/i;
/** `error`, `ERROR`, `ValueError`, but not the `errorChannel` that some program has. */
const ERROR = /\b(?:error(?:s|ed)?|ERROR|ERR|Error|exception|EXCEPTION)\b|(?:Error|Exception)\b/;

/** Whether a line (as `plainLine` gives it) may say that something is wrong. */
export function tellsTrouble(line: string): boolean {
  return ERROR.test(line) || TROUBLE.test(line);
}

/** The line without what differs each time it is written (numbers, ids): lines of one shape say the same thing. */
export function shapeOf(line: string): string {
  return line.replace(/[0-9a-f]{8,}|\d+/gi, '#');
}
