import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import { parseInteger } from '../base/number.ts';
import type { ChangeAction, PatchType } from '../model/playbook-change.ts';
import { PATCH_TYPES } from '../model/playbook-change.ts';
import { resourceNamed } from '../model/resources.ts';
import { inNamespace } from '../model/kube-object.ts';

/** A command taken apart: words that are no flags, and flags with their values. */
interface Words {
  readonly plain: readonly string[];
  readonly flags: ReadonlyMap<string, string>;
}

/**
 * The changes that a printed fix makes: one command, or several joined by `&&` that each create an object. Undefined where one of them
 * is no such change.
 */
export function changesOfFix(fix: string): readonly ChangeAction[] | undefined {
  const changes = fix.split(' && ').map(changeOfCommand);
  const whole = changes.filter((change) => change !== undefined);
  const isPlain = whole.length === 1 || whole.every(({ change }) => change === 'create');
  return whole.length === changes.length && isPlain ? whole : undefined;
}

const REPLACEMENT = ' --dry-run=client -o yaml | kubectl replace --force -f -';

/**
 * What a printed fix changes of an object that it then replaces, because that cannot be changed in place: a pod. Undefined for every other
 * fix.
 */
export function replacementOfFix(fix: string): Extract<ChangeAction, { readonly change: 'patch' }> | undefined {
  const change = fix.endsWith(REPLACEMENT) ? changeOfCommand(fix.slice(0, -REPLACEMENT.length)) : undefined;
  return change?.change === 'patch' && change.object.startsWith('Pod/') ? change : undefined;
}

/**
 * The change that a printed command of kubectl makes. Undefined for one that does more than one change of one object, runs another
 * program, deletes, or depends on what a shell makes of it.
 */
export function changeOfCommand(command: string): ChangeAction | undefined {
  const [program, ...rest] = shellWords(command) ?? [];
  const words = program === 'kubectl' ? takeApart(rest) : undefined;
  if (words === undefined) return undefined;
  const [first = '', second = ''] = words.plain;
  const verb = first === 'set' || first === 'rollout' || first === 'create' ? `${first} ${second}` : first;
  const make = VERBS[verb];
  return make?.({ ...words, plain: words.plain.slice(verb.split(' ').length) });
}

const VERBS: Readonly<Record<string, (words: Words) => ChangeAction | undefined>> = {
  patch: patchOf,
  scale: (words) => ofOne(words, (object) => ({ change: 'scale', object, replicas: words.flags.get('--replicas') ?? '' })),
  label: labelOf,
  uncordon: ({ plain: [node] }) => (node === undefined ? undefined : { change: 'uncordon', object: `Node/${node}` }),
  'set image': imageOf,
  'set resources': (words) => ofContainer(words, 0, () => ({ resources: resourcesOf(words) })),
  'set env': (words) =>
    ofContainer(words, 1, ([variable = '']) => {
      const at = variable.indexOf('=');
      return at < 1 ? undefined : { env: [{ name: variable.slice(0, at), value: variable.slice(at + 1), valueFrom: null }] };
    }),
  'set selector': (words) =>
    ofObject(words, (object, [labels = '', ...more]) =>
      more.length > 0 ? undefined : json(object, [{ op: 'replace', path: '/spec/selector', value: pairsOf(labels) }]),
    ),
  'rollout resume': (words) => ofOne(words, (object) => ({ change: 'patch', object, type: 'merge', body: { spec: { paused: false } } })),
  'rollout restart': (words) => ofOne(words, (object) => ({ change: 'restart', object })),
  'rollout undo': (words) => ofOne(words, (object) => ({ change: 'rollout-undo', object, ...revisionOf(words) })),
  'create namespace': (words) => created(words, 'Namespace', () => ({})),
  'create serviceaccount': (words) => created(words, 'ServiceAccount', () => ({})),
  'create priorityclass': (words) => created(words, 'PriorityClass', priorityOf),
  'create role': (words) => created(words, 'Role', rulesOf),
  'create clusterrole': (words) => created(words, 'ClusterRole', rulesOf),
  'create rolebinding': (words) => created(words, 'RoleBinding', bindingOf),
  'create clusterrolebinding': (words) => created(words, 'ClusterRoleBinding', bindingOf),
};

