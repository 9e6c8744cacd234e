import type { ChildProcess } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { parseInteger } from '../../../base/number.ts';

/** Kills a program with all that it has started; `isGroup` when it was started in a process group of its own. */
export function killProcessTree(child: ChildProcess, isGroup: boolean): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (isGroup) kill(-pid);
  else for (const one of descendants(pid)) kill(one);
  child.kill('SIGKILL');
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/** The processes below one, as `ps` has them; none where there is no such program. */
function descendants(pid: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', timeout: 500, stdio: ['ignore', 'pipe', 'ignore'] });
  const pairs = (stdout ?? '').split('\n').map((line) =>
    line
      .trim()
      .split(/\s+/)
      .map((word) => parseInteger(word)),
  );
  const found = [pid];
  for (const parent of found)
    for (const [own, above] of pairs) if (above === parent && own !== undefined && !found.includes(own)) found.push(own);
  return found.slice(1);
}
