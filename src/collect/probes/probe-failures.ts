import type { FieldValues, WordOf } from '../survey/fact-sink.ts';
import type { Vocabulary } from '../survey/vocabulary.ts';

/** What a probe's failure message says. */
export interface ProbeFailure {
  readonly failure: WordOf<'probe', 'failure'>;
  readonly status?: number;
}

/** The probe that an event of reason Unhealthy is about: its message begins with the name. Source: pkg/kubelet/prober/prober.go (probe). */
export function probeOfMessage(message: string): 'startup' | 'readiness' | 'liveness' | undefined {
  const word = /^\w{1,9}/.exec(message)?.[0].toLowerCase();
  return word === 'startup' || word === 'readiness' || word === 'liveness' ? word : undefined;
}

/** Classifies the message of an Unhealthy event; the handler decides over words that a command may print as well. */
export function classifyProbe(message: string, handler: string, vocabulary: Vocabulary): ProbeFailure {
  const { failure = 'other', status } = readProbe(message, vocabulary);
  if (handler === 'exec') return { failure: failure === 'command-missing' || failure === 'command-timeout' ? failure : 'command-failed' };
  return { failure, ...(status === undefined ? {} : { status }) };
}

/** What is said behind `Readiness probe failed: `. */
export function readProbe(message: string, vocabulary: Vocabulary): FieldValues<'probe'> {
  const colon = message.indexOf(': ');
  return vocabulary.read('probe', colon < 0 ? message : message.slice(colon + 2), 'probe')?.fields ?? {};
}
