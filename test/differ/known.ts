import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Json } from '../../src/base/json.ts';
import { asList, asText, dig } from '../../src/base/json.ts';

/** Why a mechanism is left as it is; undefined for one that nobody has given a reason for. */
export type Reasons = (mechanism: string) => string | undefined;

/** Reads mechanisms with reasons; `*` in one stands for any text. */
export function readReasons(file: string): Reasons {
  const known = asList(parse(readFileSync(file, 'utf8')) as Json).map((entry) => ({
    pattern: patternOf(asText(dig(entry, 'mechanism')) ?? ''),
    because: asText(dig(entry, 'because')) ?? '',
  }));
  return (mechanism) => known.find(({ pattern }) => pattern.test(mechanism))?.because;
}

function patternOf(mechanism: string): RegExp {
  const escaped = mechanism.split('*').map((piece) => piece.replaceAll(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${escaped.join('.*')}$`, 'su');
}
