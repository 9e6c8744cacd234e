import type { Json } from '../../../base/json.ts';
import { asList, asScalarText, asText, dig, digAt } from '../../../base/json.ts';
import type { Nano } from '../../../base/quantity.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf, shows } from '../../../model/kube-object.ts';
import { APPLIED_MANIFEST } from '../../../model/record-kinds.ts';
import type { LabelRequirement } from '../../../model/selectors.ts';
import type { Scene } from '../../survey/scene.ts';
import { requirementsOf } from '../fit/label-selectors.ts';

/** What a claim asks for. A field that no source shows is undefined; `class` is empty where it asks for none. */
export interface ClaimSpec {
  readonly class: string | undefined;
  readonly requested: Nano | undefined;
  readonly requestedText: string | undefined;
  readonly accessModes: readonly string[] | undefined;
  readonly selector: readonly LabelRequirement[] | undefined;
  readonly volumeMode: string | undefined;
  readonly volumeName: string | undefined;
}

/**
 * Reads claims whole: what a `describe` leaves out (what is asked for) is taken from the manifest, or from the StatefulSet that made the
 * claim.
 */
export async function claimReader(scene: Scene): Promise<(claim: KubeObject) => ClaimSpec> {
  const manifests = await scene.survey.seen(APPLIED_MANIFEST, {});
  const applied = manifests.flatMap((manifest) => dig(manifest, 'spec', 'object') ?? []);
  const sources = [...scene.workloads.filter(({ kind }) => kind === 'StatefulSet'), ...applied];
  return (claim) =>
    specOf(
      claim,
      sources.flatMap((source) => templateFor(claim, source)),
    );
}

/** Whether a StatefulSet has made the claim from its template, as far as StatefulSets were seen. */
export function isMadeByStatefulSet(claim: KubeObject, workloads: readonly KubeObject[]): boolean {
  return workloads.some((workload) => workload.kind === 'StatefulSet' && templateFor(claim, workload).length > 0);
}

/** What the source says of the claim: the claim itself, or a StatefulSet's template that its name is made from. */
function templateFor(claim: KubeObject, source: Json): readonly Json[] {
  const { name, namespace } = claim.metadata;
  const owner = asText(dig(source, 'metadata', 'name')) ?? '';
  const where = asText(dig(source, 'metadata', 'namespace'));
  if (where !== undefined && namespace !== undefined && where !== namespace) return [];
  if (dig(source, 'kind') === 'PersistentVolumeClaim') return owner === name ? [source] : [];
  if (dig(source, 'kind') !== 'StatefulSet') return [];
  return asList(dig(source, 'spec', 'volumeClaimTemplates')).filter((template) =>
    isMadeFrom(name, `${asText(dig(template, 'metadata', 'name')) ?? ''}-${owner}-`),
  );
}

function isMadeFrom(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length));
}

function specOf(claim: KubeObject, templates: readonly Json[]): ClaimSpec {
  const field = (...path: readonly string[]): { readonly value: Json | undefined; readonly known: boolean } => {
    const own = digAt(claim, ['spec', ...path]);
    if (own !== undefined || shows(claim, ['spec', ...path].join('.'))) return { value: own, known: true };
    const template = templates[0];
    return template === undefined ? { value: undefined, known: false } : { value: digAt(template, ['spec', ...path]), known: true };
  };
  const requested = field('resources', 'requests', 'storage');
  const modes = field('accessModes');
  const selector = field('selector');
  const volumeMode = field('volumeMode');
  const volumeName = field('volumeName');
  const className = field('storageClassName');
  const legacy = annotationsOf(claim)['volume.beta.kubernetes.io/storage-class'];
  return {
    class: asText(className.value) ?? legacy ?? (className.known ? '' : undefined),
    requested: parseQuantity(requested.value),
    requestedText: asScalarText(requested.value),
    accessModes: asList(modes.value).length === 0 ? undefined : longModes(modes.value),
    selector: selector.known ? (requirementsOf(selector.value) ?? []) : undefined,
    volumeMode: asText(volumeMode.value) ?? (volumeMode.known ? 'Filesystem' : undefined),
    volumeName: asText(volumeName.value) === '' ? undefined : asText(volumeName.value),
  };
}

const MODES: Readonly<Record<string, string>> = {
  RWO: 'ReadWriteOnce',
  ROX: 'ReadOnlyMany',
  RWX: 'ReadWriteMany',
  RWOP: 'ReadWriteOncePod',
};

/** Access modes as the API names them; kubectl's tables abbreviate them. */
export function longModes(modes: Json | undefined): readonly string[] {
  return asList(modes)
    .flatMap((mode) => asText(mode) ?? [])
    .map((mode) => MODES[mode] ?? mode);
}
