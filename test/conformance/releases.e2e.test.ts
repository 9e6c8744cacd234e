import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bench, Outcome } from './kubectl.ts';
import { isProgram, openBench } from './kubectl.ts';
import type { Step } from './release-steps.ts';
import { CHART, HELM_STEPS, STEPS } from './release-steps.ts';

/** A folder for each release: `25/kubectl/kubectl`, `25/helm/helm`. */
const FOLDER = process.env['PODCHECK_TEST_KUBECTLS'] ?? '';

describe.each([25, 29, 33, 36])('the programs around kubectl 1.%i', (minor) => {
  const programs = { kubectl: join(FOLDER, `${minor}/kubectl/kubectl`), helm: join(FOLDER, `${minor}/helm/helm`) };
  const lacks = (name: 'kubectl' | 'helm'): string => (isProgram(programs[name]) ? '' : ` (not run: ${name} is not on this machine)`);
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it.skipIf(lacks('kubectl') !== '')(`kubectl works on the served cluster${lacks('kubectl')}`, async () => {
    const steps = STEPS.filter(({ since = 0 }) => since <= minor);
    const play = async (step: Step): Promise<Outcome> => {
      const words = step.words.split(' ');
      if (step.reaches === undefined) return bench.run(programs.kubectl, words, optionsOf(step));
      const forwarded = await bench.forwarded(programs.kubectl, words);
      return { ...forwarded, out: step.reaches.test(forwarded.answer) ? forwarded.out : forwarded.answer };
    };
    expect(await failuresOf(steps, play)).toEqual([]);
  });

  it.skipIf(lacks('helm') !== '')(`helm installs, upgrades, rolls back and uninstalls${lacks('helm')}`, async () => {
    for (const [name, content] of Object.entries(CHART)) {
      mkdirSync(dirname(join(bench.folder, 'chart', name)), { recursive: true });
      writeFileSync(join(bench.folder, 'chart', name), content);
    }
    expect(await failuresOf(HELM_STEPS, (step) => bench.run(programs.helm, step.words.split(' ')))).toEqual([]);
  });
});

function optionsOf({ stdin, endsAt }: Step): { readonly stdin?: string; readonly until?: (out: string) => boolean } {
  return { ...(stdin === undefined ? {} : { stdin }), ...(endsAt === undefined ? {} : { until: (out) => endsAt.test(out) }) };
}

/** Characters of what a step printed that went wrong. */
const SHOWN = 1000;

/** The steps that went wrong, with what was printed. */
async function failuresOf(steps: readonly Step[], run: (step: Step) => Promise<Outcome>): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const step of steps) {
    const { code, out, err } = await run(step);
    const codeFits = step.endsAt !== undefined || code === (step.code ?? 0);
    if (!codeFits || !step.prints.test(out)) failures.push({ words: step.words, code, out: out.slice(-SHOWN), err });
  }
  return failures;
}
