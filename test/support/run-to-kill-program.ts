import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { shippedPlaybooks, shippedRules } from '../../src/catalog/bundled-data.ts';
import { addTrust, digestOfText, trustFolder } from '../../src/runbook/trust.ts';

const PLAYBOOK = `title: The shop needs another pod
use: When it is slow.
for: {}
params: { note: { type: name, says: where it is noted, required: true } }
escalation: Call the owner of the shop.
steps:
  - { id: look, diagnose: target }
  - { id: again, say: Restart it., change: { restart: "{{ target }}" }, verify: { until: { all: [{ fact: workload, where: { top: true } }] }, every: 1s, limit: 60s }, undo: restore }
  - { id: make, say: Note it., change: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: "{{ note }}" } } }, verify: { until: { all: [{ fact: workload, where: { top: true } }] }, every: 1s, limit: 60s }, undo: restore }
  - { id: pods, say: See the pods., show: { list: Pod, namespace: "{{ namespace }}" } }
`;

/**
 * Puts what a run needs into a folder (its program, the kubeconfig, a playbook that is trusted). Answers the program: its words are the
 * folder, the ConfigMap to make and, where a run is to be resumed, its name.
 */
export async function prepareRunToKill(folder: string, kubeconfig: string): Promise<string> {
  const program = join(folder, 'run-to-kill.mjs');
  // The child needs no more of the catalogue than what its run is judged by.
  const catalogue = `export const shippedRules = async () => ${JSON.stringify(await shippedRules())};\nexport const shippedPlaybooks = async () => ${JSON.stringify(await shippedPlaybooks())};\nexport const shippedScenarios = async () => [], shippedDrills = shippedScenarios, shippedExamples = async () => new Map(), shippedScenario = async () => undefined;`;
  await build({
    stdin: {
      contents: "import { runToKill } from './test/commands/run-to-kill.ts';\nawait runToKill(process.argv.slice(2));",
      resolveDir: resolve('.'),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    logLevel: 'error',
    plugins: [
      {
        name: 'catalogue',
        setup: (made) => made.onLoad({ filter: /src[\\/]catalog[\\/]bundled-data\.ts$/ }, () => ({ contents: catalogue, loader: 'js' })),
      },
    ],
  });
  writeFileSync(join(folder, 'kubeconfig'), kubeconfig);
  writeFileSync(join(folder, 'slow-shop.yaml'), PLAYBOOK);
  addTrust(trustFolder({}, folder), {
    digest: digestOfText(PLAYBOOK),
    file: join(folder, 'slow-shop.yaml'),
    at: '2026-11-20T12:00:00Z',
  });
  return program;
}
