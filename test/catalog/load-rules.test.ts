import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { loadRules } from '../../src/catalog/load-rules.ts';
import { problemText } from '../../src/catalog/yaml-problem.ts';
import { openingsOf } from '../../src/model/frames.ts';
import { folderWith } from '../support/folder.ts';

const GOOD = `id: volumes/map-gone
stage: volumes
title: Gone
says:
  - { in: event, text: 'map "{{ map }}" is gone' }
explains: [volumes/map-late]
playbook: volumes
what: "{{ map }} is gone."
why: Because.
fix: [{ say: Make it. }]
`;
const WORDLESS = `id: volumes/zone
stage: volumes
title: Zone
when: { all: [{ fact: reference, where: { exists: false, refName: $to } }] }
what: "{{ to }} is gone."
why: Because.
fix: [{ say: Make it. }]
`;
const LATE = GOOD.replaceAll('gone', 'late').replace('explains: [volumes/map-late]\n', '');

async function problemsOf(gone: string, late = LATE): Promise<readonly string[]> {
  const folder = folderWith({ 'volumes/map-gone.yaml': gone, 'volumes/map-late.yaml': late });
  const { problems } = await loadRules(folder, { playbooks: ['volumes', 'images'] });
  return problems.map((problem) => problemText(problem).slice(folder.length + 1));
}

describe('rules that are each valid', () => {
  it('have no problems when they fit together', async () => {
    expect(await problemsOf(GOOD)).toEqual([]);
  });

  it.each([
    [
      'explain a rule that does not exist',
      GOOD.replace('[volumes/map-late]', '[volumes/*, volumes/map-lat]'),
      /^volumes\/map-gone\.yaml:6:23: explains\[1\]: unknown rule "volumes\/map-lat"; did you mean volumes\/map-late or volumes\/map-gone\?$/,
    ],
    [
      'explain a stage without rules',
      GOOD.replace('[volumes/map-late]', '[images/*]'),
      /^volumes\/map-gone\.yaml:6:12: explains\[0\]: unknown rule "images\/\*"/,
    ],
    [
      'name a playbook that does not exist',
      GOOD.replace('playbook: volumes', 'playbook: volume'),
      /^volumes\/map-gone\.yaml:7:11: playbook: unknown playbook "volume"; did you mean volumes\?$/,
    ],
    [
      'have a wording twice',
      GOOD.replace("gone' }", "gone' }\n  - { in: event, text: 'map \"{{ map }}\" is gone', as: { sort: other } }"),
      /^volumes\/map-gone\.yaml:6:5: says\[1\]: this wording can never win: the rule has it twice$/,
    ],
    [
      'have a wording of a fact twice',
      GOOD.replace(
        /says:\n.*\n/,
        'says:\n  - { fact: refusal, text: no map }\n  - { fact: refusal, text: no map }\nwhen: { all: [{ fact: refusal, where: { reason: $map } }] }\n',
      ),
      /^volumes\/map-gone\.yaml:6:5: says\[1\]: this wording can never win: the rule has it twice$/,
    ],
    [
      'say the same as another in the same places',
      GOOD.replace("is gone'", "is late'"),
      /this wording can never win: volumes\/map-gone says the same in the same places/,
    ],
    [
      'are known by the same reason alone',
      GOOD.replace(/text: '.*'/, 'reason: Lost').replace('{{ map }} is', 'It is'),
      /this wording can never win: volumes\/map-gone says the same in the same places/,
      LATE.replace(/text: '.*'/, 'reason: [Late, Lost]').replace('{{ map }} is', 'It is'),
    ],
  ])('are refused when they %s', async (_, gone, message, late = LATE) => {
    const [first] = await problemsOf(gone, late);
    expect(first).toMatch(message);
  });

  it('may say the same in another place, for another reason, or as part of something longer', async () => {
    const late = (says: string): string => LATE.replace('{ in: event, text: \'map "{{ map }}" is late\' }', says);
    for (const says of [`{ in: waiting, text: 'map "{{ map }}" is gone' }`, `{ in: event, text: 'the map "{{ map }}" is gone' }`])
      expect(await problemsOf(GOOD, late(says)), says).toEqual([]);
    const reasons = GOOD.replace('in: event', 'in: event, reason: FailedMount');
    expect(await problemsOf(reasons, late(`{ in: event, reason: Failed, text: 'map "{{ map }}" is gone' }`))).toEqual([]);
  });

  it('are told all that is wrong at once', async () => {
    const problems = await problemsOf(
      GOOD.replace('why: Because.', 'wy: Because.')
        .replace('[volumes/map-late]', '[volumes/map-lat]')
        .replace('playbook: volumes', 'playbook: volume'),
    );
    expect(problems.map((problem) => /:\d+:\d+: ([^:]+): /.exec(problem)?.[1])).toEqual(
      expect.arrayContaining(['wy', 'explains[0]', 'playbook']),
    );
  });

  it('may explain one that is itself invalid: it is there', async () => {
    expect((await problemsOf(GOOD, LATE.replace('why:', 'wy:'))).filter((problem) => problem.includes('unknown rule'))).toEqual([]);
  });
});

