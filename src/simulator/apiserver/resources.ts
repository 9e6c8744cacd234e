import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { deprecationOf } from './custom/deprecation.ts';
import { namesOf } from './schema/resource-names.ts';
import { SERVED } from './schema/resources.ts';

/** A resource the API server serves, in one version. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** The model its objects are checked against (`schema/models.ts`); undefined for custom resources. */
  readonly model: string | undefined;
  readonly verbs: readonly string[];
  /** Subresource and the model of its body, where it has one. */
  readonly subresources: ReadonlyMap<string, string | undefined>;
  /** Where its objects lie in the store: one place for all versions, and for Events of both groups. */
  readonly key: string;
  /** What its definition says, of custom resources. */
  readonly custom?: CustomVersion;
  /** Whether it has a spec and a status, so that updates of one leave the other alone and `generation` counts. */
  readonly hasStatus: boolean;
}

/** A version of a custom resource, as its definition has it. */
export interface CustomVersion {
  readonly schema: JsonObject;
  /** Where a webhook converts: its client configuration. */
  readonly conversion: { readonly webhook: Json } | undefined;
  /** The version objects are stored in. */
  readonly storage: string;
  /** What everybody is told who uses a deprecated version. */
  readonly deprecation: string | undefined;
  /** `additionalPrinterColumns`. */
  readonly columns: readonly Json[];
  /** Where the scale subresource finds its numbers. */
  readonly scale:
    | {
        readonly specReplicas: readonly string[];
        readonly statusReplicas: readonly string[];
        readonly selector: readonly string[] | undefined;
      }
    | undefined;
}

/** What is served: the built-in resources, and those CustomResourceDefinitions added. */
export class Resources {
  readonly #byPath = new Map<string, ServedResource>();
  readonly #byKind = new Map<string, ServedResource>();

  constructor() {
    for (const resource of BUILT_IN) this.add(resource);
  }

