import { PodcheckError } from '../../../base/errors.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../../base/json.ts';

/** The fields of one object of a file, read by type; null counts as absent, and so does the empty text. */
export class KubeconfigFields {
  readonly fields: JsonObject;
  readonly file: string;
  readonly #path: string;

  constructor(fields: JsonObject, file: string, path: string) {
    this.fields = fields;
    this.file = file;
    this.#path = path;
  }

  text(field: string): string | undefined {
    const value = this.#value(field);
    if (value !== undefined && typeof value !== 'string') throw wrongKubeconfig(this.file, this.#at(field), 'a text (put it in quotes)');
    return value === '' ? undefined : value;
  }

  texts<T extends Readonly<Record<string, string>>>(fields: T): { readonly [K in keyof T]?: string } {
    const texts: { [K in keyof T]?: string } = {};
    for (const [key, field] of Object.entries(fields)) {
      const value = this.text(field);
      if (value !== undefined) texts[key as keyof T] = value;
    }
    return texts;
  }

  flag(field: string): boolean {
    const value = this.#value(field);
    if (value !== undefined && typeof value !== 'boolean') throw wrongKubeconfig(this.file, this.#at(field), 'true or false');
    return value === true;
  }

  words(field: string): readonly string[] {
    return this.#list(field).map((item, index) => {
      const word = asText(item);
      if (word === undefined) throw wrongKubeconfig(this.file, `${this.#at(field)}[${index}]`, 'a text (put it in quotes)');
      return word;
    });
  }

  objects(field: string): readonly KubeconfigFields[] {
    return this.#list(field).map((item, index) => {
      if (!isJsonObject(item)) throw wrongKubeconfig(this.file, `${this.#at(field)}[${index}]`, 'an object');
      return new KubeconfigFields(item, this.file, `${this.#at(field)}[${index}]`);
    });
  }

  object(field: string): KubeconfigFields {
    return this.optional(field) ?? new KubeconfigFields({}, this.file, this.#at(field));
  }

  optional(field: string): KubeconfigFields | undefined {
    const value = this.#value(field);
    if (value !== undefined && !isJsonObject(value)) throw wrongKubeconfig(this.file, this.#at(field), 'an object');
    return value === undefined ? undefined : new KubeconfigFields(value, this.file, this.#at(field));
  }

  #list(field: string): readonly Json[] {
    const value = this.#value(field);
    if (value !== undefined && !Array.isArray(value)) throw wrongKubeconfig(this.file, this.#at(field), 'a list');
    return asList(value);
  }

  #value(field: string): Json | undefined {
    return dig(this.fields, field) ?? undefined;
  }

  #at(field: string): string {
    return this.#path === '' ? field : `${this.#path}.${field}`;
  }
}

/** A field or a file that is not what it has to be. */
export function wrongKubeconfig(file: string, what: string, expected: string): PodcheckError {
  return new PodcheckError(
    'bad-input',
    `${file}: ${what} is not ${expected}.`,
    'Correct the kubeconfig; `kubectl config view` shows how kubectl reads it.',
  );
}
