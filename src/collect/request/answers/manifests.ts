import type { Json } from '../../../base/json.ts';
import { asNumber, asText, dig, isJsonObject } from '../../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { formatRef, inNamespace } from '../../../model/kube-object.ts';
import { APPLIED_MANIFEST } from '../../../model/record-kinds.ts';
import { resourceOfKind } from '../../../model/resources.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { concerns } from '../concerns.ts';
import { oncePerSurvey } from '../once-per-survey.ts';

/** One document of a manifest as it was applied, with the object it declares. */
export interface Manifest {
  readonly ref: ObjectRef;
  readonly object: KubeObject;
  readonly file: string;
}

/**
 * A `manifest` fact for every declared object, saying whether it is there; an `answer` for each document that cannot be parsed, as apply
 * would give.
 */
export async function collectManifests(scene: Scene, sink: FactSink): Promise<void> {
  await unparsableManifests(scene, sink);
  for (const { ref, file } of await manifestsOf(scene)) {
    if (!concerns(scene, ref)) continue;
    const absence = await absenceOf(ref, scene, sink);
    sink.fact(
      'manifest',
      ref,
      {
        file,
        exists: absence === 'unknown' ? undefined : absence === 'present',
        proof: typeof absence === 'object' ? absence.proof : undefined,
      },
      { source: `manifest ${file}`, quote: `${ref.kind} ${ref.name}${typeof absence === 'object' ? ` (${absence.proof})` : ''}` },
    );
  }
}

async function unparsableManifests(scene: Scene, sink: FactSink): Promise<void> {
  const records = await scene.survey.seen(APPLIED_MANIFEST, {});
  for (const [index, record] of records.entries()) {
    const [file, message] = [asText(dig(record, 'spec', 'file')) ?? record.metadata.name, asText(dig(record, 'spec', 'error', 'message'))];
    if (records.slice(index + 1).some((later) => dig(later, 'spec', 'error') === undefined && asText(dig(later, 'spec', 'file')) === file))
      continue;
    const known = sink.facts.some(
      ({ kind, fields }) =>
        kind === 'answer' && fields['reason'] === 'manifest-not-parsable' && isSameFile(String(fields['file'] ?? ''), file),
    );
    if (message === undefined || known || scene.request.target !== undefined) continue;
    const line = asNumber(dig(record, 'spec', 'error', 'line'));
    const ref = seemingRef(record) ?? manifestRef(file);
    sink.fact(
      'answer',
      ref,
      { reason: 'manifest-not-parsable', file, line, detail: message },
      { source: `manifest ${file}`, quote: `line ${String(line ?? '?')}: ${message}` },
    );
    sink.target({ ref, state: 'unhealthy', reason: 'it cannot be parsed', members: [] });
  }
}

/** The object that a manifest was to declare which cannot be parsed, as far as its lines tell. */
export async function seemingObject(file: string, scene: Scene): Promise<ObjectRef | undefined> {
  const record = (await scene.survey.seen(APPLIED_MANIFEST, {})).find(
    (one) => dig(one, 'spec', 'error') !== undefined && isSameFile(asText(dig(one, 'spec', 'file')) ?? '', file),
  );
  return record === undefined ? undefined : seemingRef(record);
}

function seemingRef(record: KubeObject): ObjectRef | undefined {
  const seems = dig(record, 'spec', 'error', 'seems');
  const [kind, name] = [asText(dig(seems, 'kind')), asText(dig(seems, 'name'))];
  const { namespace } = record.metadata;
  return kind === undefined || name === undefined
    ? undefined
    : { kind, ...(namespace === undefined || resourceOfKind(kind)?.namespaced === false ? {} : { namespace }), name };
}

/** Names a manifest whose object is not known. */
export function manifestRef(file: string): ObjectRef {
  return { kind: 'Manifest', name: file.slice(file.lastIndexOf('/') + 1) };
}

