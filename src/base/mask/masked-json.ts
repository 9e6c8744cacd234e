import type { Json, JsonObject } from '../json.ts';
import { asText, isJsonObject } from '../json.ts';
import { MASK, masked } from './masked.ts';
import { isSecretValue } from './secret-values.ts';
import { secretWords, surenessOf } from './secret-words.ts';

/**
 * A value with what opens something replaced: by the names of fields (`password`, `token`), by what variables of an `env` are
 * called, behind flags in lists of words, in Secrets wholly, and in every text as `masked` does it.
 */
export function maskedJson(value: Json): Json {
  if (typeof value === 'string') return masked(value);
  if (Array.isArray(value)) return maskedList(value as readonly Json[]);
  return isJsonObject(value) ? maskedObject(value, false) : value;
}

function maskedList(members: readonly Json[]): Json {
  return members.map((member, index) => {
    const before = members[index - 1];
    const isBehindFlag =
      typeof member === 'string' &&
      !member.startsWith('-') &&
      typeof before === 'string' &&
      /^--?[\w.-]{1,64}$/.test(before) &&
      opens(before, member);
    return isBehindFlag ? MASK : maskedJson(member);
  });
}

function maskedObject(object: JsonObject, isSecret: boolean): JsonObject {
  const holdsValues = isSecret || object['kind'] === 'Secret';
  const name = asText(object['name']);
  return Object.fromEntries(
    Object.entries(object).map(([field, member]) => [field, member === undefined ? undefined : maskedMember(field, member)]),
  );

  function maskedMember(field: string, member: Json): Json {
    if (holdsValues && (field === 'data' || field === 'stringData') && isJsonObject(member))
      return Object.fromEntries(Object.keys(member).map((key) => [key, MASK]));
    if (object['kind'] === 'SecretList' && field === 'items' && Array.isArray(member))
      return (member as readonly Json[]).map((item) => (isJsonObject(item) ? maskedObject(item, true) : maskedJson(item)));
    if (typeof member !== 'string') return maskedJson(member);
    return opens(field, member) || (field === 'value' && name !== undefined && opens(name, member)) ? MASK : masked(member);
  }
}

/** Whether the field's name says that its text opens something. A Secret is mostly named in such a field, not told. */
function opens(field: string, text: string): boolean {
  const word = [...secretWords(field)].at(-1);
  if (word?.end !== field.length || (word.kind === 'secret' && surenessOf(word) === 'names')) return false;
  return isSecretValue(text, word, { isSure: true, isQuoted: true });
}
