import { parseDuration } from '../../base/duration.ts';
import { PodcheckError } from '../../base/errors.ts';
import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import { parseInteger } from '../../base/number.ts';
import { printableUpTo } from '../../base/text.ts';
import type { LiveCluster } from '../../clusters/live/open-live.ts';
import type { Note } from '../../clusters/note.ts';
import type { OpenOptions } from '../../clusters/open-source.ts';
import type { ClusterChanger } from '../../model/cluster-changer.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import { openingsOf } from '../../model/frames.ts';
import type { Rule } from '../../model/rule.ts';
import type { Cluster } from '../../simulator/index.ts';
import type { CommandContext } from '../context.ts';
import type { RuleOptions, SourceOptions } from '../options.ts';
import { gatherRules } from '../rules/gather-rules.ts';

/** What a command looks at: a stored source or a live cluster. */
export interface OpenedEvidence {
  readonly reader: ClusterReader;
  /** Where kubectl would look when no namespace is named; a stored source has no such place and is looked at whole. */
  readonly namespace?: string;
  /** Why the cluster answers nothing at all, where that is so. */
  readonly trouble?: string;
  /** Of a live cluster that answers: what it says where it is not ready. */
  readonly unreadyWords?: () => Promise<string | undefined>;
  /** Of a live cluster: the only way to change it. */
  readonly changer?: ClusterChanger;
  /** Of a scenario: the cluster it was played in. */
  readonly simulated?: Cluster;
  /** What it is, for a record: the context, the scenario, the paths. */
  readonly place: string;
  readonly close: () => void;
}

const EXAMPLE = /^example(?::|$)/;

/** What of a stored source is read; all but values of Secrets without it. */
type StoredReading = Pick<OpenOptions, 'conceal' | 'datedByFiles' | 'explainReading' | 'logs' | 'looseTexts' | 'sparse'> & {
  /** Those of the options without it. */
  readonly rules?: readonly Rule[];
};

/** Opens what `--from` names, or the cluster kubectl would talk to. */
export async function openEvidence(
  options: SourceOptions & RuleOptions,
  context: CommandContext,
  stored: StoredReading = {},
): Promise<OpenedEvidence> {
  if (options.allNamespaces === true && options.namespace !== undefined)
    throw new PodcheckError('usage', '-n and -A cannot be used together', 'leave out one of them');
  const now = givenTime(options.now);
  const from = options.from ?? [];
  if (options.scenario !== undefined) {
    if (from.length > 0) throw new PodcheckError('usage', '--from and --scenario cannot be used together', 'leave out one of them');
    return openScenario(options.scenario, options);
  }
  if (options.at !== undefined || options.seed !== undefined)
    throw new PodcheckError('usage', '--at and --seed need --scenario', 'add --scenario ID; `podcheck sim list` lists all scenarios');
  return from.length === 0
    ? openCluster(options, now, context)
    : openStored(from, options, context, { ...(now === undefined ? {} : { now }), ...stored });
}

/** A simulated cluster, after its scenario was played in it. */
async function openScenario(word: string, options: SourceOptions): Promise<OpenedEvidence> {
  const { playNamedScenario } = await import('./scenario-evidence.ts');
  const played = await playNamedScenario(word, options);
  return {
    ...played,
    place: `scenario ${word}`,
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    close: () => undefined,
  };
}

async function openStored(
  from: readonly string[],
  options: SourceOptions & RuleOptions,
  context: CommandContext,
  { rules, ...how }: Pick<OpenOptions, 'now'> & StoredReading,
): Promise<OpenedEvidence> {
  const { openSources } = await import('../../clusters/open-source.ts');
  const example = from.some((path) => EXAMPLE.test(path)) ? await exampleNamed(from) : undefined;
  if (from.includes('-') && context.stdinIsTerminal) context.note('reading from the terminal; end with Ctrl-D\n');
  const source = await openSources(example === undefined ? from : ['-'], {
    ...how,
    stdin: example === undefined ? context.stdin : () => bytesOf(example),
    clock: context.clock,
    openings: async () => openingsOf(rules ?? (await gatherRules(options.rules ?? []))),
  });
  for (const line of source.readings.map(noteLine)) context.note(`${line}\n`);
  for (const line of noteLines(source.notes)) context.note(`note: ${line}\n`);
  return {
    reader: source.reader,
    place: from.join(' '),
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    close: () => undefined,
  };
}

