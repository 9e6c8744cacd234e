import { expect } from 'vitest';
import { podcheck } from './command-line.ts';

/** What `podcheck diagnose -o json` says, as far as tests of pasted texts look at it. */
export interface PastedAnswer {
  readonly outcome: string;
  readonly target: { readonly kind: string; readonly namespace?: string; readonly name: string };
  readonly causes: readonly { readonly rule: string; readonly what: string; readonly fix: readonly { readonly run?: string }[] }[];
  /** What it writes beside the answer. */
  readonly err: string;
}

/** Diagnoses a text from standard input. */
export async function answerTo(text: string): Promise<PastedAnswer> {
  const { out, err } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: text });
  expect(out, err).not.toBe('');
  return { ...(JSON.parse(out) as Omit<PastedAnswer, 'err'>), err };
}
