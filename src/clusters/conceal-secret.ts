import type { Json, JsonObject } from '../base/json.ts';
import { asText, dig, isJsonObject } from '../base/json.ts';

/** Holds what was given to apply, so for a Secret its values once more. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** A List is not within a List in anything kubectl writes. */
const MAX_NESTING = 4;

/**
 * A document without values of Secrets: where it is one, or a List with some, the keys of `data` and `stringData` stay, each
 * with empty text. All else stays as it is.
 */
export function concealSecrets(document: Json, nesting = 0): Json {
  return conceal(document, { keepAddresses: false, nesting });
}

/**
 * The same for a manifest that a person wrote: of `stringData`, what says where something is (a host, a port) stays too, because a
 * wrong one is a cause; what opens it never does.
 */
export function concealManifest(document: Json): Json {
  return conceal(document, { keepAddresses: true, nesting: 0 });
}

interface How {
  readonly keepAddresses: boolean;
  readonly nesting: number;
}

function conceal(document: Json, { keepAddresses, nesting }: How): Json {
  if (!isJsonObject(document)) return document;
  if (document['kind'] === 'Secret') return { ...document, ...emptied(document, keepAddresses), ...metadataOf(document, nesting) };
  const { items } = document;
  if (!Array.isArray(items) || nesting >= MAX_NESTING) return document;
  return { ...document, items: (items as readonly Json[]).map((item) => conceal(item, { keepAddresses, nesting: nesting + 1 })) };
}

const ADDRESS_KEY = /(?:^|[_.-])(?:hosts?|addr|address|port|hostname|endpoint|server)$/i;
const PLAIN_ADDRESS = /^(?:\d{1,5}|[A-Za-z][A-Za-z0-9.-]{0,200}(?::\d{1,5})?|\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?)$/;

function emptied(secret: JsonObject, keepAddresses: boolean): JsonObject {
  const fields: Record<string, Json> = {};
  for (const field of ['data', 'stringData']) {
    const values = secret[field];
    const kept = (key: string, value: Json | undefined): string =>
      keepAddresses && field === 'stringData' && typeof value === 'string' && ADDRESS_KEY.test(key) && PLAIN_ADDRESS.test(value) ? value : '';
    if (isJsonObject(values)) fields[field] = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, kept(key, value)]));
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
