import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { RESOURCES } from '../../model/resources.ts';
import type { Answer, Credential } from '../../simulator/apiserver/request.ts';
import { qualified } from '../../simulator/apiserver/failures.ts';
import type { Cluster, OutsideRequest } from '../../simulator/cluster.ts';
import { failureWords } from '../../simulator/kubectl.ts';
import type { CommandLine } from './command-line.ts';
import { podRow } from './pod-table.ts';

/** What the command printed and its exit status; undefined for a command this does not know how to give. */
export interface CommandAnswer {
  readonly output: string;
  readonly exitCode: number;
}

export interface Terminal {
  readonly cluster: Cluster;
  /** Where the files of `-f` are. */
  readonly folder: string;
  readonly credential: Credential | undefined;
  /** Keeps a token that was made, for the kubeconfig that uses it. */
  keepToken(account: string, token: string): void;
  /** The pods a recorded name of a pod may stand for, of another random name here. */
  podOf(recordedName: string): string;
}

/** Gives a recorded command to the simulated cluster. */
export function runKubectl(command: CommandLine, terminal: Terminal): CommandAnswer | undefined {
  const [, verb, what, ...rest] = command.words;
  const raw = command.options.get('raw');
  if (raw !== undefined) return verb === 'create' ? rawEviction(raw, terminal) : undefined;
  switch (verb) {
    case 'apply':
      return applyFile(command, terminal, false);
    case 'create':
      return what === 'token' ? createToken(command, rest[0] ?? '', terminal) : applyFile(command, terminal, true);
    case 'get':
      return what === 'pods' && !['yaml', 'json'].includes(command.options.get('o') ?? '') ? getPods(command, terminal) : undefined;
    case 'delete':
      return deleteObjects(command, what ?? '', rest, terminal);
    case 'patch':
      return patchObject(command, what ?? '', rest[0] ?? '', terminal);
    case 'label':
      return labelObject(what ?? '', rest, terminal);
    case 'taint':
      return taintNodes(command, rest, terminal);
    case 'rollout':
      return what === 'restart' ? restart(command, rest[0] ?? '', terminal) : undefined;
    default:
      return undefined;
  }
}

function applyFile({ options }: CommandLine, terminal: Terminal, create: boolean): CommandAnswer | undefined {
  const file = options.get('f') ?? '';
  const path = join(terminal.folder, file);
  if (!existsSync(path) || options.get('dry-run') === 'client') return undefined;
  const documents: JsonObject[] = [];
  for (const document of parseAllDocuments(readFileSync(path, 'utf8'))) {
    if (document.errors.length > 0) return undefined;
    const value = document.toJS() as Json;
    if (isJsonObject(value)) documents.push(...(value['kind'] === 'List' ? asList(value['items']).filter(isJsonObject) : [value]));
  }
  const namespace = options.get('n');
  const { credential } = terminal;
  const done = terminal.cluster.apply(documents, { file, create, dryRun: options.get('dry-run') === 'server', ...(namespace === undefined ? {} : { namespace }), ...(credential === undefined ? {} : { credential }) });
  return { output: done.map(({ output }) => output).join('\n'), exitCode: done.some(({ did }) => did === 'refused') ? 1 : 0 };
}

function createToken({ options }: CommandLine, account: string, terminal: Terminal): CommandAnswer {
  const answer = send(terminal, { verb: 'create', group: '', version: 'v1', resource: 'serviceaccounts', subresource: 'token', namespace: options.get('n') ?? 'default', name: account, body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} } });
  if (!answer.ok) return failed(answer, '');
  terminal.keepToken(account, asText(dig(answer.object, 'status', 'token')) ?? '');
  return { output: '<token>', exitCode: 0 };
}

function getPods({ options }: CommandLine, terminal: Terminal): CommandAnswer {
  const namespace = options.get('n') ?? 'default';
  const answer = send(terminal, { verb: 'list', group: '', version: 'v1', resource: 'pods', namespace });
  if (!answer.ok) return failed(answer, '');
  const pods = asList(answer.object['items']) as readonly KubeObject[];
  if (pods.length === 0) return { output: `No resources found in ${namespace} namespace.`, exitCode: 0 };
  return { output: pods.map(podRow).join('\n'), exitCode: 0 };
}

function deleteObjects({ options }: CommandLine, kind: string, names: readonly string[], terminal: Terminal): CommandAnswer | undefined {
  const at = addressOf(kind, options.get('n'));
  if (at === undefined) return undefined;
  const grace = options.get('grace-period');
  const selector = options.get('l') ?? options.get('selector');
  const found = selector === undefined ? undefined : send(terminal, { verb: 'list', ...at, labelSelector: selector });
  const wanted = found?.ok === true ? asList(found.object['items']).map((item) => asText(dig(item, 'metadata', 'name')) ?? '') : names.map((name) => (at.resource === 'pods' ? terminal.podOf(name) : name));
  const lines: string[] = [];
  for (const name of wanted) {
    const answer = send(terminal, { verb: 'delete', ...at, name, delete: { propagationPolicy: 'Background', ...(grace === undefined ? {} : { gracePeriodSeconds: Number(grace) }) } });
    if (!answer.ok) return failed(answer, '');
    lines.push(`${at.word} "${name}" ${options.get('force') === 'true' ? 'force ' : ''}deleted${at.namespace === undefined ? '' : ` from ${at.namespace} namespace`}`);
  }
  if (options.get('force') === 'true') lines.push('Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.');
  // kubectl waits until what it deleted is gone, unless it was told not to; what follows waits for the next command's time.
  return { output: lines.join('\n'), exitCode: 0 };
}

