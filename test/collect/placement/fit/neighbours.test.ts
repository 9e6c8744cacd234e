import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago } from '../../../support/collected.ts';
import type { Filtered, Seen } from './filtered.ts';
import { filtered, node, pod, refused, ZONE } from './filtered.ts';

describe('pods that are to be together or apart', () => {
  const affinity = (which: string, term: JsonObject = {}): JsonObject => ({
    affinity: {
      [which]: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app: 'till' } }, topologyKey: ZONE, ...term }],
      },
    },
  });
  const nodes = [
    node('worker-1', { labels: { [ZONE]: 'a' } }),
    node('worker-2', { labels: { [ZONE]: 'a' } }),
    node('worker-3', { labels: { [ZONE]: 'b' } }),
  ];
  const till = (nodeName: string, metadata: JsonObject = {}): KubeObject =>
    pod('till', { nodeName }, { labels: { app: 'till' }, ...metadata });
  const apart = (pods: readonly KubeObject[], term: JsonObject = {}, metadata: JsonObject = {}): readonly string[] =>
    refused(pod('web', affinity('podAntiAffinity', term), metadata), { nodes, pods });

  it('are looked for in the domain of the node', () => {
    expect(apart([till('worker-2')])).toEqual(['pod-anti-affinity']);
    expect(apart([till('worker-3')])).toEqual([]);
    expect(refused(pod('web', affinity('podAffinity')), { nodes, pods: [till('worker-2')] })).toEqual([]);
    expect(refused(pod('web', affinity('podAffinity')), { nodes, pods: [till('worker-3')] })).toEqual(['pod-affinity']);
    expect(refused(pod('web', affinity('podAffinity', { topologyKey: 'rack' })), { nodes, pods: [till('worker-1')] })).toEqual([
      'pod-affinity',
    ]);
  });

  it('are those of the own namespace, of those that are named, or of all', () => {
    const elsewhere = till('worker-2', { namespace: 'cash' });
    expect(apart([elsewhere])).toEqual([]);
    expect(apart([elsewhere], { namespaces: ['cash'] })).toEqual(['pod-anti-affinity']);
    expect(apart([till('worker-2')], { namespaces: ['cash'] })).toEqual([]);
    expect(apart([elsewhere], { namespaceSelector: {} })).toEqual(['pod-anti-affinity']);
    const some = { namespaceSelector: { matchLabels: { team: 'cash' } } };
    expect(apart([elsewhere], some)).toEqual([]);
    expect(filtered(pod('web', affinity('podAntiAffinity', some)), { nodes, pods: [elsewhere] }).unknown).toEqual(['pod-anti-affinity']);
  });

  it('are selected by labels, expressions and the own value of keys', () => {
    const by = (labelSelector: JsonObject | undefined, more: JsonObject = {}): readonly string[] =>
      apart(
        [till('worker-2', { labels: { app: 'till', tier: 'a' } })],
        { labelSelector: labelSelector ?? null, ...more },
        { labels: { tier: 'a' } },
      );
    const expression = (operator: string, values: readonly string[] = []): JsonObject => ({
      matchExpressions: [{ key: 'app', operator, values: [...values] }],
    });
    expect(by(expression('In', ['till', 'cash']))).toEqual(['pod-anti-affinity']);
    expect(by(expression('NotIn', ['till']))).toEqual([]);
    expect(by(expression('Exists'))).toEqual(['pod-anti-affinity']);
    expect(by(expression('DoesNotExist'))).toEqual([]);
    const app = { matchLabels: { app: 'till' } };
    expect(by(app, { matchLabelKeys: ['tier'] })).toEqual(['pod-anti-affinity']);
    expect(
      apart(
        [till('worker-2', { labels: { app: 'till', tier: 'b' } })],
        { labelSelector: app, matchLabelKeys: ['tier'] },
        { labels: { tier: 'a' } },
      ),
    ).toEqual([]);
  });

  it('may be kept off by a pod that is there, and are told once where both do', () => {
    const guard = pod(
      'till',
      { nodeName: 'worker-2', ...affinity('podAntiAffinity', { labelSelector: { matchLabels: { app: 'web' } } }) },
      { labels: { app: 'till' } },
    );
    expect(refused(pod('web', {}, { labels: { app: 'web' } }), { nodes, pods: [guard] })).toEqual(['existing-anti-affinity']);
    expect(refused(pod('web', {}, { labels: { app: 'cash' } }), { nodes, pods: [guard] })).toEqual([]);
    expect(refused(pod('web', affinity('podAntiAffinity'), { labels: { app: 'web' } }), { nodes, pods: [guard] })).toEqual([
      'pod-anti-affinity',
    ]);
    expect(filtered(pod('web', {}, { labels: { app: 'web' } }), { nodes, pods: [guard] }).detail).toBe(
      `till there allows no such pod in its ${ZONE}`,
    );
  });

  it('are unknown where not all pods of the namespace were seen', () => {
    const seen = (which: string, more: Seen = {}): readonly string[] =>
      filtered(pod('web', affinity(which)), { nodes, allPods: false, wholeNodes: ['worker-1'], ...more }).unknown;
    expect(seen('podAffinity')).toContain('pod-affinity');
    expect(seen('podAntiAffinity')).toContain('pod-anti-affinity');
    expect(seen('podAntiAffinity', { wholeNamespaces: ['shop'] })).toEqual([]);
    const unlisted = till('worker-9');
    expect(filtered(pod('web', affinity('podAffinity')), { nodes, pods: [unlisted] })).toMatchObject({
      refused: [],
      unknown: ['pod-affinity'],
    });
  });

  it('may be the first of their kind', () => {
    expect(refused(pod('till', affinity('podAffinity'), { labels: { app: 'till' } }), { nodes })).toEqual([]);
    expect(refused(pod('web', affinity('podAffinity'), { labels: { app: 'web' } }), { nodes })).toEqual(['pod-affinity']);
  });
});

