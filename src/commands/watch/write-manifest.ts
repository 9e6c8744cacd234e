import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { counted } from '../../base/counted.ts';
import { PodcheckError } from '../../base/errors.ts';
import { parseInteger } from '../../base/number.ts';
import { systemReason } from '../../base/system-error.ts';
import { jsonText } from '../../report/diagnosis/cause-json.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { isNamespaceName } from '../namespace-names.ts';
import type { StateOptions } from '../rbac/state-options.ts';
import { replicasOf } from '../rbac/state-options.ts';
import type { ManifestWish } from './manifest.ts';
import { OWN_NAMESPACE, watchManifest } from './manifest.ts';
import { listOf } from './watch-scope.ts';

export interface ManifestOptions extends Pick<StateOptions, 'replicas'> {
  /** Print the objects that run it in a cluster. */
  readonly manifest?: boolean;
  /** Where it is installed. */
  readonly namespace?: string;
  /** What it watches; all without it. */
  readonly namespaces?: string;
  readonly image?: string;
  readonly logs?: boolean;
  readonly events?: boolean;
  readonly monitoring?: boolean;
  /** Numbers, separated by commas. */
  readonly egressPorts?: string;
  /** Write a Helm chart into this folder instead. */
  readonly chart?: string;
  /** Write a base for kustomize into this folder instead. */
  readonly kustomize?: string;
  /** Print a dashboard for Grafana instead. */
  readonly dashboard?: boolean;
}

/** Whether the options ask for what installs a watch, and not for a watch. */
export function asksForManifest({ manifest, chart, kustomize, dashboard }: ManifestOptions): boolean {
  return manifest === true || dashboard === true || chart !== undefined || kustomize !== undefined;
}

/** Prints the objects that run a watch in a cluster, for `kubectl apply -f -`, or writes them as a chart or a base. */
export async function writeManifest(options: ManifestOptions, context: CommandContext): Promise<ExitCode> {
  const { chart, kustomize } = options;
  if (options.dashboard === true) {
    const { dashboard } = await import('../../report/watching/dashboard.ts');
    context.write(jsonText(dashboard()));
    return EXIT.healthy;
  }
  const wish = wishOf(options, context.version ?? '0.0.0');
  const { yamlText } = await import('../yaml-text.ts');
  const text = watchManifest(wish).map(yamlText).join('---\n');
  if (chart !== undefined) {
    if (options.namespace !== undefined)
      throw new PodcheckError('usage', '-n and --chart cannot be used together', '`helm install -n` says where it is installed');
    const { helmChart } = await import('./helm-chart.ts');
    await writeFiles(chart, helmChart(wish), context);
  }
  if (kustomize !== undefined) {
    const base = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources: ['watch.yaml'] };
    await writeFiles(kustomize, { 'kustomization.yaml': yamlText(base), 'watch.yaml': text }, context);
  }
  if (chart === undefined && kustomize === undefined) context.write(text);
  return EXIT.healthy;
}

async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  { workingFolder, write }: CommandContext,
): Promise<void> {
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = resolve(workingFolder, folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  } catch (error) {
    throw new PodcheckError('usage', `cannot write to ${JSON.stringify(folder)}: ${systemReason(error)}`, 'choose another folder');
  }
  write(`${counted(Object.keys(files).length, 'file')} written to ${folder}\n`);
}

/** Source: distribution/reference (ReferenceRegexp), without its length. */
const IMAGE = /^[A-Za-z0-9][\w.:@/+-]{0,511}$/;

function wishOf(options: ManifestOptions, version: string): ManifestWish {
  const { namespace = OWN_NAMESPACE, namespaces, logs = false, events = false, monitoring = false, egressPorts } = options;
  const image = options.image ?? `podcheck:${version}`;
  if (!isNamespaceName(namespace))
    throw new PodcheckError('usage', `-n: ${JSON.stringify(namespace)} is not a valid namespace`, 'use lower-case letters, digits and "-"');
  if (!IMAGE.test(image))
    throw new PodcheckError('usage', `--image: ${JSON.stringify(image)} is not a valid image`, 'for example registry.example/podcheck:1.0');
  return {
    namespace,
    namespaces: namespaces === undefined ? undefined : listOf(namespaces),
    image,
    version,
    logs,
    events,
    monitoring,
    replicas: replicasOf(options),
    egressPorts: egressPorts?.split(',').map(portOf),
  };
}

const LAST_PORT = 65_535;

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? parseInteger(text) : undefined;
  if (port !== undefined && port > 0 && port <= LAST_PORT) return port;
  throw new PodcheckError('usage', `--egress-ports: ${JSON.stringify(text)} is not a valid port`, 'separate ports with commas: 443,6443');
}
