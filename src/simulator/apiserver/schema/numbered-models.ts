import { parseInteger } from '../../../base/number.ts';
import { once } from '../../../base/once.ts';
import { FIELD_NUMBERS } from './field-numbers.ts';
import { modelNames } from './schema.ts';

/** Where Go has a model, and what protobuf has for its fields. */
export interface NumberedModel {
  /** `k8s.io.api.core.v1` */
  readonly package: string;
  /** In the order of the model's fields, as `.build/field-numbers.mjs` writes them; empty for a field without a number. */
  readonly numbers: readonly string[];
}

/**
 * By model. `field-numbers.ts` has the packages first and then, in the order of the models, the index of each one's package and the numbers
 * of its fields.
 */
export const numberedModels = once((): ReadonlyMap<string, NumberedModel> => {
  const [packages = '', entries = ''] = FIELD_NUMBERS.trim().split('\n\n');
  const homes = packages.split(/\s/);
  const lines = entries.split(/[\n;]/);
  return new Map(
    modelNames().flatMap((model, index) => {
      const [home = '', ...numbers] = lines[index]?.split(',') ?? [];
      return home === '' ? [] : [[model, { package: homes[parseInteger(home) ?? 0] ?? '', numbers }] as const];
    }),
  );
});
