import type { Instant } from '../../../base/instant.ts';
import { isRecent, parseInstant } from '../../../base/instant.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asObject, asText, dig } from '../../../base/json.ts';
import { printableUpTo } from '../../../base/text.ts';
import { parseJson } from '../requests/json-answer.ts';
import type { CredentialOptions, Grant, GrantSource } from './credentials.ts';
import type { ExecEntry } from './kubeconfig-entries.ts';
import type { LiveConfig } from './live-config.ts';
import { pluginFailure, pluginOutput } from './plugin-output.ts';

/**
 * Credentials from a client-go credential plugin: run once for all requests that wait for it, again when what it gave has ended or
 * was refused. Source: staging/src/k8s.io/client-go/plugin/pkg/client/auth/exec/exec.go.
 */
export function execSource(exec: ExecEntry, config: LiveConfig, options: CredentialOptions): GrantSource {
  let held: Granted | undefined;
  let running: Promise<Granted> | undefined;
  let failed: { readonly error: unknown; readonly at: Instant } | undefined;
  const run = async (): Promise<Granted> => {
    // Dozens of reads want it at once: none of them makes it fail again, or a person wait again.
    if (failed !== undefined && isRecent(failed.at, options.clock(), FAILURE_MILLISECONDS)) throw failed.error;
    running ??= runPlugin(exec, config, options)
      .then(
        (granted) => (held = granted),
        (error: unknown) => {
          failed = { error, at: options.clock() };
          throw error;
        },
      )
      .finally(() => (running = undefined));
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

/** How long a failure of a plugin is taken for its last word. */
const FAILURE_MILLISECONDS = 60_000;

interface Granted {
  readonly grant: Grant;
  readonly expires?: Instant;
}

function same(a: Grant, b: Grant): boolean {
  return a.token === b.token && a.cert === b.cert && a.key === b.key;
}

async function runPlugin(exec: ExecEntry, config: LiveConfig, options: CredentialOptions): Promise<Granted> {
  if (exec.interactiveMode === 'Always' && !options.interactive) {
    throw pluginFailure(exec, 'it needs an interactive login, but standard input is not a terminal');
  }
  const heed = options.heed ?? ((work) => work());
  const interactive = exec.interactiveMode !== 'Never' && options.interactive;
  const env = {
    ...options.env,
    ...Object.fromEntries(exec.env.map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(execInfo(exec, config, interactive)),
  };
  return granted(exec, await heed(() => pluginOutput(exec, { ...options, env, interactive })));
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

function granted(exec: ExecEntry, output: string): Granted {
  const answer = parseJson(output);
  if (!answer.ok) throw pluginFailure(exec, `it did not print JSON: ${answer.detail}`);
  const [kind, apiVersion] = [asText(dig(answer.value, 'kind')), asText(dig(answer.value, 'apiVersion'))];
  if (kind !== 'ExecCredential' || apiVersion !== exec.apiVersion) {
    const found = printableUpTo(`${apiVersion ?? 'nothing'} ${kind ?? ''}`.trim(), 120);
    throw pluginFailure(exec, `it printed ${found}, but expected is ${exec.apiVersion} ExecCredential`);
  }
  const status = asObject(dig(answer.value, 'status'));
  const [token, cert, key] = ['token', 'clientCertificateData', 'clientKeyData'].map((field) => asText(status[field]) || undefined);
  if ((cert === undefined) !== (key === undefined))
    throw pluginFailure(exec, 'it printed a certificate without its key, or a key without its certificate');
  if (token === undefined && cert === undefined) throw pluginFailure(exec, 'it printed neither a token nor a certificate');
  const expires = parseInstant(status['expirationTimestamp']);
  return {
    grant: { ...(token === undefined ? {} : { token }), ...(cert === undefined || key === undefined ? {} : { cert, key }) },
    ...(expires === undefined ? {} : { expires }),
  };
}
