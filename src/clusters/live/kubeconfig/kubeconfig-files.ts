import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { PodcheckError } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import { systemReason } from '../../../base/system-error.ts';
import { parseKubeYaml } from '../../../base/yaml/kube-yaml.ts';
import { readBounded } from '../../../files/read-bounded.ts';
import type { ClusterEntry, ContextEntry, ExecEntry, Kubeconfig, UserEntry } from './kubeconfig-entries.ts';
import { kubeconfigEntries } from './kubeconfig-entries.ts';
import type { Environment } from '../connection/proxy-choice.ts';

/** What the process has around it: its environment, its user's home, its working folder. */
export interface Surroundings {
  readonly env: Environment;
  /** Empty where nobody knows it. */
  readonly homeFolder: string;
  readonly workingFolder: string;
  /** Where a pod finds its service account; `/var/run/secrets/kubernetes.io/serviceaccount` without it. */
  readonly serviceAccountFolder?: string;
}

/** The merged kubeconfig and the files it was read from; none were there when `files` is empty. */
export interface LoadedKubeconfig extends Kubeconfig {
  readonly files: readonly string[];
  /** The files that were looked for, in order. */
  readonly looked: readonly string[];
}

/**
 * The kubeconfig as kubectl loads it: the file given, which must exist, or the files of KUBECONFIG, or `~/.kube/config`, missing
 * ones skipped. The first file to have a cluster, user or context of a name wins whole; the first `current-context` that is not
 * empty wins. Relative paths in a file are relative to it.
 * Source: staging/src/k8s.io/client-go/tools/clientcmd/loader.go (ClientConfigLoadingRules.Load, ResolveLocalPaths).
 */
export async function loadKubeconfig(given: string | undefined, around: Surroundings): Promise<LoadedKubeconfig> {
  const looked = given === undefined ? defaultFiles(around) : [resolve(around.workingFolder, given)];
  const read: { readonly file: string; readonly config: Kubeconfig }[] = [];
  for (const file of looked) {
    const text = await textOf(file, given !== undefined);
    if (text !== undefined) read.push({ file, config: resolved(kubeconfigEntries(parsed(text, file), file)) });
  }
  const configs = read.map(({ config }) => config);
  const currentContext = configs.map((config) => config.currentContext).find((context) => context !== undefined);
  return {
    ...(currentContext === undefined ? {} : { currentContext }),
    clusters: firstWins(configs.map((config) => config.clusters)),
    users: firstWins(configs.map((config) => config.users)),
    contexts: firstWins(configs.map((config) => config.contexts)),
    files: read.map(({ file }) => file),
    looked,
  };
}

function defaultFiles(around: Surroundings): readonly string[] {
  const list = around.env['KUBECONFIG'] ?? '';
  if (list === '') return around.homeFolder === '' ? [] : [join(around.homeFolder, '.kube', 'config')];
  const files = list
    .split(delimiter)
    .filter((file) => file !== '')
    .map((file) => resolve(around.workingFolder, file));
  return [...new Set(files)];
}

/** A kubeconfig is a few kilobytes; what is larger is something else. */
const MAX_BYTES = 16 * 1024 * 1024;

async function textOf(file: string, required: boolean): Promise<string | undefined> {
  try {
    return (await readBounded(file, MAX_BYTES)).toString('utf8');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (missing && !required) return undefined;
    if (missing) throw new PodcheckError('not-found', `The kubeconfig ${file} does not exist.`, 'Give --kubeconfig a file that exists.');
    throw new PodcheckError('bad-input', `The kubeconfig ${file} cannot be read: ${systemReason(error)}.`);
  }
}

function parsed(text: string, file: string): Json | undefined {
  const { documents, errors } = parseKubeYaml(text, file);
  const [error] = errors;
  if (error !== undefined) {
    throw new PodcheckError('bad-input', `${file}, line ${error.line}: ${error.message}`, 'The kubeconfig must be YAML or JSON.');
  }
  return documents[0]?.value;
}

function firstWins<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  return new Map([...maps].reverse().flatMap((map) => [...map]));
}

function resolved(config: Kubeconfig): Kubeconfig {
  const values = <T extends ClusterEntry | UserEntry | ContextEntry>(map: ReadonlyMap<string, T>, change: (entry: T) => T) =>
    new Map([...map].map(([name, entry]) => [name, change(entry)]));
  return { ...config, clusters: values(config.clusters, resolvedCluster), users: values(config.users, resolvedUser) };
}

function resolvedCluster(cluster: ClusterEntry): ClusterEntry {
  return cluster.caFile === undefined ? cluster : { ...cluster, caFile: beside(cluster.file, cluster.caFile) };
}

function resolvedUser(user: UserEntry): UserEntry {
  const { file, certFile, keyFile, tokenFile, exec } = user;
  return {
    ...user,
    ...(certFile === undefined ? {} : { certFile: beside(file, certFile) }),
    ...(keyFile === undefined ? {} : { keyFile: beside(file, keyFile) }),
    ...(tokenFile === undefined ? {} : { tokenFile: beside(file, tokenFile) }),
    ...(exec === undefined ? {} : { exec: resolvedExec(file, exec) }),
  };
}

/** A command without a slash is looked for in PATH, as kubectl does. */
function resolvedExec(file: string, exec: ExecEntry): ExecEntry {
  return /[/\\]/.test(exec.command) ? { ...exec, command: beside(file, exec.command) } : exec;
}

function beside(file: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(file), path);
}
