import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shippedScenarios } from '../src/catalog/bundled-data.ts';
import { readJournal } from '../src/runbook/journal-file.ts';
import { podcheck } from './support/command-line.ts';
import { folderWith } from './support/folder.ts';
import type { ServedScenario } from './support/served-scenario.ts';
import { closeServed, keyOf, servedScenario } from './support/served-scenario.ts';
import { WIRE_FAULTS } from './support/wire-faults.ts';

const scenarios = await shippedScenarios();
const FORMS = Object.keys(WIRE_FAULTS);
/** Forms that take the whole time a request is given. */
const SLOW: ReadonlySet<string> = new Set(['hang', 'drip']);
/** Each read meets every so many of the forms; PODCHECK_ALL_READS=1 has each read meet each form. */
const EVERY = process.env['PODCHECK_ALL_READS'] === undefined ? 9 : 1;

let stage: ServedScenario;
beforeAll(async () => {
  const scenario = scenarios.find(({ id }) => id === 'volumes/configmap-not-found');
  if (scenario === undefined) throw new Error('there is no such scenario');
  stage = await servedScenario(scenario);
});
afterAll(() => closeServed(stage));

interface Looked {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Each kind of read once. */
  readonly reads: ReadonlySet<string>;
  /** Requests that went wrong. */
  readonly hits: number;
}

async function look(argv: readonly string[], fault?: { readonly key: string; readonly form: string }): Promise<Looked> {
  const reads = new Set<string>();
  let hits = 0;
  stage.faults.set('', (read) => {
    const key = keyOf(read);
    reads.add(key);
    if (key !== fault?.key) return undefined;
    hits++;
    return fault.form;
  });
  const ran = await podcheck([...argv, '--request-timeout', fault !== undefined && SLOW.has(fault.form) ? '1s' : '60s'], {
    env: { KUBECONFIG: stage.kubeconfig, HOME: folderWith() },
  });
  return { ...ran, reads, hits };
}

/** Every read with some of the forms. */
function faultsOf({ reads }: Looked): readonly { readonly key: string; readonly form: string }[] {
  return [...reads]
    .filter((key) => !key.startsWith('version'))
    .flatMap((key, index) => FORMS.filter((_, place) => (index + place) % EVERY === 0).map((form) => ({ key, form })));
}

describe('cert-expiry of which a read goes wrong', () => {
  interface Report {
    readonly certificates: readonly { readonly role: string; readonly status: string; readonly subject?: string }[];
    readonly tiers: readonly { readonly id: string; readonly asked: boolean; readonly state: string }[];
  }

  it('says no more of any certificate than it saw, and that not all was checked when one is left out', async () => {
    const argv = ['cert-expiry', '--secrets', '-o', 'json'];
    const whole = await look(argv);
    const rowsOf = (out: string): readonly string[] =>
      (JSON.parse(out) as Report).certificates.map(({ role, status, subject = '' }) => `${role} ${status} ${subject}`);
    const all = rowsOf(whole.out);
    expect(all.length).toBeGreaterThan(2);
    const wrong: string[] = [];
    for (const { key, form } of faultsOf(whole)) {
      const { code, out, err, hits } = await look(argv, { key, form });
      const told = `${key}, ${form}: exit code ${code}`;
      if (hits === 0) continue;
      if (out === '') {
        wrong.push(`${told}: ${err}`);
        continue;
      }
      const { tiers } = JSON.parse(out) as Report;
      const rows = rowsOf(out);
      // The role goes by where else the same certificate was seen.
      const known = all.map((row) => row.slice(row.indexOf(' ')));
      const added = rows.filter((row) => !known.includes(row.slice(row.indexOf(' '))) && !row.includes('NOT_CHECKED'));
      const missing = all.filter((row) => !rows.includes(row));
      if (added.length > 0) wrong.push(`${told}: ${added.join(', ')}`);
      if (missing.length > 0 && (code === 0 || tiers.every(({ state }) => state === 'CHECKED')))
        wrong.push(`${told}: nothing says that ${missing.join(', ')} could not be seen`);
    }
    expect(wrong).toEqual([]);
  }, 600_000);
});

describe('a run of a playbook of which a read goes wrong', () => {
  it('changes nothing, is not said to have mended anything, and keeps a journal that is whole', async () => {
    const folder = folderWith();
    const argv = ['runbook', 'run', 'missing-config', 'deploy/web', '-n', 'shop', '--auto', 'read', '--journal', join(folder, 'journal')];
    const whole = await look(argv);
    expect(whole.out, whole.err).toContain('volumes/configmap-not-found');
    const wrong: string[] = [];
    for (const { key, form } of faultsOf(whole)) {
      const { code, out, err, hits } = await look(argv, { key, form });
      if (hits === 0) continue;
      const told = `${key}, ${form}: exit code ${code}: ${out}${err}`;
      if (![whole.code, 1, 3].includes(code)) wrong.push(told);
      if (/a bug in podcheck|^ {4}at |Fixed\./m.test(out + err)) wrong.push(told);
      // What is named is the cause, or nothing is.
      const named = [
        ...out.matchAll(
          /\b(?:apply|authentication|authorization|scheduling|kubelet|volumes|sandbox|network|images|containers|probes|endpoints|traffic)\/[a-z-]+/g,
        ),
      ].map(([rule]) => rule);
      if (named.some((rule) => !whole.out.includes(rule))) wrong.push(told);
    }
    expect(wrong).toEqual([]);
    expect(stage.proxy.seen.filter(({ method, path, isDryRun }) => method !== 'GET' && !isDryRun && !path.includes('selfsubject'))).toEqual(
      [],
    );
    const runs = readdirSync(join(folder, 'journal')).filter((name) => name.endsWith('.jsonl'));
    expect(runs.length).toBeGreaterThan(3);
    for (const run of runs) expect(readJournal(join(folder, 'journal'), run.replace('.jsonl', '')).broken).toBeUndefined();
  }, 600_000);
});
