import { sameJson } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { controllerOf, labelsOf } from '../../../model/kube-object.ts';
import { invalid } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { AdmissionRequest, AdmissionSurroundings } from './admission.ts';
import { podSecurityViolations } from './pod-security-checks.ts';
import type { LevelOfVersion } from './pod-security-policy.ts';
import { isStricter, policyErrors, policyMinor, policyOf } from './pod-security-policy.ts';

/**
 * Labels of a namespace have to be levels and versions; who enforces more than before is told which of its pods would be refused now.
 * Source: staging/src/k8s.io/pod-security-admission/admission/admission.go (ValidateNamespace, EvaluatePodsInNamespace).
 */
export function validateNamespace(
  { operation, resource, name, object, old }: AdmissionRequest,
  { store, warn }: AdmissionSurroundings,
): Failure | undefined {
  const labels = labelsOf(object);
  const errors = policyErrors(labels);
  const before = old === undefined ? {} : labelsOf(old);
  // Labels that were wrong already keep nobody from changing something else.
  if (
    errors.length > 0 &&
    (operation === 'CREATE' ||
      !sameJson(
        errors.map(({ field }) => field),
        policyErrors(before).map(({ field }) => field),
      ))
  )
    return invalid(resource, name, errors);
  if (operation === 'CREATE') return undefined;
  const [enforced, was] = [policyOf(labels, 'enforce'), policyOf(before, 'enforce')];
  if (enforced.level === 'privileged' || (enforced.version === was.version && !isStricter(enforced.level, was.level))) return undefined;
  const warnings = existingPods(store.list('pods', name), enforced);
  if (warnings.length > 0)
    warn(`existing pods in namespace "${name}" violate the new PodSecurity enforce level "${enforced.level}:${enforced.version}"`);
  for (const warning of warnings) warn(warning);
  return undefined;
}

/** One line for all pods that break the same rules, named after the first of them. */
function existingPods(pods: readonly KubeObject[], { level, version }: LevelOfVersion): readonly string[] {
  if (level === 'privileged') return [];
  const byReasons = new Map<string, { readonly first: string; count: number }>();
  for (const pod of oneOfEachOwnerFirst(pods)) {
    const reasons = podSecurityViolations(pod, level, policyMinor(version))
      .map((violation) => violation.split(' (')[0] ?? violation)
      .join(', ');
    if (reasons === '') continue;
    const known = byReasons.get(reasons);
    if (known === undefined) byReasons.set(reasons, { first: pod.metadata.name, count: 1 });
    else known.count++;
  }
  return [...byReasons]
    .map(
      ([reasons, { first, count }]) =>
        `${first}${count === 1 ? '' : count === 2 ? ' (and 1 other pod)' : ` (and ${count - 1} other pods)`}: ${reasons}`,
    )
    .toSorted();
}

function oneOfEachOwnerFirst(pods: readonly KubeObject[]): readonly KubeObject[] {
  const seen = new Set<string>();
  const [first, rest]: [KubeObject[], KubeObject[]] = [[], []];
  for (const pod of pods) {
    const owner = controllerOf(pod)?.uid;
    (owner !== undefined && seen.has(owner) ? rest : first).push(pod);
    if (owner !== undefined) seen.add(owner);
  }
  return [...first, ...rest];
}
