import type { Json } from '../../base/json.ts';
import { asText, dig } from '../../base/json.ts';
import { sharedWith } from '../../base/json-sharing.ts';

/** Keeps once what objects that come one after another have in common: most resemble the one of their kind and owner before them. */
export function sharing(): (value: Json) => Json {
  const models = new Map<string, Json>();
  return (value) => {
    const key = `${asText(dig(value, 'kind')) ?? ''} ${asText(dig(value, 'metadata', 'ownerReferences', 0, 'uid')) ?? ''}`;
    const model = models.get(key) ?? models.get('');
    const shared = sharedWith(value, model);
    if (models.size > MOST_MODELS) models.clear();
    models.set(key, shared);
    models.set('', shared);
    return shared;
  };
}

/** Objects that others are compared with; they are in memory anyway. */
const MOST_MODELS = 100_000;
