import { describe, expect, it } from 'vitest';
import { formatFault, readDocuments } from '../../../src/clusters/snapshot/documents.ts';
import { recogniseText } from '../../../src/clusters/snapshot/recognise.ts';

const DUMP = `{
    "kind": "NodeList",
    "items": []
}
==== START logs for container app of pod shop/web-1 ====
listening on 8080
{ not a document
==== END logs for container app of pod shop/web-2 ====
bye
==== END logs for container app of pod shop/web-1 ====
{
    "kind": "PodList",
    "items": []
}
==== START logs for container app of pod shop/cut-off ====
last words
`;

describe('documents of a file', () => {
  it('reads YAML of several documents as kubectl does', () => {
    const { documents, syntax } = readDocuments('---\nkind: Pod\nmode: 0644\n---\n# nothing\n---\nkind: Node\n', 'shop.yaml');
    expect(syntax).toBe('yaml');
    expect(documents.map(({ value }) => value)).toEqual([{ kind: 'Pod', mode: 420 }, { kind: 'Node' }]);
  });

  it('takes the logs out of a cluster-info dump and leaves the lines where they are', () => {
    const { documents, logs, faults } = readDocuments(DUMP, 'dump');
    expect(faults).toEqual([]);
    expect(documents.map(({ line }) => line)).toEqual([1, 11]);
    expect(logs).toMatchObject([
      {
        pod: { namespace: 'shop', name: 'web-1' },
        container: 'app',
        lines: ['listening on 8080', '{ not a document', '==== END logs for container app of pod shop/web-2 ====', 'bye'],
      },
      { pod: { name: 'cut-off' }, lines: ['last words'] },
    ]);
  });

  it('reads a dump in YAML', () => {
    const text =
      'kind: NodeList\nitems: []\n---\nkind: PodList\nitems: []\n==== START logs for container app of pod shop/web-1 ====\nhi\n==== END logs for container app of pod shop/web-1 ====\n';
    expect(readDocuments(text, 'dump').documents).toHaveLength(2);
    expect(readDocuments(text, 'dump').logs).toHaveLength(1);
  });

  it('reads flow style in a YAML file that is no JSON', () => {
    expect(readDocuments('{kind: Pod, metadata: {name: web}}', 'web.yaml').documents).toMatchObject([{ value: { kind: 'Pod' } }]);
    expect(readDocuments('{kind: Pod}', 'web.json').faults).toMatchObject([{ line: 1, column: 2 }]);
  });

  it('says where YAML is broken', () => {
    const { documents, faults } = readDocuments('kind: Pod\n---\nkind: Pod\nmetadata:\n\tname: web\n', 'web.yaml');
    expect(documents).toHaveLength(1);
    expect(faults.map(formatFault)[0]).toMatch(/^line 5: /);
  });
});

describe('what a text seems to be', () => {
  it.each([
    ['{"kind": "Pod"}', 'documents'],
    ['{\n "kind": "Pod"}', 'documents'],
    ['[{"kind": "Pod"}]', 'documents'],
    ['Warning: v1 Endpoints is deprecated\n{"kind": "List"}', 'documents'],
    ['apiVersion: v1\nkind: Pod\n', 'documents'],
    ['---\n# web\napiVersion: v1\n', 'documents'],
    ['==== START logs for container app of pod shop/web-1 ====\n', 'documents'],
    ['$ kubectl -n shop get pods\nNAME ...\n', 'transcript'],
    ['[root@worker-1 ~]# kubectl get pods\n', 'transcript'],
    ['Name:             web-1\nNamespace:        shop\n', 'transcript'],
    ['NAME    READY   STATUS    RESTARTS   AGE\n', 'transcript'],
    ['NAMESPACE   NAME    READY   STATUS\n', 'transcript'],
    ['LAST SEEN   TYPE      REASON\n', 'transcript'],
    ['Error from server (Forbidden): pods is forbidden', 'transcript'],
    ['# kubectl get pods -o yaml\napiVersion: v1\n', 'transcript'],
    ['[stdout]\nlistening', 'other'],
    ['[2026-11-21 10:00:00] started\n', 'other'],
    ['name: shop\nreplicas: 3\n', 'other'],
    ['listening on 8080\n', 'other'],
  ] as const)('takes %j for %s', (text, kind) => expect(recogniseText(text)).toBe(kind));
});