function patchObject({ options }: CommandLine, kind: string, name: string, terminal: Terminal): CommandAnswer | undefined {
  const at = addressOf(kind, options.get('n'));
  const type = options.get('type') ?? 'strategic';
  if (at === undefined || (type !== 'json' && type !== 'merge' && type !== 'strategic')) return undefined;
  const subresource = options.get('subresource');
  const answer = send(terminal, { verb: 'patch', ...at, name, ...(subresource === undefined ? {} : { subresource }), patch: { type, body: JSON.parse(options.get('p') ?? '{}') as Json }, manager: 'kubectl-patch' });
  return answer.ok ? { output: `${at.word}/${name} patched`, exitCode: 0 } : failed(answer, '');
}

function labelObject(kind: string, [name = '', ...pairs]: readonly string[], terminal: Terminal): CommandAnswer | undefined {
  const at = addressOf(kind, undefined);
  if (at === undefined) return undefined;
  const labels = Object.fromEntries(pairs.map((given): [string, Json] => (given.endsWith('-') ? [given.slice(0, -1), null] : [given.split('=')[0] ?? '', given.slice(given.indexOf('=') + 1)])));
  const answer = send(terminal, { verb: 'patch', ...at, name, patch: { type: 'merge', body: { metadata: { labels } } }, manager: 'kubectl-label' });
  return answer.ok ? { output: `${at.word}/${name} labeled`, exitCode: 0 } : failed(answer, '');
}

function taintNodes({ options }: CommandLine, words: readonly string[], terminal: Terminal): CommandAnswer | undefined {
  const at = addressOf('node', undefined);
  if (at === undefined) return undefined;
  const listed = send(terminal, { verb: 'list', ...at });
  if (!listed.ok) return failed(listed, '');
  const all = options.get('all') === 'true';
  const nodes = asList(listed.object['items']).filter((node) => all || words[0] === asText(dig(node, 'metadata', 'name')));
  const given = words.filter((word) => word.includes(':') || word.endsWith('-'));
  const removes = given.some((word) => word.endsWith('-'));
  const lines: string[] = [];
  for (const node of nodes) {
    const name = asText(dig(node, 'metadata', 'name')) ?? '';
    const kept = asList(dig(node, 'spec', 'taints')).filter((taint) => !given.some((word) => word.split(/[=:-]/)[0] === asText(dig(taint, 'key'))));
    const added = given.filter((word) => !word.endsWith('-')).map((word): JsonObject => {
      const [pair = '', effect = ''] = word.split(':');
      const [key = '', value] = pair.split('=');
      return { key, ...(value === undefined ? {} : { value }), effect };
    });
    const answer = send(terminal, { verb: 'patch', ...at, name, patch: { type: 'merge', body: { spec: { taints: [...kept, ...added] } } }, manager: 'kubectl-taint' });
    if (!answer.ok) return failed(answer, '');
    lines.push(`node/${name} ${removes ? 'untainted' : 'tainted'}`);
  }
  return { output: lines.join('\n'), exitCode: 0 };
}

function restart({ options }: CommandLine, target: string, terminal: Terminal): CommandAnswer | undefined {
  const [kind = '', name = ''] = target.split('/');
  const at = addressOf(kind, options.get('n'));
  if (at === undefined) return undefined;
  const restartedAt = new Date(terminal.cluster.now()).toISOString();
  const body = { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': restartedAt } } } } };
  const answer = send(terminal, { verb: 'patch', ...at, name, patch: { type: 'strategic', body }, manager: 'kubectl-rollout' });
  return answer.ok ? { output: `${at.word}/${name} restarted`, exitCode: 0 } : failed(answer, '');
}

function rawEviction(path: string, terminal: Terminal): CommandAnswer | undefined {
  const [, namespace, recorded] = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/eviction$/.exec(path) ?? [];
  if (namespace === undefined || recorded === undefined) return undefined;
  const name = terminal.podOf(recorded);
  const answer = send(terminal, { verb: 'create', group: '', version: 'v1', resource: 'pods', subresource: 'eviction', namespace, name, body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } } });
  return answer.ok ? { output: '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}', exitCode: 0 } : failed(answer, '');
}

function failed(answer: Answer & { readonly ok: false }, doing: string): CommandAnswer {
  return { output: failureWords(answer, doing), exitCode: 1 };
}

function send(terminal: Terminal, request: OutsideRequest): Answer {
  const { credential } = terminal;
  return terminal.cluster.request(credential === undefined ? request : { ...request, credential });
}

interface Address {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace?: string;
  /** As kubectl names it in its answers: `deployment.apps`. */
  readonly word: string;
}

function addressOf(kind: string, namespace: string | undefined): (Omit<Address, 'word'> & { readonly word: string }) | undefined {
  const wanted = kind.toLowerCase();
  const found = RESOURCES.find((row) => row.plural === wanted || row.kind.toLowerCase() === wanted || row.shortNames.includes(wanted));
  if (found === undefined) return undefined;
  const [version = 'v1', group = ''] = found.apiVersion.split('/').toReversed();
  return { group, version, resource: found.plural, ...(found.namespaced ? { namespace: namespace ?? 'default' } : {}), word: qualified({ group, resource: found.kind.toLowerCase() }) };
}