/** The same file seen from two folders: the ends of the paths agree. */
export function isSameFile(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

/** Every object that applied manifests declare, in their order; none when the source has no manifests. */
export const manifestsOf = oncePerSurvey(async (scene: Scene): Promise<readonly Manifest[]> => {
  return (await scene.survey.seen(APPLIED_MANIFEST, {})).flatMap((record) => {
    const object = dig(record, 'spec', 'object');
    const [kind, name] = [asText(dig(object, 'kind')) ?? kindByShape(object), asText(dig(object, 'metadata', 'name'))];
    const file = asText(dig(record, 'spec', 'file')) ?? record.metadata.name;
    if (!isManifestObject(object) || kind === undefined || name === undefined) return [];
    const namespace = namespaceOf(kind, object, record, scene);
    return [{ ref: { kind, ...inNamespace(namespace), name }, object, file }];
  });
});

/** What applied manifests declare of one object, the last as it was applied last. A document may not show its namespace. */
export async function appliedAs(wanted: ObjectRef, scene: Scene): Promise<readonly KubeObject[]> {
  return (await manifestsOf(scene)).flatMap(({ ref, object }) => (isDeclared(wanted, ref) ? object : []));
}

/** Whether what a manifest declares may be this object. */
export function isDeclared({ kind, namespace, name }: ObjectRef, declared: ObjectRef): boolean {
  return declared.kind === kind && declared.name === name && (declared.namespace ?? namespace) === namespace;
}

function isManifestObject(object: Json | undefined): object is KubeObject {
  return isJsonObject(object) && isJsonObject(object['metadata']);
}

/** What a document without a kind was meant to be, by what only that kind has. */
function kindByShape(object: Json | undefined): string | undefined {
  const spec = dig(object, 'spec');
  if (dig(spec, 'containers') !== undefined) return 'Pod';
  if (dig(spec, 'jobTemplate') !== undefined) return 'CronJob';
  if (dig(spec, 'template') !== undefined) return dig(spec, 'serviceName') === undefined ? 'Deployment' : 'StatefulSet';
  if (dig(spec, 'ports') !== undefined) return 'Service';
  return dig(object, 'data') === undefined ? undefined : 'ConfigMap';
}

/** The document's namespace, else the command's, else the only one that is looked at: kubectl's own default is not shown. */
function namespaceOf(kind: string, object: KubeObject, record: KubeObject, scene: Scene): string | undefined {
  if (resourceOfKind(kind)?.namespaced === false) return undefined;
  return (
    asText(dig(object, 'metadata', 'namespace')) ??
    record.metadata.namespace ??
    (scene.namespaces.length === 1 ? scene.namespaces[0] : undefined)
  );
}

export type Absence = 'present' | 'unknown' | { readonly proof: string };

/** Whether an object is there: as the source says, or, for a claim it does not show, as the scheduler said. */
export async function absenceOf(ref: ObjectRef, scene: Scene, sink: FactSink): Promise<Absence> {
  if (ref.namespace === undefined && resourceOfKind(ref.kind)?.namespaced !== false) return 'unknown';
  const read = await scene.survey.get(ref);
  if (read.ok) return 'present';
  if (read.why === 'absent') return { proof: read.detail };
  if (ref.kind !== 'PersistentVolumeClaim') return 'unknown';
  const said = sink.facts.find(
    ({ kind, about, fields }) =>
      (kind === 'event' || kind === 'condition') &&
      about.namespace === ref.namespace &&
      isMissed(ref.name, kind, String(fields['message'] ?? ''), scene),
  );
  return said === undefined ? 'unknown' : { proof: `${formatRef(said.about)}: claim ${ref.name} not found` };
}

/** Whether it is said of a claim of this name that it does not exist. */
function isMissed(claim: string, place: 'event' | 'condition', message: string, { survey }: Scene): boolean {
  const told = survey.vocabulary.read('claim', message, place)?.fields;
  return told?.claim === claim && told.exists === false;
}
