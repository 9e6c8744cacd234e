import type { Instant } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';

/** A column of a Table as the API defines it; priority 1 is for `-o wide` only. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** How objects of a kind are printed. */
export interface Printer {
  readonly columns: readonly Column[];
  row(object: KubeObject, now: Instant): readonly Json[];
}

/** `Name, Ready, Data:integer, IP+`: `+` for the columns of `-o wide`; the name is marked as one. */
export function columns(text: string): readonly Column[] {
  return text.split(',').map((part) => {
    const [word = '', type = 'string'] = part.trim().replace(/\+$/, '').split(':');
    return {
      name: word,
      type: type as Column['type'],
      format: word === 'Name' ? 'name' : '',
      description: DESCRIPTIONS[word] ?? word,
      priority: part.trim().endsWith('+') ? 1 : 0,
    };
  });
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Name: 'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  Age: 'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.',
};
