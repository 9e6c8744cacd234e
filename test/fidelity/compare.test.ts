import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { compareEvents } from './compare-events.ts';
import { compareObjects } from './compare-objects.ts';
import { isEqual } from './item.ts';
import { maskFor } from './mask.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';

describe('a mask', () => {
  it('hides the random part of names, wherever they stand', () => {
    const mask = maskFor([pod('web-6b999bf95-hdfld', { generateName: 'web-6b999bf95-', labels: { 'pod-template-hash': '6b999bf95' } })]);
    expect(mask('pods "web-6b999bf95-hdfld" not found')).toBe('pods "web-<hash>-<id>" not found');
    expect(mask('Created pod: cart-7d5c8f6b49-x2k9p')).toBe('Created pod: cart-<hash>-<id>');
  });

  it('leaves the numbers of a StatefulSet, words, ports and counts as they are', () => {
    const mask = maskFor([pod('db-0', { generateName: 'db-', labels: { 'controller-revision-hash': 'db-6b999bf95' } })]);
    expect(mask('db-0 and db-1 of shop-checkout on port 8080, back-off 20s')).toBe(
      'db-0 and db-1 of shop-checkout on port 8080, back-off 20s',
    );
  });

  it('hides addresses, times and identities, and no other address than those of the cluster', () => {
    const mask = maskFor([]);
    expect(mask('dial tcp 10.88.0.7:8080 at 2026-11-20T19:17:28Z for 70c50568-2086-45c5-8606-f8a0a318e81e')).toBe(
      'dial tcp <ip>:8080 at <time> for <uid>',
    );
    expect(mask('127.0.0.1:5000/shop/web:1.0')).toBe('127.0.0.1:5000/shop/web:1.0');
  });

  it('calls places of the node by their usual names', () => {
    expect(maskFor([], new Map([['/data/kubelet', '/var/lib/kubelet']]))('mount /data/kubelet/pods')).toBe('mount /var/lib/kubelet/pods');
  });
});

describe('objects', () => {
  it('are equal in everything when they are the same but for chance', () => {
    const items = compare([failing('web-6b999bf95-hdfld', 'Error')], [failing('web-7c888bf95-k2k9p', 'Error')]);
    expect(items.length).toBeGreaterThan(4);
    expect(items.every(isEqual)).toBe(true);
  });

  it('differ in each thing that is said otherwise', () => {
    const [difference, ...more] = compare([failing('web-6b999bf95-hdfld', 'Error')], [failing('web-7c888bf95-k2k9p', 'OOMKilled')]).filter(
      (item) => !isEqual(item),
    );
    expect(difference).toMatchObject({ class: 'container-state', recorded: 'terminated Error 1', simulated: 'terminated OOMKilled 1' });
    expect(more).toEqual([]);
  });

  it('that were never made are missed in all they would have said', () => {
    const items = compare([failing('web-6b999bf95-hdfld', 'Error')], []);
    expect(items.some(isEqual)).toBe(false);
    expect(items.length).toBe(compare([failing('web-6b999bf95-hdfld', 'Error')], [failing('web-6b999bf95-hdfld', 'Error')]).length);
  });

  it('that should not be there are a difference', () => {
    expect(compare([], [failing('web-6b999bf95-hdfld', 'Error')])).toEqual([
      expect.objectContaining({ class: 'object', recorded: undefined }),
    ]);
  });

  it('of one name are compared with the most alike of the other side', () => {
    const recorded = [failing('web-6b999bf95-hdfld', 'Error'), failing('web-6b999bf95-x2k9p', 'OOMKilled')];
    expect(compare(recorded, [...recorded].reverse()).every(isEqual)).toBe(true);
  });

  it('that are in every cluster count only for what is out of the ordinary', () => {
    const node = (status: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'worker-1' },
      status: { conditions: [{ type: 'Ready', status }] },
    });
    expect(compare([node('True')], [node('True')])).toEqual([]);
    expect(compare([node('False')], [node('True')])).toEqual([expect.objectContaining({ recorded: 'False', simulated: undefined })]);
  });
});

describe('events', () => {
  const pulled = event('18e9d6eef93fd552', 'Normal', 'Pulled', 'Image is there');
  const failed = event('18e9d6eef93fd999', 'Warning', 'Failed', 'Error: ErrImagePull');

  it('are equal in their order of first appearance, however they are listed', () => {
    expect(events([pulled, failed], [failed, pulled]).every(isEqual)).toBe(true);
  });

  it('in another order are a difference', () => {
    const later = event('18e9d6eef93fdfff', 'Normal', 'Pulled', 'Image is there');
    expect(events([pulled, failed], [failed, later]).filter((item) => !isEqual(item))).toHaveLength(1);
  });

  it('in other words are one difference that shows both', () => {
    const other = event('18e9d6eef93fd999', 'Warning', 'Failed', 'Error: ImagePullBackOff');
    expect(events([pulled, failed], [pulled, other]).filter((item) => !isEqual(item))).toEqual([
      expect.objectContaining({
        recorded: expect.stringContaining('ErrImagePull') as string,
        simulated: expect.stringContaining('ImagePullBackOff') as string,
      }),
    ]);
  });

  it('that nobody should have written are a difference', () => {
    expect(events([pulled], [pulled, failed]).filter((item) => !isEqual(item))).toEqual([expect.objectContaining({ recorded: undefined })]);
  });
});

function compare(recorded: readonly KubeObject[], simulated: readonly KubeObject[]) {
  return compareObjects({ objects: recorded, mask: maskFor(recorded) }, { objects: simulated, mask: maskFor(simulated) });
}

function events(recorded: readonly KubeObject[], simulated: readonly KubeObject[]) {
  return compareEvents({ objects: recorded, mask: maskFor([]) }, { objects: simulated, mask: maskFor([]) });
}

function event(moment: string, type: string, reason: string, message: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `web.${moment}`, namespace: 'shop' },
    type,
    reason,
    message,
    source: { component: 'kubelet' },
    involvedObject: { kind: 'Pod', name: 'web', fieldPath: 'spec.containers{web}' },
  };
}

function pod(name: string, metadata: JsonObject, status: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop', ...metadata }, status };
}

function failing(name: string, reason: string): KubeObject {
  const set = name.slice(0, -6);
  const metadata = {
    generateName: `${set}-`,
    labels: { 'pod-template-hash': set.slice(4) },
    ownerReferences: [{ kind: 'ReplicaSet', name: set }],
  };
  return pod(name, metadata, {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'False' }],
    containerStatuses: [{ name: 'web', state: { terminated: { reason, exitCode: 1 } }, restartCount: 2, ready: false, started: false }],
  });
}
