import { remembered } from './memoized.ts';
import { bigintOf, parseBigint, parseDigits, parseInteger } from './number.ts';

/** An IP address as a number. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** Reads dotted IPv4 and colon-separated IPv6 text; undefined for anything else, as leading zeros and zones are. Source: Go's net/netip. */
export function parseIpAddress(text: string): IpAddress | undefined {
  return text.length > MAX_LENGTH ? undefined : parsed(text);
}

const MAX_LENGTH = 45;
/** A pod's address is read by its status, its slice and its Endpoints, one after the other. */
const parsed = remembered((text) => (text.includes(':') ? parseIpv6(text) : parseIpv4(text)), { limit: 256, length: MAX_LENGTH });

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && (parseInteger(part) ?? 256) <= 255))
    return undefined;
  let value = 0n;
  for (const part of parts) value = value * 256n + (parseBigint(part) ?? 0n);
  return { family: 4, value };
}

function parseIpv6(text: string): IpAddress | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...(head ?? []), ...(tail ?? [])];
  const missing = 8 - groups.length;
  if (groups.some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group)) || (tail === undefined ? missing !== 0 : missing < 1)) return undefined;
  const whole = [...(head ?? []), ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])];
  let value = 0n;
  for (const group of whole) value = value * 65_536n + bigintOf(parseDigits(group, 16) ?? 0);
  return { family: 6, value };
}
