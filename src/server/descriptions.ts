import { brotliDecompressSync } from 'node:zlib';
import type { Json } from '../base/json.ts';
import { asText, dig } from '../base/json.ts';
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts';

/** What Kubernetes' documentation says of a model, or of one of its fields. */
export function describedField(model: string, field = ''): string | undefined {
  texts ??= JSON.parse(brotliDecompressSync(Buffer.from(FIELD_DESCRIPTIONS, 'base64')).toString()) as Json;
  return asText(dig(texts, model, field));
}

let texts: Json | undefined;
