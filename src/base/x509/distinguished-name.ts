import type { DerValue } from './der.ts';
import { derMembers, derOid, derText } from './der.ts';

/** A name as certificates have it: pairs of type and value, in the order they are encoded. */
export interface DistinguishedName {
  /** As RFC 4514 writes it, the most telling part first: `CN=system:node:worker-1,O=system:nodes`. */
  readonly text: string;
  readonly commonName: string | undefined;
  readonly organizations: readonly string[];
}

/** More parts than this are not shown: names of real certificates have at most ten. */
const MAX_PARTS = 64;
const MAX_VALUE = 512;

/** Reads an RDNSequence; what is no text in it is shown in hexadecimal. */
export function distinguishedName(name: DerValue | undefined): DistinguishedName {
  const sets = derMembers(name)
    .slice(0, MAX_PARTS)
    .map((set) => derMembers(set).slice(0, MAX_PARTS).map(pairOf));
  const pairs = sets.flat();
  const valuesOf = (type: string): readonly string[] => pairs.flatMap((pair) => (pair.type === type ? [pair.value] : []));
  return {
    text: sets
      .toReversed()
      .map((set) => set.map(({ type, value, isText }) => `${type}=${isText ? escaped(value) : value}`).join('+'))
      .join(','),
    commonName: valuesOf('CN').at(-1),
    organizations: valuesOf('O'),
  };
}

interface Pair {
  readonly type: string;
  readonly value: string;
  readonly isText: boolean;
}

function pairOf(pair: DerValue): Pair {
  const [oid, value] = derMembers(pair);
  const type = derOid(oid) ?? '?';
  const text = derText(value);
  const short = SHORT.get(type) ?? type;
  if (text !== undefined) return { type: short, value: text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text, isText: true };
  const octets = value?.whole.subarray(0, 64) ?? new Uint8Array();
  return { type: short, value: `#${[...octets].map((octet) => octet.toString(16).padStart(2, '0')).join('')}`, isText: false };
}

/** Source: RFC 4514, section 2.4. */
function escaped(value: string): string {
  return value
    .replaceAll(/[",+;<>\\]/g, String.raw`\$&`)
    .replace(/^[ #]/, String.raw`\$&`)
    .replace(/ $/, String.raw`\ `);
}

/** Source: RFC 4514, section 3, and RFC 4519; the others are written as OpenSSL does. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.4', 'SN'],
  ['2.5.4.5', 'serialNumber'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.9', 'street'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.12', 'title'],
  ['2.5.4.42', 'GN'],
  ['2.5.4.97', 'organizationIdentifier'],
  ['1.2.840.113549.1.9.1', 'emailAddress'],
  ['0.9.2342.19200300.100.1.1', 'UID'],
  ['0.9.2342.19200300.100.1.25', 'DC'],
]);
