import { withoutTail } from '../../base/text.ts';
import { parseInteger } from '../../base/number.ts';
import type { Place } from '../../model/place.ts';
import type { FieldValues, WordOf } from '../survey/fact-sink.ts';
import type { Vocabulary } from '../survey/vocabulary.ts';

/** What kept one program from talking to another, in the words of clients and servers. */
export interface CallTrouble extends Pick<FieldValues<'call-failure'>, 'host' | 'server'> {
  readonly class: WordOf<'call-failure', 'class'>;
  readonly port?: number;
  /** The address of the caller, in the words of a server that refuses it. */
  readonly caller?: string;
}

/** The trouble a line (as `plainLine` gives it) tells of; undefined for a line that tells of none. */
export function callTrouble(line: string, place: Place, vocabulary: Vocabulary): CallTrouble | undefined {
  const { class: name, server } = vocabulary.read('call-failure', line, place)?.fields ?? {};
  if (name === undefined) return undefined;
  const groups = ADDRESSES[name]?.map((address) => address.exec(line)?.groups).find((found) => found !== undefined);
  const [host, port] = [withoutTail(groups?.['host'] ?? '', '.:'), parseInteger(groups?.['port'])];
  return {
    class: name,
    ...(host === '' ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(server === undefined ? {} : { server }),
    ...(name === 'credentials' ? callerIn(line) : {}),
  };
}

const HOST = '(?<host>[A-Za-z0-9][A-Za-z0-9._-]{0,252})';
const PORT = '(?<port>\\d{1,5})';

const LOOKED_UP = new RegExp(`lookup ${HOST}`, 'i');

/** Where the words of a trouble have the address that was called. Every part is bounded: no line takes long. */
const ADDRESSES: Readonly<Partial<Record<CallTrouble['class'], readonly RegExp[]>>> = {
  'dns-timeout': [LOOKED_UP, new RegExp(`(?:EAI_AGAIN|resolve(?: host)?:?) '?${HOST}`, 'i')],
  'name-not-resolved': [
    LOOKED_UP,
    new RegExp(`Exception: (?:[^:]{0,60}: )?${HOST}`, 'i'),
    new RegExp(`ENOTFOUND ${HOST}(?::${PORT})?`, 'i'),
    new RegExp(
      `(?:resolution failed for|host name "|resolve host:?|known \\(?|address '|can't resolve '|can't find|unknown host:?|cannot resolve) ?${HOST}(?::${PORT})?`,
      'i',
    ),
  ],
  refused: [
    new RegExp(
      `(?:dial tcp|ECONNREFUSED|connect(?:ing|ion)? to|connect to|to server at|to host|to) "?\\[?${HOST}(?<![.])\\]?"?[:,] ?(?:port )?${PORT}`,
      'i',
    ),
  ],
  timeout: [new RegExp(`(?:dial tcp|ETIMEDOUT|connect(?:ing|ion)? to|to) "?${HOST}"?[:,] ?(?:port )?${PORT}`, 'i')],
};

/** MySQL: `'user'@'10.1.0.7'`; PostgreSQL: `for host "10.1.0.7"`, `host=10.1.0.7`. */
function callerIn(line: string): { readonly caller?: string } {
  const caller = /(?:@'|for host "|host=)(\d{1,3}(?:\.\d{1,3}){3})/.exec(line)?.[1];
  return caller === undefined ? {} : { caller };
}