  /** By group, version and plural, as in a path. */
  at(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  ofKind(apiVersion: string, kind: string): ServedResource | undefined {
    return this.#byKind.get(`${apiVersion}/${kind}`);
  }

  /** The preferred version of a kind, by the kind alone. */
  named(kind: string): ServedResource | undefined {
    return this.#byKind.get(kind);
  }

  all(): readonly ServedResource[] {
    return [...this.#byPath.values()];
  }

  add(resource: ServedResource): void {
    this.#byPath.set(`${resource.group}/${resource.version}/${resource.plural}`, resource);
    this.#byKind.set(`${apiVersionOf(resource)}/${resource.kind}`, resource);
    const known = this.#byKind.get(resource.kind);
    if (known === undefined || PREFERRED.has(`${resource.group}/${resource.version}/${resource.plural}`))
      this.#byKind.set(resource.kind, resource);
  }

  /** Serves what a CustomResourceDefinition defines. */
  define(definition: KubeObject): void {
    for (const resource of resourcesOfDefinition(definition)) this.add(resource);
  }

  remove(group: string, plural: string): void {
    for (const [path, resource] of this.#byPath) {
      if (resource.group !== group || resource.plural !== plural) continue;
      this.#byPath.delete(path);
      this.#byKind.delete(`${apiVersionOf(resource)}/${resource.kind}`);
      if (this.#byKind.get(resource.kind) === resource) this.#byKind.delete(resource.kind);
    }
  }
}

export function apiVersionOf(resource: { readonly group: string; readonly version: string }): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/** The resources a CustomResourceDefinition defines: one for each served version. */
export function resourcesOfDefinition(definition: KubeObject): readonly ServedResource[] {
  const group = asText(dig(definition, 'spec', 'group')) ?? '';
  const plural = asText(dig(definition, 'spec', 'names', 'plural')) ?? '';
  const kind = asText(dig(definition, 'spec', 'names', 'kind')) ?? '';
  const namespaced = dig(definition, 'spec', 'scope') === 'Namespaced';
  const wordsOf = (field: string): readonly string[] => asList(dig(definition, 'spec', 'names', field)).map(String);
  const names = {
    singular: asText(dig(definition, 'spec', 'names', 'singular')) ?? kind.toLowerCase(),
    shortNames: wordsOf('shortNames'),
    categories: wordsOf('categories'),
  };
  return asList(dig(definition, 'spec', 'versions'))
    .filter((version) => dig(version, 'served') === true)
    .map((version) => {
      const custom = customVersionOf(version, definition);
      const hasStatus = dig(version, 'subresources', 'status') !== undefined;
      const subresources = new Map<string, string | undefined>([
        ...(hasStatus ? [['status', undefined] as const] : []),
        ...(custom.scale === undefined ? [] : [['scale', 'V1Scale'] as const]),
      ]);
      return {
        group,
        version: asText(dig(version, 'name')) ?? '',
        plural,
        kind,
        namespaced,
        ...names,
        model: undefined,
        verbs: ALL_VERBS,
        subresources,
        key: `${plural}.${group}`,
        hasStatus,
        custom,
      };
    });
}

function conversionOf(definition: KubeObject): CustomVersion['conversion'] {
  if (dig(definition, 'spec', 'conversion', 'strategy') !== 'Webhook') return undefined;
  return { webhook: dig(definition, 'spec', 'conversion', 'webhook', 'clientConfig') ?? {} };
}

function customVersionOf(version: Json, definition: KubeObject): CustomVersion {
  const stored = asList(dig(definition, 'spec', 'versions')).find((one) => dig(one, 'storage') === true);
  const scale = dig(version, 'subresources', 'scale');
  const path = (field: string): readonly string[] => (asText(dig(scale, field)) ?? '').split('.').filter((step) => step !== '');
  return {
    schema: asObject(dig(version, 'schema', 'openAPIV3Schema')),
    conversion: conversionOf(definition),
    storage: asText(dig(stored, 'name')) ?? '',
    deprecation: deprecationOf(version, definition),
    columns: asList(dig(version, 'additionalPrinterColumns')),
    scale:
      scale === undefined
        ? undefined
        : {
            specReplicas: path('specReplicasPath'),
            statusReplicas: path('statusReplicasPath'),
            selector: dig(scale, 'labelSelectorPath') === undefined ? undefined : path('labelSelectorPath'),
          },
  };
}

const ALL_VERBS: readonly string[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** Kinds served in several groups or versions: the one that a bare kind means. */
const PREFERRED: ReadonlySet<string> = new Set(['autoscaling/v2/horizontalpodautoscalers', '/v1/events']);

/** A line of `schema/resources.ts`: group|version|plural|Kind|scope|model|verbs|subresource:model,… */
const BUILT_IN: readonly ServedResource[] = SERVED.trim()
  .split('\n')
  .map((line) => {
    const [group = '', version = '', plural = '', kind = '', scope, model, verbs = '', subresources = ''] = line.split('|');
    const table = new Map(
      subresources === ''
        ? []
        : subresources.split(',').map((entry): [string, string | undefined] => {
            const [name = '', body] = entry.split(':');
            return [name, body];
          }),
    );
    const storedAs = group === '' || plural === 'events' ? plural : `${plural}.${group}`;
    return {
      group,
      version,
      plural,
      kind,
      namespaced: scope === 'namespaced',
      singular: kind.toLowerCase(),
      ...namesOf({ group, plural }),
      model,
      verbs: verbs.split(','),
      subresources: table,
      key: storedAs,
      hasStatus: table.has('status'),
    };
  });

/** Whether a kind is answered and not stored. */
export function isReviewed({ kind }: ServedResource): boolean {
  return REVIEWED.has(kind);
}

const REVIEWED: ReadonlySet<string> = new Set([
  'SelfSubjectReview',
  'TokenReview',
  'SelfSubjectAccessReview',
  'SubjectAccessReview',
  'LocalSubjectAccessReview',
  'SelfSubjectRulesReview',
]);
