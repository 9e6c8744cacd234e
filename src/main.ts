import { setMaxListeners } from 'node:events';
import { failureOf } from './cli/failure.ts';
import { isInterruptionHeld, whenHeeded } from './cli/interruption.ts';
import { run } from './cli/run.ts';

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;
/** What Node waits for before it exits, however long a name server or a file system takes. */
const UNENDING = /^(?:GetAddrInfo|GetNameInfo|FSReq)/;

const interrupted = new AbortController();
// Each request that waits for its turn listens: Node takes more than ten listeners for a leak, and says so.
setMaxListeners(0, interrupted.signal);
const catchers = SIGNALS.map(([name, code]) => [name, (): void => caught(name, code)] as const);

function caught(name: NodeJS.Signals, code: number): void {
  const again = interrupted.signal.aborted;
  // Whoever has files to take away does so at once.
  interrupted.abort();
  // A terminal that was being drawn on gets its cursor back. What is under way only reads, so nothing is left half done.
  if (isInterruptionHeld() && !again) return;
  if (process.stderr.isTTY) process.stderr.write('\u001B[?25h\n');
  if (process.pid === 1 || !process.getActiveResourcesInfo().some((resource) => UNENDING.test(resource))) process.exit(code);
  catching(false);
  process.kill(process.pid, name);
}

let isCatching = false;

function catching(on: boolean): void {
  if (on === isCatching) return;
  isCatching = on;
  for (const [name, catcher] of catchers)
    if (on) process.on(name, catcher);
    else process.off(name, catcher);
}

// The first process of a container gets no signal that it does not catch.
whenHeeded((on) => catching(on || process.pid === 1));
// Node would exit with 1, which says that a cause was found.
process.on('uncaughtException', (error) => {
  interrupted.abort();
  const { text, code } = failureOf(error, process.argv.slice(2));
  process.stderr.write(text);
  process.exit(code);
});
void run(process.argv.slice(2), process, interrupted.signal).then((code) => {
  process.exitCode = code;
});
