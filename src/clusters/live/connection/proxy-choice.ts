import { BlockList, isIP } from 'node:net';
import { PodcheckError } from '../../../base/errors.ts';
import { parseInteger } from '../../../base/number.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy to reach a server through, or undefined for none. The cluster's `proxy-url` wins and is used for every address;
 * otherwise HTTPS_PROXY (HTTP_PROXY for an http server) unless NO_PROXY names the server or it is on this machine.
 * Source: golang.org/x/net/http/httpproxy/proxy.go, which client-go uses with CIDR support in NO_PROXY.
 */
export function chooseProxy(server: URL, proxyUrl: string | undefined, env: Environment): URL | undefined {
  if (proxyUrl !== undefined && proxyUrl !== '') return parseProxy(proxyUrl, 'proxy-url');
  const [upper, lower] = server.protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  const variable = set(env, upper) === undefined ? lower : upper;
  const value = set(env, variable);
  if (value === undefined || bypasses(server, set(env, 'NO_PROXY') ?? set(env, 'no_proxy') ?? '')) return undefined;
  return parseProxy(value, variable);
}

const SCHEMES: readonly string[] = ['http:', 'https:', 'socks5:', 'socks5h:'];

/** A value without a scheme means an http proxy, as Go takes it. */
function parseProxy(value: string, source: string): URL {
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && url.hostname !== '' && SCHEMES.includes(url.protocol)) return url;
  const shown = url === undefined ? 'is not a URL' : `has the scheme ${url.protocol.replace(':', '')}`;
  throw new PodcheckError(
    'bad-input',
    `The proxy in ${source} ${shown}.`,
    'Use http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT.',
  );
}

function set(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** Whether NO_PROXY (hosts, `.domains`, addresses, networks, each with an optional port, or `*`) or loopback excludes the server. */
function bypasses(server: URL, noProxy: string): boolean {
  const host = bareHost(server).toLowerCase();
  const port = portOf(server);
  if (host === 'localhost' || isLoopback(host)) return true;
  return noProxy.split(',').some((entry) => excludes(entry.trim().toLowerCase(), host, port));
}

function excludes(entry: string, host: string, port: number): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  if (entry.includes('/')) return inNetwork(entry, host);
  const [name, entryPort] = splitPort(entry);
  if (entryPort !== undefined && entryPort !== port) return false;
  if (isIP(name) !== 0 || isIP(host) !== 0) return name === host;
  const domain = name.startsWith('*.') ? name.slice(1) : name;
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function splitPort(entry: string): readonly [name: string, port: number | undefined] {
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry) ?? (isIP(entry) === 0 ? /^([^:]*):(\d+)$/.exec(entry) : null);
  if (bracketed === null) return [entry, undefined];
  return [bracketed[1] ?? '', parseInteger(bracketed[2])];
}

function inNetwork(entry: string, host: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const [family, prefix] = [isIP(network), parseInteger(bits)];
  if (family === 0 || isIP(host) !== family || prefix === undefined || prefix < 0 || prefix > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

function isLoopback(host: string): boolean {
  return isIP(host) === 6 ? host === '::1' : isIP(host) === 4 && host.startsWith('127.');
}

/** The host without the brackets of an IPv6 address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function portOf(url: URL): number {
  const port = parseInteger(url.port);
  if (port !== undefined) return port;
  if (url.protocol === 'https:') return 443;
  return url.protocol.startsWith('socks') ? 1080 : 80;
}
