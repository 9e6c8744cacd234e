import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { shippedRules } from '../src/catalog/bundled-data.ts';
import { wrap } from '../src/report/format/display-width.ts';
import { markdownTexts } from './support/markdown-texts.ts';
import { longestSentence, sentencesOf, wrongNumber } from './support/prose.ts';
import { yamlTexts } from './support/read-texts.ts';
import { sourceTexts, textsOfSource } from './support/source-texts.ts';

/** Folders whose texts are in the plain voice of Kubernetes' documentation. */
const FOLDERS = ['rules', 'playbooks'];
/** Folders of the source whose literals people read. `simulator` and `collect` have mostly words of Kubernetes. */
const SOURCES = [
  'base',
  'catalog',
  'certificates',
  'cli',
  'clusters',
  'commands',
  'drill',
  'engine',
  'library',
  'model',
  'report',
  'runbook',
  'server',
  'watch',
];
const DOCUMENTS = ['README.md', ...filesBelow('src', 'README.md'), ...filesBelow('.github', '.md')];

const phrases = parse(readFileSync('test/words/phrases.yaml', 'utf8')) as readonly {
  readonly not: string;
  readonly says: string;
  readonly but: string;
}[];
const terms = Object.values(parse(readFileSync('test/words/terms.yaml', 'utf8')) as Record<string, readonly string[]>).flat();
const patterns = phrases.map(({ not, but }) => ({ pattern: new RegExp(not, 'i'), but }));
const literals = SOURCES.flatMap((folder) => sourceTexts(join('src', folder)));
const texts = [...FOLDERS.flatMap(yamlTexts), ...literals, ...DOCUMENTS.flatMap(markdownTexts)];
const rules = await shippedRules();

const WORDS = 20;
const TITLE = 60;
const FIX_LINES = 6;
const FIX_WIDTH = 70;

describe('every text for people', () => {
  it('is found', () => {
    expect(texts.length).toBeGreaterThan(100);
    for (const field of ['title', 'what', 'why', 'say'])
      expect(texts.filter((text) => text.field === field).length, field).toBeGreaterThan(20);
    expect(patterns.length).toBeGreaterThan(40);
    for (const folder of SOURCES.filter((one) => one !== 'library'))
      expect(literals.filter(({ place }) => place.startsWith(`src/${folder}/`)).length, folder).toBeGreaterThan(2);
    expect(DOCUMENTS.length).toBeGreaterThan(4);
  });

  it('is written in the words of Kubernetes', () => {
    expect(
      texts.flatMap(({ place, text }) =>
        patterns.flatMap(({ pattern, but }) => {
          const found = pattern.exec(text)?.[0];
          return found === undefined ? [] : [`${place}: "${found}": write: ${but}`];
        }),
      ),
    ).toEqual([]);
  });

  it(`has sentences of at most ${String(WORDS)} words`, () => {
    expect(
      texts.flatMap(({ place, text }) =>
        longestSentence(text) > WORDS ? [`${place}: ${String(longestSentence(text))} words: ${text}`] : [],
      ),
    ).toEqual([]);
  });

  it('counts one thing in the singular', () => {
    expect(texts.flatMap(({ place, text }) => (wrongNumber(text) === undefined ? [] : [`${place}: "${wrongNumber(text) ?? ''}"`]))).toEqual(
      [],
    );
  });
});

describe('the checks of a text', () => {
  it('find every phrase that must not come back', () => {
    expect(phrases.filter(({ not, says }) => !new RegExp(not, 'i').test(says)).map(({ says }) => says)).toEqual([]);
    expect(
      patterns.flatMap(({ pattern }) => pattern.exec('The pod is no longer Pending: its node has a taint such as dedicated=gpu.') ?? []),
    ).toEqual([]);
  });

  it('count words, not values, commands or code', () => {
    expect(longestSentence('One two three. Four five.')).toBe(3);
    expect(longestSentence('Pod {{ pod }} has `kubectl get pods -A` and spec.nodeName[[ of {{ node }}]]: see /etc/kubernetes.')).toBe(5);
  });

  it('find what has no number of its own', () => {
    expect(wrongNumber('1 pods are not ready')).toBe('1 pods');
    expect(wrongNumber('{{ count }} nodes are full')).toBe('{{ count }} nodes');
    expect(wrongNumber('0/1 nodes are available, 1 pod of {{ count | nodes }} is in class 1 as before')).toBeUndefined();
  });
});

describe('a text of the source', () => {
  it('is each line of a literal with two words, with its values as placeholders', () => {
    const source = "throw new PodcheckError('usage', `${count} pods\\nare not ready`, 'wait for them');";
    expect(textsOfSource('web.ts', source).map(({ place, text }) => `${place} ${text}`)).toEqual([
      'web.ts:1 {{ value }} pods',
      'web.ts:1 are not ready',
      'web.ts:1 wait for them',
    ]);
  });

  it('is no list of words, no type and no word', () => {
    expect(
      textsOfSource('web.ts', "import 'a b'; type Title = 'not ready'; const words = 'one two three'.split(' '); const word = 'web';").map(
        ({ text }) => text,
      ),
    ).toEqual([]);
  });
});

describe('a rule', () => {
  it('has a title with a term that people search for, on one line, and of its own', () => {
    const known = new RegExp(String.raw`(?<![\w-])(?:${terms.join('|').replaceAll('.', String.raw`\.`)})(?![\w-])`, 'i');
    expect(rules.filter(({ title }) => !known.test(title)).map(({ id, title }) => `${id}: ${title}`)).toEqual([]);
    expect(rules.filter(({ title }) => title.length > TITLE || title.endsWith('.')).map(({ id, title }) => `${id}: ${title}`)).toEqual([]);
    expect(
      rules
        .filter(({ id, title }) => rules.some((other) => other.id !== id && other.title.toLowerCase() === title.toLowerCase()))
        .map(({ id, title }) => `${id}: ${title}`),
    ).toEqual([]);
  });

  it('says what and why in two sentences each', () => {
    expect(
      rules.flatMap(({ id, what, why }) => [what, why].filter((text) => sentencesOf(text).length > 2).map((text) => `${id}: ${text}`)),
    ).toEqual([]);
  });

  it(`has a fix of at most three steps on ${String(FIX_LINES)} lines`, () => {
    const linesOf = (say: string, run: string | undefined): number =>
      wrap(say.replaceAll(/\[\[|\]\]/g, ''), FIX_WIDTH).length + (run === undefined ? 0 : run.trimEnd().split('\n').length);
    expect(
      rules.flatMap(({ id, fix }) => {
        const lines = fix.reduce((sum, { say, run }) => sum + linesOf(say, run), 0);
        return fix.length > 3 || lines > FIX_LINES ? [`${id}: ${String(fix.length)} steps, ${String(lines)} lines`] : [];
      }),
    ).toEqual([]);
  });
});

function filesBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));
}