async function exampleNamed(from: readonly string[]): Promise<string> {
  const [path = '', ...more] = from;
  if (more.length > 0)
    throw new PodcheckError('usage', '--from example:NAME cannot be combined with another --from', 'give only one --from');
  const { shippedExamples } = await import('../../catalog/bundled-data.ts');
  const examples = await shippedExamples();
  const text = examples.get(path.slice('example:'.length));
  if (text === undefined)
    throw new PodcheckError(
      'usage',
      `unknown example "${path.slice('example:'.length)}"`,
      `one of: ${[...examples.keys()].map((name) => `example:${name}`).join(', ')}`,
    );
  return text;
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}

const NOTES = 10;

/** What a person should know of how the source was read, but no more than they will look at. */
function noteLines(notes: readonly Note[]): readonly string[] {
  const lines = notes.slice(0, NOTES).map(noteLine);
  return notes.length > NOTES ? [...lines, `and ${notes.length - NOTES} more`] : lines;
}

function noteLine({ file, line, text }: Note): string {
  return printableUpTo(`${file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `}${text}`, 300);
}

async function openCluster(options: SourceOptions, now: Instant | undefined, context: CommandContext): Promise<OpenedEvidence> {
  const { isUsable, troubleOf, withConnectionAnswer } = await import('./connection-answer.ts');
  const cluster = await openLiveCluster(options, context);
  const state = await cluster.probe();
  const usable = isUsable(state);
  const reader = now === undefined ? cluster.reader : at(now, cluster.reader);
  return {
    reader: usable ? reader : withConnectionAnswer(reader, state),
    ...(options.allNamespaces === true ? {} : { namespace: options.namespace ?? cluster.config.namespace }),
    ...(usable ? { unreadyWords: () => cluster.unreadyWords() } : { trouble: troubleOf(state) }),
    changer: cluster.changer,
    place: `${cluster.config.context ?? cluster.config.cluster} (${cluster.config.server.host})`,
    close: () => cluster.close(),
  };
}

/** The cluster kubectl would talk to with the same options. */
export async function openLiveCluster(options: SourceOptions, context: CommandContext): Promise<LiveCluster> {
  const { openLive } = await import('../../clusters/live/open-live.ts');
  const seconds = timeoutSeconds(options.requestTimeout);
  return openLive({
    ...pick(options, ['context', 'cluster', 'user', 'kubeconfig', 'namespace', 'as', 'asUid']),
    ...(options.asGroup === undefined ? {} : { asGroups: options.asGroup }),
    around: { env: context.env, homeFolder: context.homeFolder, workingFolder: context.workingFolder },
    clock: context.clock,
    signal: context.signal,
    ...(context.heedInterruption === undefined ? {} : { heed: context.heedInterruption }),
    interactive: context.stdinIsTerminal,
    ...(seconds === undefined ? {} : { limits: { totalSeconds: seconds, idleSeconds: seconds, connectSeconds: Math.min(10, seconds) } }),
  });
}

/** The cluster as if it were another time, whatever its own clock says. */
function at(now: Instant, reader: ClusterReader): ClusterReader {
  return {
    get: (ref) => reader.get(ref),
    list: (kind, scope) => reader.list(kind, scope),
    logs: (pod, container, options) => reader.logs(pod, container, options),
    now: () => now,
  };
}

/** The time `--now` says. */
export function givenTime(text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined;
  const now = parseInstant(text);
  if (now === undefined)
    throw new PodcheckError('usage', `--now: "${text}" is not a valid time`, 'use RFC 3339, for example 2026-11-21T10:00:00Z');
  return now;
}

/**
 * As kubectl reads it: `0` means no limit, a bare number seconds. Source: staging/src/k8s.io/client-go/tools/clientcmd/helpers.go
 * (ParseTimeout).
 */
function timeoutSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(text) ? parseInteger(text) : parseDuration(text);
  if (seconds === undefined || seconds < 0)
    throw new PodcheckError('usage', `--request-timeout: "${text}" is not a valid duration`, 'for example 30s, 2m, or a number of seconds');
  return seconds === 0 ? NO_LIMIT_SECONDS : seconds;
}

/** A day: longer than any reasonable wait for one response. */
const NO_LIMIT_SECONDS = 86_400;

function pick<T extends object, Key extends keyof T>(object: T, keys: readonly Key[]): Pick<T, Key> {
  return Object.fromEntries(keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]])) as Pick<T, Key>;
}
