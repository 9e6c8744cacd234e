import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { PodcheckError } from '../../base/errors.ts';
import { parseInteger } from '../../base/number.ts';
import type { LiveCluster } from '../../clusters/live/open-live.ts';
import type { Rule } from '../../model/rule.ts';
import { FOLLOWED_KINDS } from '../../watch/illness.ts';
import type { CommandContext } from '../context.ts';
import { isUsable, troubleOf } from '../diagnose/connection-answer.ts';
import { openLiveCluster } from '../diagnose/open-evidence.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { OutputOptions, RuleOptions, SourceOptions } from '../options.ts';
import { outputFormat } from '../output-format.ts';
import { wrongNamespace } from '../diagnose/wrong-namespace.ts';
import type { StateOptions, StateWish } from '../rbac/state-options.ts';
import { stateWish } from '../rbac/state-options.ts';
import { gatherRules } from '../rules/gather-rules.ts';
import { diagnoseWorkload } from './diagnose-workload.ts';
import { memoryKeeper } from './free-memory.ts';
import { openSharedWork } from './open-shared-work.ts';
import { readerPool } from './reader-pool.ts';
import { serveAddress } from './serve-view.ts';
import type { Shown } from './show-watching.ts';
import { showWatching, teller } from './show-watching.ts';
import type { ReceiverOptions } from './tell-others.ts';
import { otherReceivers } from './tell-others.ts';
import type { Followed } from './watcher.ts';
import { startWatching } from './watcher.ts';
import { hubSources, watchHub } from './watch-hub.ts';
import type { NamedScope } from './watch-scope.ts';
import { namespacesOf } from './watch-scope.ts';
import { eventWriter } from './write-events.ts';
import type { ManifestOptions } from './write-manifest.ts';
import { asksForManifest, writeManifest } from './write-manifest.ts';

export interface WatchOptions extends SourceOptions, RuleOptions, OutputOptions, ReceiverOptions, StateOptions, ManifestOptions {
  /** Diagnoses at a time. */
  readonly concurrency?: string;
  /** Where to serve metrics, causes and a page: `:8080`. */
  readonly serve?: string;
  /** The watches of other clusters, `NAME=URL` or URLs. */
  readonly hub?: readonly string[];
  /** Names, separated by commas. */
  readonly namespaces?: string;
}

/** Watches a live cluster and tells each cause once, until it is interrupted. */
export async function runWatch(options: WatchOptions, context: CommandContext): Promise<ExitCode> {
  if (asksForManifest(options)) return writeManifest(options, context);
  // Whoever runs it as a service collects its lines.
  const format = outputFormat(options.output ?? (options.serve === undefined ? undefined : 'json'), 'watch');
  const shown = { format, address: options.serve === undefined ? undefined : serveAddress(options.serve) };
  const named = namespacesOf(options);
  const most = concurrencyOf(options.concurrency);
  const state = stateWish(options);
  const sources = hubSources(options.hub ?? []);
  if (sources.length > 0) refuseWithHub(options);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  context.signal.addEventListener('abort', end, { once: true });
  if (context.signal.aborted) end();
  context.whenUnread?.(end);
  // Each kind that is followed and each wait listens to it.
  setMaxListeners(0, ending.signal);
  const release = context.holdInterruption?.();
  try {
    const within = { ...context, signal: ending.signal };
    if (sources.length > 0) await watchHub(sources, shown, otherReceivers(options, within), within);
    else await watchUntilEnd(options, { shown, most, named, state, rules: await gatherRules(options.rules ?? []) }, within);
  } finally {
    // Whatever ended it: nothing goes on.
    end();
    release?.();
  }
  return context.signal.aborted ? EXIT.interrupted : EXIT.healthy;
}

/** A hub asks no cluster itself. */
const NOT_WITH_HUB = ['namespace', 'allNamespaces', 'namespaces', 'stateNamespace', 'events', 'rules', 'context', 'kubeconfig'] as const;

