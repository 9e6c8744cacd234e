import type { ExecSession, ExecSink, ExecWish } from './exec-session.ts';
import type { Foreground, InputLines } from './input-lines.ts';
import type { Program, ProcessContext } from './program.ts';
import type { Container } from '../kubelet/runtime/runtime-container.ts';
import type { ContainerSettings } from '../kubelet/runtime/runtime-options.ts';

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
    const streams = settings.streams;
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
  const streams = settings.streams;
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
