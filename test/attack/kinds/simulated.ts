import type { Json } from '../../../src/base/json.ts';
import { parse } from 'yaml';
import type { Prng } from '../../../src/base/prng.ts';
import { yamlText } from '../../../src/commands/yaml-text.ts';
import type { AttackCase } from '../attack-case.ts';
import { objects, scenarioText } from '../corpus.ts';
import { pick, shareOf, spoilt, torn } from '../mutation.ts';

/** A scenario with other values in it, or a torn one. */
export function scenarioCase(prng: Prng): AttackCase {
  const source = scenarioText(prng);
  const text = prng.fraction() < 0.5 ? torn(source, prng) : yamlText(spoilt(parse(source, { merge: true }) as Json, prng, shareOf(prng)) ?? null);
  const command = pick([['sim', 'run', '{dir}/s.yaml', '--until', '30s'], ['sim', 'run', '{dir}/s.yaml', '-o', 'json'], ['sim', 'run', '{dir}/s.yaml', '-o', 'yaml', '--trace', '{dir}/trace.jsonl'], ['sim', 'show', '{dir}/s.yaml'], ['sim', 'show', '{dir}/s.yaml', '-o', 'yaml'], ['diagnose', '--scenario', '{dir}/s.yaml'], ['scan', '-A', '--scenario', '{dir}/s.yaml', '-o', 'json']], prng);
  return { argv: command, files: { 's.yaml': text } };
}

/** Manifests that somebody wants to try. */
export function manifestCase(prng: Prng): AttackCase {
  const share = shareOf(prng);
  const documents = objects(prng).map((object) => spoilt(object, prng, share) ?? null);
  const text = documents.map((document) => (prng.fraction() < 0.5 ? yamlText(document) : JSON.stringify(document))).join('\n---\n');
  return { argv: ['sim', 'try', '-f', '{dir}/m.yaml', '--until', '20s', '-o', pick(['text', 'wide', 'json'], prng)], files: { 'm.yaml': prng.fraction() < 0.5 ? torn(text, prng) : text } };
}

/** A trace that was changed by somebody. */
export function traceCase(prng: Prng): AttackCase {
  const records: readonly Json[] = [
    { t: 0, is: 'start', version: pick([1, 2, 3, 4, 5, 6, 7, 8], prng), options: { seed: 1, preset: 'one-node' } },
    ...Array.from({ length: prng.below(20) }, (_, index): Json => pick<Json>([
      { t: index * 10, is: 'input', steps: index, do: 'apply', documents: [...objects(prng)] },
      { t: index * 10, is: 'input', steps: index, do: 'pass', until: index * 1000 },
      { t: index, is: 'change', ref: 'Pod/shop/web', type: 'ADDED', patch: { spec: { nodeName: 'worker-1' } } },
      { t: index, is: 'request', as: 'kubectl', verb: 'get', path: '/api/v1/pods', code: 200 },
    ], prng)),
    { t: 1000, is: 'end', steps: 4, at: 1000, digest: 'x' },
  ];
  const share = shareOf(prng);
  const text = records.map((record) => JSON.stringify(spoilt(record, prng, share) ?? null)).join('\n');
  return { argv: pick([['sim', 'replay', '{dir}/t.jsonl'], ['sim', 'replay', '{dir}/t.jsonl', '--at', '5s', '-o', 'json'], ['sim', 'diff', '{dir}/t.jsonl', '{dir}/t.jsonl']], prng), files: { 't.jsonl': torn(text, prng) } };
}
