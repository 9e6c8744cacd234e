import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { listItems } from '../../../src/clusters/snapshot/list-items.ts';
import { formatRef, refOf } from '../../../src/model/kube-object.ts';

const refs = (document: Json, place = {}): string[] => listItems(document, place).objects.map((object) => formatRef(refOf(object)));
const pod = (name: string, more: object = {}): Json => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop' }, ...more });

describe('the objects of a document', () => {
  it('reads Lists, typed lists, bare arrays, single objects and what a watch wrote', () => {
    expect(refs({ kind: 'List', items: [pod('web'), pod('cart')] })).toEqual(['Pod/shop/web', 'Pod/shop/cart']);
    expect(refs([pod('web')])).toEqual(['Pod/shop/web']);
    expect(refs(pod('web'))).toEqual(['Pod/shop/web']);
    expect(refs({ type: 'MODIFIED', object: pod('web') })).toEqual(['Pod/shop/web']);
    expect(listItems({ type: 'DELETED', object: pod('web') }, {})).toMatchObject({ objects: [], deleted: [{ kind: 'Pod' }] });
    expect(refs({ type: 'BOOKMARK', object: pod('web') })).toEqual([]);
  });

  it('gives items without a kind that of their list', () => {
    const { objects, list } = listItems(
      { kind: 'DeploymentList', apiVersion: 'apps/v1', items: [{ metadata: { name: 'web', namespace: 'shop' } }] },
      {},
    );
    expect(objects).toMatchObject([{ apiVersion: 'apps/v1', kind: 'Deployment' }]);
    expect(list).toEqual({ kind: 'Deployment', paged: false });
  });

  it('takes the kind from a selfLink, from fields only one kind has, and from the file, in this order', () => {
    expect(refs([{ metadata: { name: 'web', namespace: 'shop', selfLink: '/apis/apps/v1/namespaces/shop/deployments/web' } }])).toEqual([
      'Deployment/shop/web',
    ]);
    expect(refs([{ metadata: { name: 'shop', selfLink: '/api/v1/namespaces/shop' } }])).toEqual(['Namespace/shop']);
    expect(refs([{ metadata: { name: 'worker-1' }, status: { nodeInfo: {} } }], { kind: 'Pod' })).toEqual(['Node/worker-1']);
    expect(refs({ metadata: { name: 'web' }, spec: { containers: [] }, status: { phase: 'Running' } })).toEqual(['Pod/default/web']);
    expect(refs([{ metadata: { name: 'app-config' } }], { kind: 'ConfigMap', namespace: 'shop' })).toEqual(['ConfigMap/shop/app-config']);
    expect(refs([{ metadata: { name: 'app-config' } }])).toEqual([]);
  });

  it('reads an empty typed list whose items are null', () => {
    expect(listItems({ kind: 'PodList', items: null }, {})).toMatchObject({ objects: [], list: { kind: 'Pod' } });
  });

  it('knows a page of a longer list', () => {
    expect(listItems({ kind: 'PodList', metadata: { continue: 'abc' }, items: [] }, {}).list?.paged).toBe(true);
  });

  it('leaves out what is no object, and kinds of other APIs that have the same name', () => {
    expect(refs({ kind: 'List', items: [null, 3, 'x', {}, { kind: 'Pod' }, { kind: 'Pod', metadata: { name: '' } }] })).toEqual([]);
    expect(refs([{ apiVersion: 'config.openshift.io/v1', kind: 'Ingress', metadata: { name: 'cluster' } }])).toEqual([]);
    expect(refs([{ apiVersion: 'extensions/v1beta1', kind: 'Ingress', metadata: { name: 'web', namespace: 'shop' } }])).toEqual([
      'Ingress/shop/web',
    ]);
    expect(refs([{ apiVersion: 'shop.example/v1', kind: 'Basket', metadata: { name: 'b', namespace: 'shop' } }])).toEqual([
      'Basket/shop/b',
    ]);
    expect(refs('text')).toEqual([]);
    expect(refs(null)).toEqual([]);
  });

  it('places an object without a namespace where kubectl would', () => {
    expect(refs([{ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web' } }])).toEqual(['Pod/default/web']);
    expect(refs([{ kind: 'Node', apiVersion: 'v1', metadata: { name: 'worker-1', namespace: '' } }])).toEqual(['Node/worker-1']);
  });

  it('empties the values of Secrets, also in annotations that repeat them, and nothing else', () => {
    const applied = JSON.stringify({ kind: 'Secret', stringData: { password: 'hunter2' } });
    const annotations = {
      'kubectl.kubernetes.io/last-applied-configuration': applied,
      'example.com/copy': 'hunter2',
      'cert-manager.io/certificate-name': 'kept',
    };
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: { name: 'db', namespace: 'shop', annotations },
      data: { user: 'YQ==', password: 'aHVudGVyMg==' },
      stringData: { password: 'hunter2' },
    };
    const [read] = listItems({ kind: 'List', items: [secret] }, {}).objects;
    expect(read).toMatchObject({ type: 'Opaque', data: { user: '', password: '' }, stringData: { password: '' } });
    expect(read?.metadata['annotations']).toEqual({
      'kubectl.kubernetes.io/last-applied-configuration': '',
      'example.com/copy': '',
      'cert-manager.io/certificate-name': 'kept',
    });
    expect(JSON.stringify(read)).not.toMatch(/hunter2|aHVudGVyMg/);
  });
});