function refuseWithHub(options: WatchOptions): void {
  const given = NOT_WITH_HUB.find((name) => options[name] !== undefined && (name !== 'rules' || options.rules?.length !== 0));
  if (given === undefined) return;
  const flag = `--${given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new PodcheckError('usage', `--hub and ${flag} cannot be used together`, 'leave out one of them');
}

interface Chosen {
  readonly shown: Shown;
  readonly most: number;
  readonly rules: readonly Rule[];
  readonly named: NamedScope;
  readonly state: StateWish | undefined;
}

async function watchUntilEnd(options: WatchOptions, { shown, most, rules, named, state }: Chosen, context: CommandContext): Promise<void> {
  const others = otherReceivers(options, context);
  const cluster = await openLiveCluster(options, context);
  const readers = readerPool(() => openLiveCluster(options, context));
  const shared = await openSharedWork(state, options, context);
  try {
    await connected(cluster);
    const namespaces = named === 'all' ? undefined : (named ?? [cluster.config.namespace]);
    for (const namespace of namespaces ?? []) {
      const wrong = await wrongNamespace(cluster.reader, namespace);
      if (wrong !== undefined) context.note(`note: ${wrong.message}\n`);
    }
    const writeEvents = options.events === true ? eventWriter(cluster, (text) => context.note(`note: ${text}\n`)) : () => undefined;
    const tell = teller(shown, others, context);
    const watching = startWatching(
      followedIn(namespaces),
      { scope: scopeWords(namespaces), most },
      {
        // Objects have the server's times, which are not always ours.
        clock: () => cluster.reader.now(),
        signal: context.signal,
        follow: followIn(cluster, context),
        tidy: memoryKeeper(),
        diagnose: (look) => readers.use((one) => diagnoseWorkload(one, rules, look)),
        tell: async (changes) => {
          writeEvents(changes);
          await tell(changes);
        },
        shared: shared.work,
      },
    );
    await showWatching(watching, shown, others, context);
  } finally {
    cluster.close();
    readers.close();
    shared.close();
  }
}

async function connected(cluster: LiveCluster): Promise<void> {
  const connection = await cluster.probe();
  if (!isUsable(connection))
    throw new PodcheckError('unreachable', troubleOf(connection), 'check the connection with `kubectl version` and the same flags');
}

function scopeWords(namespaces: readonly string[] | undefined): string {
  if (namespaces === undefined) return 'all namespaces';
  return `${namespaces.length === 1 ? 'namespace' : 'namespaces'} ${namespaces.join(', ')}`;
}

/** Nodes are no part of a namespace: who may look at one only is not refused them all the time. */
function followedIn(namespaces: readonly string[] | undefined): readonly Followed[] {
  if (namespaces === undefined) return [...FOLLOWED_KINDS, 'Node'].map((kind) => ({ kind, namespace: undefined }));
  return namespaces.flatMap((namespace) => FOLLOWED_KINDS.map((kind) => ({ kind, namespace })));
}

function followIn(cluster: LiveCluster, { signal, clock }: CommandContext): Parameters<typeof startWatching>[2]['follow'] {
  const wait = async (milliseconds: number): Promise<void> => {
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  };
  return ({ kind, namespace }, listener) =>
    cluster.follow(
      kind,
      { ...(namespace === undefined ? {} : { namespace }), signal, clock, wait, random: () => randomInt(PARTS) / PARTS },
      listener,
    );
}

const PARTS = 1_000_000;

const MOST_CONCURRENCY = 32;

function concurrencyOf(text: string | undefined): number {
  if (text === undefined) return 4;
  const count = /^\d{1,4}$/.test(text) ? parseInteger(text) : undefined;
  if (count !== undefined && count >= 1 && count <= MOST_CONCURRENCY) return count;
  throw new PodcheckError('usage', `--concurrency: "${text}" is not a number from 1 to ${MOST_CONCURRENCY}`, 'for example 4');
}
