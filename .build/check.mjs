// `npm run check`: types, lint and unused code one after another, beside the tests, which build the program themselves. On two cores
// that is a half minute less than all in a row, for many tests wait. What the others write is shown when they are done, in one piece.
import { spawn } from 'node:child_process';

const STATIC = ['types', 'lint', 'unused'];

const tests = start('npx', ['vitest', 'run', ...process.argv.slice(2)], 'inherit');
const failed = [];
for (const name of STATIC) {
  const { code, output } = await start('npm', ['run', '--silent', name], 'pipe');
  process.stdout.write(`\n${name}: ${code === 0 ? 'passed' : 'FAILED'}\n${output}`);
  if (code !== 0) failed.push(name);
}
if ((await tests).code !== 0) failed.push('tests');
process.stdout.write(failed.length === 0 ? '\ncheck: passed\n' : `\ncheck: FAILED: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Ends with its code, and with what it wrote where that is not shown at once. */
function start(program, args, stdio) {
  const child = spawn(program, args, { stdio: ['ignore', stdio, stdio] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (part) => (output += part));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, output }));
  });
}