/** Words as a shell takes them; undefined where it would do more than take off single quotes. */
function shellWords(command: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; at++) {
    const letter = command[at] ?? '';
    if (letter === "'") {
      const end = command.indexOf("'", at + 1);
      if (end < 0) return undefined;
      word = (word ?? '') + command.slice(at + 1, end);
      at = end;
    } else if (letter === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (/[\w./:@=+,%^-]/.test(letter)) word = (word ?? '') + letter;
    else return undefined;
  }
  return word === undefined ? words : [...words, word];
}

const WITH_VALUE: ReadonlySet<string> = new Set(['-n', '-p', '-c']);
const FLAGS: ReadonlySet<string> = new Set([
  '--type',
  '--replicas',
  '--requests',
  '--limits',
  '--to-revision',
  '--overwrite',
  '--verb',
  '--resource',
  '--role',
  '--clusterrole',
  '--user',
  '--serviceaccount',
  '--value',
]);

/** Undefined for a flag that is not known: it may change what the command does. */
function takeApart(words: readonly string[]): Words | undefined {
  const plain: string[] = [];
  const flags = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const name = word.split('=', 1)[0] ?? '';
    if (WITH_VALUE.has(word)) flags.set(word, words[++at] ?? '');
    else if (FLAGS.has(name)) flags.set(name, word.slice(name.length + 1));
    else if (word.startsWith('-')) return undefined;
    else plain.push(word);
  }
  return { plain, flags };
}

/** `Kind/namespace/name` of the object that the words begin with, as `KIND/NAME` or `KIND NAME`, and the words behind it. */
function ofObject(
  { plain, flags }: Words,
  make: (object: string, rest: readonly string[]) => ChangeAction | undefined,
): ChangeAction | undefined {
  const [first = '', second = ''] = plain;
  const [kind = '', name = '', ...more] = first.includes('/') ? first.split('/') : [first, second];
  const resource = resourceNamed(kind);
  if (resource === undefined || name === '' || more.length > 0) return undefined;
  const namespace = resource.namespaced ? flags.get('-n') : undefined;
  return make([resource.kind, ...(namespace === undefined ? [] : [namespace]), name].join('/'), plain.slice(first.includes('/') ? 1 : 2));
}

/** The same where nothing stands behind the object: that would be one more. */
function ofOne(words: Words, make: (object: string) => ChangeAction): ChangeAction | undefined {
  return ofObject(words, (object, rest) => (rest.length > 0 ? undefined : make(object)));
}

function patchOf(words: Words): ChangeAction | undefined {
  const body = parsed(words.flags.get('-p') ?? '');
  const type = (words.flags.get('--type') ?? 'strategic') as PatchType;
  if (body === undefined || !PATCH_TYPES.includes(type) || Array.isArray(body) !== (type === 'json')) return undefined;
  return ofOne(words, (object) => ({ change: 'patch', object, type, body }));
}

