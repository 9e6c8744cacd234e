import type { Instant } from '../../../base/instant.ts';
import type { JsonObject } from '../../../base/json.ts';
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
}

export interface RepresentationSource {
  readonly now: () => Instant;
  readonly resources: Resources;
}

/**
 * The first form in the Accept header that is known: a Table, metadata alone, or plain JSON, which every client takes.
 * Source: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/negotiation/negotiate.go.
 */
export function representationOf(wish: Wish, source: RepresentationSource): Representation {
  for (const clause of (wish.accept ?? '').split(',')) {
    const [type = '', ...parameters] = clause.split(';').map((word) => word.trim());
    if (type !== 'application/json' && type !== '*/*' && type !== 'application/*') continue;
    const given = new Map(parameters.map((parameter): [string, string] => [parameter.split('=')[0] ?? '', parameter.split('=')[1] ?? '']));
    const version = given.get('v') === 'v1beta1' ? 'v1beta1' : 'v1';
    switch (given.get('g') === 'meta.k8s.io' ? given.get('as') : undefined) {
      case 'Table':
        return asTable(version, includedBy(wish), source);
      case 'PartialObjectMetadata':
      case 'PartialObjectMetadataList':
        return { contentType: JSON_TYPE, body: (object) => partialMetadataOf(object, version), watched: (object) => partialMetadata(object, version) };
      default:
        return plain(source);
    }
  }
  return plain(source);
}

const JSON_TYPE = 'application/json';

/** Objects whole, with the fields of all their writers; in long lists, which nobody reads for that, as they are. */
function plain(source: RepresentationSource): Representation {
  return {
    contentType: JSON_TYPE,
    body: (object) => {
      if (!isList(object)) return whole(object, source);
      const items = asItems(object);
      return items.length > MOST_WHOLE ? object : { ...object, items: items.map((item) => whole(item, source)) };
    },
    watched: (object) => object,
  };
}

const MOST_WHOLE = 500;

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
  const table = (object: KubeObject, columns: boolean): JsonObject => tableOf(printerOf(object, source), object, { version, includeObject, now: source.now(), columns });
  return { contentType: JSON_TYPE, body: (object) => table(object, true), watched: table };
}

function printerOf(object: KubeObject, { resources }: RepresentationSource): Printer {
  if (object.kind === 'Status') return STATUS_PRINTER;
  const kind = isList(object) ? object.kind.slice(0, -'List'.length) : object.kind;
  const resource = resources.ofKind(object.apiVersion, kind);
  if (resource === undefined) return metricsPrinter(kind);
  return resource.model === undefined ? customPrinter(resource) : printerFor(resource.key);
}
