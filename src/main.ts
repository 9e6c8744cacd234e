import { run } from './cli/run.ts';

const interrupted = new AbortController();
process.once('SIGINT', () => {
  interrupted.abort();
  // A terminal that was being drawn on gets its cursor back. What is under way only reads, so nothing is left half done.
  if (process.stderr.isTTY) process.stderr.write('\u001B[?25h\n');
  process.exit(130);
});
process.exitCode = await run(process.argv.slice(2), process, interrupted.signal);
