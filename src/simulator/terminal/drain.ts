import { asList, asText, dig } from '../../base/json.ts';
import { append, smallest } from '../../base/lists.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, controllerOf } from '../../model/kube-object.ts';
import { asItems } from '../apiserver/lists.ts';
import { failureWords } from './kubectl.ts';
import { goDuration } from '../kubelet/pods/pod-fields.ts';
import type { CommandAnswer, TerminalCommand } from './command.ts';
import type { KubectlSession, TerminalSurroundings } from './kubectl-session.ts';

type Drain = TerminalCommand & { readonly command: 'drain' };

/**
 * `kubectl drain`: cordons the node, then evicts its pods, again every five seconds those that may not go, and waits until all are
 * gone or `--timeout` is over. Without one whoever typed it gives up after two minutes.
 * Source: staging/src/k8s.io/kubectl/pkg/drain/{drain,filters}.go, pkg/cmd/drain/drain.go.
 */
export function drain(command: Drain, session: KubectlSession, around: TerminalSurroundings): CommandAnswer {
  const { node } = command;
  const [cordoned, exitCode] = cordon(node, true, session);
  if (exitCode !== 0) return { output: cordoned, exitCode };
  const lines = [cordoned];
  const listed = session.send({ verb: 'list', group: '', version: 'v1', resource: 'pods', fieldSelector: `spec.nodeName=${node}` });
  if (!listed.ok) return given(lines, node, failureWords(listed, ''));
  const { pods, warnings, errors } = sorted(asItems(listed.object), command);
  if (errors.length > 0) return given(lines, node, aggregate(errors));
  if (warnings.length > 0) lines.push(`Warning: ${warnings.join('; ')}`);
  const failures = evictAll(pods, command, { lines, session, around });
  if (failures === 'given up') return { output: lines.join('\n'), exitCode: 130 };
  if (failures.length === 0) return { output: [...lines, `node/${node} drained`].join('\n'), exitCode: 0 };
  const left = pods.filter((pod) => stillThere(pod, session));
  if (left.length > 0)
    append(lines, [
      `There are pending pods in node "${node}" when an error occurred: ${aggregate(failures)}`,
      ...left.map(({ metadata }) => `pod/${metadata.name}`),
    ]);
  return given(lines, node, aggregate(failures));
}

/** `kubectl cordon` and `uncordon`: what is said, and the exit code. */
export function cordon(node: string, unschedulable: boolean, session: KubectlSession): readonly [string, number] {
  const at = { group: '', version: 'v1', resource: 'nodes', name: node } as const;
  const found = session.send({ verb: 'get', ...at });
  if (!found.ok) return [failureWords(found, ''), 1];
  const word = unschedulable ? 'cordoned' : 'uncordoned';
  if ((dig(found.object, 'spec', 'unschedulable') === true) === unschedulable) return [`node/${node} already ${word}`, 0];
  const patched = session.send({
    verb: 'patch',
    ...at,
    patch: { type: 'strategic', body: { spec: { unschedulable: unschedulable ? true : null } } },
  });
  return patched.ok
    ? [`node/${node} ${word}`, 0]
    : [`error: unable to ${unschedulable ? 'cordon' : 'uncordon'} node "${node}": ${patched.message}`, 0];
}

function given(lines: readonly string[], node: string, error: string): CommandAnswer {
  return {
    output: [
      ...lines,
      `error: unable to drain node "${node}" due to error: ${error}, continuing command...`,
      'There are pending nodes to be drained:',
      ` ${node}`,
      error,
    ].join('\n'),
    exitCode: 1,
  };
}

/** Several errors stand in brackets. Source: staging/src/k8s.io/apimachinery/pkg/util/errors/errors.go. */
function aggregate(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}