function parsed(text: string): JsonObject | readonly JsonObject[] | undefined {
  try {
    const value = JSON.parse(text) as Json;
    if (Array.isArray(value)) return (value as readonly Json[]).every(isJsonObject) ? (value as readonly JsonObject[]) : undefined;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function json(object: string, body: readonly JsonObject[]): ChangeAction {
  return { change: 'patch', object, type: 'json', body };
}

/** Of one object by its name: `label node worker-1 disk=fast`. */
function labelOf(words: Words): ChangeAction | undefined {
  return ofObject(words, (object, [label = '', ...more]) =>
    more.length > 0 || !label.includes('=')
      ? undefined
      : { change: 'patch', object, type: 'merge', body: { metadata: { labels: pairsOf(label) } } },
  );
}

function imageOf(words: Words): ChangeAction | undefined {
  return ofObject(words, (object, [assigned = '', ...more]) => {
    const at = assigned.indexOf('=');
    return at < 1 || more.length > 0
      ? undefined
      : { change: 'set-image', object, container: assigned.slice(0, at), image: assigned.slice(at + 1) };
  });
}

/** Kinds with containers that kubectl sets: a pod's own (which the server refuses), else those of its template. */
const TEMPLATED: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Pod']);

/** Stands for all containers of a pod template in a patch: their names are read when the change is planned. */
export const ALL_CONTAINERS = '*';

/** A patch of the container that -c names; without it kubectl changes all of them. */
function ofContainer(words: Words, operands: number, make: (rest: readonly string[]) => JsonObject | undefined): ChangeAction | undefined {
  const name = words.flags.get('-c') ?? ALL_CONTAINERS;
  return ofObject(words, (object, rest) => {
    const [kind = ''] = object.split('/');
    const fields = rest.length === operands && TEMPLATED.has(kind) ? make(rest) : undefined;
    if (fields === undefined) return undefined;
    const spec = { containers: [{ name, ...fields }] };
    return { change: 'patch', object, type: 'strategic', body: { spec: kind === 'Pod' ? spec : { template: { spec } } } };
  });
}

function resourcesOf({ flags }: Words): JsonObject {
  const [requests, limits] = [flags.get('--requests'), flags.get('--limits')];
  return {
    ...(requests === undefined ? {} : { requests: pairsOf(requests) }),
    ...(limits === undefined ? {} : { limits: pairsOf(limits) }),
  };
}

/** `a=1,b=2`. */
function pairsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)] as const;
    }),
  );
}

function revisionOf({ flags }: Words): { readonly revision?: string } {
  const revision = flags.get('--to-revision');
  return revision === undefined ? {} : { revision };
}

function created(words: Words, kind: string, make: (words: Words) => JsonObject | undefined): ChangeAction | undefined {
  const [name, ...more] = words.plain;
  const resource = resourceNamed(kind);
  const fields = make(words);
  if (name === undefined || more.length > 0 || resource === undefined || fields === undefined) return undefined;
  const namespace = resource.namespaced ? words.flags.get('-n') : undefined;
  const metadata = { name, ...inNamespace(namespace) };
  return { change: 'create', manifest: { apiVersion: resource.apiVersion, kind, metadata, ...fields } };
}

function priorityOf({ flags }: Words): JsonObject | undefined {
  const value = parseInteger(flags.get('--value') ?? '');
  return value === undefined ? undefined : { value };
}

/** One rule: `--verb=get,list --resource=deployments`. */
function rulesOf({ flags }: Words): JsonObject | undefined {
  const resource = resourceNamed(flags.get('--resource') ?? '');
  const verbs = flags.get('--verb')?.split(',') ?? [];
  if (resource === undefined || verbs.length === 0) return undefined;
  return { rules: [{ apiGroups: [groupOf(resource.apiVersion)], resources: [resource.plural], verbs }] };
}

/** Of one role to one user or ServiceAccount: `--role=release --user=robin`. */
function bindingOf({ flags }: Words): JsonObject | undefined {
  const [role, clusterRole, user] = [flags.get('--role'), flags.get('--clusterrole'), flags.get('--user')];
  const [namespace, account] = flags.get('--serviceaccount')?.split(':') ?? [];
  const subject =
    user !== undefined
      ? { apiGroup: RBAC_GROUP, kind: 'User', name: user }
      : account === undefined
        ? undefined
        : { kind: 'ServiceAccount', namespace: namespace ?? '', name: account };
  const name = clusterRole ?? role;
  if (subject === undefined || name === undefined) return undefined;
  return { roleRef: { apiGroup: RBAC_GROUP, kind: clusterRole === undefined ? 'Role' : 'ClusterRole', name }, subjects: [subject] };
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}
