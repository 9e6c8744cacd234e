import type { Instant } from '../../../base/instant.ts';
import type { JsonObject } from '../../../base/json.ts';
import { onceEach } from '../../../base/once.ts';
import { parseDecimal } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { asItems } from '../lists.ts';
import { withOwnedFields } from '../ownership/owners.ts';
import { schemaOf } from '../ownership/track.ts';
import type { Resources } from '../resources.ts';
import type { Printer } from '../table/columns.ts';
import { customPrinter } from '../table/custom.ts';
import type { IncludeObject } from '../table/table.ts';
import { metricsPrinter, partialMetadata, partialMetadataOf, printerFor, STATUS_PRINTER, tableOf } from '../table/table.ts';

/** How an answer is written down, as the Accept header asked for it. */
export interface Representation {
  readonly contentType: string;
  /** The object, list or Status as it goes over the wire. */
  readonly body: (object: KubeObject) => JsonObject;
  /** An object of a watch; `first` for the first of the stream, which may say more (a Table's columns). */
  readonly watched: (object: KubeObject, first: boolean) => JsonObject;
}

/** What a client accepts and what it asks about. */
export interface Wish {
  readonly accept: string | undefined;
  /** `includeObject` of a Table. */
  readonly includeObject: string | undefined;
  /** Whether it is about objects that are stored: only they can be had as a Table or as metadata alone. */
  readonly transforms?: boolean;
}

export interface RepresentationSource {
  readonly now: () => Instant;
  readonly resources: Resources;
}

/**
 * The first form in the Accept header that is known: a Table, metadata alone, or plain JSON, which is YAML too; undefined when it names
 * none of them. Source: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go.
 */
export function representationOf(wish: Wish, source: RepresentationSource): Representation | undefined {
  if ((wish.accept ?? '') === '') return plain(source, JSON_TYPE);
  for (const clause of clausesOf(wish.accept ?? '')) {
    const [type = '', ...parameters] = clause.split(';').map((word) => word.trim());
    if (type === YAML_TYPE) return plain(source, YAML_TYPE);
    if (type !== JSON_TYPE && type !== '*/*' && type !== 'application/*') continue;
    const given = new Map(parameters.map((parameter): [string, string] => [parameter.split('=')[0] ?? '', parameter.split('=')[1] ?? '']));
    const version = given.get('v') === 'v1beta1' ? 'v1beta1' : 'v1';
    const form = given.get('g') === 'meta.k8s.io' ? given.get('as') : undefined;
    if (form !== undefined && wish.transforms === false) continue;
    switch (form) {
      case 'Table':
        return asTable(version, includedBy(wish), source);
      case 'PartialObjectMetadata':
      case 'PartialObjectMetadataList':
        return {
          contentType: JSON_TYPE,
          body: (object) => partialMetadataOf(object, version),
          watched: (object) => partialMetadata(object, version),
        };
      case undefined:
        return plain(source, JSON_TYPE);
      default:
    }
  }
  return undefined;
}

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';

/** What can be answered with. */
export const MEDIA_TYPES: readonly string[] = [JSON_TYPE, YAML_TYPE];

/** What is wanted most comes first (`q`). */
function clausesOf(accept: string): readonly string[] {
  const weight = (clause: string): number => parseDecimal(/;\s*q=([0-9.]+)/.exec(clause)?.[1]) ?? 1;
  return accept.split(',').toSorted((a, b) => weight(b) - weight(a));
}

/** Objects whole, with the fields of all their writers; in long lists, which nobody reads for that, as they are. */
function plain(source: RepresentationSource, contentType: string): Representation {
  return {
    contentType,
    body: (object) => {
      if (!isList(object)) return whole(object, source);
      const items = asItems(object);
      const owned = items.length > MOST_WHOLE ? items : items.map((item) => whole(item, source));
      return { ...object, items: isCustom(object, source) ? owned : owned.map(withoutType) };
    },
    watched: (object) => object,
  };
}

const MOST_WHOLE = 500;

/** Only custom resources say in a list what they are: of the others the list's own kind tells it. */
function isCustom(list: KubeObject, { resources }: RepresentationSource): boolean {
  return resources.ofKind(list.apiVersion, list.kind.slice(0, -'List'.length))?.model === undefined;
}

/** Remembered: the text of an object is written once for all who list it. */
const withoutType = onceEach((object: KubeObject): JsonObject => {
  const { apiVersion: _, kind: _kind, ...rest } = object;
  return rest;
});

function whole(object: KubeObject, { resources }: RepresentationSource): KubeObject {
  const resource = resources.ofKind(object.apiVersion, object.kind);
  return resource === undefined || object.metadata['managedFields'] === undefined ? object : withOwnedFields(schemaOf(resource), object);
}

function isList(object: KubeObject): boolean {
  return object.kind.endsWith('List') && Array.isArray(object['items']);
}

function includedBy({ includeObject }: Wish): IncludeObject {
  return includeObject === 'None' || includeObject === 'Object' ? includeObject : 'Metadata';
}

function asTable(version: 'v1' | 'v1beta1', includeObject: IncludeObject, source: RepresentationSource): Representation {
  const table = (object: KubeObject, columns: boolean): JsonObject =>
    tableOf(printerOf(object, source), object, { version, includeObject, now: source.now(), columns });
  return { contentType: JSON_TYPE, body: (object) => table(object, true), watched: table };
}

function printerOf(object: KubeObject, { resources }: RepresentationSource): Printer {
  if (object.kind === 'Status') return STATUS_PRINTER;
  const kind = isList(object) ? object.kind.slice(0, -'List'.length) : object.kind;
  const resource = resources.ofKind(object.apiVersion, kind);
  if (resource === undefined) return metricsPrinter(kind);
  return resource.model === undefined ? customPrinter(resource) : printerFor(resource.key);
}
