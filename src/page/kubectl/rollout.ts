import { formatInstant } from '../../base/instant.ts';
import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, dig, digAt } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, controllerOf } from '../../model/kube-object.ts';
import type { Call, CommandAnswer } from './call.ts';
import { failed, itemsOf, said } from './call.ts';
import { inColumns } from './columns.ts';
import type { Resource } from './named-objects.ts';
import { addressOf, failureText, qualifiedName, theOne } from './named-objects.ts';

export const ROLLOUT_FLAGS = 'to-revision= timeout=';

const REVISION = 'deployment.kubernetes.io/revision';

/** `kubectl rollout …`. Source: staging/src/k8s.io/kubectl/pkg/cmd/rollout/*.go, pkg/polymorphichelpers/*.go. */
export function rollout(call: Call): CommandAnswer {
  const [does = '', ...words] = call.words;
  const verb = VERBS[does];
  if (verb === undefined)
    return failed(`error: unknown command "rollout ${does}": this console has history, pause, restart, resume, status and undo`);
  const found = theOne({ ...call, words });
  if ('trouble' in found) return failed(found.trouble);
  const kinds = ['status', 'restart'].includes(does) ? WORKLOADS : WORKLOADS.slice(0, 1);
  if (!kinds.includes(found.object.kind))
    return failed(`error: ${found.resource.plural} "${found.object.metadata.name}": rollout ${does} is for ${kinds.join(', ')} here`);
  return verb(found, call);
}

const WORKLOADS = ['Deployment', 'StatefulSet', 'DaemonSet'];

interface Found {
  readonly resource: Resource;
  readonly object: KubeObject;
}

const VERBS: Readonly<Record<string, (found: Found, call: Call) => CommandAnswer>> = {
  status,
  history,
  undo,
  restart: (found, call) => {
    const restartedAt = formatInstant(call.kube.cluster.now());
    const annotations = { 'kubectl.kubernetes.io/restartedAt': restartedAt };
    return patched(found, call, { spec: { template: { metadata: { annotations } } } }, 'restarted');
  },
  pause: (found, call) => patched(found, call, { spec: { paused: true } }, 'paused'),
  resume: (found, call) => patched(found, call, { spec: { paused: false } }, 'resumed'),
};

function patched({ resource, object }: Found, call: Call, body: Json, did: string): CommandAnswer {
  const answer = call.kube.send({
    verb: 'patch',
    ...addressOf(resource, call.namespace),
    name: object.metadata.name,
    patch: { type: 'strategic', body },
  });
  return answer.ok ? said(`${qualifiedName({ resource }, object.metadata.name)} ${did}`) : failed(failureText(answer));
}

/** Waits until the rollout is done, as kubectl does, up to the time that a person would wait. */
function status(found: Found, call: Call): CommandAnswer {
  const { resource, object } = found;
  const lines: string[] = [];
  let [now, ended] = [standing(object), false];
  const look = (): boolean => {
    const live = call.kube.cluster.store.get(resource.key, object.metadata.namespace, object.metadata.name);
    now = live === undefined ? { says: 'error: object has been deleted', done: true, code: 1 } : standing(live);
    if (lines.at(-1) !== now.says) lines.push(now.says);
    ended = now.done;
    return ended;
  };
  call.kube.passUntil(look, PATIENCE_MILLISECONDS);
  if (!ended) lines.push('error: timed out waiting for the condition');
  return { output: lines.join('\n'), code: ended ? (now.code ?? 0) : 1 };
}

const PATIENCE_MILLISECONDS = 900_000;

interface Standing {
  readonly says: string;
  readonly done: boolean;
  readonly code?: number;
}

