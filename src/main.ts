import { isInterruptionHeld } from './cli/interruption.ts';
import { run } from './cli/run.ts';

const interrupted = new AbortController();
for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 129]] as const) {
  process.on(signal, () => {
    const again = interrupted.signal.aborted;
    // Whoever has files to take away does so at once.
    interrupted.abort();
    // A terminal that was being drawn on gets its cursor back. What is under way only reads, so nothing is left half done.
    if (isInterruptionHeld() && !again) return;
    if (process.stderr.isTTY) process.stderr.write('\u001B[?25h\n');
    process.exit(code);
  });
}
void run(process.argv.slice(2), process, interrupted.signal).then((code) => {
  process.exitCode = code;
});
