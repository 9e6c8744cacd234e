import type { Json, JsonObject } from '../../base/json.ts';
import { asText, dig, isJsonObject } from '../../base/json.ts';

/** Holds what was given to apply, so for a Secret its values once more. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** A List is not within a List in anything kubectl writes. */
const MAX_NESTING = 4;

/**
 * A document without values of Secrets: where it is one, or a List with some, the keys of `data` and `stringData` stay, each
 * with empty text. All else stays as it is.
 */
export function concealSecrets(document: Json, nesting = 0): Json {
  if (!isJsonObject(document)) return document;
  if (document['kind'] === 'Secret') return { ...document, ...emptied(document), ...metadataOf(document, nesting) };
  const { items } = document;
  if (!Array.isArray(items) || nesting >= MAX_NESTING) return document;
  return { ...document, items: (items as readonly Json[]).map((item) => concealSecrets(item, nesting + 1)) };
}

function emptied(secret: JsonObject): JsonObject {
  const fields: Record<string, Json> = {};
  for (const field of ['data', 'stringData']) {
    const values = secret[field];
    if (isJsonObject(values)) fields[field] = Object.fromEntries(Object.keys(values).map((key) => [key, '']));
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
