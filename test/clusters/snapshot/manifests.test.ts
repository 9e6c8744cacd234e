import { describe, expect, it } from 'vitest';
import { manifestsAsApplied } from '../../../src/clusters/applied-manifests.ts';
import { readDocuments } from '../../../src/clusters/snapshot/documents.ts';
import { isManifest, manifestRecords } from '../../../src/clusters/snapshot/manifests.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';

const WEB = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {}\n';

function answer(verb: string, command: string): KubeObject {
  return { apiVersion: 'podcheck/v1', kind: 'ClientAnswer', metadata: { name: command }, spec: { command, verb, output: '', order: 0 } };
}

describe('manifests', () => {
  it('are the files of a folder of that name, and YAML that was never stored', () => {
    const judge = (path: string, text: string): boolean => isManifest(path, readDocuments(text, path));
    expect(judge('manifests/web.yaml', `${WEB}status: {phase: Running}\n`)).toBe(true);
    expect(judge('case/manifests/prod/web.yml', WEB)).toBe(true);
    expect(judge('web.yaml', WEB)).toBe(true);
    expect(judge('web.yaml', `${WEB}---\n${WEB}status: {}\n`)).toBe(false);
    expect(judge('web.yaml', WEB.replace('{name: web}', '{name: web, uid: u1}'))).toBe(false);
    expect(judge('web.yaml', WEB.replace('{name: web}', '{name: web, resourceVersion: "7"}'))).toBe(false);
    expect(judge('events.yaml', 'apiVersion: v1\nkind: Event\nmetadata: {name: web.1}\n')).toBe(false);
    expect(judge('web.json', '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}}')).toBe(false);
    expect(judge('values.yaml', 'replicas: 3\n')).toBe(false);
  });

  it('become a record for each document, in order, with the errors of those that cannot be parsed', () => {
    const text = `${WEB}---\nkind: Pod\nmetadata:\n\tname: broken\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop}}\n`;
    const records = manifestRecords('manifests/web.yaml', readDocuments(text, 'manifests/web.yaml'));
    expect(records.map(({ metadata }) => [metadata.name, metadata.namespace])).toEqual([
      ['manifests/web.yaml#1', undefined],
      ['manifests/web.yaml#2', undefined],
      ['manifests/web.yaml#3', 'shop'],
    ]);
    expect(records.map(({ spec }) => spec)).toMatchObject([
      { object: { kind: 'Pod' } },
      { error: { line: 8 } },
      { object: { kind: 'Service' } },
    ]);
  });

  it('hold no values of Secrets', () => {
    const text = 'apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData: {password: hunter2}\n';
    expect(JSON.stringify(manifestRecords('manifests/db.yaml', readDocuments(text, 'db.yaml')))).not.toContain('hunter2');
  });
});

describe('manifests beside recorded commands', () => {
  const manifests = ['manifests/01-web.yaml', 'manifests/02-web.yaml'].map((file) => ({
    apiVersion: 'podcheck/v1',
    kind: 'AppliedManifest',
    metadata: { name: file },
    spec: { file, object: {} },
  }));
  const files = (...records: readonly KubeObject[]): unknown[] =>
    manifestsAsApplied(manifests, records).manifests.map(({ metadata }) => [metadata.name, metadata.namespace]);

  it('are all kept when no command applied a file', () => {
    expect(files()).toHaveLength(2);
    expect(files(answer('get', 'kubectl get -f manifests/01-web.yaml'), answer('apply', 'kubectl apply -f -'))).toHaveLength(2);
  });

  it('are left out when no command names them, since they may have come later', () => {
    const { manifests: kept, notes } = manifestsAsApplied(manifests, [answer('apply', 'kubectl -n shop apply -f manifests/01-web.yaml')]);
    expect(kept.map(({ metadata }) => [metadata.name, metadata.namespace])).toEqual([['manifests/01-web.yaml', 'shop']]);
    expect(notes).toMatchObject([{ file: 'manifests/02-web.yaml' }]);
  });

  it.each([
    'kubectl apply -f 01-web.yaml --namespace=shop',
    'kubectl apply -n shop -f ./manifests/01-web.yaml',
    'kubectl create --filename=/home/ann/manifests/01-web.yaml -nshop',
    'kubectl -n shop apply -f a.yaml,01-web.yaml',
  ])('are found in %s', (command) => {
    expect(files(answer(command.includes('create') ? 'create' : 'apply', command))).toEqual([['manifests/01-web.yaml', 'shop']]);
  });

  it('are all applied when the command names their folder', () => {
    expect(files(answer('apply', 'kubectl apply -f manifests/'))).toHaveLength(2);
    expect(files(answer('apply', 'kubectl apply -R -f .'))).toHaveLength(2);
  });
});
