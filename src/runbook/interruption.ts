import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterChanger, Written } from '../model/cluster-changer.ts';
import type { ClusterReader, Unread } from '../model/cluster-reader.ts';

/** A way to the cluster. Closing it ends what is under way. */
export interface Connection {
  readonly reader: ClusterReader;
  readonly changer: ClusterChanger | undefined;
  readonly close: () => void;
}

export interface Interruptible {
  readonly reader: ClusterReader;
  readonly changer: ClusterChanger | undefined;
  /** After Ctrl-C: a new way to the cluster, for undoing what was done. */
  readonly recover: () => Promise<void>;
  readonly close: () => void;
}

/** So long a write that is under way has to be answered once somebody pressed Ctrl-C: usually that is enough to know what came of it. */
const GRACE_MILLISECONDS = 700;

/**
 * A way to the cluster that Ctrl-C ends, however long the server takes: a read is given up at once, a write after a short while, and
 * nothing more is begun. What was given up is said to be unknown, never absent and never refused.
 */
export function interruptible(first: Connection, reopen: () => Promise<Connection>, signal: AbortSignal): Interruptible {
  let connection = first;
  let isRecovered = false;
  const unread = (): Unread => ({ ok: false, why: 'failed', detail: 'interrupted' });
  const read = <T>(work: () => Promise<T>): Promise<T | Unread> =>
    isRecovered ? work() : signal.aborted ? Promise.resolve(unread()) : untilAborted<T | Unread>(work(), signal, 0, unread);
  const { changer } = first;
  return {
    reader: {
      ...first.reader,
      get: (ref) => read(() => connection.reader.get(ref)),
      list: (kind, scope) => read(() => connection.reader.list(kind, scope)),
      logs: (pod, container, options) => read(() => connection.reader.logs(pod, container, options)),
      now: () => connection.reader.now(),
    },
    changer:
      changer === undefined
        ? undefined
        : {
            send: (request, dryRun) => {
              const work = (): Promise<Written> => (connection.changer ?? changer).send(request, dryRun);
              if (isRecovered) return work();
              if (signal.aborted) return Promise.resolve({ ok: false, reason: 'Interrupted', message: 'interrupted before it was sent' });
              return untilAborted(work(), signal, GRACE_MILLISECONDS, () => ({
                ok: false,
                reason: 'Interrupted',
                message: 'interrupted before a response.',
                isUnknown: true,
              }));
            },
            allowed: (access) =>
              isRecovered
                ? (connection.changer ?? changer).allowed(access)
                : signal.aborted
                  ? Promise.resolve(undefined)
                  : untilAborted(changer.allowed(access), signal, 0, () => undefined),
          },
    recover: async () => {
      if (isRecovered || !signal.aborted) return;
      isRecovered = true;
      connection.close();
      connection = await reopen();
    },
    close: () => connection.close(),
  };
}

/** The work's result, or what stands in for it once the signal was raised and the grace is over. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal, graceMilliseconds: number, given: () => T): Promise<T> {
  const settled = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: settled.signal });
  });
  const givenUp = aborted.then(() => sleep(graceMilliseconds, undefined, { signal: settled.signal }).catch(() => undefined)).then(given);
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    settled.abort();
    // Nobody listens to work that was given up; its failure is no failure of the run.
    work.catch(() => undefined);
  }
}
