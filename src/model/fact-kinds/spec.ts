/** What a kind of fact says and which fields it may carry; rules are checked against it when they are loaded. */
export interface FactKindSpec {
  readonly says: string;
  /** All facts of this kind about an object are read together: one of them means that none is hidden. */
  readonly whole?: true;
  readonly fields: Readonly<Record<string, FieldSpec>>;
}

export type FieldType = 'text' | 'number' | 'flag';

export interface FieldSpec<T extends FieldType = FieldType> {
  readonly type: T;
  readonly says: string;
  /** All values there are, of a text that is a machine word: a rule that asks for another one would never match. */
  readonly oneOf?: readonly string[];
}

/** A text. With values: one that Kubernetes chooses among them. */
export function text(says: string, values?: readonly string[]): FieldSpec<'text'> {
  return { type: 'text', says, ...(values === undefined ? {} : { oneOf: values }) };
}

/** A text that a collector chooses among these words, and puts nothing else there. */
export function word<const V extends string>(says: string, values: readonly V[]): WordSpec<V> {
  return { type: 'text', says, oneOf: values };
}

export interface WordSpec<V extends string> extends FieldSpec<'text'> {
  readonly oneOf: readonly V[];
}

export function number(says: string): FieldSpec<'number'> {
  return { type: 'number', says };
}

export function flag(says: string): FieldSpec<'flag'> {
  return { type: 'flag', says };
}
