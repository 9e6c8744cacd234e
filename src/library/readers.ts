import { shippedRules } from '../catalog/bundled-data.ts';
import { homeFolderOf } from '../files/state-folder.ts';
import type { ClusterReader } from '../model/cluster-reader.ts';
import { openingsOf } from '../model/frames.ts';

/** A reader of a running cluster, which keeps a connection until it is closed. */
export interface OpenReader {
  readonly reader: ClusterReader;
  readonly close: () => void;
}

export interface KubeconfigOptions {
  /** The kubeconfig file; `KUBECONFIG` or `~/.kube/config` without it. */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly as?: string;
  readonly signal?: AbortSignal;
}

/**
 * Reads a running cluster, as kubectl would find it. Nothing is sent before the first read. Throws a PodcheckError where the kubeconfig
 * does not say which cluster is meant.
 */
export async function readerFromKubeconfig(options: KubeconfigOptions = {}): Promise<OpenReader> {
  const { openLive } = await import('../clusters/live/open-live.ts');
  const cluster = await openLive({
    ...options,
    around: { env: process.env, homeFolder: homeFolderOf(process.env), workingFolder: process.cwd() },
    clock: () => Date.now(),
    interactive: false,
  });
  return { reader: cluster.reader, close: () => cluster.close() };
}

/** Reads files, folders and archives of kubectl output, together as one cluster. Throws a PodcheckError that names what cannot be read. */
export async function readerFromFiles(paths: readonly string[]): Promise<ClusterReader> {
  return opened(paths, '');
}

/** Reads pasted text: the output of kubectl commands, manifests, events, logs. Throws a PodcheckError where nothing of it is known. */
export async function readerFromText(text: string): Promise<ClusterReader> {
  return opened(['-'], text);
}

async function opened(paths: readonly string[], text: string): Promise<ClusterReader> {
  const { openSources } = await import('../clusters/open-source.ts');
  return (
    await openSources(paths, {
      stdin: () => bytesOf(text),
      clock: () => Date.now(),
      looseTexts: true,
      openings: async () => openingsOf(await shippedRules()),
    })
  ).reader;
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}
