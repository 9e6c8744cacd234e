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
}

export function text(says: string): FieldSpec<'text'> {
  return { type: 'text', says };
}

export function number(says: string): FieldSpec<'number'> {
  return { type: 'number', says };
}

export function flag(says: string): FieldSpec<'flag'> {
  return { type: 'flag', says };
}