describe('the frames of a stage', () => {
  it.each([
    [
      'a phrase that nobody asks for',
      "{ phrase: error-subjekt, text: 'about {{ name }}.' }",
      /unknown value "error-subjekt"|error-subjekt/,
    ],
    [
      'a phrase with a capture that nobody asks for',
      "{ phrase: created-pod, text: 'made {{ pood: name }}' }",
      /no capture "pood"; did you mean pod\?/,
    ],
    ['an opening of an event without its reason', "{ opens: kubelet, in: event, text: 'the map is ' }", /needs its reason/],
    ['an opening in a place that no text alone is taken for', "{ opens: kubelet, in: probe, text: 'the map is ' }", /"probe"/],
    ['an opening that cannot be read', "{ opens: kubelet, in: log, text: 'the map {{ is' }", /text: /],
  ])('are refused with %s', async (_, frame, expected) => {
    const folder = folderWith({
      'volumes/map-gone.yaml': GOOD,
      'volumes/map-late.yaml': LATE,
      'volumes/_frames.yaml': `frames:\n  - ${frame}\n`,
    });
    const { problems } = await loadRules(folder, { playbooks: ['volumes', 'images'] });
    expect(problems.map(problemText)).toEqual([expect.stringMatching(expected)]);
  });

  it('reach the rules of another folder, also when the last rule of the stage has no wordings', async () => {
    const own = folderWith({
      'volumes/map-gone.yaml': GOOD.replace('explains: [volumes/map-late]\n', ''),
      'volumes/_frames.yaml': `frames:\n  - { in: event, text: 'of pod {{ pod: name }}' }\n`,
      'volumes/zone.yaml': WORDLESS,
    });
    const { rules: others, problems: ps } = await loadRules(own, { playbooks: ['volumes'] });
    expect(ps.map(problemText)).toEqual([]);
    expect(others.map(({ frames }) => frames.around.length)).toEqual([1, 0]);
    const { rules, problems } = await loadRules(folderWith({ 'volumes/map-late.yaml': LATE }), { others, playbooks: ['volumes'] });
    expect(problems).toEqual([]);
    expect(rules.map(({ frames }) => frames.around.map(({ text }) => text))).toEqual([['of pod {{ pod: name }}']]);
  });

  it('have openings beside those of the shipped rules', async () => {
    const opening = `{ opens: kubelet, in: event, reason: FailedMount, text: 'the turbine of volume ' }`;
    const inside = `{ opens: kubelet, in: log, within: true, text: 'the pipe of volume ' }`;
    const frames = `frames:\n  - ${opening}\n  - ${inside}\n`;
    const { rules } = await loadRules(folderWith({ 'volumes/map-late.yaml': LATE, 'volumes/_frames.yaml': frames }), {
      others: await shippedRules(),
      playbooks: ['volumes'],
    });
    const openings = openingsOf([...(await shippedRules()), ...rules]);
    expect(openings.length).toBe(openingsOf(await shippedRules()).length + 2);
    expect(openings).toContainEqual({
      place: 'event',
      component: 'kubelet',
      reason: 'FailedMount',
      begins: '',
      text: 'the turbine of volume ',
    });
    expect(openings).toContainEqual(expect.objectContaining({ component: 'kubelet', text: 'the pipe of volume ', within: true }));
  });

  it('have phrases, which a rule has not', async () => {
    const [problem] = await problemsOf(GOOD.replace('{ in: event,', '{ phrase: created-pod, in: event,'));
    expect(problem).toMatch(/phrase/);
  });
});
