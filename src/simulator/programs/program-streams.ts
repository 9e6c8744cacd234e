import type { ExecSession, ExecSink, ExecWish } from './exec-session.ts';
import { Foreground, InputLines } from './input-lines.ts';
import type { Program, ProcessContext } from './program.ts';
import type { Container } from '../kubelet/runtime/runtime-container.ts';
import type { ContainerSettings } from '../kubelet/runtime/runtime-options.ts';

/** The streams of a container's own program: what is typed into it, and who hears what it says beside its log. */
export class OwnStreams {
  readonly input = new InputLines();
  readonly foreground = new Foreground();
  readonly #hearers = new Set<ExecSink>();
  /** A program that is typed into says what it says letter by letter, not only line by line. */
  typed = false;
  #line = '';

  hear(hearer: ExecSink): () => void {
    this.#hearers.add(hearer);
    return () => void this.#hearers.delete(hearer);
  }

  /** A line of the log. */
  logged(line: string): void {
    if (!this.typed) this.#say(`${line}\n`);
  }

  /** What a program that is typed into says; its whole lines are logged. */
  said(text: string, log: (line: string) => void): void {
    this.#say(text);
    const lines = `${this.#line}${text}`.split('\n');
    this.#line = (lines.pop() ?? '').slice(-LONGEST_LINE);
    for (const line of lines) log(line);
  }

  #say(text: string): void {
    for (const { output } of Array.from(this.#hearers)) output(text);
  }
}

const LONGEST_LINE = 16_384;

/** The streams of a container's own program, by its settings, which no other has. */
export function ownStreamsOf(settings: ContainerSettings): OwnStreams {
  const known = all.get(settings);
  if (known !== undefined) return known;
  const streams = new OwnStreams();
  all.set(settings, streams);
  return streams;
}

/** Tells those who are attached what a container logs. */
export function tellAttached(settings: ContainerSettings, line: string): void {
  all.get(settings)?.logged(line);
}

const all = new WeakMap<ContainerSettings, OwnStreams>();

/** A shell as a container's own program, which waits for somebody to type into it. */
export function typedProgram(
  settings: ContainerSettings,
  run: (terminal: {
    readonly output: (text: string) => void;
    readonly errors: (text: string) => void;
    readonly input: InputLines;
    readonly foreground: Foreground;
  }) => Program,
): Program {
  return function* typed(process: ProcessContext) {
    const streams = ownStreamsOf(settings);
    streams.typed = true;
    // What is typed comes from outside: it is never the same twice.
    process.clock();
    const say = (text: string): void => streams.said(text, (line) => process.log(line));
    return yield* run({ output: say, errors: say, input: streams.input, foreground: streams.foreground })(process);
  };
}

/**
 * Lets somebody hear a container's own program, and type into it where it listens, until it ends. How it ended is not told.
 * Source: pkg/kubelet/kubelet_pods.go (GetAttach), staging/src/k8s.io/kubelet/pkg/cri/streaming/remotecommand/attach.go.
 */
export function startAttach(container: Container, wish: ExecWish, sink: ExecSink): ExecSession {
  const { settings } = container;
  const streams = ownStreamsOf(settings);
  const types = wish.stdin && settings.spec['stdin'] === true;
  const leave = streams.hear(sink);
  const endInput = (): void => {
    // Who comes back later goes on typing, unless only one may.
    if (types && settings.spec['stdinOnce'] === true) streams.input.end();
  };
  container.whenExited.push(() => {
    leave();
    sink.ended(0);
  });
  return {
    send: (text) => {
      if (types) streams.input.send(text);
    },
    endInput,
    interrupt: () => void streams.foreground.interrupt(),
    kill: () => {
      leave();
      endInput();
    },
  };
}
