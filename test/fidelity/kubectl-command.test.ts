import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCommand } from './command-line.ts';
import { runKubectl } from './kubectl-command.ts';
import { shop } from '../simulator/shop.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'podcheck-kubectl-'));
  mkdirSync(join(folder, 'manifests'));
  for (const name of ['a', 'b'])
    writeFileSync(join(folder, `manifests/${name}.yaml`), `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function outputsOf(...lines: readonly string[]): readonly (string | undefined)[] {
  const cluster = shop();
  return lines.map((line) => {
    const command = parseCommand(line);
    const user = command.options.get('as');
    const impersonate = user === undefined ? undefined : { user };
    return runKubectl(command, {
      cluster,
      folder,
      credential: undefined,
      impersonate,
      keepToken: () => undefined,
      podOf: (name) => name,
      addressHere: (text) => text,
    })?.output;
  });
}

test('a folder is applied file by file, and taken away so', () => {
  expect(outputsOf('kubectl -n shop apply -f manifests/', 'kubectl -n shop delete -f manifests')).toEqual([
    'configmap/a created\nconfigmap/b created',
    'configmap "a" deleted from shop namespace\nconfigmap "b" deleted from shop namespace',
  ]);
});

test('what is asked as somebody else, or is not there, is refused', () => {
  expect(
    outputsOf(
      'kubectl -n shop --as bob get secrets',
      'kubectl -n shop get deploy web',
      'kubectl -n shop scale deploy/web --replicas=2',
      'kubectl create configmap c',
    ),
  ).toEqual([
    'Error from server (Forbidden): secrets is forbidden: User "bob" cannot list resource "secrets" in API group "" in the namespace "shop"',
    'Error from server (NotFound): deployments.apps "web" not found',
    'Error from server (NotFound): deployments.apps "web" not found',
    undefined,
  ]);
});

test('what is there is shown as a table, of one kind or of several', () => {
  expect(
    outputsOf(
      'kubectl -n shop apply -f manifests/a.yaml',
      'kubectl -n shop get configmaps a',
      'kubectl -n shop get cm,pods',
      'kubectl -n shop get pods',
      'kubectl get podz',
    ),
  ).toEqual([
    'configmap/a created',
    'NAME   DATA   AGE\na      0      0s',
    'NAME          DATA   AGE\nconfigmap/a   0      0s',
    'No resources found in shop namespace.',
    'error: the server doesn\'t have a resource type "podz"',
  ]);
});

test('nothing is sent for a dry run of the client', () => {
  expect(
    outputsOf(
      'kubectl -n shop apply -f manifests/a.yaml --dry-run=client',
      'kubectl -n shop get cm a',
      'kubectl -n shop apply -f manifests/a.yaml',
      'kubectl -n shop apply -f manifests/a.yaml --dry-run=client',
    ),
  ).toEqual([
    'configmap/a created (dry run)',
    'Error from server (NotFound): configmaps "a" not found',
    'configmap/a created',
    'configmap/a configured (dry run)',
  ]);
});

test('who one is, and what one may do, is asked', () => {
  expect(
    outputsOf('kubectl auth whoami --as bob', 'kubectl -n shop auth can-i create pods --as bob', 'kubectl -n shop auth can-i create pods'),
  ).toEqual(['ATTRIBUTE   VALUE\nUsername    bob\nGroups      [system:authenticated]', 'no', 'yes']);
});
