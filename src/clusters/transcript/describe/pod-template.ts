import type { Draft } from '../draft.ts';
import { given, labelMap } from '../draft.ts';
import { containersOf } from './containers.ts';
import { annotationsIn } from './metadata.ts';
import { nodeSelectorIn, SPREAD_SHOWN, spreadIn, tolerationsIn } from './placement.ts';
import type { Section } from './sections.ts';
import { Sections, valuesOf } from './sections.ts';
import { VOLUME_SHOWN, volumesOf } from './volumes.ts';

const KEYS = new Set([
  'Labels',
  'Annotations',
  'Service Account',
  'Init Containers',
  'Containers',
  'Volumes',
  'Topology Spread Constraints',
  'Priority Class Name',
  'Node-Selectors',
  'Tolerations',
]);

/**
 * The pod template of a controller; `cut` when the text may end within it. Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go
 * (DescribePodTemplate).
 */
export function describePodTemplate(section: Section | undefined, draft: Draft, cut: boolean, path = 'spec.template'): void {
  if (section === undefined) return;
  const fields = new Sections(section.body, KEYS);
  const lastKey = cut ? fields.all.at(-1)?.key : undefined;
  describeTemplateMetadata(fields, draft, path);
  if (!fields.has('Containers')) return;
  draft.show(`${path}.spec.serviceAccountName`, given(fields.value('Service Account')));
  describeTemplateContainers(fields, draft, lastKey, path);
  if (!fields.has('Volumes') || lastKey === 'Volumes') return;
  draft
    .set(`${path}.spec.volumes`, volumesOf(fields.get('Volumes')))
    .covers(...VOLUME_SHOWN.map((field) => `${path}.spec.volumes.${field}`));
  describeTemplatePlacement(fields, draft, path);
}

/** A template without annotations prints no title for them. */
function describeTemplateMetadata(fields: Sections, draft: Draft, path: string): void {
  const [labels, annotations] = [fields.get('Labels'), fields.get('Annotations')];
  if (labels === undefined) return;
  draft.show(`${path}.metadata.labels`, labelMap(valuesOf(labels)));
  draft.show(`${path}.metadata.annotations`, annotations === undefined ? undefined : annotationsIn(annotations));
}

/** `lastKey` is the section within which the text may end. */
function describeTemplateContainers(fields: Sections, draft: Draft, lastKey: string | undefined, path: string): void {
  for (const [key, list] of [
    ['Containers', 'containers'],
    ['Init Containers', 'initContainers'],
  ] as const) {
    const listPath = `${path}.spec.${list}`;
    const containers = fields.get(key);
    if (containers === undefined) {
      draft.show(listPath);
      continue;
    }
    const { specs, shown } = containersOf(containers);
    draft.set(listPath, specs);
    if (lastKey !== key) draft.covers(...shown.map((field) => `${listPath}.${field}`));
  }
}

/** Which nodes the pods may run on, and which pods go first. */
function describeTemplatePlacement(fields: Sections, draft: Draft, path: string): void {
  const spread = spreadIn(fields.get('Topology Spread Constraints'));
  const spreadPath = `${path}.spec.topologySpreadConstraints`;
  if (spread !== undefined) draft.set(spreadPath, spread).covers(...SPREAD_SHOWN.map((field) => `${spreadPath}.${field}`));
  const className = given(fields.value('Priority Class Name'));
  if (className !== undefined) draft.show(`${path}.spec.priorityClassName`, className);
  const nodeSelector = nodeSelectorIn(fields);
  if (nodeSelector !== undefined) draft.show(`${path}.spec.nodeSelector`, nodeSelector);
  const tolerations = fields.get('Tolerations');
  if (tolerations !== undefined) draft.show(`${path}.spec.tolerations`, tolerationsIn(tolerations));
}
