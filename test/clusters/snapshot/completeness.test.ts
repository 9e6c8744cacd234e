import { describe, expect, it } from 'vitest';
import { completenessOf } from '../../../src/clusters/snapshot/completeness.ts';
import type { ReadList } from '../../../src/clusters/snapshot/completeness.ts';
import { ObjectIndex } from '../../../src/clusters/snapshot/object-index.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';

function object(kind: string, name: string, namespace?: string): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
}

function list(objects: readonly KubeObject[], form: Partial<ReadList['form']> = {}, place: ReadList['place'] = {}): ReadList {
  return { form: { paged: false, ...form }, place, objects };
}

/** `Pod/shop` for a complete scope, `Pod/shop?` for one that is not; `Pod/*` for all namespaces. */
function claims(lists: readonly ReadList[], others: readonly KubeObject[] = []): string[] {
  const all = [...lists.flatMap(({ objects }) => objects), ...others];
  const found = completenessOf(lists, all);
  const index = new ObjectIndex();
  for (const one of all) index.add(one);
  // That no object comes twice is found out faster, and changes nothing.
  if (index.isDistinct) expect(completenessOf(lists, all, true)).toEqual(found);
  return found.map(({ kind, namespace, complete }) => `${kind}/${namespace ?? '*'}${complete ? '' : '?'}`);
}

const [web, cart, dns] = [object('Pod', 'web', 'shop'), object('Pod', 'cart', 'shop'), object('Pod', 'dns', 'kube-system')];

describe('what lists are complete for', () => {
  it('is the one namespace all items are in', () => expect(claims([list([web, cart])])).toEqual(['Pod/shop']));

  it('is all namespaces when a list of one kind has several', () => expect(claims([list([web, dns])])).toEqual(['Pod/*']));

  it('is each kind where it occurs, for a list of several kinds, and no other', () => {
    const node = object('Node', 'worker-1');
    expect(claims([list([web, dns, object('Service', 'web', 'shop'), node])])).toEqual([
      'Pod/shop',
      'Pod/kube-system',
      'Service/shop',
      'Node/*',
    ]);
  });

  it('is not all nodes, for a few with other objects, when a pod runs on another one', () => {
    const [node, other] = [object('Node', 'worker-1'), object('Node', 'worker-2')];
    const running: KubeObject = { ...web, spec: { nodeName: 'worker-2' }, status: { startTime: '2026-01-15T10:00:00Z' } };
    const leaving: KubeObject = { ...running, metadata: { ...web.metadata, deletionTimestamp: '2026-01-15T10:05:00Z' } };
    expect(claims([list([running, node])])).toEqual(['Pod/shop', 'Node/*?']);
    expect(claims([list([running, node, other])])).toEqual(['Pod/shop', 'Node/*']);
    expect(claims([list([node]), list([running])]), 'a list of nodes alone is one').toEqual(['Node/*', 'Pod/shop']);
    expect(claims([list([leaving, node])])).toEqual(['Pod/shop', 'Node/*']);
  });

  it('is nothing for an empty list of which no more is known', () => {
    expect(claims([list([], { kind: 'Pod' })])).toEqual(['Pod/*?']);
    expect(claims([list([])])).toEqual([]);
  });

  it('is the only namespace there is, for an empty list beside others', () => {
    expect(claims([list([], { kind: 'Event' }), list([web])])).toEqual(['Event/shop', 'Pod/shop']);
    expect(claims([list([], { kind: 'Event' }), list([web, dns])])).toEqual(['Event/*?', 'Pod/*']);
  });

  it('is what the place names, even for an empty list', () => {
    expect(claims([list([], { kind: 'Pod' }, { kind: 'Pod', namespace: 'shop' })])).toEqual(['Pod/shop']);
    expect(claims([list([], { kind: 'PersistentVolume' })])).toEqual(['PersistentVolume/*']);
  });

  it('stays with the namespaces seen when the place names one and the items are of several', () => {
    expect(claims([list([web, dns], {}, { kind: 'Pod', namespace: 'shop' })])).toEqual(['Pod/shop', 'Pod/kube-system']);
  });

  it('is nothing for a page, and for a list that repeats an object', () => {
    expect(claims([list([web], { paged: true })])).toEqual(['Pod/shop?']);
    expect(claims([list([web, web])])).toEqual(['Pod/shop?']);
  });

  it('is nothing when another file has an object that the list lacks: it was asked with a selector', () => {
    expect(claims([list([web])], [cart])).toEqual(['Pod/shop?']);
    expect(claims([list([web]), list([web, cart])])).toEqual(['Pod/shop']);
    expect(claims([list([web], {}, { kind: 'Pod', namespace: 'shop' })], [cart])).toEqual(['Pod/shop']);
  });

  it('does not take a few namespaces for all of them: every cluster has default and kube-system', () => {
    expect(claims([list([object('Namespace', 'shop')])])).toEqual(['Namespace/*?']);
    expect(claims([list(['shop', 'default', 'kube-system'].map((name) => object('Namespace', name)))])).toEqual(['Namespace/*']);
    expect(claims([list([], { kind: 'Namespace' })])).toEqual(['Namespace/*?']);
  });
});