function standing(object: KubeObject): Standing {
  const { kind, metadata } = object;
  const count = (...path: readonly string[]): number => asNumber(digAt(object, path)) ?? 0;
  const name = `${kind.toLowerCase()} "${metadata.name}"`;
  const waiting = (what: string): Standing => ({ says: `Waiting for ${name} rollout to finish: ${what}...`, done: false });
  if (count('metadata', 'generation') > count('status', 'observedGeneration'))
    return { says: `Waiting for ${kind.toLowerCase()} spec update to be observed...`, done: false };
  const progressing = asList(dig(object, 'status', 'conditions')).find((one) => dig(one, 'type') === 'Progressing');
  if (dig(progressing, 'reason') === 'ProgressDeadlineExceeded')
    return { says: `error: ${name} exceeded its progress deadline`, done: true, code: 1 };
  const isDaemon = kind === 'DaemonSet';
  const wanted = isDaemon ? count('status', 'desiredNumberScheduled') : (asNumber(dig(object, 'spec', 'replicas')) ?? 1);
  const updated = isDaemon ? count('status', 'updatedNumberScheduled') : count('status', 'updatedReplicas');
  const available = isDaemon
    ? count('status', 'numberAvailable')
    : kind === 'Deployment'
      ? count('status', 'availableReplicas')
      : count('status', 'readyReplicas');
  if (updated < wanted) return waiting(`${updated} out of ${wanted} new ${isDaemon ? 'pods' : 'replicas'} have been updated`);
  if (count('status', 'replicas') > updated)
    return waiting(`${count('status', 'replicas') - updated} old replicas are pending termination`);
  if (available < wanted) return waiting(`${available} of ${wanted} updated ${isDaemon ? 'pods' : 'replicas'} are available`);
  return { says: isDaemon ? `daemon set "${metadata.name}" successfully rolled out` : `${name} successfully rolled out`, done: true };
}

/** ReplicaSets of a Deployment by their revisions, oldest first. */
function revisionsOf({ object }: Found, call: Call): readonly { readonly revision: number; readonly set: KubeObject }[] {
  const list = call.kube.send({ verb: 'list', group: 'apps', version: 'v1', resource: 'replicasets', namespace: call.namespace });
  return (list.ok ? itemsOf(list.object) : [])
    .filter((set) => controllerOf(set)?.name === object.metadata.name)
    .flatMap((set) => {
      const revision = parseInteger(annotationsOf(set)[REVISION]);
      return revision === undefined ? [] : [{ revision, set }];
    })
    .toSorted((a, b) => a.revision - b.revision);
}

function history(found: Found, call: Call): CommandAnswer {
  const { resource, object } = found;
  const rows = revisionsOf(found, call).map(
    ({ revision, set }) => `${revision}\t${annotationsOf(set)['kubernetes.io/change-cause'] ?? '<none>'}`,
  );
  const table = inColumns(['REVISION\tCHANGE-CAUSE', ...rows], { least: 0, padding: 2 });
  return said(`${qualifiedName({ resource }, object.metadata.name)} \n${table}\n`);
}

function undo(found: Found, call: Call): CommandAnswer {
  const { resource, object } = found;
  const revisions = revisionsOf(found, call);
  const asked = parseInteger(call.flags.get('to-revision')) ?? 0;
  const target = asked === 0 ? revisions.at(-2) : revisions.find(({ revision }) => revision === asked);
  if (target === undefined)
    return failed(
      asked === 0
        ? `error: no rollout history found for deployment "${object.metadata.name}"`
        : 'error: unable to find specified revision in history',
    );
  const template = withoutHash(target.set['spec'] === undefined ? undefined : dig(target.set, 'spec', 'template'));
  const answer = call.kube.send({
    verb: 'patch',
    ...addressOf(resource, call.namespace),
    name: object.metadata.name,
    patch: { type: 'json', body: [{ op: 'replace', path: '/spec/template', value: template }] },
  });
  return answer.ok ? said(`${qualifiedName({ resource }, object.metadata.name)} rolled back`) : failed(failureText(answer));
}

/** The label that a Deployment gave to the pods of this ReplicaSet. */
function withoutHash(template: Json | undefined): Json {
  const { 'pod-template-hash': _, ...labels } = (dig(template, 'metadata', 'labels') ?? {}) as Readonly<Record<string, Json>>;
  const metadata = { ...(dig(template, 'metadata') as Readonly<Record<string, Json>> | undefined), labels };
  return { ...(template as Readonly<Record<string, Json>> | undefined), metadata };
}

/** `kubectl scale --replicas=N`. Source: staging/src/k8s.io/kubectl/pkg/cmd/scale/scale.go. */
export function scale(call: Call): CommandAnswer {
  const replicas = parseInteger(call.flags.get('replicas'));
  if (replicas === undefined || replicas < 0)
    return failed('error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
  const found = theOne(call);
  if ('trouble' in found) return failed(found.trouble);
  const { resource, object } = found;
  const answer = call.kube.send({
    verb: 'patch',
    ...addressOf(resource, call.namespace),
    name: object.metadata.name,
    subresource: 'scale',
    patch: { type: 'merge', body: { spec: { replicas } } },
  });
  return answer.ok ? said(`${qualifiedName({ resource }, object.metadata.name)} scaled`) : failed(asText(failureText(answer)) ?? '');
}
