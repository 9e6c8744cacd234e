import { spawn } from 'node:child_process';
import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { asObject, asText, dig } from '../../base/json.ts';
import { printable, printableUpTo } from '../../base/text.ts';
import { parseJson } from './json-answer.ts';
import { ConnectionFailure } from './connection-error.ts';
import type { CredentialOptions, Grant, GrantSource } from './credentials.ts';
import type { LiveConfig } from './kubeconfig.ts';
import type { ExecEntry } from './kubeconfig-entries.ts';

/**
 * Credentials from a client-go credential plugin: run once for all requests that wait for it, again when what it gave has ended or
 * was refused. Source: staging/src/k8s.io/client-go/plugin/pkg/client/auth/exec/exec.go.
 */
export function execSource(exec: ExecEntry, config: LiveConfig, options: CredentialOptions): GrantSource {
  let held: Granted | undefined;
  let running: Promise<Granted> | undefined;
  const run = (): Promise<Granted> => {
    running ??= runPlugin(exec, config, options).then((granted) => (held = granted)).finally(() => (running = undefined));
    return running;
  };
  const isCurrent = (granted: Granted): boolean => granted.expires === undefined || options.clock() < granted.expires;
  return {
    current: async () => (held !== undefined && isCurrent(held) ? held.grant : (await run()).grant),
    renew: async (refused) => {
      if (held !== undefined && !same(held.grant, refused)) return true;
      return !same((await run()).grant, refused);
    },
  };
}

interface Granted {
  readonly grant: Grant;
  readonly expires?: Instant;
}

function same(a: Grant, b: Grant): boolean {
  return a.token === b.token && a.cert === b.cert && a.key === b.key;
}

const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_ERROR_CHARACTERS = 600;
/** A plugin that asks a person something gets longer. */
const [TIMEOUT_SECONDS, INTERACTIVE_TIMEOUT_SECONDS] = [60, 300];

async function runPlugin(exec: ExecEntry, config: LiveConfig, options: CredentialOptions): Promise<Granted> {
  if (exec.interactiveMode === 'Always' && !options.interactive) {
    throw failure(exec, 'it must ask a person something, and standard input is not a terminal');
  }
  const interactive = exec.interactiveMode !== 'Never' && options.interactive;
  const env = {
    ...options.env,
    ...Object.fromEntries(exec.env.map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(execInfo(exec, config, interactive)),
  };
  return granted(exec, await outputOf(exec, env, interactive, options.onPluginText));
}

/** Source: staging/src/k8s.io/client-go/pkg/apis/clientauthentication/v1/types.go; the order of fields is kubectl's. */
function execInfo(exec: ExecEntry, config: LiveConfig, interactive: boolean): JsonObject {
  const entry = config.clusterEntry;
  const cluster: JsonObject = {
    server: entry?.server ?? config.server.href,
    ...(config.tlsServerName === undefined ? {} : { 'tls-server-name': config.tlsServerName }),
    ...(config.insecureSkipTlsVerify ? { 'insecure-skip-tls-verify': true } : {}),
    ...(config.ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(config.ca).toString('base64') }),
    ...(entry?.proxyUrl === undefined ? {} : { 'proxy-url': entry.proxyUrl }),
    ...(entry?.disableCompression === true ? { 'disable-compression': true } : {}),
    ...(entry?.execConfig === undefined ? {} : { config: entry.execConfig }),
  };
  const spec = { ...(exec.provideClusterInfo ? { cluster } : {}), interactive };
  return { kind: 'ExecCredential', apiVersion: exec.apiVersion, spec };
}

function outputOf(
  exec: ExecEntry,
  env: Readonly<Record<string, string | undefined>>,
  interactive: boolean,
  onText: ((text: string) => void) | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const seconds = interactive ? INTERACTIVE_TIMEOUT_SECONDS : TIMEOUT_SECONDS;
    const child = spawn(exec.command, exec.args, { env, stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    let [bytes, errors, problem] = [0, '', undefined as string | undefined];
    const giveUp = (why: string): void => {
      problem ??= why;
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const timer = setTimeout(() => giveUp(`it did not answer within ${seconds} s`), seconds * 1000);
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) giveUp(`it wrote more than ${MAX_OUTPUT_BYTES} bytes`);
      else output.push(chunk);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-MAX_ERROR_CHARACTERS);
      if (interactive) onText?.(printable(text));
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(startFailure(exec, error));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0 && problem === undefined) return resolve(Buffer.concat(output).toString('utf8'));
      const ended = code === null ? `it was ended by ${signal ?? 'a signal'}` : `it ended with exit code ${code}`;
      const said = errors.trim() === '' ? '' : `: ${printable(errors.trim())}`;
      reject(failure(exec, `${problem ?? ended}${said}`));
    });
  });
}

function startFailure(exec: ExecEntry, error: Error): ConnectionFailure {
  const missing = 'code' in error && error.code === 'ENOENT';
  const words = missing ? 'this executable is not found' : error.message;
  const hint = exec.installHint === undefined ? '' : `. ${printableUpTo(exec.installHint.trim(), MAX_ERROR_CHARACTERS)}`;
  return failure(exec, `${words}${hint}`);
}

function failure(exec: ExecEntry, words: string): ConnectionFailure {
  return new ConnectionFailure('credentials', `The credential plugin ${exec.command} gave no credentials: ${words}`);
}

function granted(exec: ExecEntry, output: string): Granted {
  const answer = parseJson(output);
  if (!answer.ok) throw failure(exec, `it did not print JSON: ${answer.detail}`);
  const [kind, apiVersion] = [asText(dig(answer.value, 'kind')), asText(dig(answer.value, 'apiVersion'))];
  if (kind !== 'ExecCredential' || apiVersion !== exec.apiVersion) {
    const found = printableUpTo(`${apiVersion ?? 'nothing'} ${kind ?? ''}`.trim(), 120);
    throw failure(exec, `it printed ${found} where ${exec.apiVersion} ExecCredential is expected`);
  }
  const status = asObject(dig(answer.value, 'status'));
  const [token, cert, key] = ['token', 'clientCertificateData', 'clientKeyData'].map((field) => asText(status[field]) || undefined);
  if ((cert === undefined) !== (key === undefined)) throw failure(exec, 'it printed a certificate without its key, or the reverse');
  if (token === undefined && cert === undefined) throw failure(exec, 'it printed neither a token nor a certificate');
  const expires = parseInstant(status['expirationTimestamp']);
  return {
    grant: { ...(token === undefined ? {} : { token }), ...(cert === undefined || key === undefined ? {} : { cert, key }) },
    ...(expires === undefined ? {} : { expires }),
  };
}
