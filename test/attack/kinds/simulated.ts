import type { Json } from '../../../src/base/json.ts';
import { parse } from 'yaml';
import type { Prng } from '../../../src/base/prng.ts';
import { yamlText } from '../../../src/commands/yaml-text.ts';
import type { AttackCase } from '../attack-case.ts';
import { objects, scenarioText, tracedLines } from '../corpus.ts';
import { pick, shareOf, spoilt, torn } from '../mutation.ts';

/** A scenario with other values in it, or a torn one. */
export function scenarioCase(prng: Prng): AttackCase {
  const source = scenarioText(prng);
  const text =
    prng.fraction() < 0.5 ? torn(source, prng) : yamlText(spoilt(parse(source, { merge: true }) as Json, prng, shareOf(prng)) ?? null);
  const command = pick(
    [
      ['sim', 'run', '{dir}/s.yaml', '--until', '30s'],
      ['sim', 'run', '{dir}/s.yaml', '-o', 'json'],
      ['sim', 'run', '{dir}/s.yaml', '-o', 'yaml', '--trace', '{dir}/trace.jsonl'],
      ['sim', 'show', '{dir}/s.yaml'],
      ['sim', 'show', '{dir}/s.yaml', '-o', 'yaml'],
      ['diagnose', '--scenario', '{dir}/s.yaml'],
      ['scan', '-A', '--scenario', '{dir}/s.yaml', '-o', 'json'],
    ],
    prng,
  );
  return { commands: [command], files: { 's.yaml': text } };
}

/** Manifests that somebody wants to try. */
export function manifestCase(prng: Prng): AttackCase {
  const share = shareOf(prng);
  const documents = objects(prng).map((object) => spoilt(object, prng, share) ?? null);
  const text = documents.map((document) => (prng.fraction() < 0.5 ? yamlText(document) : JSON.stringify(document))).join('\n---\n');
  return {
    commands: [['sim', 'try', '-f', '{dir}/m.yaml', '--until', '20s', '-o', pick(['text', 'wide', 'json'], prng)]],
    files: { 'm.yaml': prng.fraction() < 0.5 ? torn(text, prng) : text },
  };
}

/** A trace that was changed by somebody. */
export function traceCase(prng: Prng): AttackCase {
  const [start = '', ...records] = tracedLines(prng);
  const changed = [...records];
  for (let times = prng.below(4); times > 0; times--) {
    const at = prng.below(changed.length);
    changed[at] = JSON.stringify(spoilt(JSON.parse(changed[at] ?? '') as Json, prng, 0.1) ?? null);
  }
  const text = [start, ...changed].join('\n');
  const again = pick(
    [
      ['sim', 'replay', '{dir}/t.jsonl'],
      ['sim', 'replay', '{dir}/t.jsonl', '--at', '5s', '-o', 'json'],
      ['sim', 'replay', '{dir}/t.jsonl', '--at', pick(['0s', '1h', '99999999999d'], prng)],
      ['sim', 'diff', '{dir}/t.jsonl', '{dir}/whole.jsonl'],
      ['sim', 'diff', '{dir}/t.jsonl', '{dir}/whole.jsonl', '-o', 'json'],
    ],
    prng,
  );
  return {
    commands: [again],
    files: { 't.jsonl': prng.fraction() < 0.15 ? torn(text, prng) : text, 'whole.jsonl': [start, ...records].join('\n') },
  };
}
