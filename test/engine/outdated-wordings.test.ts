import { describe, expect, it } from 'vitest';
import { withoutStale } from '../../src/engine/outdated-wordings.ts';
import type { Fact, Scalar } from '../../src/model/fact.ts';
import type { FactKind } from '../../src/model/fact-kinds.ts';
import { fact, pod } from '../support/facts.ts';

const NOW = 10_000_000;
const SEEN = at('pod', { phase: 'Pending', deleting: false });

function at(kind: FactKind, fields: Readonly<Record<string, Scalar>>, time?: number): Fact {
  return { ...fact(kind, pod('web-1'), fields), ...(time === undefined ? {} : { at: time }) };
}

function said(fields: Readonly<Record<string, Scalar>>, time?: number): Fact {
  return at('said', { in: 'event', reason: 'FailedMount', stage: 'volumes', ...fields }, time);
}

function held(words: Fact, ...facts: readonly Fact[]): boolean {
  return withoutStale([words], facts, NOW).length === 1;
}

describe('what an event said', () => {
  it('holds while its pod has not got past that stage', () => {
    expect(held(said({}, NOW), SEEN)).toBe(true);
    expect(held(said({}, NOW), SEEN, at('milestone', { stage: 'scheduling', state: 'passed' }))).toBe(true);
    expect(held(said({}, NOW), SEEN, at('milestone', { stage: 'volumes', state: 'waiting' }))).toBe(true);
  });

  it('is over once its pod has passed that stage or a later one', () => {
    expect(held(said({}, NOW), SEEN, at('milestone', { stage: 'sandbox', state: 'passed' }))).toBe(false);
    expect(held(said({}, NOW), { ...SEEN, fields: { deleting: true } })).toBe(false);
  });

  it('of an image is over once its container runs, though another still waits', () => {
    const failing = said({ reason: 'Failed', stage: 'images', container: 'web' }, NOW);
    expect(held(failing, SEEN, at('container', { container: 'web', state: 'running' }))).toBe(false);
    expect(held(failing, SEEN, at('container', { container: 'other', state: 'running' }))).toBe(true);
  });

  it('of the memory of a container is over once its sandbox is there, if it was said of the sandbox', () => {
    const killed = said({ reason: 'FailedCreatePodSandBox', stage: 'containers' }, NOW);
    expect(held(killed, SEEN, at('milestone', { stage: 'volumes', state: 'waiting' }))).toBe(true);
    expect(held(killed, SEEN, at('milestone', { stage: 'sandbox', state: 'passed' }))).toBe(false);
  });

  it('of a container is over only when its pod came further later', () => {
    const failed = said({ reason: 'Failed', stage: 'containers' }, NOW - 1000);
    expect(held(failed, SEEN, at('milestone', { stage: 'probes', state: 'passed' }, NOW))).toBe(false);
    expect(held(failed, SEEN, at('milestone', { stage: 'containers', state: 'passed' }, NOW - 5000))).toBe(true);
  });

  it('of a volume that failed when the container was made is not over when the volumes were mounted', () => {
    expect(held(said({ reason: 'Failed' }, NOW), SEEN, at('milestone', { stage: 'volumes', state: 'passed' }))).toBe(true);
  });

  it('of a pod that was not seen holds while it is young and nothing came of it', () => {
    expect(held(said({}, NOW))).toBe(true);
    expect(held(said({}, NOW - 901_000))).toBe(false);
    expect(held(said({}, NOW - 2000), at('event', { reason: 'Started' }, NOW - 1000))).toBe(false);
    expect(held(said({}, NOW - 1000), at('event', { reason: 'Started' }, NOW - 2000))).toBe(true);
  });

  it('of a pod that was not seen is over only by what comes of it at the same moment or later, before its containers', () => {
    expect(held(said({}, NOW), at('event', { reason: 'Pulled' }, NOW))).toBe(false);
    expect(held(said({}, NOW), at('event', { reason: 'Killing' }, NOW))).toBe(true);
    expect(held(said({}), at('event', { reason: 'Pulled' }, NOW))).toBe(true);
    expect(held(said({ stage: 'containers' }, NOW - 2000), at('event', { reason: 'Started' }, NOW))).toBe(true);
    expect(held(said({}, NOW - 900_000))).toBe(true);
  });

  it('of what comes before the images is over once an image is pulled', () => {
    const pulling = at('event', { reason: 'Pulling' }, NOW);
    expect(held(said({ stage: 'volumes' }, NOW - 2000), pulling)).toBe(false);
    expect(held(said({ stage: 'images' }, NOW - 2000), pulling)).toBe(true);
    expect(held(said({ stage: 'volumes' }, NOW), at('event', { reason: 'Pulling' }, NOW - 2000))).toBe(true);
  });

  it('of requests, controllers or another kind of object holds, however far a pod has come', () => {
    const passed = at('milestone', { stage: 'probes', state: 'passed' }, NOW);
    expect(held(said({ stage: 'scheduling', reason: 'FailedScheduling' }, NOW - 1000), SEEN, passed)).toBe(true);
    const node = { ...said({ stage: 'kubelet' }, NOW - 1000), about: { kind: 'Node', name: 'worker-1' } };
    expect(withoutStale([node], [SEEN, passed], NOW)).toEqual([node]);
  });

  it('of a start is over by no container that only waits, and by none that is not named', () => {
    const failing = said({ reason: 'Failed', stage: 'images', container: 'web' }, NOW);
    expect(held(failing, SEEN, at('container', { container: 'web', state: 'waiting' }))).toBe(true);
    expect(held(said({ stage: 'images', reason: 'Failed' }, NOW), SEEN, at('container', { state: 'running' }))).toBe(true);
    expect(
      held(
        { ...failing, fields: { ...failing.fields, stage: 'containers' } },
        SEEN,
        at('container', { container: 'web', state: 'running' }),
      ),
    ).toBe(true);
  });

  it('of a failed start is over once the same container has started, and not before', () => {
    const failed = said({ reason: 'Failed', stage: 'containers', container: 'web' }, NOW - 2000);
    const started = (container: string, time: number): Fact => at('event', { reason: 'Started', container }, time);
    expect(held(failed, SEEN, started('web', NOW - 1000))).toBe(false);
    expect(held(failed, started('web', NOW - 1000))).toBe(false);
    expect(held(failed, SEEN, started('web', NOW - 2000))).toBe(true);
    expect(held(failed, SEEN, started('sidecar', NOW - 1000))).toBe(true);
    expect(held(failed, SEEN, at('event', { reason: 'Created', container: 'web' }, NOW - 1000))).toBe(true);
    expect(held({ ...failed, fields: { ...failed.fields, reason: 'BackOff' } }, SEEN, started('web', NOW - 1000))).toBe(true);
  });

  it('is overtaken by what was said later of the same volume with the same reason, and by nothing else', () => {
    const [older, newer] = [said({ volume: 'conf', rule: 'a' }, NOW - 1000), said({ volume: 'conf', rule: 'b' }, NOW)];
    const [other, log] = [said({ volume: 'data' }, NOW - 5000), { ...older, fields: { ...older.fields, in: 'log' } }];
    expect(withoutStale([older, newer, other, log], [SEEN], NOW)).toEqual([newer, other, log]);
  });
});

