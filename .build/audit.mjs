// Fails where a package of the bundle or of its tools has a known vulnerability that is high or critical. A registry that keeps no list of
// them cannot be asked: that is said, and is no failure. node .build/audit.mjs
import { spawnSync } from 'node:child_process';

const { stdout, stderr } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', timeout: 120_000 });
const counts = read(stdout)?.metadata?.vulnerabilities;
if (counts === undefined) {
  console.error(`npm audit: not run, the registry does not answer it: ${(read(stdout)?.message ?? stderr ?? '').split('\n')[0]}`);
} else {
  console.log(`npm audit: ${counts.critical} critical, ${counts.high} high, ${counts.moderate} moderate, ${counts.low} low`);
  if (counts.critical + counts.high > 0) process.exit(1);
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
