import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../src/catalog/bundled-data.ts';
import { openLive } from '../src/clusters/live/open-live.ts';
import type { TransportLimits } from '../src/clusters/live/requests/transport.ts';
import { collect } from '../src/collect/collect.ts';
import { diagnose } from '../src/engine/diagnose.ts';
import type { Diagnosis } from '../src/model/diagnosis.ts';
import { isUnread } from '../src/model/fact.ts';
import type { Scenario } from '../src/model/scenario.ts';
import { BlindJudge } from './support/blind-judge.ts';
import { podcheck } from './support/command-line.ts';
import { targetOf } from './support/scenario-runs.ts';
import type { Faults, ServedScenario } from './support/served-scenario.ts';
import { closeServed, keyOf, servedScenario } from './support/served-scenario.ts';
import { WIRE_FAULTS } from './support/wire-faults.ts';

const rules = await shippedRules();
const scenarios = await shippedScenarios();
const FORMS = Object.keys(WIRE_FAULTS);
/** Of different stages, and each explained by what a running cluster shows. */
const IDS = [
  'volumes/configmap-not-found',
  'scheduling/claim-access-mode-mismatch',
  'endpoints/no-ready-endpoints',
  'containers/port-conflict',
  'probes/liveness-too-early',
  'validating-admission/quota-exceeded',
  'validating-admission/webhook-denied',
  'kubelet/node-not-ready',
  'controllers/hpa-no-metrics',
];
/** Forms that take the whole time a request is given. */
const SLOW: ReadonlySet<string> = new Set(['hang', 'drip']);
/**
 * Each read meets every so many of the forms, and each form some reads of every scenario; PODCHECK_ALL_READS=1 has each read meet each
 * form.
 */
const EVERY = process.env['PODCHECK_ALL_READS'] === undefined ? 6 : 1;
/** Looks under way at once: most of the slow ones is waiting. */
const AT_ONCE = 4;

describe.each(IDS)('a running cluster with %s', (id) => {
  let stage: ServedScenario;
  beforeAll(async () => {
    stage = await servedScenario(scenarioNamed(id));
  });
  afterAll(() => closeServed(stage));

  it('is diagnosed with the same cause, or none and what was not read, when a read goes wrong in any way', async () => {
    const { reads, diagnosis: whole } = await look(stage, () => undefined);
    const judge = new BlindJudge(stage.scenario, rules, whole, false);
    expect(whole.causes[0]?.rule).toBe(stage.scenario.expect?.cause);
    const tries = reads.flatMap((key, index) => FORMS.filter((_, place) => (index + place) % EVERY === 0).map((form) => ({ key, form })));
    const wrong: string[] = [];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let one = tries.pop(); one !== undefined; one = tries.pop()) {
          const { key, form } = one;
          const { diagnosis } = await look(stage, (read) => (keyOf(read) === key ? form : undefined), SLOW.has(form) ? SHORT : {});
          // Events expire after an hour: that there are none is nothing to be told.
          const isPlain = form === 'nothing by selector' && key === 'list Event';
          const trouble = judge.troubleOf(diagnosis, isPlain || diagnosis.gaps.some(isUnread));
          if (trouble !== undefined) wrong.push(`${key}, ${form}: ${trouble}`);
        }
      }),
    );
    expect(reads.length).toBeGreaterThan(6);
    expect(wrong.toSorted()).toEqual([]);
  }, 600_000);
});

/** So that what gives no answer is soon given up. On a slow machine other reads are, too: then there are more gaps. */
const SHORT = { idleSeconds: 0.3, totalSeconds: 0.6 };

describe('a command that asks a server of which every answer goes wrong', () => {
  let stage: ServedScenario;
  beforeAll(async () => {
    stage = await servedScenario(scenarioNamed('volumes/configmap-not-found'));
  });
  afterAll(() => closeServed(stage));

  const COMMANDS = [
    ['diagnose', 'deploy/web', '-n', 'shop'],
    ['diagnose', '-n', 'shop'],
    ['scan', '-n', 'shop'],
    ['scan', '-A'],
    ['cert-expiry'],
    ['cert-expiry', '--secrets', '--probe'],
  ];

  // A list by selector that is empty by mistake is one of many answers, and the others are right.
  it.each(FORMS.filter((form) => form !== 'nothing by selector').map((form, place) => ({ form, place })))(
    'ends in time with what it could not read, and is never well: $form',
    async ({ form, place }) => {
      // What answers at /version, and nothing else, is a server; what does not answer there is none.
      for (const isUp of [true, false]) {
        stage.faults.set('', ({ verb }) => (isUp && verb === 'version' ? undefined : form));
        // Half of the commands, others for the next form; and one where no server is.
        const commands =
          EVERY === 1 ? COMMANDS : COMMANDS.filter((_, index) => (isUp ? (index + place) % 2 === 0 : index === place % COMMANDS.length));
        const runs = await Promise.all(
          commands.map(async (argv) => ({
            argv,
            ran: await podcheck([...argv, '--request-timeout', SLOW.has(form) ? '1s' : '60s'], { env: { KUBECONFIG: stage.kubeconfig } }),
          })),
        );
        for (const {
          argv,
          ran: { code, out, err },
        } of runs) {
          const told = `${argv.join(' ')}: ${out}${err}`;
          expect(told).not.toMatch(/a bug in podcheck|^ {4}at /m);
          // A certificate that the kubeconfig or the server shows may be told of all the same.
          expect(argv[0] === 'cert-expiry' ? [1, 3] : [1, 3], told).toContain(code);
          if (argv[0] !== 'cert-expiry' && isUp) expect(code, told).toBe(3);
        }
      }
    },
    120_000,
  );
});

function scenarioNamed(id: string): Scenario {
  const scenario = scenarios.find((one) => one.id === id);
  if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
  return scenario;
}

/** One diagnosis behind these faults, and what it read, each kind of read once. */
async function look(
  stage: ServedScenario,
  faults: Faults,
  limits: Partial<TransportLimits> = {},
): Promise<{ readonly reads: readonly string[]; readonly diagnosis: Diagnosis }> {
  const target = targetOf(stage.scenario.expect);
  const reads = new Set<string>();
  const userAgent = `look-${stage.faults.size}`;
  stage.faults.set(userAgent, (read) => {
    reads.add(keyOf(read));
    return faults(read);
  });
  const cluster = await openLive({
    kubeconfig: stage.kubeconfig,
    around: { env: {}, homeFolder: '/nonexistent', workingFolder: '/' },
    clock: Date.now,
    interactive: false,
    userAgent,
    limits,
  });
  try {
    const evidence = await collect(
      cluster.reader,
      { target, ...(target.namespace === undefined ? {} : { namespace: target.namespace }) },
      rules,
    );
    return { reads: [...reads], diagnosis: diagnose(evidence, rules, target) };
  } finally {
    cluster.close();
  }
}