describe('pods that are to be spread', () => {
  const nodes = [node('worker-1', { labels: { [ZONE]: 'a' } }), node('worker-2', { labels: { [ZONE]: 'b' } })];
  const spread = (more: JsonObject = {}): JsonObject => ({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'web' } }, ...more },
    ],
  });
  const web = (name: string, nodeName: string, metadata: JsonObject = {}): KubeObject =>
    pod(name, { nodeName }, { labels: { app: 'web' }, ...metadata });
  const put = (more: JsonObject, pods: readonly KubeObject[], labels: JsonObject = { app: 'web' }): Filtered =>
    filtered(pod('web', spread(more), { labels }), { nodes, pods });
  const ONE = [web('web-1', 'worker-1')];
  const TWO = [...ONE, web('web-2', 'worker-1')];

  it('may differ in number by the skew, the pod itself counted', () => {
    expect(put({}, ONE)).toMatchObject({ refused: ['spread'], detail: `${ZONE}=a has 1 pod with app=web, the minimum is 0` });
    expect(put({ maxSkew: 2 }, ONE).refused).toEqual([]);
    expect(put({ maxSkew: 2 }, TWO)).toMatchObject({ refused: ['spread'], detail: `${ZONE}=a has 2 pods with app=web, the minimum is 0` });
    expect(put({}, [...ONE, web('web-3', 'worker-2')]).refused).toEqual([]);
    expect(put({}, ONE, { app: 'till' }).refused).toEqual([]);
    expect(put({ maxSkew: undefined }, ONE).refused).toEqual(['spread']);
  });

  it('count pods of the namespace that are not being deleted', () => {
    expect(put({}, [web('web-1', 'worker-1', { namespace: 'till' })]).refused).toEqual([]);
    expect(put({}, [web('web-1', 'worker-1', { deletionTimestamp: ago(5) })]).refused).toEqual([]);
    expect(put({}, [web('web-1', 'worker-1', { labels: { app: 'till' } })]).refused).toEqual([]);
  });

  it('need so many domains, each node its label, and are not needed where they are only wished for', () => {
    const full = [...ONE, web('web-3', 'worker-2')];
    expect(put({ minDomains: 3 }, full).refused).toEqual(['spread']);
    expect(put({ minDomains: 2 }, full).refused).toEqual([]);
    expect(put({ whenUnsatisfiable: 'ScheduleAnyway' }, ONE).refused).toEqual([]);
    expect(put({ topologyKey: 'rack' }, [])).toMatchObject({ refused: ['spread'], detail: 'no label rack' });
    expect(
      put({ matchLabelKeys: ['tier'] }, [web('web-1', 'worker-1', { labels: { app: 'web', tier: 'b' } })], { app: 'web', tier: 'a' })
        .refused,
    ).toEqual([]);
  });

  it('are unknown where not all pods of the namespace were seen', () => {
    expect(filtered(pod('web', spread()), { nodes, allPods: false, wholeNodes: ['worker-1'] }).unknown).toEqual(['spread']);
    expect(
      filtered(pod('web', spread({ whenUnsatisfiable: 'ScheduleAnyway' })), { nodes, allPods: false, wholeNodes: ['worker-1'] }).unknown,
    ).toEqual([]);
  });
});
