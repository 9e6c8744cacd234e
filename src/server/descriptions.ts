import { brotliDecompressSync } from 'node:zlib';
import { once } from '../base/once.ts';
import { modelNamed, modelNames } from '../simulator/index.ts';
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts';

/** What Kubernetes' documentation says of a model, or of one of its fields. */
export function describedField(model: string, field = ''): string | undefined {
  return texts().get(`${model}.${field}`);
}

/** They stand in the order of the models and their fields, each model's own first: an empty one where nothing is said. */
const texts = once(() => {
  const said = brotliDecompressSync(Buffer.from(FIELD_DESCRIPTIONS, 'base64')).toString().split('\0');
  const names = modelNames().flatMap((model) => ['', ...modelNamed(model).fields.keys()].map((field) => `${model}.${field}`));
  return new Map(names.flatMap((name, at) => (said[at] === undefined || said[at] === '' ? [] : [[name, said[at]] as const])));
});
