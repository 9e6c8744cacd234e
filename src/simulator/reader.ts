import type { Instant } from '../base/instant.ts';
import type { ClusterReader, ListRead, LogOptions, Log, Read, Scope, Unread } from '../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { asItems } from './apiserver/lists.ts';
import type { ApiRequest, Answer, Failure } from './apiserver/request.ts';
import type { Resources } from './apiserver/resources.ts';
import { addressOfKind } from './components/client.ts';

export interface ReaderSource {
  readonly resources: Resources;
  /** Records that are no objects: what clients were answered, manifests as they were applied. */
  records(kind: string): readonly KubeObject[] | undefined;
  send(request: Omit<ApiRequest, 'credential' | 'verb'> & { readonly verb: 'get' | 'list' }): Answer;
  now(): Instant;
}

/** Looks at a simulated cluster through the port all other clusters are looked at through, with someone's rights. */
export function createReader(source: ReaderSource): ClusterReader {
  return {
    get: (ref) => Promise.resolve(readOne(source, ref)),
    list: (kind, scope) => Promise.resolve(readList(source, kind, scope)),
    logs: (pod, container, options) => Promise.resolve(readLogs(source, pod, container, options)),
    now: () => source.now(),
  };
}

function readOne(source: ReaderSource, ref: ObjectRef): Read<KubeObject> {
  if (source.resources.named(ref.kind) === undefined) return notServed(ref.kind);
  const place = ref.namespace === undefined ? {} : { namespace: ref.namespace };
  const answer = source.send({ verb: 'get', ...addressOfKind(source.resources, ref.kind), ...place, name: ref.name });
  return answer.ok ? { ok: true, value: answer.object } : unread(answer, 'get', ref.kind, ref.namespace, source);
}

function readList(source: ReaderSource, kind: string, scope: Scope): ListRead {
  const records = source.records(kind);
  if (records !== undefined)
    return { ok: true, value: records.filter((record) => scope.namespace === undefined || record.metadata.namespace === scope.namespace) };
  if (source.resources.named(kind) === undefined) return notServed(kind);
  const answer = source.send({
    verb: 'list',
    ...addressOfKind(source.resources, kind),
    ...(scope.namespace === undefined ? {} : { namespace: scope.namespace }),
    ...(scope.labelSelector === undefined ? {} : { labelSelector: scope.labelSelector }),
    ...(scope.fieldSelector === undefined ? {} : { fieldSelector: scope.fieldSelector }),
  });
  return answer.ok ? { ok: true, value: asItems(answer.object) } : unread(answer, 'list', kind, scope.namespace, source);
}

function readLogs(source: ReaderSource, pod: ObjectRef, container: string, options: LogOptions): Read<Log> {
  const log = { container, tailLines: options.tailLines, ...(options.previous === undefined ? {} : { previous: options.previous }) };
  const place = pod.namespace === undefined ? {} : { namespace: pod.namespace };
  const answer = source.send({ verb: 'get', ...addressOfKind(source.resources, 'Pod'), ...place, name: pod.name, subresource: 'log', log });
  if (answer.ok) return { ok: true, value: { lines: answer.lines ?? [], filtered: false } };
  return answer.code === 400
    ? { ok: false, why: 'absent', detail: answer.message }
    : unread(answer, 'get', 'Pod/log', pod.namespace, source);
}

function notServed(kind: string): Unread {
  return { ok: false, why: 'not-collected', detail: `the simulated cluster does not serve ${kind}` };
}

function unread(failure: Failure, verb: string, kind: string, namespace: string | undefined, source: ReaderSource): Unread {
  if (failure.code === 404) return { ok: false, why: 'absent', detail: failure.message };
  if (failure.code !== 403) return { ok: false, why: 'failed', detail: failure.message };
  const [name = '', subresource] = kind.split('/');
  const plural = source.resources.named(name)?.plural ?? name;
  const where = namespace === undefined ? '' : ` in ${namespace}`;
  return {
    ok: false,
    why: 'forbidden',
    detail: failure.message,
    needs: `${verb} ${plural}${subresource === undefined ? '' : `/${subresource}`}${where}`,
  };
}
