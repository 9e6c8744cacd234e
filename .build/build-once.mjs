// The tests that start the built program build it first: what they try is never older than the sources.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function setup() {
  execFileSync(process.execPath, [fileURLToPath(new URL('bundle.mjs', import.meta.url))], { stdio: 'inherit' });
}
