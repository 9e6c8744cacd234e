import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shippedRules, shippedScenario, shippedScenarios } from '../src/catalog/bundled-data.ts';
import { apiFindings } from '../src/certificates/api-objects.ts';
import { scanSource } from '../src/commands/diagnose/scan-source.ts';
import { accessManifests } from '../src/commands/rbac/access-manifests.ts';
import { diagnoseTarget } from '../src/library/diagnose-target.ts';
import type { AccessRule, Uses, Verb } from '../src/model/access-needs.ts';
import { accessRules } from '../src/model/access-needs.ts';
import type { ClusterReader } from '../src/model/cluster-reader.ts';
import { formatRef } from '../src/model/kube-object.ts';
import { groupOf, resourceOfKind } from '../src/model/resources.ts';
import { startServing } from '../src/server/serve.ts';
import { emptyFolder } from './support/built-program.ts';
import { podcheck } from './support/command-line.ts';
import { played, targetOf } from './support/scenario-runs.ts';

const rules = await shippedRules();
const ALL: Uses = { watch: true, logs: true, certificates: true, secrets: true };

function rightsOf(uses: Uses): ReadonlySet<string> {
  const all = [...accessRules(uses, true), ...accessRules(uses, false)];
  return new Set(
    all.flatMap(({ apiGroups, resources, verbs }) =>
      resources.flatMap((plural) => verbs.map((verb) => `${verb} ${plural}.${apiGroups[0] ?? ''}`)),
    ),
  );
}

/** The reader, and the rights that its reads need; records that are no objects need none. */
function noting(reader: ClusterReader, needed: Set<string>): ClusterReader {
  const note = (verb: Verb, kind: string): void => {
    const resource = resourceOfKind(kind);
    if (resource !== undefined) needed.add(`${verb} ${resource.plural}.${groupOf(resource.apiVersion)}`);
  };
  return {
    get: (ref) => {
      note('get', ref.kind);
      return reader.get(ref);
    },
    list: (kind, scope) => {
      note('list', kind);
      return reader.list(kind, scope);
    },
    logs: (...asked) => {
      needed.add('get pods/log.');
      return reader.logs(...asked);
    },
    now: () => reader.now(),
  };
}

/** A ClusterRole that a refused user has, Endpoints without slices, an old controller's template, and Gateways for cert-expiry --probe. */
const NOT_IN_SCENARIOS = [
  'get clusterroles.rbac.authorization.k8s.io',
  'get endpoints.',
  'get replicationcontrollers.',
  'list gateways.gateway.networking.k8s.io',
];

describe('the Roles', () => {
  it('allow all that a diagnosis, a scan and cert-expiry of any scenario read, and hardly more', async () => {
    const needed = new Set<string>();
    for (const scenario of await shippedScenarios()) {
      const reader = noting(played(scenario).reader(), needed);
      if (scenario.expect?.scan === undefined) await diagnoseTarget(reader, rules, targetOf(scenario.expect));
      await scanSource(reader, rules, {});
      await apiFindings(reader, {});
    }
    const rights = rightsOf({ ...ALL, watch: false });
    expect([...needed].filter((right) => !rights.has(right))).toEqual([]);
    expect([...rights].filter((right) => !needed.has(right)).toSorted()).toEqual(NOT_IN_SCENARIOS);
  }, 300_000);
});

const TRIED = ['volumes/configmap-not-found', 'scheduling/insufficient-resource', 'endpoints/selector-matches-no-pod'];

describe.each(TRIED)('on a served cluster: %s', (id) => {
  it('a user with these rights gets the answer of an administrator, and without one of them the same or a gap that names it', async () => {
    const scenario = await shippedScenario(id);
    if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
    const cluster = played(scenario);
    const serving = await startServing({ cluster, speed: 0.0001 });
    const folder = emptyFolder();
    const kubeconfig = join(folder.path, 'config');
    writeFileSync(kubeconfig, serving.kubeconfig);
    const target = formatRef(targetOf(scenario.expect));
    const answer = async (...flags: readonly string[]): Promise<{ causes: { rule: string }[]; outcome: string; text: string }> => {
      const { out } = await podcheck(['diagnose', target, '--kubeconfig', kubeconfig, '-o', 'json', ...flags]);
      return { ...(JSON.parse(out) as { causes: { rule: string }[]; outcome: string }), text: out };
    };
    const give = (change: (rules: readonly AccessRule[]) => readonly AccessRule[]): void => {
      const wish = { name: 'podcheck', uses: { logs: true }, namespaces: undefined, subject: { kind: 'User', name: 'oncall' } } as const;
      const objects = accessManifests(wish).map((object) =>
        object['rules'] === undefined ? object : { ...object, rules: change(object['rules'] as unknown as AccessRule[]) },
      );
      cluster.apply(objects as never);
    };
    give((all) => all);
    const [whole, own] = [await answer(), await answer('--as', 'oncall')];
    expect(own.causes.map(({ rule }) => rule)).toEqual(whole.causes.map(({ rule }) => rule));
    let missed = 0;
    for (const right of rightsOf({ logs: true })) {
      const [verb = '', resource = ''] = right.split(' ');
      give((all) => all.flatMap((rule) => withoutRight(rule, verb as Verb, resource)));
      const less = await answer('--as', 'oncall');
      if (less.causes[0]?.rule === whole.causes[0]?.rule) continue;
      missed++;
      expect([right, less.outcome, less.causes]).toEqual([right, 'inconclusive', []]);
      expect(less.text).toContain(`${verb} ${resource.split('.')[0] ?? ''}`);
    }
    expect(missed).toBeGreaterThan(0);
    await serving.close();
    rmSync(dirname(kubeconfig), { recursive: true, force: true });
  });
});

function withoutRight(rule: AccessRule, verb: Verb, resource: string): readonly AccessRule[] {
  const [plural = '', ...group] = resource.split('.');
  if (rule.apiGroups[0] !== group.join('.') || !rule.resources.includes(plural) || !rule.verbs.includes(verb)) return [rule];
  const others = rule.resources.filter((each) => each !== plural);
  const verbs = rule.verbs.filter((each) => each !== verb);
  return [
    ...(others.length === 0 ? [] : [{ ...rule, resources: others }]),
    ...(verbs.length === 0 ? [] : [{ ...rule, resources: [plural], verbs }]),
  ];
}
