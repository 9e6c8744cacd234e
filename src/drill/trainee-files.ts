import { decodeBase64, encodeBase64 } from '../base/base64.ts';
import type { Instant } from '../base/instant.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../base/json.ts';
import { parseKubeYaml } from '../base/yaml/kube-yaml.ts';
import type { StageId } from '../model/stage.ts';
import type { FailedApply } from './goal.ts';

/** A command that failed before the trainee came, and what is known of it. */
export interface FailedCommand {
  readonly failed: FailedApply;
  readonly stage: StageId;
  /** What its terminal showed. */
  readonly terminal: string;
  /** The object as it was meant. */
  readonly wanted: JsonObject | undefined;
  /** The kubeconfig it was given with is the trainee's own from now on. */
  readonly login: boolean;
}

/** What the served cluster gives to the trainee's files. */
export interface TraineeFilesPort {
  readonly url: string;
  /** PEM of the cluster's authority, and of one that is not the cluster's. */
  readonly authority: string;
  readonly foreignAuthority: string;
  readonly now: Instant;
  credential(wish: CredentialWish): { readonly certificate: string; readonly key: string };
}

export interface CredentialWish {
  readonly user: string;
  readonly groups: readonly string[];
  readonly notBefore?: Instant;
  readonly notAfter?: Instant;
  /** Signed by another authority than the cluster's. */
  readonly foreign?: boolean;
}

/** What lies ready for the trainee: files by their paths, text or a value to write as YAML. */
export interface TraineeFiles {
  readonly files: readonly TraineeFile[];
  /** The trainee's own kubeconfig among them, which need not be there; undefined where the cluster's is theirs. */
  readonly kubeconfig: string | undefined;
  /** As whom requests with it are to be answered. */
  readonly user: string | undefined;
  /** Whoever they are answered as will do: a token says nothing of whose it should be. */
  readonly anybody: boolean;
  /** What is sent by whoever gives out credentials, once it was named what is wrong. */
  readonly renewed: TraineeFile | undefined;
}

export interface TraineeFile {
  readonly path: string;
  readonly content: { readonly text: string } | { readonly documents: readonly Json[] };
  /** For the list of what there is; undefined for what only belongs to another file. */
  readonly about: string | undefined;
}

/** Another way in, for looking and for making what is missing. What is done with it is not done by the trainee's own kubeconfig. */
export const BREAK_GLASS = 'break-glass';

export function traineeFiles(failedCommands: readonly FailedCommand[], port: TraineeFilesPort): TraineeFiles | undefined {
  const [first] = failedCommands;
  if (first === undefined) return undefined;
  const terminal: TraineeFile = {
    path: 'terminal.txt',
    content: { text: [...new Set(failedCommands.map((command) => command.terminal))].join('\n').replaceAll(SIMULATED_URL, port.url) },
    about: 'the command that failed, with its output',
  };
  const manifests = failedCommands.flatMap(manifestFiles);
  const own = failedCommands.find(({ login }) => login);
  if (own === undefined)
    return {
      files: [terminal, ...manifests, ...failedCommands.flatMap((command) => identityFiles(command, port))],
      kubeconfig: undefined,
      user: undefined,
      anybody: false,
      renewed: undefined,
    };
  const user = userOf(own.failed);
  const path = kubeconfigPath(own.failed);
  const files = [terminal, ...manifests, ...loginFiles(own.failed, path, user, port), breakGlass(port)];
  const renewed =
    own.stage === 'authentication'
      ? fileOf('renewed.yaml', configFor(user, port, { user, groups: MASTERS }), 'the new kubeconfig that replaces it')
      : undefined;
  return { files, kubeconfig: path, user, anybody: own.failed.as?.kind === 'token', renewed };
}

const SIMULATED_URL = /https:\/\/\d+\.\d+\.\d+\.\d+:6443/g;
const MASTERS: readonly string[] = ['system:masters'];
/** Where something good lies that was not found where it was looked for. */
const ELSEWHERE = 'elsewhere';

/** A path of a scenario, within the trainee's folder. */
function within(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/');
}

function manifestFiles({ failed, wanted }: FailedCommand): readonly TraineeFile[] {
  const { file, text, missing } = failed.manifest ?? { file: 'manifest.yaml' };
  const path = within(file);
  if (missing === true)
    return wanted === undefined ? [] : [{ path: `${ELSEWHERE}/${path}`, content: { documents: [wanted] }, about: 'a manifest' }];
  return [{ path, content: text === undefined ? { documents: failed.documents } : { text }, about: 'the manifest of that command' }];
}

/** Somebody's good kubeconfig, to try what they may do: whose rights were in question. */
function identityFiles({ failed: { as } }: FailedCommand, port: TraineeFilesPort): readonly TraineeFile[] {
  if (as?.kind !== 'user') return [];
  return [
    fileOf(
      `${within(as.name)}.yaml`,
      configFor(as.name, port, { user: as.name, groups: as.groups }),
      `the kubeconfig of ${as.name}, who ran the command`,
    ),
  ];
}

function breakGlass(port: TraineeFilesPort): TraineeFile {
  return fileOf(
    `${BREAK_GLASS}.yaml`,
    configFor(BREAK_GLASS, port, { user: BREAK_GLASS, groups: MASTERS }),
    'emergency access: use it only to look around',
  );
}

