import { createSecureContext } from 'node:tls';
import { PodcheckError } from '../../../base/errors.ts';
import { systemReason } from '../../../base/system-error.ts';
import { nearest } from '../../../base/text.ts';
import { readBounded } from '../../../files/read-bounded.ts';
import { impersonation } from './impersonation.ts';
import { inClusterConfig } from './in-cluster.ts';
import type { ClusterEntry, UserEntry } from './kubeconfig-entries.ts';
import type { LoadedKubeconfig, Surroundings } from './kubeconfig-files.ts';
import { loadKubeconfig } from './kubeconfig-files.ts';
import type { LiveConfig, LiveOptions } from './live-config.ts';
import { chooseProxy } from '../connection/proxy-choice.ts';

/**
 * The cluster, user and namespace that kubectl would take from the same options and surroundings.
 * Throws a PodcheckError that names the file and the field where they cannot be told.
 * Source: staging/src/k8s.io/client-go/tools/clientcmd/client_config.go.
 */
export async function resolveKubeconfig(options: LiveOptions, around: Surroundings): Promise<LiveConfig> {
  const config = await loadKubeconfig(options.kubeconfig, around);
  const contextName = options.context ?? config.currentContext;
  const context = named(config.contexts, contextName, 'context', config);
  const clusterName = options.cluster ?? context?.cluster;
  const userName = options.user ?? context?.user;
  if (clusterName === undefined) return inClusterConfig(options, around, () => nothingChosen(config));
  const cluster = config.clusters.get(clusterName);
  if (cluster === undefined) throw missing('cluster', clusterName, config);
  const user = named(config.users, userName, 'user', config);
  return {
    ...(contextName === undefined ? {} : { context: contextName }),
    cluster: clusterName,
    ...(await clusterSettings(cluster, around)),
    ...(await userSettings(user, cluster, options)),
    namespace: options.namespace ?? context?.namespace ?? 'default',
    clusterEntry: cluster,
  };
}

/** The entry of a name; undefined without a name. */
function named<T>(
  entries: ReadonlyMap<string, T>,
  name: string | undefined,
  kind: Parameters<typeof missing>[0],
  config: Parameters<typeof missing>[2],
): T | undefined {
  if (name === undefined) return undefined;
  const entry = entries.get(name);
  if (entry === undefined) throw missing(kind, name, config);
  return entry;
}

function missing(kind: 'context' | 'cluster' | 'user', name: string, config: LoadedKubeconfig): PodcheckError {
  const names = { context: config.contexts, cluster: config.clusters, user: config.users }[kind].keys();
  const all = [...names];
  const near = nearest(name, all);
  const hint =
    near.length > 0
      ? `Did you mean ${near.map((candidate) => `"${candidate}"`).join(' or ')}?`
      : all.length > 0
        ? `It has: ${all.slice(0, 10).join(', ')}.`
        : `It contains no ${kind}s.`;
  return new PodcheckError('not-found', `The kubeconfig (${filesOf(config)}) has no ${kind} "${name}".`, hint);
}

function nothingChosen(config: LoadedKubeconfig): PodcheckError {
  if (config.files.length === 0) {
    const where =
      config.looked.length === 0
        ? 'HOME is not set'
        : `${config.looked.join(', ')} ${config.looked.length === 1 ? 'does' : 'do'} not exist`;
    return new PodcheckError(
      'not-found',
      `No kubeconfig found: ${where}.`,
      'Give --kubeconfig or set KUBECONFIG, or read a recording with --from.',
    );
  }
  const contexts = [...config.contexts.keys()].slice(0, 10).join(', ');
  const hint = contexts === '' ? 'It contains no contexts.' : `Choose one with --context or \`kubectl config use-context\`: ${contexts}.`;
  return new PodcheckError('usage', `The kubeconfig (${filesOf(config)}) has no current context.`, hint);
}

function filesOf(config: LoadedKubeconfig): string {
  return (config.files.length > 0 ? config.files : config.looked).join(', ');
}

type ClusterSettings = Pick<LiveConfig, 'server' | 'ca' | 'insecureSkipTlsVerify' | 'tlsServerName' | 'proxy'>;

