import { smallest } from '../../base/lists.ts';
import type { Routine } from '../time/routine.ts';
import type { Response, Speech } from '../network/sockets.ts';
import type { Program, ProcessContext } from './program.ts';

/**
 * What the program of an image does as far as a cluster can see it. Times are seconds from the container's start, amounts are
 * bytes. What is not given: it runs for ever, listens on every port it is asked on, answers 200, and ends with 0 on SIGTERM.
 */
export interface Behaviour {
  /** How long after its start it listens. */
  readonly startsInSeconds?: number;
  readonly listens?: readonly Listening[];
  /** How HTTP requests are answered, the first path that fits counts; a path ending in `*` fits all that begin so. */
  readonly answers?: readonly Answering[];
  readonly exits?: { readonly code: number; readonly afterSeconds?: number };
  /** CPU cores in use from then on. */
  readonly cpu?: readonly { readonly afterSeconds?: number; readonly cores: number }[];
  readonly memory?: readonly { readonly afterSeconds?: number; readonly bytes: number }[];
  /** Bytes it has written into its own files by then. */
  readonly writes?: readonly { readonly afterSeconds?: number; readonly bytes: number }[];
  readonly logs?: readonly { readonly afterSeconds?: number; readonly line: string }[];
  /** What it cannot do without: it logs what is missing and exits with 1 (or `code`). */
  readonly needs?: readonly Need[];
  /** What SIGTERM does: its exit code and how long it takes; `ignored` when it does nothing until it is killed. */
  readonly onTerminate?: { readonly code?: number; readonly afterSeconds?: number; readonly ignored?: boolean };
}

export interface Listening {
  readonly port: number;
  /** Empty for every address; `127.0.0.1` cannot be reached from outside. */
  readonly address?: string;
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
  readonly speaks?: 'http' | 'https' | 'grpc' | 'tcp';
}

export interface Answering {
  readonly path: string;
  readonly status: number;
  readonly body?: string;
  readonly afterMilliseconds?: number;
  /** Only so long after the start; before it (or without a later answer that fits) 200. */
  readonly fromSeconds?: number;
  readonly untilSeconds?: number;
}

export type Need =
  | { readonly file: string; readonly code?: number }
  | { readonly env: string; readonly code?: number }
  | { readonly address: string; readonly port: number; readonly code?: number; readonly waits?: boolean };

/** Behaviours by image, as given by a scenario: `shop/web:1.0`, or without a tag for all tags, or with `#container` behind. */
export class Behaviours {
  readonly #byImage = new Map<string, Behaviour>();

  set(image: string, behaviour: Behaviour): void {
    this.#byImage.set(image, behaviour);
  }

