import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseTemplate } from '../../src/base/wording/template.ts';
import { loadRules } from '../../src/catalog/load-rules.ts';
import { expressionsOfSources } from '../support/expressions.ts';
import { sourceTexts } from '../support/source-texts.ts';

/** Where words of Kubernetes and of programs are recognized by data alone: what they say stands in the rules. */
const FOLDERS = ['src/collect', 'src/engine'];

/**
 * Files with words of no component: by what programs of any kind write, a line is taken for an address that is listened on, for the start
 * of a program, or for one that may tell of trouble. Which trouble it is only rules say.
 */
const ANY_PROGRAM: Readonly<Record<string, number>> = {
  'src/collect/logs/listen-words.ts': 4,
  'src/collect/logs/log-lines.ts': 1,
};

const { rules } = await loadRules('rules');
const pieces = rules
  .flatMap(({ says, tells }) => [...says, ...tells])
  .flatMap(({ text }) => piecesOf(text))
  .filter((piece) => piece.length >= 16 && isProse(piece))
  .map((piece) => piece.toLowerCase());
// What has variables of a rule in it is a command to run.
const expressions = expressionsOfSources()
  .known.filter(({ place, pattern }) => isWatched(place) && !pattern.includes('\\{\\{'))
  .map(({ place, pattern }) => ({ place, text: pattern }));
const texts = FOLDERS.flatMap(sourceTexts).map(({ place, text }) => ({ place, text }));
const asked = FOLDERS.flatMap(sourceTexts)
  .filter(({ place, text }) => isAsked(place, text))
  .map(({ place, text }) => ({ place, text }));
const recognized = [
  ...expressions.filter(({ text }) => isProse(text.replaceAll(/\\[a-zA-Z]/g, ' ').replaceAll(/\[[^\]]*\]|\{\d*,?\d*\}/g, ''))),
  ...texts.filter(({ text }) => isInRules(text)),
  ...asked,
];
const perFile = new Map<string, string[]>();
for (const { place, text } of recognized)
  perFile.set(fileOf(place), [...(perFile.get(fileOf(place)) ?? []), `${place}: ${text.slice(0, 100)}`]);

describe('the words that tell what is wrong', () => {
  it('are looked for in rules and sources', () => {
    expect(pieces.length).toBeGreaterThan(300);
    expect(expressions.length).toBeGreaterThan(10);
    expect(texts.length).toBeGreaterThan(50);
  });

  it('stand in the rules and not in a collector or in the engine', () => {
    const found = [...perFile].filter(([file, places]) => places.length > (ANY_PROGRAM[file] ?? 0)).flatMap(([, places]) => places);
    expect(found, 'write them into the `says` of the rule that is recognized by them').toEqual([]);
  });
});

function isWatched(place: string): boolean {
  return FOLDERS.some((folder) => place.startsWith(`${folder}/`));
}

function fileOf(place: string): string {
  return place.replace(/:\d+$/, '');
}

function piecesOf(text: string): readonly string[] {
  const template = text === '' ? undefined : parseTemplate(text);
  return template === undefined || 'problem' in template ? [] : template.pieces;
}

/** Two or three words of ours are in a template by chance; whoever looks for them in a text is found by that. */
function isInRules(text: string): boolean {
  const words = text.toLowerCase();
  return text.length >= 16 && pieces.some((piece) => piece.includes(words) || words.includes(piece));
}

/** Two words of prose, side by side. */
function isProse(text: string): boolean {
  return /[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}/.test(text);
}

/** Whether another text is searched for this one. */
function isAsked(place: string, text: string): boolean {
  const line = readFileSync(fileOf(place), 'utf8').split('\n')[Number(place.slice(fileOf(place).length + 1)) - 1] ?? '';
  if (text.includes('{{')) return false;
  return ['includes', 'startsWith', 'endsWith', 'indexOf', 'split'].some(
    (method) => line.includes(`.${method}('${text}`) || line.includes(`.${method}("${text}`),
  );
}
