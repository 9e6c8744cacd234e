import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, evidenceOf, factsIn, objectOf, podWith } from '../../support/collected.ts';

const SPACES: readonly KubeObject[] = ['shop', 'kube-system'].map((name) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
}));
const DNS: readonly KubeObject[] = [
  inSystem(objectOf('Service', 'kube-dns', { spec: { selector: { app: 'dns' }, ports: [{ port: 53, protocol: 'UDP' }] } })),
  inSystem(labelled(podWith('dns-1', {}, { ready: true, state: { running: {} } }, ready('True')), { app: 'dns' })),
];

function inSystem(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, namespace: 'kube-system' } };
}

function labelled(object: KubeObject, labels: Readonly<Record<string, string>>): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels } };
}

function ready(status: string): { readonly status: JsonObject } {
  return { status: { conditions: [{ type: 'Ready', status, lastTransitionTime: ago(500) }] } };
}

function policy(spec: JsonObject, name = 'deny'): KubeObject {
  return objectOf('NetworkPolicy', name, { spec: { podSelector: {}, policyTypes: ['Egress'], ...spec } });
}

/** What keeps a pod from the cluster DNS that tells of no answer. */
async function blocked(...policies: readonly KubeObject[]): Promise<readonly unknown[]> {
  const state = { ready: false, state: { running: { startedAt: ago(600) } } };
  const web = labelled(podWith('web-1', {}, state, ready('False')), { app: 'web' });
  const lines = [';; connection timed out; no servers could be reached'];
  const logs = [{ pod: { kind: 'Pod', namespace: 'shop', name: 'web-1' }, container: 'web', previous: false, lines, filtered: false }];
  const facts = factsIn(await evidenceOf([web, ...DNS, ...SPACES, ...policies], { logs }), 'blocked-call');
  return facts.map(({ direction, policies: names, port }) => `${String(direction)} ${String(port)} ${String(names)}`);
}

describe('a call that policies block', () => {
  it('is one that no policy of the caller allows, once one selects it', async () => {
    expect(await blocked()).toEqual([]);
    expect(await blocked(policy({ policyTypes: ['Ingress'] }))).toEqual([]);
    expect(await blocked(policy({ podSelector: { matchLabels: { app: 'other' } } }))).toEqual([]);
    expect(await blocked(policy({}))).toEqual(['egress 53 deny']);
    expect(await blocked(policy({}), policy({ podSelector: { matchLabels: { app: 'web' } } }, 'web'))).toEqual(['egress 53 web, deny']);
  });

  it('is allowed by a rule for its port and its peer, or for all', async () => {
    const rule = (egress: JsonObject): Promise<unknown> => blocked(policy({ egress: [egress] }));
    expect(await rule({})).toEqual([]);
    expect(await rule({ ports: [{ port: 53, protocol: 'UDP' }] })).toEqual([]);
    expect(await rule({ ports: [{ port: 50, endPort: 60, protocol: 'UDP' }] })).toEqual([]);
    expect(await rule({ ports: [{ port: 53 }] })).toEqual(['egress 53 deny']);
    expect(await rule({ ports: [{ port: 54, protocol: 'UDP' }] })).toEqual(['egress 53 deny']);
    const system = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } };
    expect(await rule({ to: [system] })).toEqual([]);
    expect(await rule({ to: [{ ...system, podSelector: { matchLabels: { app: 'dns' } } }] })).toEqual([]);
    expect(await rule({ to: [{ ...system, podSelector: { matchLabels: { app: 'other' } } }] })).toEqual(['egress 53 deny']);
    expect(await rule({ to: [{ podSelector: {} }] })).toEqual(['egress 53 deny']);
    expect(await rule({ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] })).toEqual([]);
  });
});
