import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCommand } from '../../../src/commands/fidelity/command-line.ts';
import { runKubectl } from '../../../src/commands/fidelity/kubectl-command.ts';
import { shop } from '../../simulator/shop.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'podcheck-kubectl-'));
  mkdirSync(join(folder, 'manifests'));
  for (const name of ['a', 'b']) writeFileSync(join(folder, `manifests/${name}.yaml`), `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function outputsOf(...lines: readonly string[]): readonly (string | undefined)[] {
  const cluster = shop();
  return lines.map((line) => {
    const command = parseCommand(line);
    const user = command.options.get('as');
    const impersonate = user === undefined ? undefined : { user };
    return runKubectl(command, { cluster, folder, credential: undefined, impersonate, keepToken: () => undefined, podOf: (name) => name })?.output;
  });
}

test('a folder is applied file by file, and taken away so', () => {
  expect(outputsOf('kubectl -n shop apply -f manifests/', 'kubectl -n shop delete -f manifests')).toEqual([
    'configmap/a created\nconfigmap/b created',
    'configmap "a" deleted from shop namespace\nconfigmap "b" deleted from shop namespace',
  ]);
});

test('what is asked as somebody else, or is not there, is refused', () => {
  expect(outputsOf('kubectl -n shop --as bob get secrets', 'kubectl -n shop get deploy web', 'kubectl -n shop scale deploy/web --replicas=2', 'kubectl -n shop get configmaps', 'kubectl create configmap c')).toEqual([
    'Error from server (Forbidden): secrets is forbidden: User "bob" cannot list resource "secrets" in API group "" in the namespace "shop"',
    'Error from server (NotFound): deployments.apps "web" not found',
    'Error from server (NotFound): deployments.apps "web" not found',
    undefined,
    undefined,
  ]);
});
