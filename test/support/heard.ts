import { loadRules } from '../../src/catalog/load-rules.ts';
import type { Heard } from '../../src/engine/wording-index.ts';
import { earFor } from '../../src/engine/wording-index.ts';
import type { Place } from '../../src/model/place.ts';

const EAR = earFor((await loadRules('rules')).rules);

/** What the bundled rules hear in a text that stands in this place. */
export function heardIn(place: Place, text: string, reason?: string): Heard | undefined {
  return EAR.hears({ place, reason, text });
}
