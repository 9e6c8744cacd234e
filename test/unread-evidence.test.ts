import { describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../src/catalog/bundled-data.ts';
import { collect } from '../src/collect/collect.ts';
import { diagnose } from '../src/engine/diagnose.ts';
import type { ClusterReader } from '../src/model/cluster-reader.ts';
import type { Diagnosis } from '../src/model/diagnosis.ts';
import { isUnread } from '../src/model/fact.ts';
import { faultyReader } from './support/faulty-reader.ts';
import { played, targetOf } from './support/scenario-runs.ts';

const rules = await shippedRules();
const scenarios = await shippedScenarios();

/** The diagnosis of a scenario by somebody who sees it through `through`. */
async function seen(id: string, through: (reader: ClusterReader) => ClusterReader): Promise<Diagnosis> {
  const scenario = scenarios.find((one) => one.id === id);
  if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
  const target = targetOf(scenario.expect);
  const evidence = await collect(
    through(played(scenario).reader()),
    { target, ...(target.namespace === undefined ? {} : { namespace: target.namespace }) },
    rules,
  );
  return diagnose(evidence, rules, target);
}

function forbidding(...kinds: readonly string[]): (reader: ClusterReader) => ClusterReader {
  return (reader) => faultyReader(reader, ({ kind }) => (kinds.includes(kind) ? 'forbidden' : undefined)).reader;
}

/** A server, or something in front of it, that finds nothing by selector. */
function emptyBySelector(kind: string): (reader: ClusterReader) => ClusterReader {
  return (reader) => ({
    get: (ref) => reader.get(ref),
    list: (asked, scope) =>
      asked === kind && (scope.labelSelector ?? scope.fieldSelector) !== undefined
        ? Promise.resolve({ ok: true, value: [] })
        : reader.list(asked, scope),
    logs: (pod, container, options) => reader.logs(pod, container, options),
    now: () => reader.now(),
  });
}

describe('a webhook that denied a request', () => {
  const BOTH = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

  it.each(['mutating-admission/webhook-denied', 'validating-admission/webhook-denied'])(
    'is the cause by the words of the API server, of a type that is left open when neither could be read: %s',
    async (id) => {
      const whole = await seen(id, (reader) => reader);
      expect(whole.causes[0]?.rule).toBe(id);
      expect(whole.causes[0]?.what).not.toContain('could not be read');
      const { causes, gaps } = await seen(id, forbidding(...BOTH));
      expect(causes[0]).toMatchObject({ title: 'Admission webhook denied the request', object: { kind: 'Deployment' } });
      expect(causes[0]?.what).toContain('It is a mutating or validating webhook: its configuration could not be read.');
      expect(gaps.filter(isUnread).map(({ about }) => about.kind)).toEqual(expect.arrayContaining(BOTH));
    },
  );

  it.each(['mutating-admission/webhook-denied', 'validating-admission/webhook-denied'])(
    'is of the type that was not read when it is not among the other: %s',
    async (id) => {
      for (const kind of BOTH) expect((await seen(id, forbidding(kind))).causes[0]?.rule).toBe(id);
    },
  );
});

describe('a workload whose own status is healthy', () => {
  // Its pods stay Ready for a while on a node whose runtime has stopped: only the Node tells.
  it.each(['healthy/deployment', 'kubelet/node-not-ready', 'sandbox/container-runtime-down'])(
    'is not called healthy by somebody who may not read its nodes: %s',
    async (id) => {
      const { outcome, state, causes, gaps } = await seen(id, forbidding('Node'));
      expect({ outcome, state, causes }).toEqual({ outcome: 'inconclusive', state: 'healthy', causes: [] });
      expect(gaps.map(({ about }) => about.kind)).toContain('Node');
    },
  );
});

describe('a list by selector that is empty by mistake', () => {
  it.each(['containers/port-conflict', 'probes/liveness-too-early', 'healthy/statefulset', 'healthy/daemonset'])(
    'is noticed by what the status of the workload counts: %s',
    async (id) => {
      const { outcome, causes, gaps } = await seen(id, emptyBySelector('Pod'));
      expect({ outcome, causes }).toEqual({ outcome: 'inconclusive', causes: [] });
      expect(gaps.map(({ reason }) => reason)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^no pod of \S+ was listed, but its status counts \d/)]),
      );
    },
  );

  it('is noticed by the endpoints of the Service', async () => {
    const { outcome, causes, gaps } = await seen('endpoints/no-ready-endpoints.near-probe-fails', emptyBySelector('Pod'));
    expect({ outcome, causes: causes.map(({ rule }) => rule) }).not.toEqual({
      outcome: 'explained',
      causes: ['endpoints/selector-matches-no-pod'],
    });
    expect(gaps.map(({ reason }) => reason)).toEqual(expect.arrayContaining([expect.stringContaining('but it has endpoints')]));
  });
});
