import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { CommandContext } from '../../../src/commands/context.ts';
import type { WatchOptions } from '../../../src/commands/watch/watch.ts';
import { runWatch } from '../../../src/commands/watch/watch.ts';
import { PLAIN } from '../../../src/report/format/text-style.ts';
import type { Serving, ServingOptions } from '../../../src/server/serve.ts';
import { startServing } from '../../../src/server/serve.ts';
import { createCluster } from '../../../src/simulator/index.ts';

/** A served cluster whose clock is everybody's: a minute passes in about a second. */
export interface ServedCluster {
  readonly serving: Serving;
  readonly wall: () => number;
  readonly kubeconfig: (text?: string) => string;
}

export async function served(options: Partial<ServingOptions> = {}): Promise<ServedCluster> {
  const cluster = createCluster({ seed: 1, preset: 'three-nodes' });
  cluster.advance(60_000);
  // As late as it is here, and as fast as the cluster.
  const behind = Date.now() - cluster.now();
  const wall = (): number => cluster.now() + behind;
  const serving = await startServing({ cluster, speed: 60, wall, ...options });
  const folder = mkdtempSync(join(tmpdir(), 'podcheck-watch-'));
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await serving.close();
  });
  let files = 0;
  return {
    serving,
    wall,
    kubeconfig: (text = serving.kubeconfig) => {
      const file = join(folder, `config-${(files += 1)}`);
      writeFileSync(file, text);
      return file;
    },
  };
}

export interface WatchUnderWay {
  /** Every line so far. */
  readonly lines: () => readonly string[];
  /** With `-o json`: every change so far. */
  readonly changes: () => readonly JsonObject[];
  readonly notes: () => string;
  /** Raises the signal and gives the exit code. */
  readonly stop: () => Promise<number>;
}

/** `podcheck watch` in the test, by the cluster's clock. */
export function startWatch(
  { wall, kubeconfig }: ServedCluster,
  options: WatchOptions = {},
  more: Partial<CommandContext> = {},
): WatchUnderWay {
  const [out, notes]: [string[], string[]] = [[], []];
  const ending = new AbortController();
  const context: CommandContext = {
    write: (text) => void out.push(text),
    note: (text) => void notes.push(text),
    look: PLAIN,
    env: {},
    homeFolder: '/nonexistent',
    workingFolder: '/nonexistent',
    clock: wall,
    signal: ending.signal,
    stdin: () => nothing(),
    stdinIsTerminal: false,
    progress: (_title, work) => work(() => undefined),
    ...more,
  };
  const code = runWatch({ output: 'json', kubeconfig: kubeconfig(), allNamespaces: true, ...options }, context);
  let caught: unknown;
  code.catch((error: unknown) => (caught = error));
  const stop = async (): Promise<number> => {
    ending.abort();
    return code;
  };
  onTestFinished(async () => void (await stop().catch(() => undefined)));
  const lines = (): readonly string[] => {
    if (caught !== undefined) throw caught as Error;
    return out.join('').split('\n').slice(0, -1);
  };
  return { lines, changes: () => lines().map((line) => JSON.parse(line) as JsonObject), notes: () => notes.join(''), stop };
}

async function* nothing(): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield new Uint8Array();
}

export function deployment(name: string, spec: JsonObject, replicas = 2): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image: 'nginx:1.27' }], ...spec } },
    },
  };
}

/** A pod that mounts a ConfigMap. */
export const NEEDS_SETTINGS = {
  containers: [{ name: 'web', image: 'nginx:1.27', volumeMounts: [{ name: 'settings', mountPath: '/settings' }] }],
  volumes: [{ name: 'settings', configMap: { name: 'web-settings' } }],
};

export const SETTINGS = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web-settings', namespace: 'default' }, data: { a: 'b' } };
