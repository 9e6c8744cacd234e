import type { Json } from '../../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../../base/json.ts';
import { isRightTemplate } from '../validation/pod-spec.ts';
import { TOLERATIONS } from './default-toleration-seconds.ts';
import { isTokenMount, isTokenVolume } from './service-account.ts';

/**
 * Whether the spec of a new pod is that of a template which was defaulted and found right, with nothing but what the API server's
 * own plugins add to every pod: then it needs neither again. Thousands of pods are made of few templates.
 */
export function isAsTemplate(template: Json | undefined, spec: Json | undefined): boolean {
  if (!isJsonObject(template) || !isJsonObject(spec) || !isRightTemplate(template)) return false;
  // A template may leave out what a pod may not.
  if (template['hostNetwork'] === true || template['ephemeralContainers'] !== undefined) return false;
  if (Object.keys(spec).some((field) => spec[field] !== template[field] && !ADDED.has(field))) return false;
  if (Object.keys(template).some((field) => spec[field] === undefined)) return false;
  return (
    hasOnly(template['tolerations'], spec['tolerations'], isAddedToleration) &&
    hasOnly(template['volumes'], spec['volumes'], isTokenVolume) &&
    !asList(template['volumes']).some(isNamedAsToken) &&
    sameButMounts(template['containers'], spec['containers']) &&
    sameButMounts(template['initContainers'], spec['initContainers'])
  );
}

/** What plugins set, or add to. */
const ADDED: ReadonlySet<string> = new Set([
  'serviceAccountName',
  'serviceAccount',
  'priority',
  'preemptionPolicy',
  'enableServiceLinks',
  'tolerations',
  'volumes',
  'containers',
  'initContainers',
]);

/** Whether the one is the other, and more of such members behind. */
function hasOnly(before: Json | undefined, after: Json | undefined, isAdded: (member: Json) => boolean): boolean {
  if (before === after) return true;
  const [own, all] = [asList(before), asList(after)];
  return all.length >= own.length && all.every((member, index) => (index < own.length ? member === own[index] : isAdded(member)));
}

function sameButMounts(before: Json | undefined, after: Json | undefined): boolean {
  if (before === after) return true;
  const [own, all] = [asList(before), asList(after)];
  return own.length === all.length && all.every((container, index) => isSameButMounts(own[index], container));
}

function isSameButMounts(before: Json | undefined, after: Json): boolean {
  if (before === after) return true;
  if (!isJsonObject(before) || !isJsonObject(after)) return false;
  if (Object.keys(after).some((field) => field !== 'volumeMounts' && after[field] !== before[field])) return false;
  return (
    Object.keys(before).every((field) => after[field] !== undefined) && hasOnly(before['volumeMounts'], after['volumeMounts'], isTokenMount)
  );
}

function isAddedToleration(toleration: Json): boolean {
  return TOLERATIONS.some((own) => own === toleration);
}

/** So that no name comes twice. */
function isNamedAsToken(volume: Json): boolean {
  return asText(dig(volume, 'name'))?.startsWith('kube-api-access-') === true;
}
