import { describe, expect, it } from 'vitest';
import { reviewOf } from '../../src/drill/review.ts';
import { reviewHtml, reviewText } from '../../src/drill/review-text.ts';
import type { Action, RunRecord } from '../../src/drill/run-record.ts';
import { timelinePicture } from '../../src/drill/timeline-picture.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';

const WEB = { kind: 'Deployment', namespace: 'shop', name: 'web' };

function at(seconds: number): { readonly at: number; readonly wall: number } {
  return { at: seconds * 1000, wall: seconds * 1000 };
}

function action(kind: Action['kind'], seconds: number, what: string, telling = false): Action {
  return { kind, what, ...at(seconds), ...(telling ? { telling: true } : {}) };
}

const RECORD: RunRecord = {
  schema: 'podcheck.drill/v1',
  run: 'r1',
  trainee: 'pat',
  drill: 'volumes/configmap-not-found',
  title: 'Morning',
  difficulty: 'easy',
  seed: 1,
  started: at(0),
  ended: at(200),
  ending: 'fixed',
  broke: [],
  faults: [
    {
      cause: 'volumes/configmap-not-found',
      stage: 'volumes',
      title: 'A ConfigMap is missing',
      target: WEB,
      object: undefined,
      what: 'a ConfigMap is missing',
      evidence: [],
      path: ['kubectl -n shop describe pod web'],
      fix: [{ say: 'Create it.' }],
      looked: at(50),
      named: at(100),
      mended: at(150),
      state: 'mended',
    },
    {
      cause: 'images/image-not-found',
      stage: 'images',
      title: 'An image is missing',
      target: { ...WEB, name: 'till' },
      object: undefined,
      what: 'an image is missing',
      evidence: [],
      path: ['kubectl -n shop get events'],
      fix: [{ say: 'Correct it.' }],
      looked: undefined,
      named: undefined,
      mended: undefined,
      state: 'failing',
    },
  ],
  timeline: [
    action('look', 10, 'get pods'),
    action('hint', 20, 'hint (start, 1 point): look'),
    action('look', 50, 'describe pod <web>', true),
    action('answer', 100, 'volumes/configmap-not-found'),
    action('write', 120, 'create configmap'),
    action('check', 150, 'check'),
    action('end', 200, 'fixed'),
  ],
  requests: { reads: 2, writes: 1, destructive: 0 },
  hints: { given: 1, cost: 1 },
  wrongAnswers: 0,
  shortcuts: [],
  damage: [],
  score: { points: 90, parts: [] },
  practise: [],
};

describe('the picture of a run', () => {
  const { html } = timelinePicture(RECORD);

  it('has a bar for each fault: broken until it was fixed, to its end where it was not', () => {
    const [fixed, open] = html.split('<li class="lane">').slice(1, 3);
    expect(fixed).toContain('evidence seen after 50s, named after 100s, fixed after 2m30s');
    expect(fixed).toMatch(/rect class="blocked" x="0" y="1" width="750"[^]*rect class="passed" x="750" y="1" width="250"/);
    expect(open).toContain('not fixed');
    expect(open).toMatch(/rect class="blocked" x="0" y="1" width="1000"/);
    expect(open).not.toContain('class="passed"');
  });

  it('marks what was read, changed, and asked for where it was done', () => {
    const lanes = html.split('<li class="lane">');
    const marksOf = (name: string): readonly string[] =>
      [...(lanes.find((lane) => lane.includes(`<span>${name}</span>`)) ?? '').matchAll(/<rect x="(\d+)" y="(\d)" width="4"/g)].map(
        ([, x, y]) => `${String(x)} ${y === '0' ? 'high' : 'low'}`,
      );
    expect(marksOf('Reads')).toEqual(['50 low', '250 high']);
    expect(marksOf('Writes')).toEqual(['600 high']);
    expect(marksOf('Hints')).toEqual(['100 high']);
    expect(marksOf('Answers and checks')).toEqual(['500 high', '750 high']);
  });

  it('needs no script and no style but that of the page', () => {
    const page = reviewHtml(reviewOf(RECORD), RECORD);
    expect(page).toContain("default-src 'none'; style-src 'sha256-");
    expect(page).not.toMatch(/<script|\son\w+=|\sstyle=/);
    expect(page).toContain('describe pod &lt;web&gt;');
  });

  it('says of a run that ended at once that nothing passed', () => {
    const brief = timelinePicture({ ...RECORD, ended: at(0), timeline: [], faults: [] });
    expect(brief.html).toContain('Real time: 0s from left to right');
    expect(brief.html).not.toContain('NaN');
  });
});

describe('a review', () => {
  it('compares the way of the trainee with the shortest one', () => {
    const text = reviewText(reviewOf(RECORD), { ...PLAIN, width: 100 });
    expect(text).toContain('The shortest way takes 1 command, then the fix.');
    expect(text).toContain('You first saw the evidence with read 2, after 50s.');
    expect(text).toContain('You named the cause after 2 reads and 1 hint.');
    expect(text).toContain('You fixed it with 1 write, 2m30s after the start.');
    expect(text).toContain('You never looked at what shows the cause.');
    expect(text).toContain('You did not fix it.');
  });
});
