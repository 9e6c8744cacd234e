import type { Environment } from '@marcbachmann/cel-js';
import type { IpAddress } from '../../../base/ip-address.ts';
import { parseIpAddress } from '../../../base/ip-address.ts';
import { bigintOf, parseInteger } from '../../../base/number.ts';

/** URLs, IP addresses and networks. Source: staging/src/k8s.io/apiserver/pkg/cel/library/{urls,ip,cidr}.go. */
export function registerAddresses(environment: Environment): Environment {
  return registerNetworks(registerUrls(environment));
}

class Url {
  readonly parsed: URL;

  constructor(parsed: URL) {
    this.parsed = parsed;
  }
}

function urlOf(text: string): Url | undefined {
  try {
    return new Url(new URL(text));
  } catch {
    return undefined;
  }
}

function registerUrls(environment: Environment): Environment {
  return environment
    .registerType('URL', Url)
    .registerFunction('isURL(string): bool', (text: string) => urlOf(text) !== undefined)
    .registerFunction('url(string): URL', (text: string) =>
      must(urlOf(text), `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`),
    )
    .registerFunction('URL.getScheme(): string', ({ parsed }: Url) => parsed.protocol.replace(/:$/, ''))
    .registerFunction('URL.getHost(): string', ({ parsed }: Url) => parsed.host)
    .registerFunction('URL.getHostname(): string', ({ parsed }: Url) => parsed.hostname.replaceAll(/^\[|\]$/g, ''))
    .registerFunction('URL.getPort(): string', ({ parsed }: Url) => parsed.port)
    .registerFunction('URL.getEscapedPath(): string', ({ parsed }: Url) => parsed.pathname)
    .registerFunction('URL.getQuery(): map', ({ parsed }: Url) =>
      Object.fromEntries([...new Set(parsed.searchParams.keys())].map((key) => [key, parsed.searchParams.getAll(key)])),
    );
}

class Ip {
  readonly bits: IpAddress;

  constructor(bits: IpAddress) {
    this.bits = bits;
  }
}

class Cidr {
  readonly bits: IpAddress;
  readonly length: number;

  constructor(bits: IpAddress, length: number) {
    this.bits = bits;
    this.length = length;
  }

  covers({ family, value }: IpAddress): boolean {
    const shift = bigintOf((this.bits.family === 4 ? 32 : 128) - this.length);
    return family === this.bits.family && value >> shift === this.bits.value >> shift;
  }
}

function ipOf(text: string): Ip | undefined {
  const bits = parseIpAddress(text);
  return bits === undefined ? undefined : new Ip(bits);
}

function cidrOf(text: string): Cidr | undefined {
  const [, ip = '', length = ''] = /^([^/]{1,45})\/(\d{1,3})$/.exec(text) ?? [];
  const [address, bits] = [ipOf(ip), parseInteger(length)];
  return address === undefined || bits === undefined || bits > (address.bits.family === 4 ? 32 : 128)
    ? undefined
    : new Cidr(address.bits, bits);
}

function registerNetworks(environment: Environment): Environment {
  return environment
    .registerType('IP', Ip)
    .registerType('CIDR', Cidr)
    .registerFunction('isIP(string): bool', (text: string) => ipOf(text) !== undefined)
    .registerFunction('ip(string): IP', (text: string) =>
      must(ipOf(text), `IP Address ${JSON.stringify(text)} parse error during conversion from string: unable to parse IP`),
    )
    .registerFunction('IP.family(): int', ({ bits }: Ip) => bigintOf(bits.family))
    .registerFunction('IP.isUnspecified(): bool', ({ bits }: Ip) => bits.value === 0n)
    .registerFunction('IP.isLoopback(): bool', ({ bits }: Ip) => (bits.family === 4 ? bits.value >> 24n === 127n : bits.value === 1n))
    .registerFunction('IP.isLinkLocalUnicast(): bool', ({ bits }: Ip) =>
      bits.family === 4 ? bits.value >> 16n === 0xa9_fen : bits.value >> 118n === 0x3f_an,
    )
    .registerOperator('IP == IP', (one: Ip, other: Ip) => one.bits.family === other.bits.family && one.bits.value === other.bits.value)
    .registerFunction('isCIDR(string): bool', (text: string) => cidrOf(text) !== undefined)
    .registerFunction('cidr(string): CIDR', (text: string) =>
      must(cidrOf(text), `network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): no '/'`),
    )
    .registerFunction('CIDR.containsIP(string): bool', (network: Cidr, text: string) =>
      network.covers(
        must(ipOf(text), `IP Address ${JSON.stringify(text)} parse error during conversion from string: unable to parse IP`).bits,
      ),
    )
    .registerFunction('CIDR.containsIP(IP): bool', (network: Cidr, { bits }: Ip) => network.covers(bits))
    .registerFunction('CIDR.containsCIDR(string): bool', (network: Cidr, text: string) =>
      within(network, must(cidrOf(text), `network address parse error during conversion from string: ${JSON.stringify(text)}`)),
    )
    .registerFunction('CIDR.containsCIDR(CIDR): bool', within)
    .registerFunction('CIDR.prefixLength(): int', ({ length }: Cidr) => bigintOf(length))
    .registerFunction('CIDR.ip(): IP', ({ bits }: Cidr) => new Ip(bits));
}

function within(network: Cidr, other: Cidr): boolean {
  return other.length >= network.length && network.covers(other.bits);
}

function must<T>(value: T | undefined, words: string): T {
  if (value === undefined) throw new Error(words);
  return value;
}
