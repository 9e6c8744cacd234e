import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PodcheckError } from '../../src/base/errors.ts';
import type { Instant } from '../../src/base/instant.ts';
import { parseInstant } from '../../src/base/instant.ts';
import type { Json } from '../../src/base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../src/base/json.ts';
import { largest } from '../../src/base/lists.ts';
import { parseInteger } from '../../src/base/number.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { isReady } from '../../src/simulator/controllers/pod-state.ts';
import { parseCommand } from './command-line.ts';
import type { DrawnWait } from './drawn-waits.ts';
import { waitsIn } from './drawn-waits.ts';
import { watched } from './watch-lines.ts';

/** One recording of a real cluster: what was done, what was answered, and what there was at its `dump` mark. */
export interface Recording {
  /** Its folder below the one that was asked for: `images/tag-not-found`. */
  readonly name: string;
  readonly folder: string;
  /** The namespace it happened in: the one the objects were collected from. */
  readonly namespace: string;
  readonly steps: readonly Step[];
  readonly objects: readonly KubeObject[];
  readonly events: readonly KubeObject[];
  /** Manifests that no command names: they were put where a kubelet reads them. */
  readonly unnamed: readonly string[];
  /** What others did to volumes of the same cluster meanwhile, in the order it was seen. */
  readonly foreign: readonly ForeignChange[];
  /** Statuses of pods that were written by hand, and by no command of the recording. */
  readonly written: readonly { readonly at: Instant; readonly pod: KubeObject }[];
  /** When the lists of the dump were read, one after the other: not before the last change each of them shows. */
  readonly listed: { readonly objects: Instant; readonly events: Instant };
  readonly waits: readonly DrawnWait[];
  /** When a pod became ready: who recorded waited for that after a fix, and then asked. */
  readonly readied: readonly Instant[];
}