interface Sorted {
  readonly pods: readonly KubeObject[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/** The pods to evict, and what kubectl says of the others. The words of one kind stand together; kinds sort by their words. */
function sorted(all: readonly KubeObject[], options: Drain): Sorted {
  const pods: KubeObject[] = [];
  const warnings = new Map<string, string[]>();
  const errors = new Map<string, string[]>();
  const put = (into: Map<string, string[]>, words: string, pod: KubeObject): void =>
    void into.set(words, [...(into.get(words) ?? []), placed(pod)]);
  for (const pod of all) {
    if (annotationsOf(pod)['kubernetes.io/config.mirror'] !== undefined) continue;
    const { warning, error, stays } = treatment(pod, options);
    if (warning !== undefined) put(warnings, warning, pod);
    if (error !== undefined) put(errors, error, pod);
    if (stays !== true && error === undefined) pods.push(pod);
  }
  const said = (map: ReadonlyMap<string, readonly string[]>): readonly string[] =>
    [...map].map(([words, names]) => `${words}: ${names.join(', ')}`).sort();
  return { pods, warnings: said(warnings), errors: said(errors) };
}

interface Treatment {
  readonly warning?: string;
  /** Why it cannot be evicted. */
  readonly error?: string;
  /** It is left alone. */
  readonly stays?: boolean;
}

/** Source: staging/src/k8s.io/kubectl/pkg/drain/filters.go. */
function treatment(pod: KubeObject, { ignoreDaemonSets = true, deleteEmptyDirData = true, force = false }: Drain): Treatment {
  if (['Succeeded', 'Failed'].includes(asText(dig(pod, 'status', 'phase')) ?? '')) return {};
  const controller = controllerOf(pod);
  if (controller?.kind === 'DaemonSet')
    return ignoreDaemonSets
      ? { warning: 'ignoring DaemonSet-managed Pods', stays: true }
      : { error: 'cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)' };
  const isLocal = asList(dig(pod, 'spec', 'volumes')).some((volume) => dig(volume, 'emptyDir') !== undefined);
  if (isLocal && !deleteEmptyDirData) return { error: 'cannot delete Pods with local storage (use --delete-emptydir-data to override)' };
  if (controller === undefined)
    return force
      ? { warning: 'deleting Pods that declare no controller' }
      : { error: 'cannot delete Pods that declare no controller (use --force to override)' };
  return isLocal ? { warning: 'deleting Pods with local storage' } : {};
}

function placed({ metadata: { name, namespace = '' } }: KubeObject): string {
  return `${namespace}/${name}`;
}

interface Surroundings {
  readonly lines: string[];
  readonly session: KubectlSession;
  readonly around: TerminalSurroundings;
}

const RETRY_MILLISECONDS = 5000;
const POLL_MILLISECONDS = 1000;
/** Who sees that nothing happens gives up. */
const PATIENCE_MILLISECONDS = 120_000;

/** A pod on its way: when something is next done about it, and whether it was let go. */
interface Going {
  readonly pod: KubeObject;
  readonly next: number;
  readonly evicted: boolean;
}

/** Every pod is evicted by a routine of its own. */
function evictAll(pods: readonly KubeObject[], { timeoutSeconds }: Drain, surroundings: Surroundings): readonly string[] | 'given up' {
  const { around } = surroundings;
  const end = timeoutSeconds === undefined || timeoutSeconds === 0 ? undefined : around.now() + timeoutSeconds * 1000;
  const over = (): string | undefined =>
    end !== undefined && around.now() >= end ? `global timeout reached: ${goDuration((timeoutSeconds ?? 0) * 1000)}` : undefined;
  const patience = around.now() + PATIENCE_MILLISECONDS;
  const failures: string[] = [];
  let going: readonly Going[] = pods.map((pod) => ({ pod, next: around.now(), evicted: false }));
  while (going.length > 0) {
    const now = around.now();
    going = going.flatMap((one) => {
      const after = one.next > now ? one : one.evicted ? awaitEnd(one, over(), surroundings) : evict(one, over(), surroundings);
      if (typeof after === 'string') failures.push(after);
      return typeof after === 'object' ? [after] : [];
    });
    if (going.length === 0) break;
    if (end === undefined && now >= patience) return 'given up';
    const next = smallest(going.map((one) => one.next));
    if (next > now) around.pass(next - now);
  }
  return failures;
}

/** The pod as it goes on from here; what went wrong; or nothing when there is nothing more to do. */
function evict(one: Going, over: string | undefined, { lines, session, around }: Surroundings): Going | string | undefined {
  const { name, namespace = '' } = one.pod.metadata;
  lines.push(`evicting pod ${placed(one.pod)}`);
  if (over !== undefined) return `error when evicting pods/"${name}" -n "${namespace}": ${over}`;
  const answer = session.send({
    verb: 'create',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: 'eviction',
    namespace,
    name,
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } },
  });
  if (answer.ok) return { ...one, evicted: true, next: around.now() };
  if (answer.code === 404) return undefined;
  if (answer.code !== 429) return `error when evicting pods/"${name}" -n "${namespace}": ${answer.message}`;
  lines.push(`error when evicting pods/"${name}" -n "${namespace}" (will retry after 5s): ${answer.message}`);
  return { ...one, next: around.now() + RETRY_MILLISECONDS };
}

function awaitEnd(one: Going, over: string | undefined, { lines, session, around }: Surroundings): Going | string | undefined {
  const { name, namespace = '' } = one.pod.metadata;
  if (!stillThere(one.pod, session)) {
    lines.push(`pod/${name} evicted`);
    return undefined;
  }
  return over === undefined
    ? { ...one, next: around.now() + POLL_MILLISECONDS }
    : `error when waiting for pod "${name}" in namespace "${namespace}" to terminate: ${over}`;
}

function stillThere(pod: KubeObject, session: KubectlSession): boolean {
  const { name, namespace = '', uid } = pod.metadata;
  const found = session.send({ verb: 'get', group: '', version: 'v1', resource: 'pods', namespace, name });
  return found.ok && found.object.metadata.uid === uid;
}
