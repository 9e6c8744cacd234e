import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { asObject, asText, dig, isJsonObject } from '../../src/base/json.ts';
import { canonicalJson } from '../../src/base/json-edit.ts';
import type { Difference } from './compare.ts';
import { compareReplies } from './compare.ts';
import { maskOf } from './masks.ts';
import type { Operation, Reply, Sequence } from './operation.ts';
import { isOfRun, withNames } from './operation.ts';
import type { Asked, Side } from './side.ts';
import { written } from './side.ts';

export interface Sides {
  readonly real: Side;
  readonly simulated: Side;
}

/** What came of one operation of a sequence. */
export interface Played {
  readonly operation: Operation;
  readonly differences: readonly Difference[];
  readonly fields: number;
  readonly fieldsEqual: number;
}

export interface PlayOptions {
  /** A name that nothing else has: of the namespace, and in the names of objects of the cluster. */
  readonly run: string;
  /** How long controllers get after a write. */
  readonly settleMilliseconds: number;
}

const SETUP_TRIES = 200;

/** Plays a sequence on both clusters at once. It ends where one accepts what the other refuses: what follows is about other objects. */
export async function playSequence({ real, simulated }: Sides, sequence: Sequence, options: PlayOptions): Promise<readonly Played[]> {
  const both = [real, simulated] as const;
  await Promise.all(both.map((side) => setUp(side, sequence.namespace, options.run)));
  const played: Played[] = [];
  const quotas = new Map<string, string>();
  for (const operation of sequence.operations) {
    const replies = await Promise.all(both.map((side) => carryOut(side, operation, options.run)));
    const mask = maskOf(options.run, Date.now());
    const pair = [replies[0], replies[1]] as unknown as readonly [Reply, Reply];
    const comparison = compareReplies(sequence.kind, operation, pair, [mask, mask]);
    played.push({ operation, ...comparison });
    if (comparison.differences.some(({ about }) => about === 'accepted')) break;
    if (operation.settles && pair[0].code < 300) await pause(options.settleMilliseconds);
    if (!(await collected(both, operation, pair, options.run))) break;
    if (!operation.path.includes('dryRun=All') && !operation.does.startsWith('status')) await counted(both, pair, options.run, quotas);
  }
  await Promise.all(both.map((side) => cleanUp(side, sequence, options.run)));
  return played;
}

/**
 * Waits until new limits of a quota are those that admission reads. While definitions come and go, the real controller waits for its caches
 * first, for up to half a minute.
 */
async function counted(
  both: readonly Side[],
  [real, simulated]: readonly [Reply, Reply],
  run: string,
  known: Map<string, string>,
): Promise<void> {
  if (dig(real.body, 'kind') !== 'ResourceQuota' || real.code >= 300 || simulated.code >= 300) return;
  const [name, hard] = [asText(dig(real.body, 'metadata', 'name')) ?? '', asObject(dig(real.body, 'spec', 'hard'))];
  const limits = Object.keys(hard).length === 0 ? '' : canonicalJson(hard);
  if (limits === (known.get(name) ?? '')) return;
  known.set(name, limits);
  const path = `/api/v1/namespaces/${run}/resourcequotas/${name}`;
  await Promise.all(
    both.map(async (side) => {
      for (let tries = 0; tries < QUOTA_TRIES; tries++) {
        const { code, body } = await side.ask({ method: 'GET', path });
        if (code !== 200 || canonicalJson(asObject(dig(body, 'status', 'hard'))) === limits) return;
        await pause(100);
      }
    }),
  );
}

const QUOTA_TRIES = 400;

/**
 * Waits until an object that was deleted, or got owners who are not there, is gone on both sides, or seems to stay on both. While
 * definitions come and go, the real garbage collector waits for its caches first. False when it alone has not come after all: nothing can
 * be said of what follows then.
 */
async function collected(both: readonly Side[], operation: Operation, [real]: readonly [Reply, Reply], run: string): Promise<boolean> {
  const { path, method } = operation;
  if (real.code >= 300 || path.includes('dryRun') || !mayBeCollected(operation)) return true;
  const name = asText(dig(real.body, 'metadata', 'name')) ?? '';
  const [own = ''] = path.split('?');
  const asked = { method: 'GET', path: withNames(method === 'POST' ? `${own}/${name}` : own, run) };
  let isLate = false;
  for (let tries = 0; tries < COLLECTION_TRIES; tries++) {
    const [code = 0, other = 0] = await Promise.all(both.map(async (side) => (await side.ask(asked)).code));
    if (code === other && (code === 404 || tries >= COLLECTION_TRIES_OF_NONE)) return true;
    isLate = code === 200;
    await pause(100);
  }
  return !isLate;
}

function mayBeCollected({ method, body, edit }: Operation): boolean {
  return method === 'DELETE' || JSON.stringify(body ?? edit ?? null).includes('"ownerReferences"');
}

const COLLECTION_TRIES = 400;
/** So often an object that both keep is asked for. */
const COLLECTION_TRIES_OF_NONE = 15;

/** Makes the namespace and waits for what controllers put into it. */
export async function setUp(side: Side, namespace: JsonObject, run: string): Promise<void> {
  await side.ask(filled({ method: 'POST', path: '/api/v1/namespaces' }, namespace, run));
  for (const [path, what] of OF_NAMESPACES) await appears(side, `/api/v1/namespaces/${run}/${path}`, `${what} of namespace ${run}`);
}

const OF_NAMESPACES = [
  ['serviceaccounts/default', 'service account'],
  ['configmaps/kube-root-ca.crt', 'certificate authority'],
] as const;

async function appears(side: Side, path: string, what: string): Promise<void> {
  for (let tries = 0; tries < SETUP_TRIES; tries++) {
    const { code } = await side.ask({ method: 'GET', path });
    if (code === 200) return;
    await pause(20);
  }
  throw new Error(`${side.name} does not make the ${what}`);
}

/** Objects of the cluster stand in the way of other sequences; those of the namespace do not. */
async function cleanUp(side: Side, { operations }: Sequence, run: string): Promise<void> {
  const paths = operations.map(({ path }) => path.split('?')[0] ?? '').filter((path) => !path.includes('/namespaces/') && isOfRun(path));
  for (const path of new Set(paths)) {
    const [, own] = /^(\/.*?\/[a-z]+\/[^/]*%(?:run|address)%[^/]*)/.exec(path) ?? [];
    if (own === undefined) continue;
    const merge = { 'content-type': 'application/merge-patch+json' };
    await side.ask({ method: 'PATCH', path: withNames(own, run), headers: merge, body: '{"metadata":{"finalizers":null}}' });
    await side.ask({ method: 'DELETE', path: withNames(own, run) });
  }
}

export async function carryOut(side: Side, operation: Operation, run: string): Promise<Reply> {
  const { method, path, contentType, headers } = operation;
  const asked = { method, path, headers: { 'content-type': contentType ?? 'application/json', ...headers } };
  if (operation.edit === undefined) return side.ask(filled(asked, operation.body, run));
  const stored = await side.ask({ method: 'GET', path: withNames(path, run) });
  if (stored.code !== 200) return stored;
  return side.ask(filled(asked, mergePatched(stored.body, operation.edit), run));
}

function filled(asked: Asked, body: Json | undefined, run: string): Asked {
  const path = withNames(asked.path, run);
  return body === undefined ? { ...asked, path } : { ...asked, path, body: withNames(written(body), run) };
}

/** Source: RFC 7386. */
export function mergePatched(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, Json | undefined> = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete result[name];
    else result[name] = mergePatched(result[name] ?? null, value);
  }
  return result;
}
