import { VERSION } from './cli/version.ts';

const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  // The most asked question is answered before anything else is loaded.
  process.stdout.write(`${VERSION}\n`);
} else {
  const interrupted = new AbortController();
  process.once('SIGINT', () => {
    interrupted.abort();
    // A terminal that was being drawn on gets its cursor back. What is under way only reads, so nothing is left half done.
    if (process.stderr.isTTY) process.stderr.write('\u001B[?25h\n');
    process.exit(130);
  });
  const { run } = await import('./cli/run.ts');
  process.exitCode = await run(argv, process, interrupted.signal);
}
