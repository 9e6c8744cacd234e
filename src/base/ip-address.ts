import { bigintOf, parseBigint, parseDigits, parseInteger } from './number.ts';

/** An IP address as a number. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** Reads dotted IPv4 and colon-separated IPv6 text; undefined for anything else, as leading zeros and zones are. Source: Go's net/netip. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > 45) return undefined;
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

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
