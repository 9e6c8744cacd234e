import { brotliDecompressSync } from 'node:zlib';
import type { Json } from '../base/json.ts';
import { asText, dig } from '../base/json.ts';
import { once } from '../base/once.ts';
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts';

/** What Kubernetes' documentation says of a model, or of one of its fields. */
export function describedField(model: string, field = ''): string | undefined {
  return asText(dig(texts(), model, field));
}

const texts = once(() => JSON.parse(brotliDecompressSync(Buffer.from(FIELD_DESCRIPTIONS, 'base64')).toString()) as Json);