describe('what an event said of a node', () => {
  const node = { kind: 'Node', name: 'worker-2' };
  const about = (one: Fact): Fact => ({ ...one, about: node });
  const unready = about(said({ reason: 'NodeNotReady', stage: 'kubelet' }, NOW - 100_000));

  it('holds until an event says that it is ready again, or the node itself was seen', () => {
    expect(held(unready)).toBe(true);
    expect(held(unready, about(at('event', { reason: 'NodeReady' }, NOW - 200_000)))).toBe(true);
    expect(held(unready, about(at('event', { reason: 'NodeReady' }, NOW - 50_000)))).toBe(false);
    expect(held(unready, about(at('node', {})))).toBe(false);
    // What else is known of a node does not tell that it was seen.
    expect(held(unready, about(at('reference', { refKind: 'CSINode' })))).toBe(true);
  });
});

describe('what the scheduler said of a pod', () => {
  it('is over when the pod has a node', () => {
    const words = said({ reason: 'FailedScheduling', stage: 'scheduling' }, NOW - 100_000);
    expect(held(words, at('pod', { phase: 'Pending', scheduled: false }))).toBe(true);
    expect(held(words, at('pod', { phase: 'Pending', scheduled: true }))).toBe(false);
  });
});

describe('a line that tells of no node', () => {
  const line = said({ in: 'text', stage: 'scheduling', reason: 'FailedScheduling' });

  it('is about another pod than one that has a node', () => {
    expect(held(line, SEEN)).toBe(true);
    expect(held(line, SEEN, at('milestone', { stage: 'scheduling', state: 'waiting' }))).toBe(true);
    expect(held(line, SEEN, at('milestone', { stage: 'controllers', state: 'passed' }))).toBe(true);
    expect(held(line, SEEN, at('milestone', { stage: 'scheduling', state: 'passed' }))).toBe(false);
    expect(held(line, at('pod', { scheduled: true }))).toBe(false);
    expect(held(line, SEEN, at('event', { reason: 'FailedScheduling' }))).toBe(true);
    for (const reason of ['FailedMount', 'FailedAttachVolume', 'FailedCreatePodSandBox'])
      expect(held(line, at('event', { reason }))).toBe(false);
  });

  it('says nothing of other stages', () => {
    expect(held(said({ in: 'text', stage: 'images' }), at('pod', { scheduled: true }))).toBe(true);
  });
});
