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
  const phrase = ADDRESSED[name];
  const address = phrase === undefined ? undefined : vocabulary.phrase(phrase, line);
  const [host, port] = [withoutTail(address?.captured.host ?? '', '.:'), parseInteger(address?.captured.port)];
  const caller = name === 'credentials' ? vocabulary.phrase('caller-address', line)?.captured.caller : undefined;
  return {
    class: name,
    ...(host === '' ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(server === undefined ? {} : { server }),
    ...(caller === undefined || !IP.test(caller) ? {} : { caller }),
  };
}

/** Which words of a trouble have the address that was called. */
const ADDRESSED: Readonly<Partial<Record<CallTrouble['class'], 'called-name' | 'called-address'>>> = {
  'dns-timeout': 'called-name',
  'name-not-resolved': 'called-name',
  refused: 'called-address',
  timeout: 'called-address',
};

const IP = /^\d{1,3}(?:\.\d{1,3}){3}$/;
