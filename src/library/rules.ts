import { shippedRules } from '../catalog/bundled-data.ts';
import type { Rule } from '../model/rule.ts';

/** The rules podcheck comes with, in order of their ids. */
export async function rulesOfPodcheck(): Promise<readonly Rule[]> {
  return shippedRules();
}
