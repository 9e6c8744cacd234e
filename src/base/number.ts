/** The one way in for numbers that a foreign text holds, and between numbers and bigints: never NaN, infinite or a thrown error. */

/** A whole number in decimal digits, with or without a sign; undefined for any other text and for one that a number cannot hold exactly. */
export function parseInteger(text: string | undefined): number | undefined {
  if (text === undefined || text.length > LONGEST || !/^[+-]?\d+$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

/** A number as text has it (`-3`, `0.5`, `1e3`); undefined for any other text and for one beyond what a number can hold. */
export function parseDecimal(text: string | undefined): number | undefined {
  if (text === undefined || text.length > LONGEST || !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** A whole number in octal or hexadecimal digits, without a prefix; undefined as for `parseInteger`. */
export function parseDigits(text: string | undefined, base: 8 | 16): number | undefined {
  if (text === undefined || text.length > LONGEST || !(base === 8 ? /^[0-7]+$/ : /^[\da-fA-F]+$/).test(text)) return undefined;
  const value = Number.parseInt(text, base);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A whole number of any size, in decimal digits with or without a minus, or in hexadecimal ones; undefined for any other text. */
export function parseBigint(text: string | undefined, base: 10 | 16 = 10): bigint | undefined {
  if (text === undefined || text.length > LONGEST || !(base === 10 ? /^-?\d+$/ : /^[\da-fA-F]+$/).test(text)) return undefined;
  return BigInt(base === 10 ? text : `0x${text}`);
}

/** Whether one text is a smaller whole number than another; false where one of them is none. */
export function isLess(one: string | undefined, other: string | undefined): boolean {
  const [low, high] = [parseBigint(one), parseBigint(other)];
  return low !== undefined && high !== undefined && low < high;
}

/** An amount as a number. What no number holds exactly becomes the nearest, and never more than the largest. */
export function numberOf(amount: bigint): number {
  return Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, Number(amount)));
}

/** The whole part of a number; 0 for one that is not finite. */
export function bigintOf(value: number): bigint {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
}

/** To so many digits behind the point, without trailing zeros. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** No number that anybody writes is longer. */
const LONGEST = 64;
