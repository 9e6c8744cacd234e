import type { Json, JsonObject } from '../base/json.ts';
import { asText, dig, isJsonObject } from '../base/json.ts';
import { certificateBlocks } from '../base/x509/pem.ts';

/** Takes values of Secrets out of a document, and leaves all else as it is. */
export type Conceal = (document: Json) => Json;

/** A List is not within a List in anything kubectl writes. */
const MAX_NESTING = 4;

/**
 * A document without values of Secrets: where it is one, or a List with some, the keys of `data` and `stringData` stay, each
 * with empty text, and so do those of its annotations. All else stays as it is.
 */
export function concealSecrets(document: Json): Json {
  return conceal(document, { keep: nothing, nesting: 0 });
}

/**
 * The same, but certificates within the values stay, as PEM text and not as base64. Whatever else a value holds is passed over: where
 * there is no certificate the value is not even decoded. Of bootstrap tokens the time they end at stays.
 */
export function concealButCertificates(document: Json): Json {
  return conceal(document, { keep: certificatesOf, nesting: 0 });
}

/**
 * The same for a manifest that a person wrote: of `stringData`, what says where something is (a host, a port) stays too, because a
 * wrong one is a cause; what opens it never does.
 */
export function concealManifest(document: Json): Json {
  return conceal(document, { keep: addressOf, nesting: 0 });
}

interface How {
  /** What stays of a value of a Secret. */
  readonly keep: (field: string, key: string, value: Json | undefined) => string;
  readonly nesting: number;
  /** The kind that the list it is in gives to items without one. */
  readonly kind?: string;
}

function conceal(document: Json, { keep, nesting, kind }: How): Json {
  if (!isJsonObject(document)) return document;
  if (isSecret(document, kind)) return { ...document, ...emptied(document, keep), ...metadataOf(document) };
  const { items } = document;
  if (!Array.isArray(items) || nesting >= MAX_NESTING) return document;
  const ofItems = /^(Secret)List$/i.exec(asText(document['kind']) ?? '')?.[1];
  return {
    ...document,
    items: (items as readonly Json[]).map((item) =>
      conceal(item, { keep, nesting: nesting + 1, ...(ofItems === undefined ? {} : { kind: ofItems }) }),
    ),
  };
}

/** Also one whose kind is misspelt, or left out: then by the fields that no other kind has. */
export function isSecret(document: JsonObject, listKind?: string): boolean {
  const kind = asText(document['kind']) ?? listKind ?? '';
  if (kind !== '') return /^secrets?$/i.test(kind);
  if (document['stringData'] !== undefined) return true;
  const applied = asText(dig(document, 'metadata', 'annotations', LAST_APPLIED)) ?? '';
  return (
    isJsonObject(document['data']) &&
    (typeof document['type'] === 'string' || /"kind"\s{0,10}:\s{0,10}"Secret"|"stringData"|"type"\s{0,10}:/.test(applied))
  );
}

/** Holds what was given to apply, so for a Secret its values once more. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function nothing(): string {
  return '';
}

const ADDRESS_KEY = /(?:^|[_.-])(?:hosts?|addr|address|port|hostname|endpoint|server)$/i;
const PLAIN_ADDRESS = /^(?:\d{1,5}|[A-Za-z][A-Za-z0-9.-]{0,200}(?::\d{1,5})?|\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?)$/;

/** Whether a value says where something is, by its name and by itself: a host, a port. */
export function isAddress(key: string, value: string): boolean {
  return ADDRESS_KEY.test(key) && PLAIN_ADDRESS.test(value);
}

function addressOf(field: string, key: string, value: Json | undefined): string {
  return field === 'stringData' && typeof value === 'string' && isAddress(key, value) ? value : '';
}

/** `BEGIN CERTIFICATE` in base64, at each of the three places in a group of three bytes it can begin at. */
const ENCODED_BEGIN: readonly string[] = ['QkVHSU4gQ0VSVElGSUNBVE', 'JFR0lOIENFUlRJRklDQVRF', 'CRUdJTiBDRVJUSUZJQ0FUR'];

function certificatesOf(field: string, key: string, value: Json | undefined): string {
  if (typeof value !== 'string') return '';
  if (key === 'expiration' && value.length <= 64) return timeIn(field === 'data' ? Buffer.from(value, 'base64').toString('latin1') : value);
  if (field === 'stringData') return certificateBlocks(value);
  if (!ENCODED_BEGIN.some((begin) => value.includes(begin))) return '';
  return certificateBlocks(Buffer.from(value, 'base64').toString('latin1'));
}

function timeIn(value: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]{5,20}(?:Z|[+-]\d\d:\d\d)$/.test(value) ? value : '';
}

function emptied(secret: JsonObject, keep: How['keep']): JsonObject {
  const fields: Record<string, Json> = {};
  for (const field of ['data', 'stringData']) {
    const values = secret[field];
    if (isJsonObject(values))
      fields[field] = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, keep(field, key, value)]));
    else if (values !== undefined && values !== null) fields[field] = '';
  }
  return fields;
}

function metadataOf(secret: JsonObject): JsonObject {
  const { metadata } = secret;
  return isJsonObject(metadata) ? { metadata: concealMetadata(metadata) } : {};
}

/**
 * Metadata of a Secret without its values: annotations can hold them (`kubectl apply` keeps the whole object in one, token controllers
 * the token, Rancher the object compressed), so keys stay, and values only where they are known to be none. Of the record of who wrote
 * what, times and names of
 * fields stay.
 */
export function concealMetadata<T extends JsonObject>(metadata: T): T {
  const { annotations, managedFields } = metadata;
  return {
    ...metadata,
    ...(isJsonObject(annotations)
      ? {
          annotations: Object.fromEntries(
            Object.entries(annotations).map(([key, value]) => [key, typeof value === 'string' && !HARMLESS.test(key) ? '' : value]),
          ),
        }
      : {}),
    ...(Array.isArray(managedFields)
      ? {
          managedFields: (managedFields as readonly Json[]).map((entry) =>
            isJsonObject(entry) ? { ...entry, fieldsV1: fieldNames(entry['fieldsV1'], 0) } : {},
          ),
        }
      : {}),
  };
}

/** Source: sigs.k8s.io/structured-merge-diff fieldpath: `f:` before the name of a field, and nothing below it but other names. */
function fieldNames(fields: Json | undefined, depth: number): JsonObject {
  if (!isJsonObject(fields) || depth > MAX_DEPTH) return {};
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, below]) =>
      key === '.' || key.startsWith('f:') ? [[key, fieldNames(below, depth + 1)] as const] : [],
    ),
  );
}

const MAX_DEPTH = 8;

/** Which account a token is for, and what cert-manager and OpenShift say of a certificate. */
const HARMLESS =
  /^(kubernetes\.io\/service-account\.|cert-manager\.io\/|auth\.openshift\.io\/certificate-|service\.(?:alpha|beta)\.openshift\.io\/(?:expiry|originating-service-name)$)/;
