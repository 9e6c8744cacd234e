import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { CommandContext } from '../context.ts';
import { openLiveCluster } from '../diagnose/open-evidence.ts';
import type { SourceOptions } from '../options.ts';
import type { StateWish } from '../rbac/state-options.ts';
import type { SharedWork } from './shared-work.ts';
import { shareWork } from './shared-work.ts';

/** A Lease must be renewed within 10 s: a request that takes half of it has failed. */
const REQUEST_TIMEOUT = '5s';

/**
 * Begins to share the work, over a connection of its own, so that no large list stands in the way. The connection outlives the signal:
 * what was told last is still written. Without a wish nothing is shared.
 */
export async function openSharedWork(
  wish: StateWish | undefined,
  options: SourceOptions,
  context: CommandContext,
): Promise<{ readonly work: SharedWork | undefined; readonly close: () => void }> {
  if (wish === undefined) return { work: undefined, close: () => undefined };
  const { namespace, replicas } = wish;
  const cluster = await openLiveCluster(
    { ...options, requestTimeout: REQUEST_TIMEOUT },
    { ...context, signal: new AbortController().signal },
  );
  // A clock that is set anew must not make a replica look older or younger.
  const begun = context.clock() - performance.now();
  const host = context.env['HOSTNAME'] ?? 'podcheck';
  const work = shareWork(
    { reader: cluster.reader, changer: cluster.changer, namespace },
    { slots: replicas, identity: `${host}_${randomUUID()}` },
    { elapsed: () => performance.now(), clock: () => begun + performance.now(), signal: context.signal },
  );
  return { work, close: () => cluster.close() };
}
