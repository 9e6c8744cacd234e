import { base64OfBytes, bytesOfBase64, decodeBase64, encodeBase64 } from '../base/base64.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import { certificateBlocks } from '../base/x509/pem.ts';
import { concealMetadata, isAddress, isSecret, LAST_APPLIED } from './conceal-secret.ts';

/** What is masked beside values of Secrets: values of environment variables and data of ConfigMaps that are no plain address. */
export interface MaskOptions {
  readonly plain: boolean;
}

/**
 * Masks values in documents that are played and not only read: keys, types and lengths above 64 bytes stay, base64 stays base64, a
 * registry login stays one, and equal values stay equal, so that the API server and the kubelet say the same of them.
 */
export class ValueMasks {
  readonly #plain: boolean;
  readonly #known = new Map<string, string>();
  readonly #plainValues = new Map<string, number>();
  #count = 0;

  constructor({ plain }: MaskOptions) {
    this.#plain = plain;
  }

  /** Values masked so far. */
  get count(): number {
    return this.#count;
  }

  /** A document, or a part of one: then `kind` is that of the object. */
  document(value: Json, kind?: string): Json {
    if (!isJsonObject(value)) return this.#below(value);
    return this.#object(value, {
      secret: kind === undefined ? isSecret(value) : kind === 'Secret',
      config: this.#plain && (kind ?? value['kind']) === 'ConfigMap',
    });
  }

  /** Within a document only what has a kind is an object of its own. */
  #below(value: Json): Json {
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => this.#below(item));
    if (!isJsonObject(value)) return value;
    return value['kind'] === undefined ? this.#object(value, { secret: false, config: false }) : this.document(value);
  }

  #object(value: JsonObject, { secret, config }: { readonly secret: boolean; readonly config: boolean }): Json {
    return mapped(value, (field, inner) => {
      if (secret && (field === 'data' || field === 'stringData')) return this.#values(inner, (key, text) => this.#secret(field, key, text));
      if (config && (field === 'data' || field === 'binaryData'))
        return this.#values(inner, (key, text) => (field === 'data' ? this.#plainValue(key, text) : this.#encoded(text)));
      if (field === 'env' && this.#plain && Array.isArray(inner)) return (inner as readonly Json[]).map((item) => this.#variable(item));
      if (!isJsonObject(inner)) return this.#below(inner);
      if (secret && field === 'metadata') return concealMetadata(inner);
      return this.#plain && field === 'annotations' ? this.#annotations(inner) : this.#below(inner);
    });
  }

  /** Words elsewhere, with those that are values of Secrets masked alike: what a registry takes for its password. */
  words(value: Json): Json {
    if (typeof value === 'string') return this.#known.get(value) ?? value;
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => this.words(item));
    return isJsonObject(value) ? mapped(value, (_, inner) => this.words(inner)) : value;
  }

  /** Texts that quote documents. */
  text(text: string): string {
    let masked = text;
    for (const [value, mask] of [...this.#known].toSorted(([a], [b]) => b.length - a.length)) masked = masked.replaceAll(value, () => mask);
    return masked;
  }

  #values(values: Json, mask: (key: string, text: string) => string): Json {
    if (!isJsonObject(values)) return values === null ? values : this.#scalar(values, (text) => mask('', text));
    return mapped(values, (key, value) => this.#scalar(value, (text) => mask(key, text)));
  }

  /** A value of another type than text stays of it: it is refused for that. */
  #scalar(value: Json, mask: (text: string) => string): Json {
    if (typeof value === 'string') return value === '' ? value : this.#counted(mask(value));
    if (typeof value === 'number') return this.#counted(0);
    if (Array.isArray(value)) return this.#counted([]);
    return isJsonObject(value) ? this.#counted({}) : value;
  }

  #counted<T>(value: T): T {
    this.#count++;
    return value;
  }

  #secret(field: string, key: string, text: string): string {
    if (field === 'stringData') return this.#content(key, text);
    const bytes = bytesOfBase64(text);
    // What is no base64 is refused for it, and may be the value as it is.
    return bytes === undefined ? `<${this.#masked(text)}>` : encodeBase64(this.#content(key, decodeBase64(text)));
  }

  #content(key: string, text: string): string {
    const certificates = certificateBlocks(text);
    if (certificates !== '') return certificates;
    return key === '.dockerconfigjson' || key === '.dockercfg' ? this.#login(text) : this.#masked(text);
  }

  #login(text: string): string {
    try {
      return JSON.stringify(this.#logins(JSON.parse(text) as Json));
    } catch {
      return this.#masked(text);
    }
  }

  /** Servers stay: which one a login is for decides. */
  #logins(value: Json): Json {
    if (!isJsonObject(value)) return this.#scalar(value, (text) => this.#masked(text));
    return mapped(value, (key, inner) => {
      if (key !== 'auth' || typeof inner !== 'string') return this.#logins(inner);
      const [user = '', ...rest] = decodeBase64(inner).split(':');
      return encodeBase64(`${this.#masked(user)}:${this.#masked(rest.join(':'))}`);
    });
  }

  #variable(item: Json): Json {
    const masked = this.#below(item);
    const [name, value] = isJsonObject(item) ? [item['name'], item['value']] : [];
    if (!isJsonObject(masked) || value === undefined) return masked;
    return { ...masked, value: this.#scalar(value, (text) => this.#plainValue(typeof name === 'string' ? name : '', text)) };
  }

  #annotations(annotations: JsonObject): JsonObject {
    return mapped(annotations, (key, value) => {
      if (key !== LAST_APPLIED || typeof value !== 'string') return value;
      try {
        return JSON.stringify(this.document(JSON.parse(value) as Json));
      } catch {
        return '';
      }
    });
  }

  #masked(text: string): string {
    if (text === '') return text;
    const known = this.#known.get(text) ?? `redacted-${this.#known.size + 1}`.padEnd(lengthKept(text), 'x');
    this.#known.set(text, known);
    return known;
  }

  /** Of a variable or a key of a ConfigMap: what says where something is stays, for a wrong one is a cause. */
  #plainValue(key: string, text: string): string {
    if (isAddress(key, text)) return text;
    const number = this.#plainValues.get(text) ?? this.#plainValues.size + 1;
    this.#plainValues.set(text, number);
    return `<redacted-${number}>`.padEnd(lengthKept(text), 'x');
  }

  #encoded(text: string): string {
    const bytes = bytesOfBase64(text);
    return bytes === undefined ? REDACTED : base64OfBytes(new Uint8Array(bytes.length));
  }
}

function mapped(object: JsonObject, to: (key: string, value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, value === undefined ? undefined : to(key, value)]));
}

const REDACTED = '<redacted>';
/** A shorter length is a part of a secret; a longer one decides whether the object is too large. Bytes. */
const LENGTH_HIDDEN = 64;

function lengthKept(text: string): number {
  const length = new TextEncoder().encode(text).length;
  return length > LENGTH_HIDDEN ? length : 0;
}
