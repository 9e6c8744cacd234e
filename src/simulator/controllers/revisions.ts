import { fnv32a } from '../../base/digest.ts';
import type { JsonObject } from '../../base/json.ts';
import { asNumber, asObject, dig } from '../../base/json.ts';
import { canonicalJson, sameJson } from '../../base/json-edit.ts';
import { largest } from '../../base/lists.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, labelsOf, refOf } from '../../model/kube-object.ts';
import type { Failure } from '../apiserver/request.ts';
import type { ComponentHost } from '../components/component.ts';
import type { Informer } from '../components/informer.ts';
import type { Routine } from '../time/routine.ts';
import { controllerReference, ownedBy } from './ownership.ts';
import { safeEncoded } from '../../base/template-hash.ts';

/** What a revision of a template is stored as. Source: pkg/controller/history/controller_history.go. */
export interface RevisionWriter {
  readonly host: ComponentHost;
  readonly revisions: Informer;
  /** The label its hash is written under. */
  readonly hashLabel: string;
  /** Numbers its hash is changed by when the name is taken. */
  readonly collisions: number | undefined;
}

export type Revised =
  | { readonly ok: true; readonly update: KubeObject; readonly all: readonly KubeObject[]; readonly collided: boolean }
  | { readonly ok: false; readonly failure: Failure; readonly collided: boolean };

/** The revision of the owner's template as it is now, made or brought forward if need be, and all there are, oldest first. */
export function* currentRevision({ host, revisions, hashLabel, collisions }: RevisionWriter, owner: KubeObject): Routine<Revised> {
  const all = [...ownedBy(revisions, owner)].sort((a, b) => numberOf(a) - numberOf(b));
  const data = revisionData(owner);
  const next = largest([0, ...all.map(numberOf)]) + 1;
  const equal = all.findLast((revision) => sameJson(revision['data'], data));
  if (equal !== undefined) {
    if (equal === all.at(-1)) return { ok: true, update: equal, all, collided: false };
    const answer = yield* host.client.patch(refOf(equal), 'merge', { revision: next });
    return answer.ok
      ? { ok: true, update: answer.object, all: [...all.filter((one) => one !== equal), answer.object], collided: false }
      : { ok: false, failure: answer, collided: false };
  }
  const hash = hashOf(data, collisions);
  const { name, namespace } = owner.metadata;
  const annotations = annotationsOf(owner);
  const answer = yield* host.client.create({
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      namespace: namespace ?? '',
      labels: { ...asObject(dig(owner, 'spec', 'template', 'metadata', 'labels')), [hashLabel]: hash },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ownerReferences: [controllerReference(owner)],
    },
    data,
    revision: next,
  });
  if (answer.ok) return { ok: true, update: answer.object, all: [...all, answer.object], collided: false };
  if (answer.reason !== 'AlreadyExists') return { ok: false, failure: answer, collided: false };
  const there = yield* host.client.get({ kind: 'ControllerRevision', namespace: namespace ?? '', name: `${name}-${hash}` });
  if (there.ok && sameJson(there.object['data'], data))
    return { ok: true, update: there.object, all: [...all, there.object], collided: false };
  return { ok: false, failure: answer, collided: true };
}

/** What a revision keeps of an owner. */
export function revisionData(owner: KubeObject): JsonObject {
  // Go writes maps in the order of their keys, and clients compare the bytes.
  return JSON.parse(
    canonicalJson({ spec: { template: { ...asObject(dig(owner, 'spec', 'template')), $patch: 'replace' } } }),
  ) as JsonObject;
}

/** Deletes the oldest revisions nobody uses beyond the limit. */
export function* forgetRevisions(host: ComponentHost, all: readonly KubeObject[], live: ReadonlySet<string>, limit: number): Routine {
  const unused = all.filter((revision) => !live.has(revision.metadata.name));
  for (const revision of unused.slice(0, Math.max(0, unused.length - limit))) yield* host.client.delete(refOf(revision));
}

export function hashOfRevision(revision: KubeObject, hashLabel: string): string {
  return labelsOf(revision)[hashLabel] ?? '';
}

function numberOf(revision: KubeObject): number {
  return asNumber(revision['revision']) ?? 0;
}

function hashOf(data: JsonObject, collisions: number | undefined): string {
  const hash = fnv32a(canonicalJson(data) + (collisions === undefined || collisions === 0 ? '' : String(collisions)));
  return safeEncoded(String(hash));
}
