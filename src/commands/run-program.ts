import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { delimiter, isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { systemReason } from '../base/system-error.ts';
import type { ProgramEnd } from '../runbook/ports.ts';

export interface ProgramRun {
  readonly folder: string;
  readonly env: Environment;
  /** Whether it may have what credential plugins of clouds read: kubectl with a kubeconfig of the user's own. */
  readonly credentials: boolean;
  /** Aborted by Ctrl-C: the program and what it has started are ended. */
  readonly signal: AbortSignal;
  readonly limits?: ProgramLimits;
}

export interface ProgramLimits {
  readonly seconds: number;
  readonly bytes: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const LIMITS: ProgramLimits = { seconds: 120, bytes: 4 * 1024 * 1024 };
/** So long a program has to end by itself once it was asked to. */
const GRACE_MILLISECONDS = 400;

/**
 * Runs a program by its words, without a shell and without input, in a process group of its own. Nothing of that group outlives it: it
 * is ended when it takes too long, prints too much, or somebody presses Ctrl-C. stdout and stderr are kept in the order they came.
 */
export function runProgram(argv: readonly string[], around: ProgramRun): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    let child: Child;
    try {
      child = started(argv, around);
    } catch (error) {
      // A word that no program can be given.
      return resolve(notStarted(error));
    }
    const output = kept(child, around.limits ?? LIMITS, () => end('output'));
    const onExit = (): void => endGroup(child.pid, 'SIGKILL');
    const onAbort = (): void => end('interrupted');
    const timer = setTimeout(() => end('time'), (around.limits ?? LIMITS).seconds * 1000);
    let [ended, force]: [ProgramEnd['ended'] | undefined, NodeJS.Timeout | undefined] = [undefined, undefined];
    function end(why: ProgramEnd['ended']): void {
      if (ended !== undefined) return;
      ended = why;
      endGroup(child.pid, 'SIGTERM');
      force = setTimeout(() => {
        endGroup(child.pid, 'SIGKILL');
        // Whoever left the group may keep the pipes open indefinitely.
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE_MILLISECONDS);
    }
    function settle(settled: ProgramEnd): void {
      clearTimeout(timer);
      clearTimeout(force);
      around.signal.removeEventListener('abort', onAbort);
      process.removeListener('exit', onExit);
      onExit();
      resolve(settled);
    }
    process.once('exit', onExit);
    around.signal.addEventListener('abort', onAbort);
    if (around.signal.aborted) onAbort();
    child.on('error', (error) => settle(notStarted(error)));
    child.on('close', (code, killedBy) =>
      settle({
        ended: ended ?? (code === null ? 'killed' : 'exit'),
        code: code ?? undefined,
        output: `${output()}${killedBy === null || ended !== undefined ? '' : `terminated by ${killedBy}\n`}`,
      }),
    );
  });
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

function started(argv: readonly string[], { folder, env, credentials }: ProgramRun): Child {
  const [program = '', ...words] = argv;
  return spawn(program, words, {
    cwd: folder,
    env: childEnvironment(env, credentials),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

function notStarted(error: unknown): ProgramEnd {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return { ended: 'not-started', code: undefined, output: isMissing ? 'executable not found in PATH' : systemReason(error) };
}

/** Collects what a program prints up to the limit, and says when there is more. */
function kept({ stdout, stderr }: Child, limits: ProgramLimits, overflow: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (const stream of [stdout, stderr]) {
    stream.on('data', (chunk: Buffer) => {
      const room = limits.bytes - bytes;
      if (room > 0) chunks.push(chunk.subarray(0, room));
      bytes += chunk.length;
      if (bytes > limits.bytes) overflow();
    });
  }
  return () => Buffer.concat(chunks).toString('utf8');
}

function endGroup(id: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (id === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? id : -id, signal);
  } catch {
    // All of it has ended.
  }
}

/** What a program needs to find itself, its user, a cluster and a way there; names of Windows included. */
const NEEDED = new Set(
  [
    'HOME USER LOGNAME KUBECONFIG LANG LANGUAGE TZ TMPDIR SSL_CERT_FILE SSL_CERT_DIR XDG_CONFIG_HOME XDG_CACHE_HOME',
    'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT',
    'SystemRoot PATHEXT USERPROFILE APPDATA LOCALAPPDATA TEMP TMP HOMEDRIVE HOMEPATH ProgramData',
  ].flatMap((names) => names.split(' ')),
);

/** What the credential plugins of clouds read. */
const OF_PLUGINS = /^(AWS|AZURE|AAD|GOOGLE|CLOUDSDK|OCI|OIDC|ARM)_/;

/** The environment of a program: never all of podcheck's, which may hold anybody's credentials. */
function childEnvironment(env: Environment, credentials: boolean): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name, value]) => value !== undefined && (NEEDED.has(name) || name.startsWith('LC_') || (credentials && OF_PLUGINS.test(name))),
  );
  // A folder that is named relative to the present one could hold a program that somebody sent.
  const path = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(isAbsolute).join(delimiter);
  return { ...(Object.fromEntries(kept) as Record<string, string>), PATH: path, NO_COLOR: '1', TERM: 'dumb' };
}
