import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/base/json.ts';
import { asList, asObject, asText } from '../../src/base/json.ts';

/** A kind that is compared: where it is served, and manifests that are valid as they stand. */
export interface ComparedKind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly model: string;
  /** Of the objects; a kind of the cluster has the name of the run in it. */
  readonly name: string;
  readonly namespaced: boolean;
  /** A controller writes to its objects. */
  readonly controlled: boolean;
  readonly subresources: readonly string[];
  readonly objects: readonly JsonObject[];
}

export function readKinds(file: string): readonly ComparedKind[] {
  const given = parse(readFileSync(file, 'utf8'), { merge: true }) as JsonObject;
  return asList(given['kinds']).map((entry) => kindOf(asObject(entry)));
}

function kindOf(given: JsonObject): ComparedKind {
  const [kind, group, version] = [asText(given['kind']) ?? '', asText(given['group']), asText(given['version']) ?? 'v1'];
  const namespaced = given['cluster'] !== true;
  return {
    kind,
    apiVersion: group === undefined ? version : `${group}/${version}`,
    plural: asText(given['plural']) ?? '',
    model: asText(given['model']) ?? `V1${kind}`,
    name: asText(given['name']) ?? (namespaced ? 'till' : 'till-%run%'),
    namespaced,
    controlled: given['controlled'] === true,
    subresources: asList(given['subresources']).map(String),
    objects: asList(given['objects']).map(asObject),
  };
}

/** The path of all objects of a kind in the namespace of the run. */
export function pathOfAll({ apiVersion, namespaced, plural }: ComparedKind): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}${namespaced ? '/namespaces/%run%' : ''}/${plural}`;
}
