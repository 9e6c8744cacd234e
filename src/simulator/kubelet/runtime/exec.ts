import type { ExecSession, ExecSink, ExecWish } from '../../programs/exec-session.ts';
import { Foreground, InputLines } from '../../programs/input-lines.ts';
import type { Process } from './container-process.ts';
import { terminalRoutine } from '../../programs/program-choice.ts';
import type { Container } from './runtime-container.ts';
import type { NodeRuntime } from './runtime.ts';

/**
 * Starts a command in a container; the runtime's words when it cannot. Source: pkg/kubelet/kubelet_pods.go (GetExec), containerd's
 * internal/cri/server/container_execsync.go.
 */
export function startExec(
  runtime: NodeRuntime,
  container: Container,
  wish: ExecWish,
  sink: ExecSink,
): ExecSession | { readonly why: string } {
  const input = new InputLines();
  const foreground = new Foreground();
  const program = terminalRoutine(wish, container.settings, { output: sink.output, errors: sink.errors, input, foreground });
  const process = runtime.beside(container, wish.command, program, (code) => {
    foreground.end();
    sink.ended(code);
  });
  return 'why' in process ? process : session(process, input, foreground);
}

function session(process: Process, input: InputLines, foreground: Foreground): ExecSession {
  return {
    send: (text) => input.send(text),
    endInput: () => input.end(),
    interrupt: () => {
      if (!foreground.interrupt() && !input.awaited) process.kill();
    },
    kill: () => process.kill(),
  };
}
