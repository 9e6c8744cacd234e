import { PodcheckError } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import { asObject, dig, isJsonObject } from '../../../base/json.ts';
import { KubeconfigFields, wrongKubeconfig } from './kubeconfig-fields.ts';

/**
 * What one kubeconfig file says, with the names client-go gives the fields; paths as written. `file` is where an entry was read,
 * for messages and for paths relative to it. Source: staging/src/k8s.io/client-go/tools/clientcmd/api/v1/types.go.
 */
export interface Kubeconfig {
  readonly currentContext?: string;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
}

export interface ClusterEntry {
  readonly name: string;
  readonly file: string;
  readonly server?: string;
  readonly caFile?: string;
  /** Base64 of PEM, as all fields that end in Data. */
  readonly caData?: string;
  readonly insecureSkipTlsVerify: boolean;
  readonly tlsServerName?: string;
  readonly proxyUrl?: string;
  readonly disableCompression: boolean;
  /** The extension an exec plugin is told: `extensions[name=client.authentication.k8s.io/exec]`. */
  readonly execConfig?: Json;
}

export interface UserEntry {
  readonly name: string;
  readonly file: string;
  readonly certFile?: string;
  readonly certData?: string;
  readonly keyFile?: string;
  readonly keyData?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: ExecEntry;
  readonly authProvider?: AuthProviderEntry;
  readonly impersonate: Impersonation;
}

export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly installHint?: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
}

export interface AuthProviderEntry {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
}

export interface Impersonation {
  readonly user?: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export interface ContextEntry {
  readonly name: string;
  readonly file: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** Reads a parsed kubeconfig; a field of the wrong type is an error, as it is for kubectl. */
export function kubeconfigEntries(document: Json | undefined, file: string): Kubeconfig {
  if (document !== undefined && !isJsonObject(document)) throw wrongKubeconfig(file, 'the file', 'a kubeconfig');
  const root = new KubeconfigFields(asObject(document), file, '');
  const currentContext = root.text('current-context');
  return {
    ...(currentContext === undefined ? {} : { currentContext }),
    clusters: named(root, 'clusters', 'cluster', clusterEntry),
    users: named(root, 'users', 'user', userEntry),
    contexts: named(root, 'contexts', 'context', contextEntry),
  };
}

/** Names are unique within a file for kubectl; between files the first wins. */
function named<T>(
  root: KubeconfigFields,
  list: string,
  field: string,
  read: (name: string, fields: KubeconfigFields) => T,
): ReadonlyMap<string, T> {
  const entries = new Map<string, T>();
  for (const item of root.objects(list)) {
    const name = item.text('name') ?? '';
    if (entries.has(name))
      throw new PodcheckError('bad-input', `${root.file}: ${list} has two entries named "${name}".`, 'Rename or remove one.');
    entries.set(name, read(name, item.object(field)));
  }
  return entries;
}

function clusterEntry(name: string, fields: KubeconfigFields): ClusterEntry {
  const execConfig = fields.objects('extensions').find((extension) => extension.text('name') === EXEC_EXTENSION);
  const config = dig(execConfig?.fields, 'extension');
  return {
    name,
    file: fields.file,
    ...fields.texts({
      server: 'server',
      caFile: 'certificate-authority',
      caData: 'certificate-authority-data',
      tlsServerName: 'tls-server-name',
      proxyUrl: 'proxy-url',
    }),
    insecureSkipTlsVerify: fields.flag('insecure-skip-tls-verify'),
    disableCompression: fields.flag('disable-compression'),
    ...(config === undefined ? {} : { execConfig: config }),
  };
}

const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

function userEntry(name: string, fields: KubeconfigFields): UserEntry {
  const provider = fields.optional('auth-provider');
  const exec = fields.optional('exec');
  return {
    name,
    file: fields.file,
    ...fields.texts({
      certFile: 'client-certificate',
      certData: 'client-certificate-data',
      keyFile: 'client-key',
      keyData: 'client-key-data',
      token: 'token',
      tokenFile: 'tokenFile',
      username: 'username',
      password: 'password',
    }),
    ...(exec === undefined ? {} : { exec: execEntry(name, exec) }),
    ...(provider === undefined ? {} : { authProvider: { name: provider.text('name') ?? '', config: textMap(provider.object('config')) } }),
    impersonate: { ...fields.texts({ user: 'as', uid: 'as-uid' }), groups: fields.words('as-groups'), extra: extras(fields) },
  };
}

function extras(fields: KubeconfigFields): Readonly<Record<string, readonly string[]>> {
  const extra = fields.object('as-user-extra');
  return Object.fromEntries(Object.keys(extra.fields).map((key) => [key, extra.words(key)]));
}

function textMap(fields: KubeconfigFields): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.keys(fields.fields).flatMap((key) => {
      const value = fields.text(key);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

/** Source of the rules: staging/src/k8s.io/client-go/tools/clientcmd/validation.go (validateAuthInfo). */
function execEntry(user: string, fields: KubeconfigFields): ExecEntry {
  const apiVersion = fields.text('apiVersion') ?? '';
  const command = fields.text('command') ?? '';
  const mode = fields.text('interactiveMode') ?? (apiVersion === 'client.authentication.k8s.io/v1' ? '' : 'IfAvailable');
  const problem =
    command === ''
      ? 'has no command'
      : !EXEC_VERSIONS.includes(apiVersion)
        ? `has the unknown apiVersion "${apiVersion}"; expected one of ${EXEC_VERSIONS.join(', ')}`
        : mode !== 'Never' && mode !== 'IfAvailable' && mode !== 'Always'
          ? `has the unknown interactiveMode "${mode}"; expected Never, IfAvailable or Always`
          : undefined;
  if (problem !== undefined) {
    throw new PodcheckError(
      'bad-input',
      `${fields.file}: the exec plugin of user "${user}" ${problem}.`,
      'Correct users[].user.exec in the kubeconfig.',
    );
  }
  const env = fields.objects('env').map((item) => ({ name: item.text('name') ?? '', value: item.text('value') ?? '' }));
  return {
    apiVersion,
    command,
    args: fields.words('args'),
    env: env.filter(({ name }) => name !== ''),
    ...fields.texts({ installHint: 'installHint' }),
    provideClusterInfo: fields.flag('provideClusterInfo'),
    interactiveMode: mode as ExecEntry['interactiveMode'],
  };
}

const EXEC_VERSIONS: readonly string[] = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

function contextEntry(name: string, fields: KubeconfigFields): ContextEntry {
  return { name, file: fields.file, ...fields.texts({ cluster: 'cluster', user: 'user', namespace: 'namespace' }) };
}
