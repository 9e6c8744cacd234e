import { execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { asText, dig } from '../../src/base/json.ts';
import type { AuditEntry } from '../../src/model/audit.ts';
import type { Serving, ServingOptions } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster, METRICS_SERVICE } from '../../src/simulator/index.ts';

/** Half of what is tried is newer than this release. */
const OLDEST_MINOR = 30;

const FOUND = findProgram('kubectl');
const MINOR = FOUND === undefined ? 0 : minorOf(FOUND);

/** Where kubectl is; undefined on a machine without it, or with one that is too old. */
export const KUBECTL = MINOR >= OLDEST_MINOR ? FOUND : undefined;

/** To be put behind the title of tests that need kubectl. */
export const NOT_RUN =
  KUBECTL !== undefined
    ? ''
    : FOUND === undefined
      ? ' (not run: there is no kubectl on this machine)'
      : ` (not run: kubectl 1.${MINOR} is older than 1.${OLDEST_MINOR})`;

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What it asked the server, but for what a wrapper of kubectl asks to choose a version. */
  readonly requests: readonly AuditEntry[];
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly kubeconfig?: string;
  /** Called with all that was printed so far; what it gives ends the program when it is true. */
  readonly until?: (out: string) => boolean;
  readonly cwd?: string;
}

/** A served cluster and the real kubectl. */
export class Bench {
  readonly serving: Serving;
  readonly folder: string;
  readonly #audit: AuditEntry[];

  constructor(serving: Serving, audit: AuditEntry[]) {
    this.serving = serving;
    this.#audit = audit;
    this.folder = mkdtempSync(join(tmpdir(), 'podcheck-conformance-'));
    writeFileSync(join(this.folder, 'kubeconfig'), serving.kubeconfig);
  }

  /** Runs kubectl with the words of a command line; words in double quotes are one. */
  kubectl(line: string, options: RunOptions = {}): Promise<Outcome> {
    return this.run(KUBECTL ?? 'kubectl', wordsOf(line), options);
  }

  /** Runs a kubectl that forwards a port, asks for a path there as soon as it listens, and gives the answer and what was printed. */
  async forwarded(program: string, words: readonly string[]): Promise<Outcome & { readonly answer: string }> {
    let [answer, asked]: [string | undefined, boolean] = [undefined, false];
    const ask = (port: string): void => {
      asked = true;
      fetch(`http://127.0.0.1:${port}/`)
        .then((response) => response.text())
        .then((text) => (answer = text))
        .catch((error: unknown) => (answer = String(error)));
    };
    const outcome = await this.run(program, words, {
      until: (out) => {
        const [, port] = /^Forwarding from 127\.0\.0\.1:(\d+)/m.exec(out) ?? [];
        if (port !== undefined && !asked) ask(port);
        return answer !== undefined;
      },
    });
    return { ...outcome, answer: answer ?? '' };
  }

  async run(
    program: string,
    argv: readonly string[],
    { stdin, env = {}, kubeconfig, until, cwd = this.folder }: RunOptions = {},
  ): Promise<Outcome> {
    const from = this.#audit.length;
    const child = spawn(program, [...argv], {
      cwd,
      stdio: 'pipe',
      env: { PATH: process.env['PATH'] ?? '', HOME: this.folder, KUBECONFIG: kubeconfig ?? join(this.folder, 'kubeconfig'), ...env },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (part: Buffer) => (out += part.toString()));
    const watching = until === undefined ? undefined : setInterval(() => until(out) && child.kill(), LOOK_MILLISECONDS);
    child.stderr.on('data', (part: Buffer) => (err += part.toString()));
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin ?? '');
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status) => resolve(status ?? 0));
    });
    clearInterval(watching);
    return { code, out, err, requests: this.#audit.slice(from).filter(({ userAgent }) => !userAgent.startsWith('kubectl-dispatcher')) };
  }

  /** Makes a namespace with these objects in it and lets the cluster come to rest. */
  shop(namespace: string, objects: readonly JsonObject[] = []): void {
    const { cluster } = this.serving;
    cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }]);
    cluster.runUntilSettled({ milliseconds: 60_000 });
    cluster.apply(objects, { namespace });
    cluster.runUntilSettled({ milliseconds: 120_000 });
  }

  file(name: string, content: string): string {
    writeFileSync(join(this.folder, name), content);
    return name;
  }

  async close(): Promise<void> {
    await this.serving.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** How often is looked whether a program has printed enough. */
const LOOK_MILLISECONDS = 20;
const DAY = 86_400_000;

/** Three nodes with a metrics server; what a write sets off is over before the next request is heard. */
export async function openBench(options: Partial<ServingOptions> = {}): Promise<Bench> {
  const audit: AuditEntry[] = [];
  const cluster =
    options.cluster ??
    createCluster({ seed: 7, preset: 'three-nodes', start: Math.floor((Date.now() - DAY) / 1000) * 1000, objects: [METRICS_SERVICE] });
  const serving = await startServing({ speed: 'max', ...options, cluster, audit: (entry) => audit.push(entry) });
  return new Bench(serving, audit);
}

export function deployment(name: string, replicas = 2, container: JsonObject = {}): JsonObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: 'shop/web:1.0', ports: [{ containerPort: 8080 }], ...container }] },
      },
    },
  };
}

export function service(name: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
  };
}

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
}

function minorOf(program: string): number {
  try {
    const version = JSON.parse(
      execFileSync(program, ['version', '--client', '-o', 'json'], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }),
    ) as Json;
    return Number(/^v1\.(\d+)/.exec(asText(dig(version, 'clientVersion', 'gitVersion')) ?? '')?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export function findProgram(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

/** Whether it is a file that can be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