export interface ForeignChange {
  readonly at: Instant;
  readonly type: 'INITIAL' | 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

/** What happened in the order it did: a command with its answer, or a remark (a fault, a fix, the dump). */
export type Step = { readonly at: Instant } & (
  | { readonly kind: 'command'; readonly line: string; readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | { readonly kind: 'mark'; readonly text: string }
);

export const DUMP = 'dump';

/** Every folder below this one that holds a commands.txt, sorted by name. */
export function readRecordings(root: string): readonly Recording[] {
  if (!existsSync(root)) throw new PodcheckError('not-found', `folder ${root} does not exist`, 'give the folder of the recordings');
  const folders = foldersWithCommands(root).sort();
  if (folders.length === 0)
    throw new PodcheckError('not-found', `no folder below ${root} contains commands.txt`, 'give the folder of the recordings');
  return folders.map((folder) => readRecording(root, folder));
}

export function readRecording(root: string, folder: string): Recording {
  const name = relative(root, folder) || folder.split('/').at(-1) || folder;
  const objects = itemsOf(join(folder, 'objects.json'));
  const namespace = objects.find((object) => object.kind === 'Namespace')?.metadata.name ?? name.split('/').at(-1) ?? name;
  const commands = readFileSync(join(folder, 'commands.txt'), 'utf8');
  return {
    name,
    folder,
    namespace,
    unnamed: manifestsOf(folder).filter((file) => !commands.includes(file)),
    steps: atTheirEffects(parseSteps(commands), folder),
    objects,
    events: itemsOf(join(folder, 'events.json')),
    foreign: foreignOf(folder),
    written: commands.includes('--subresource=status') ? [] : writtenOf(folder),
    waits: waitsIn(watched(folder, 'pods')),
    readied: readiedOf(folder),
    listed: { objects: listedAt(folder, 'objects.json'), events: listedAt(folder, 'events.json') },
  };
}

/** Source: the recorder's commands.txt: `# TIME [mark]`, then `$ command`, `[stdout]`, `[stderr]`, `[exit code] N`. */
export function parseSteps(text: string): readonly Step[] {
  const steps: Step[] = [];
  let at = 0;
  let command: { line: string; stdout: string[]; stderr: string[] } | undefined;
  let into: string[] | undefined;
  for (const line of text.split('\n')) {
    const stamp = /^# (\d{4}-\d\d-\d\dT[\d:.]+Z) ?(.*)$/.exec(line);
    const ending = /^\[exit code\] (\d+)$/.exec(line);
    if (stamp !== null) {
      at = parseInstant(stamp[1]) ?? at;
      if (stamp[2] !== undefined && stamp[2] !== '') steps.push({ at, kind: 'mark', text: stamp[2] });
    } else if (line.startsWith('$ ')) {
      command = { line: line.slice(2), stdout: [], stderr: [] };
      into = undefined;
    } else if (ending !== null && command !== undefined) {
      steps.push({
        at,
        kind: 'command',
        line: command.line,
        stdout: command.stdout.join('\n'),
        stderr: command.stderr.join('\n'),
        exitCode: Number(ending[1]),
      });
      command = into = undefined;
    } else if (line === '[stdout]') into = command?.stdout;
    else if (line === '[stderr]') into = command?.stderr;
    else into?.push(line);
  }
  return steps;
}

/**
 * kubectl starts, reads its configuration and asks what kinds there are before it changes anything: on a machine with much to do that
 * takes long. A command stands at the moment its first change was seen, if one was before the next step.
 */
function atTheirEffects(steps: readonly Step[], folder: string): readonly Step[] {
  const changes = changesByHand(folder);
  return steps.map((step, index) => {
    if (step.kind !== 'command' || step.exitCode !== 0 || READS.has(parseCommand(step.line).words[1] ?? '')) return step;
    // What came later came by a watch that had been cut off.
    const end = Math.min(steps[index + 1]?.at ?? Infinity, step.at + SLOWEST_MILLISECONDS);
    const words = wordsOf(step.line, folder);
    const first = changes.find(({ at, object }) => at > step.at && at < end && words.includes(object.metadata.name));
    return first === undefined ? step : { ...step, at: first.at };
  });
}

const SLOWEST_MILLISECONDS = 5000;
const READS: ReadonlySet<string> = new Set(['get', 'describe', 'logs', 'exec', 'auth']);

/** The command, and the manifest it names. */
function wordsOf(line: string, folder: string): string {
  const file = join(folder, parseCommand(line).options.get('f') ?? '-');
  return existsSync(file) && statSync(file).isFile() ? `${line}\n${readFileSync(file, 'utf8')}` : line;
}

/** What the watches told of objects that kubectl had made, changed or taken away. */
function changesByHand(folder: string): readonly { readonly at: Instant; readonly object: KubeObject }[] {
  const before = new Map<string, string>();
  return watched(folder).filter(({ seen, object }) => {
    const { name, uid = name } = object.metadata;
    const byHand = asList(dig(seen, 'managers')).filter((manager) => {
      const [name, , subresource] = asList(manager);
      return (asText(name) ?? '').startsWith('kubectl') && subresource === '';
    });
    const type = dig(seen, 'type');
    const now = JSON.stringify([byHand, object.metadata['generation'] ?? 0, object.metadata['deletionTimestamp'] ?? '']);
    const was = before.get(uid);
    before.set(uid, now);
    return type === 'DELETED' || (type !== 'INITIAL' && was !== now && (was !== undefined || byHand.length > 0));
  });
}

/** Who fills in for the kubelet of a node without a machine patches the statuses of its pods. */
function writtenOf(folder: string): Recording['written'] {
  return watched(folder, 'pods').flatMap(({ at, seen, object }) => {
    const [manager, , subresource] = asList(asList(dig(seen, 'managers')).at(-1));
    return dig(seen, 'type') === 'MODIFIED' && manager === 'kubectl-patch' && subresource === 'status' ? [{ at, pod: object }] : [];
  });
}

function readiedOf(folder: string): readonly Instant[] {
  const ready = new Set<string>();
  return watched(folder, 'pods').flatMap(({ at, object }) => {
    const { uid = '' } = object.metadata;
    const was = ready.has(uid);
    if (isReady(object)) ready.add(uid);
    else ready.delete(uid);
    return !was && ready.has(uid) ? [at] : [];
  });
}

/** When the watches told of the last change that a list shows; 0 when they did not. */
function listedAt(folder: string, file: string): Instant {
  const last = largest([0, ...itemsOf(join(folder, file)).map(revisionOf)]);
  return watched(folder).find(({ object }) => revisionOf(object) === last)?.at ?? 0;
}

function revisionOf({ metadata }: KubeObject): number {
  return parseInteger(asText(metadata['resourceVersion'])) ?? 0;
}

/** Volumes in the recorded watch stream that no manifest of this recording made: it shared its cluster with others. */
function foreignOf(folder: string): readonly ForeignChange[] {
  const own = manifestsOf(folder)
    .map((name) => readFileSync(join(folder, 'manifests', name), 'utf8'))
    .join('\n');
  return watched(folder, 'persistentvolumes').flatMap(({ at, seen, object }): ForeignChange[] => {
    const type = dig(seen, 'type');
    if (type !== 'INITIAL' && type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return [];
    return object.kind !== 'PersistentVolume' || own.includes(object.metadata.name) ? [] : [{ at, type, object }];
  });
}

function manifestsOf(folder: string): readonly string[] {
  const manifests = join(folder, 'manifests');
  return existsSync(manifests) ? readdirSync(manifests).sort() : [];
}

function foldersWithCommands(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.some((entry) => entry.name === 'commands.txt')) return [folder];
  return entries.filter((entry) => entry.isDirectory()).flatMap((entry) => foldersWithCommands(join(folder, entry.name)));
}

function itemsOf(file: string): readonly KubeObject[] {
  if (!existsSync(file)) return [];
  let list: Json;
  try {
    list = JSON.parse(readFileSync(file, 'utf8')) as Json;
  } catch (error) {
    throw new PodcheckError('bad-input', `${file}: not valid JSON: ${String(error)}`, 'record it again');
  }
  return asList(dig(list, 'items')).filter((item): item is KubeObject => isJsonObject(item) && isJsonObject(item['metadata']));
}