function kubeconfigPath({ as, kubeconfig }: FailedApply): string {
  if (kubeconfig !== undefined) return within(kubeconfig.file).replaceAll('/', '-');
  return as?.kind === 'user' ? `${within(as.name)}.yaml` : 'kubeconfig.yaml';
}

/** Whose credentials the kubeconfig has, or would have. */
function userOf({ as, kubeconfig }: FailedApply): string {
  if (as?.kind === 'user') return as.name;
  if (as?.kind === 'token') return subjectOf(as.token) ?? 'robot';
  const content = kubeconfig?.content === undefined ? undefined : parseKubeYaml(kubeconfig.content, kubeconfig.file).documents[0]?.value;
  return asText(dig(asList(dig(content, 'users'))[0], 'name')) ?? 'kubernetes-admin';
}

/** The `sub` of a JSON Web Token, unchecked. */
function subjectOf(token: string): string | undefined {
  try {
    const payload = JSON.parse(decodeBase64(token.split('.')[1] ?? '')) as Json;
    return asText(dig(payload, 'sub'));
  } catch {
    return undefined;
  }
}

function loginFiles({ as, kubeconfig }: FailedApply, path: string, user: string, port: TraineeFilesPort): readonly TraineeFile[] {
  const good = (): TraineeFile =>
    fileOf(`${ELSEWHERE}/${path}`, configFor(user, port, { user, groups: MASTERS }), 'an older copy of a kubeconfig');
  if (kubeconfig?.missing === true) return [good()];
  if (kubeconfig?.content !== undefined) {
    const document = onlyDocument(kubeconfig.content, kubeconfig.file);
    if (document === undefined) return [{ path, content: { text: kubeconfig.content }, about: OWN }, good()];
    return filledIn(document, path, port);
  }
  if (as?.kind === 'token') return [fileOf(path, configWith({ token: as.token }, user, port), OWN)];
  const { beginsInSeconds, endsInSeconds, issuer } = as?.kind === 'user' ? (as.certificate ?? {}) : {};
  const dates = {
    ...(beginsInSeconds === undefined ? {} : { notBefore: port.now + beginsInSeconds * 1000 }),
    ...(endsInSeconds === undefined ? {} : { notAfter: port.now + endsInSeconds * 1000 }),
  };
  return [
    fileOf(path, configFor(user, port, { user, groups: MASTERS, ...dates, ...(issuer === undefined ? {} : { foreign: true }) }), OWN),
  ];
}

function onlyDocument(text: string, file: string): JsonObject | undefined {
  const { documents, errors } = parseKubeYaml(text, file);
  const value = documents[0]?.value;
  return errors.length === 0 && isJsonObject(value) ? value : undefined;
}

const OWN = 'your kubeconfig, used by that command';

/** A kubeconfig of the scenario, with the addresses and files of the served cluster in the place of the simulated ones. */
function filledIn(config: JsonObject, path: string, port: TraineeFilesPort): readonly TraineeFile[] {
  const beside: TraineeFile[] = [];
  const keep = (name: string, text: string): string => {
    const file = `pki/${name.split('/').at(-1) ?? name}`;
    if (!beside.some((other) => other.path === file)) beside.push({ path: file, content: { text }, about: undefined });
    return file;
  };
  const clusters = asList(config['clusters']).map((entry) =>
    changed(entry, 'cluster', (cluster) => {
      const authority = asText(cluster['certificate-authority']);
      const server = asText(cluster['server'])?.replace(SIMULATED_URL, port.url);
      return {
        ...cluster,
        ...(server === undefined ? {} : { server }),
        ...(authority === undefined
          ? {}
          : { 'certificate-authority': keep(authority, /(^|\/)ca\.(crt|pem)$/.test(authority) ? port.authority : port.foreignAuthority) }),
      };
    }),
  );
  const users = asList(config['users']).map((entry) =>
    changed(entry, 'user', (user) => {
      const [certificate, key] = [asText(user['client-certificate']), asText(user['client-key'])];
      if (certificate === undefined || key === undefined) return user;
      const pair = port.credential({ user: asText(dig(entry, 'name')) ?? 'kubernetes-admin', groups: MASTERS });
      return { ...user, 'client-certificate': keep(certificate, pair.certificate), 'client-key': keep(key, pair.key) };
    }),
  );
  return [fileOf(path, { ...config, clusters, users }, OWN), ...beside];
}

function changed(entry: Json | undefined, field: string, change: (value: JsonObject) => JsonObject): JsonObject {
  const object = asObject(entry);
  return { ...object, [field]: change(asObject(object[field])) };
}

function configFor(name: string, port: TraineeFilesPort, wish: CredentialWish): JsonObject {
  const { certificate, key } = port.credential(wish);
  return configWith({ 'client-certificate-data': encodeBase64(certificate), 'client-key-data': encodeBase64(key) }, name, port);
}

function configWith(user: JsonObject, name: string, { url, authority }: TraineeFilesPort): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'drill',
    clusters: [{ name: 'drill', cluster: { server: url, 'certificate-authority-data': encodeBase64(authority) } }],
    contexts: [{ name: 'drill', context: { cluster: 'drill', user: name } }],
    users: [{ name, user }],
  };
}

function fileOf(path: string, value: JsonObject, about: string): TraineeFile {
  return { path, content: { documents: [value] }, about };
}
