import { expect, it } from 'vitest';
import type { Bench, Outcome, RunOptions } from './kubectl.ts';
import { KUBECTL, NOT_RUN } from './kubectl.ts';
import type { RowId } from './matrix.ts';

/** More requests than any command needs: a client that asks again and again is not content with an answer. */
const MOST_REQUESTS = 40;

/** A test of a row of the matrix, titled with what is tried; skipped, and said so, where there is no kubectl. */
export function row(_id: RowId, title: string, run: () => Promise<void>): void {
  it.skipIf(KUBECTL === undefined)(`${title}${NOT_RUN}`, run);
}

/** Runs a command that must succeed without a word on stderr and without asking again and again; what it printed. */
export async function works(bench: Bench, line: string, options?: RunOptions): Promise<string> {
  return checked(line, await bench.kubectl(line, options));
}

export function checked(line: string, { code, out, err, requests }: Outcome): string {
  expect({ line, err, code, out: code === 0 ? '' : out }).toEqual({ line, err: '', code: 0, out: '' });
  expect(requests.length, `requests of ${line}`).toBeLessThanOrEqual(MOST_REQUESTS);
  const failures = requests.filter((request) => request.code >= 400 && request.code !== 404);
  expect(failures, `refused requests of ${line}`).toEqual([]);
  return out;
}

/** Runs a command that must fail; what it printed on stderr. */
export async function fails(bench: Bench, line: string, options?: RunOptions): Promise<string> {
  const { code, err, requests } = await bench.kubectl(line, options);
  expect({ line, failed: code !== 0, err }).toMatchObject({ failed: true });
  expect(requests.length, `requests of ${line}`).toBeLessThanOrEqual(MOST_REQUESTS);
  return err.trim();
}

/** The words of a table's header. */
export function headerOf(out: string): readonly string[] {
  return (out.split('\n')[0] ?? '').trim().split(/\s{2,}/);
}
