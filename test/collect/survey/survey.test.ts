import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../../src/catalog/bundled-data.ts';
import { Survey } from '../../../src/collect/survey/survey.ts';
import { scanScope } from '../../../src/library/diagnose-target.ts';
import type { ClusterReader } from '../../../src/model/cluster-reader.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { countingReader } from '../../support/counting-reader.ts';

const NAMESPACES = Array.from({ length: 20 }, (_, index) => `shop-${index}`);

function object(kind: string, namespace: string, name: string, more: object = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace }, ...more };
}

/** In each namespace a pod that waits for a ConfigMap, and a Service in front of it. */
const OBJECTS = NAMESPACES.flatMap((namespace) => [
  object('Service', namespace, 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }),
  object('NetworkPolicy', namespace, 'web', { spec: { podSelector: {} } }),
  object('Pod', namespace, 'web-1', {
    spec: { nodeName: 'worker-1', containers: [{ name: 'web', image: 'nginx:1.27' }] },
    status: { phase: 'Pending', conditions: [{ type: 'Ready', status: 'False' }] },
  }),
]);

/** May list what is in one namespace, but not all at once. */
function withoutAll(reader: ClusterReader): ClusterReader {
  return {
    ...reader,
    list: (kind, scope) =>
      scope.namespace === undefined && kind === 'NetworkPolicy'
        ? Promise.resolve({ ok: false, why: 'forbidden', detail: 'networkpolicies is forbidden at the cluster scope' })
        : reader.list(kind, scope),
  };
}

describe('a scan of all namespaces', () => {
  it('lists each kind once, and not once a namespace', async () => {
    const { reader, reads } = countingReader(OBJECTS);
    await scanScope(reader, await shippedRules());
    const lists = reads.filter((read) => read.startsWith('list '));
    expect(lists.filter((read) => read === 'list Service')).toHaveLength(1);
    expect(lists.filter((read) => read === 'list NetworkPolicy')).toHaveLength(1);
    expect(lists.length).toBeLessThan(60);
    expect(lists.filter((read) => read !== 'list ConfigMap').length).toBe(new Set(lists.filter((read) => read !== 'list ConfigMap')).size);
  });
});

describe('a list of one namespace', () => {
  it('is taken from that of all namespaces', async () => {
    const { reader, reads } = countingReader(OBJECTS);
    const survey = new Survey(reader);
    survey.lookEverywhere();
    for (const namespace of NAMESPACES) {
      const list = await survey.list('NetworkPolicy', { namespace });
      expect(list.ok && list.value.map(({ metadata }) => metadata.namespace)).toEqual([namespace]);
    }
    expect(reads).toEqual(['list NetworkPolicy']);
  });

  it('is asked for where all namespaces may not be listed, which is no gap', async () => {
    const { reader, reads } = countingReader(OBJECTS);
    const survey = new Survey(withoutAll(reader));
    survey.lookEverywhere();
    const list = await survey.list('NetworkPolicy', { namespace: 'shop-3' });
    expect(list.ok && list.value).toHaveLength(1);
    expect(reads).toEqual(['list NetworkPolicy']);
    expect(survey.unread()).toEqual([]);
  });

  it('is asked for where only that namespace is looked at', async () => {
    const { reader } = countingReader(OBJECTS);
    const scopes: unknown[] = [];
    const list: ClusterReader['list'] = (kind, scope) => {
      scopes.push(scope);
      return reader.list(kind, scope);
    };
    await new Survey({ ...reader, list }).list('Service', { namespace: 'shop-3' });
    expect(scopes).toEqual([{ namespace: 'shop-3' }]);
  });
});
