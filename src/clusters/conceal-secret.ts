import type { Json, JsonObject } from '../base/json.ts';
import { asText, dig, isJsonObject } from '../base/json.ts';
import { certificateBlocks } from '../base/pem.ts';

/** Takes values of Secrets out of a document, and leaves all else as it is. */
export type Conceal = (document: Json) => Json;

/** Holds what was given to apply, so for a Secret its values once more. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** A List is not within a List in anything kubectl writes. */
const MAX_NESTING = 4;

/**
 * A document without values of Secrets: where it is one, or a List with some, the keys of `data` and `stringData` stay, each
 * with empty text. All else stays as it is.
 */
export function concealSecrets(document: Json, nesting = 0): Json {
  return conceal(document, { keep: nothing, nesting });
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
}

function conceal(document: Json, { keep, nesting }: How): Json {
  if (!isJsonObject(document)) return document;
  if (document['kind'] === 'Secret') return { ...document, ...emptied(document, keep), ...metadataOf(document, nesting) };
  const { items } = document;
  if (!Array.isArray(items) || nesting >= MAX_NESTING) return document;
  return { ...document, items: (items as readonly Json[]).map((item) => conceal(item, { keep, nesting: nesting + 1 })) };
}

function nothing(): string {
  return '';
}

const ADDRESS_KEY = /(?:^|[_.-])(?:hosts?|addr|address|port|hostname|endpoint|server)$/i;
const PLAIN_ADDRESS = /^(?:\d{1,5}|[A-Za-z][A-Za-z0-9.-]{0,200}(?::\d{1,5})?|\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?)$/;

function addressOf(field: string, key: string, value: Json | undefined): string {
  return field === 'stringData' && typeof value === 'string' && ADDRESS_KEY.test(key) && PLAIN_ADDRESS.test(value) ? value : '';
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
    if (isJsonObject(values)) fields[field] = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, keep(field, key, value)]));
    else if (values !== undefined && values !== null) fields[field] = '';
  }
  return fields;
}

function metadataOf(secret: JsonObject, nesting: number): JsonObject {
  const [metadata, applied] = [secret['metadata'], asText(dig(secret, 'metadata', 'annotations', LAST_APPLIED))];
  if (!isJsonObject(metadata) || !isJsonObject(metadata['annotations']) || applied === undefined) return {};
  return { metadata: { ...metadata, annotations: { ...metadata['annotations'], [LAST_APPLIED]: concealedText(applied, nesting + 1) } } };
}

/** Unreadable text may hold a value anywhere, so nothing of it stays. */
function concealedText(applied: string, nesting: number): string {
  if (nesting > MAX_NESTING) return '';
  try {
    return JSON.stringify(concealSecrets(JSON.parse(applied) as Json, nesting));
  } catch {
    return '';
  }
}
