// `npm run new -- <stage>/<name>`: writes a rule, the scenario in which exactly that goes wrong, and one that only looks like it, from
// templates that load as they are.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAGES = [
  'apply',
  'authentication',
  'authorization',
  'mutating-admission',
  'schema-validation',
  'validating-admission',
  'persistence',
  'controllers',
  'scheduling',
  'kubelet',
  'volumes',
  'sandbox',
  'network',
  'images',
  'containers',
  'probes',
  'endpoints',
  'traffic',
];

const [id = ''] = process.argv.slice(2);
const [stage = '', name = '', ...more] = id.split('/');
if (!STAGES.includes(stage) || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || more.length > 0) {
  process.stderr.write(
    `usage: npm run new -- <stage>/<what-is-wrong>\n  stages: ${STAGES.join(', ')}\n  the name is a noun phrase of small letters and hyphens: volumes/configmap-not-found\n`,
  );
  process.exit(2);
}

const rule = `# yaml-language-server: $schema=../../dist/schemas/rule.v1.json
id: ${id}
stage: ${stage}
title: ConfigMap not found (the term that people search for)
when:
  all:                                   # facts that must hold together; $variables join them (src/model/fact-kinds has all kinds)
    - fact: reference
      where: { refKind: ConfigMap, via: volume, optional: false, exists: false, refName: $configMap, volume: $volume }
object: ConfigMap/{{ configMap }}        # the object at fault
what: Volume {{ volume }} of {{ workload }} needs ConfigMap {{ configMap }}, which does not exist in namespace {{ namespace }}.
why: The mechanism and the consequence, in at most two sentences.
fix:
  - say: What to do, and below it the command with every known value.
    run: kubectl -n {{ namespace }} create configmap {{ configMap }} --from-file=<file>
playbook: first-response
references: [https://kubernetes.io/docs/tasks/debug/debug-application/]
`;

const scenario = `# yaml-language-server: $schema=../../dist/schemas/scenario.v1.json
title: The ConfigMap was deleted
cluster: { preset: three-nodes }
steps:
  - apply:
      - { apiVersion: v1, kind: Namespace, metadata: { name: shop } }
      - apiVersion: apps/v1
        kind: Deployment
        metadata: { name: web, namespace: shop }
        spec:
          replicas: 1
          selector: { matchLabels: { app: web } }
          template:
            metadata: { labels: { app: web } }
            spec:
              volumes: [{ name: settings, configMap: { name: web-settings } }]
              containers: [{ name: web, image: shop/web:1.4, volumeMounts: [{ name: settings, mountPath: /etc/web }] }]
expect: { outcome: explained, target: Deployment/shop/web, cause: ${id}, object: ConfigMap/shop/web-settings, also: [] }
cure:
  - apply:
      - { apiVersion: v1, kind: ConfigMap, metadata: { name: web-settings, namespace: shop }, data: { theme: dark } }
`;

const near = scenario
  .replace('title: The ConfigMap was deleted', 'title: The ConfigMap was deleted, but it is optional')
  .replace('configMap: { name: web-settings }', 'configMap: { name: web-settings, optional: true }')
  .replace(/expect: [\s\S]*/, 'expect: { outcome: healthy, target: Deployment/shop/web }\n');

for (const [file, text] of [
  [`rules/${id}.yaml`, rule],
  [`rules/${id}.scenario.yaml`, scenario],
  [`rules/${id}.near-optional.yaml`, near],
]) {
  const path = join(ROOT, file);
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx' });
    process.stdout.write(`wrote ${file}\n`);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    process.stderr.write(`${file} is there already and was left as it is\n`);
    process.exitCode = 2;
  }
}
if (process.exitCode === undefined)
  process.stdout.write(
    `\n1. Write in the rule what is wrong, and in the scenario how it comes about. Pasted output does as well: rules/${id}.match.txt.\n2. Write in the near-miss what only looks like it, and rename it: rules/${id}.near-<why>.yaml or .txt.\n3. node dist/podcheck.js rules test ${id}\n4. npm run check\n`,
  );