  /** The behaviour for a container of an image; undefined when none was given. */
  of(image: string, container: string): Behaviour | undefined {
    for (const name of [image, withoutTag(image)]) {
      const found = this.#byImage.get(`${name}#${container}`) ?? this.#byImage.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** The program that behaves so. `ports` are those the container declares: what it listens on when nothing is said. */
export function programOf(behaviour: Behaviour, ports: readonly Listening[] | 'every'): Program {
  return (process) => behave(behaviour, ports, process);
}

function* behave(behaviour: Behaviour, ports: readonly Listening[] | 'every', process: ProcessContext): Routine<number> {
  react(behaviour, process);
  for (const need of behaviour.needs ?? []) {
    const missing = yield* check(need, process);
    if (missing === undefined) continue;
    process.log(missing);
    return need.code ?? 1;
  }
  const started = process.now();
  const speech = speechOf(behaviour, () => (process.now() - started) / 1000);
  for (const step of stepsOf(behaviour, ports)) {
    const wait = started + step.afterSeconds * 1000 - process.now();
    if (wait > 0) yield* process.sleep(wait);
    const code = act(step, process, speech);
    if (code !== undefined) return code;
  }
  for (;;) yield* process.idle(0);
}

type Step = { readonly afterSeconds: number; readonly order: number } & (
  | { readonly kind: 'listen'; readonly on: Listening }
  | { readonly kind: 'memory'; readonly bytes: number }
  | { readonly kind: 'cpu'; readonly cores: number }
  | { readonly kind: 'disk'; readonly bytes: number }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'exit'; readonly code: number }
);

function stepsOf(behaviour: Behaviour, ports: readonly Listening[] | 'every'): readonly Step[] {
  const listens = behaviour.listens ?? (ports === 'every' ? [{ port: 0 }] : ports);
  const steps: Step[] = [
    ...(behaviour.logs ?? []).map((log): Step => ({ kind: 'log', order: 0, line: log.line, afterSeconds: log.afterSeconds ?? 0 })),
    ...listens.map((on): Step => ({ kind: 'listen', order: 1, on, afterSeconds: behaviour.startsInSeconds ?? 0 })),
    ...(behaviour.cpu ?? []).map((use): Step => ({ kind: 'cpu', order: 2, cores: use.cores, afterSeconds: use.afterSeconds ?? 0 })),
    ...(behaviour.writes ?? []).map((use): Step => ({ kind: 'disk', order: 2, bytes: use.bytes, afterSeconds: use.afterSeconds ?? 0 })),
    ...(behaviour.memory ?? []).map((use): Step => ({ kind: 'memory', order: 2, bytes: use.bytes, afterSeconds: use.afterSeconds ?? 0 })),
    ...(behaviour.exits === undefined
      ? []
      : [{ kind: 'exit', order: 3, code: behaviour.exits.code, afterSeconds: behaviour.exits.afterSeconds ?? 0 } as const]),
  ];
  return steps.sort((a, b) => a.afterSeconds - b.afterSeconds || a.order - b.order);
}

function act(step: Step, process: ProcessContext, speech: (kind: Speech['kind']) => Speech): number | undefined {
  switch (step.kind) {
    case 'log':
      process.log(step.line);
      return undefined;
    case 'cpu':
      process.useCpu(step.cores);
      return undefined;
    case 'disk':
      process.useDisk(step.bytes);
      return undefined;
    case 'memory':
      process.useMemory(step.bytes);
      return undefined;
    case 'exit':
      return step.code;
    case 'listen': {
      const trouble = process.listen(step.on.address ?? '', step.on.port, speech(step.on.speaks ?? 'http'));
      if (trouble === undefined) return undefined;
      process.log(`listen tcp ${step.on.address ?? ''}:${step.on.port}: bind: ${trouble}`);
      return 1;
    }
  }
}

function react(behaviour: Behaviour, process: ProcessContext): void {
  const { onTerminate } = behaviour;
  if (onTerminate?.ignored === true) process.onTerminate({ kind: 'ignore' });
  else process.onTerminate({ kind: 'exit', code: onTerminate?.code ?? 0, afterMilliseconds: (onTerminate?.afterSeconds ?? 0.05) * 1000 });
}

function speechOf(behaviour: Behaviour, age: () => number): (kind: Speech['kind']) => Speech {
  const { answers } = behaviour;
  const changesAt = (answers ?? []).flatMap((answer) => [answer.fromSeconds, answer.untilSeconds]).filter((time) => time !== undefined);
  return (kind) => ({ kind, changesIn: () => nextAfter(changesAt, age()), respond: (path) => responseTo(answers, path, age()) });
}

function nextAfter(times: readonly number[], age: number): number | undefined {
  const later = times.filter((time) => time > age);
  return later.length === 0 ? undefined : (smallest(later) - age) * 1000;
}

function responseTo(answers: readonly Answering[] | undefined, path: string, age: number): Response {
  const bare = path.split('?')[0] ?? path;
  for (const answer of answers ?? []) {
    if (age < (answer.fromSeconds ?? 0) || age >= (answer.untilSeconds ?? Number.POSITIVE_INFINITY)) continue;
    const fits = answer.path.endsWith('*') ? bare.startsWith(answer.path.slice(0, -1)) : bare === answer.path;
    if (fits) return { status: answer.status, body: answer.body ?? '', afterMilliseconds: answer.afterMilliseconds ?? 1 };
  }
  return { status: 200, body: 'ok', afterMilliseconds: 1 };
}

function* check(need: Need, process: ProcessContext): Routine<string | undefined> {
  if ('file' in need) {
    const found = process.files.read(need.file, process.user);
    return typeof found === 'string' ? undefined : `cannot open ${need.file}: ${found.trouble}`;
  }
  if ('env' in need) return process.env.get(need.env) === undefined ? `environment variable ${need.env} is not set` : undefined;
  for (let attempt = 0; ; attempt++) {
    const outcome = yield* process.connect(need.address, need.port, 5000);
    if (outcome.ok) return undefined;
    if (need.waits !== true) return `cannot connect to ${need.address}:${need.port}: ${outcome.trouble}`;
    yield* process.sleep(2000, attempt >= 30);
  }
}

function withoutTag(image: string): string {
  const at = image.indexOf('@');
  if (at >= 0) return image.slice(0, at);
  const colon = image.lastIndexOf(':');
  return colon > image.lastIndexOf('/') ? image.slice(0, colon) : image;
}
