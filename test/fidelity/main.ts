import { reasonOf } from '../../src/base/errors.ts';
import { measureFidelity } from './fidelity.ts';
import { reportLines } from './report.ts';

/** `npm run fidelity -- DIR [--json] [--only WORD]… [--seed N]`. Exits with 0 when it could compare, 2 when it could not. */
export function main(words: readonly string[], setupsFile: string): number {
  const folders: string[] = [];
  const only: string[] = [];
  let json = false;
  let seed = 1;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--json') json = true;
    else if (word === '--only') only.push(words[++index] ?? '');
    else if (word === '--seed') seed = Number(words[++index]);
    else if (word.startsWith('-')) return failed(`${word} is not an option: npm run fidelity -- DIR [--json] [--only WORD] [--seed N]`);
    else folders.push(word);
  }
  if (!Number.isSafeInteger(seed)) return failed('--seed: not an integer');
  const [folder, more] = folders;
  if (folder === undefined || more !== undefined)
    return failed('give one folder of recordings: npm run fidelity -- DIR [--json] [--only WORD] [--seed N]');
  try {
    const report = measureFidelity(folder, setupsFile, only, seed);
    process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : `${reportLines(report).join('\n')}\n`);
    return 0;
  } catch (error) {
    return failed(reasonOf(error));
  }
}

function failed(words: string): number {
  process.stderr.write(`${words}\n`);
  return 2;
}
