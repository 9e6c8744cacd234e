import { lookup } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { PodcheckError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { systemReason } from '../../base/system-error.ts';
import { Hub } from '../../watch/hub.ts';
import type { ReadCauses } from '../../watch/read-causes.ts';
import { readCauses } from '../../watch/read-causes.ts';
import type { CommandContext } from '../context.ts';
import { receiverUrl } from './deliver.ts';
import type { Shown } from './show-watching.ts';
import { showWatching, teller } from './show-watching.ts';
import type { Others } from './tell-others.ts';

/** A cluster whose watch is asked. */
export interface HubSource {
  readonly name: string;
  readonly url: URL;
}

const NAME = /^(?:([A-Za-z0-9][\w.-]{0,62})=)?(https?:.+)$/;

/** `prod=https://podcheck.prod.example`, or the URL alone. Throws a PodcheckError for anything else. */
export function hubSources(words: readonly string[]): readonly HubSource[] {
  const sources = words.map((word) => {
    const [, name, address = word] = NAME.exec(word) ?? [];
    const url = receiverUrl('--hub', address);
    return { name: name ?? url.host, url: url.pathname === '/' ? new URL('/causes', url) : url };
  });
  const double = sources.find(({ name }, index) => sources.findIndex((other) => other.name === name) !== index);
  if (double === undefined) return sources;
  throw new PodcheckError('usage', `--hub: two clusters are named ${JSON.stringify(double.name)}`, 'give each a name: NAME=URL');
}

const EVERY_MILLISECONDS = 5000;

/** Reads the causes of several clusters from their watches again and again, and tells what changes, until the signal is raised. */
export async function watchHub(sources: readonly HubSource[], shown: Shown, others: Others, context: CommandContext): Promise<void> {
  const { clock, signal, env, version = '0.0.0' } = context;
  const names = sources.map(({ name }) => name);
  const hub = new Hub(names, clock());
  const tell = teller(shown, others, context);
  const token = env['PODCHECK_HUB_TOKEN'] ?? '';
  const headers = { 'user-agent': `podcheck/${version}`, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) };

  async function ask({ name, url }: HubSource): Promise<void> {
    while (!signal.aborted) {
      const said = await causesAt({ name, url }, headers, signal);
      if (signal.aborted) return;
      const changes = typeof said === 'string' ? hub.failed(name, said, clock()) : hub.heard(name, said, clock());
      if (changes.length > 0) void tell(changes);
      await pause(EVERY_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    }
  }

  const done = Promise.all(sources.map(ask)).then(() => undefined);
  await showWatching({ view: () => hub.view(clock()), done }, shown, others, context);
}

const TIMEOUT_MILLISECONDS = 10_000;
/** Some ten thousand causes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** What all replicas of a watch say; a sentence where one of them does not answer. */
async function causesAt(
  { name, url }: HubSource,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly ReadCauses[] | string> {
  try {
    const said: ReadCauses[] = [];
    for (const one of await replicasOf(url)) {
      const ended = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MILLISECONDS)]);
      const response = await fetch(one, { headers, redirect: 'manual', signal: ended });
      if (response.status !== 200) {
        await response.body?.cancel();
        return `${url.host} answered HTTP ${response.status}.`;
      }
      const causes = readCauses(JSON.parse(await textOf(response)) as Json, name);
      if (causes === undefined) return `${url.host} answered something that is not podcheck.causes/v1.`;
      said.push(causes);
    }
    return said;
  } catch (error) {
    if (error instanceof SyntaxError) return `${url.host} answered something that is not JSON.`;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return `${url.host}: ${systemReason(cause)}.`;
  }
}

/** Each replica knows its own share: a headless Service has the addresses of all. A certificate is for the name, not for an address. */
async function replicasOf(url: URL): Promise<readonly URL[]> {
  if (url.protocol === 'https:' || url.hostname.startsWith('[')) return [url];
  const addresses = await lookup(url.hostname, { all: true, family: 4 });
  if (addresses.length < 2) return [url];
  return addresses.map(({ address }) => {
    const one = new URL(url);
    one.hostname = address;
    return one;
  });
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new RangeError('the answer is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