async function clusterSettings(cluster: ClusterEntry, around: Surroundings): Promise<ClusterSettings> {
  const server = serverOf(cluster);
  const ca = await dataOrFile(cluster.caData, cluster.caFile, `certificate-authority of cluster "${cluster.name}"`, cluster.file);
  const proxy = chooseProxy(server, cluster.proxyUrl, around.env);
  if (ca !== undefined) checkPem({ ca }, `certificate-authority of cluster "${cluster.name}"`, cluster.file);
  return {
    server,
    ...(ca === undefined ? {} : { ca }),
    insecureSkipTlsVerify: cluster.insecureSkipTlsVerify,
    ...(cluster.tlsServerName === undefined ? {} : { tlsServerName: cluster.tlsServerName }),
    ...(proxy === undefined ? {} : { proxy }),
  };
}

/** An address without a scheme means https where TLS is configured, as client-go's DefaultServerURL has it. */
function serverOf(cluster: ClusterEntry): URL {
  const { server, file, name } = cluster;
  if (server === undefined)
    throw new PodcheckError('bad-input', `${file}: cluster "${name}" has no server.`, 'Add clusters[].cluster.server to the kubeconfig.');
  const secure = cluster.caData !== undefined || cluster.caFile !== undefined || cluster.insecureSkipTlsVerify;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `${secure ? 'https' : 'http'}://${server}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    throw new PodcheckError(
      'bad-input',
      `${file}: the server of cluster "${name}" is not an http or https address: ${server}`,
      'It looks like https://<host>:6443.',
    );
  }
  return url;
}

type UserSettings = Pick<LiveConfig, 'user' | 'impersonate'>;

async function userSettings(user: UserEntry | undefined, cluster: ClusterEntry, options: LiveOptions): Promise<UserSettings> {
  const impersonate = impersonation(user?.impersonate, options);
  if (user === undefined) return { user: {}, impersonate };
  checkMethods(user);
  const { name, file } = user;
  const cert = await dataOrFile(user.certData, user.certFile, `client-certificate of user "${name}"`, file);
  const key = await dataOrFile(user.keyData, user.keyFile, `client-key of user "${name}"`, file);
  if ((cert === undefined) !== (key === undefined)) {
    const [has, lacks] = cert === undefined ? ['client-key', 'client-certificate'] : ['client-certificate', 'client-key'];
    throw new PodcheckError('bad-input', `${file}: user "${name}" has a ${has} but no ${lacks}.`, 'Give both, or neither.');
  }
  if (cert !== undefined && key !== undefined) checkPem({ cert, key }, `client-certificate and client-key of user "${name}"`, file);
  const { token, tokenFile, username, password, exec, authProvider } = user;
  return {
    user: defined({ name, cert, key, token, tokenFile, username, password, exec, authProvider }),
    impersonate,
  };
}

/** Source: staging/src/k8s.io/client-go/tools/clientcmd/validation.go (validateAuthInfo). */
function checkMethods(user: UserEntry): void {
  const methods = [
    ...(user.token === undefined && user.tokenFile === undefined ? [] : ['token']),
    ...(user.username === undefined && user.password === undefined ? [] : ['username and password']),
  ];
  if (user.exec !== undefined && user.authProvider !== undefined) methods.push('exec', 'auth-provider');
  if (methods.length < 2) return;
  throw new PodcheckError(
    'bad-input',
    `${user.file}: user "${user.name}" has more than one way to authenticate: ${methods.join(', ')}.`,
    'Keep one of them.',
  );
}

/** Data wins over a file, as in client-go's rest.TLSConfigFor. */
async function dataOrFile(data: string | undefined, path: string | undefined, what: string, file: string): Promise<string | undefined> {
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  if (path === undefined) return undefined;
  try {
    return (await readBounded(path)).toString('utf8');
  } catch (error) {
    throw new PodcheckError(
      'bad-input',
      `${file}: the ${what} cannot be read: ${systemReason(error)}.`,
      'Correct the path; it is relative to the kubeconfig.',
    );
  }
}

function checkPem(material: { readonly ca?: string; readonly cert?: string; readonly key?: string }, what: string, file: string): void {
  try {
    if (material.ca !== undefined && !material.ca.includes('-----BEGIN CERTIFICATE-----')) throw new Error('contains no PEM certificate');
    createSecureContext(material);
  } catch (error) {
    throw new PodcheckError(
      'bad-input',
      `${file}: the ${what} cannot be used: ${systemReason(error)}.`,
      'It must be PEM; in the -data fields, PEM in base64.',
    );
  }
}

/** The fields that have a value. */
function defined<T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { readonly [K in keyof T]?: Exclude<T[K], undefined> };
}
