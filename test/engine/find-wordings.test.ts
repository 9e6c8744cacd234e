import { describe, expect, it } from 'vitest';
import { reason } from '../../src/engine/diagnose.ts';
import { hear } from '../../src/engine/find-wordings.ts';
import type { Fact } from '../../src/model/fact.ts';
import { fact, pod, spokenRule as rule } from '../support/facts.ts';

const MESSAGE = 'MountVolume.SetUp failed for volume "conf" : configmap "app" not found';
const NOW = 1_000_000_000;
const FRAMES = [{ in: ['event'], text: 'failed for volume "{{ volume }}" : {{ detail }}' }];
const missing = rule({
  says: [{ in: 'event', reason: 'FailedMount', text: 'configmap "{{ configMap }}" not found' }],
  frames: FRAMES,
  what: '{{ configMap }}[[ in {{ volume }}]]',
});

function event(message: string, reasonWord = 'FailedMount'): Fact {
  return fact('event', pod('web-1'), { type: 'Warning', reason: reasonWord, message });
}

describe('what is heard', () => {
  it('is the most particular wording that stands in a text, with what it and the frames around it capture', () => {
    const general = rule({ id: 'volumes/general', says: [{ text: 'not found' }] });
    const [said, ...others] = hear({ at: NOW, facts: [event(MESSAGE)] }, [general, missing]);
    expect(others).toEqual([]);
    expect(said?.fields).toMatchObject({
      rule: 'volumes/missing',
      stage: 'volumes',
      in: 'event',
      reason: 'FailedMount',
      configMap: 'app',
      volume: 'conf',
      detail: 'configmap "app" not found',
    });
    expect(said?.about).toEqual(pod('web-1'));
  });

  it('is nothing where the words stand in another place or with another reason', () => {
    const log = fact('log', pod('web-1'), { container: 'web', line: MESSAGE });
    expect(hear({ at: NOW, facts: [event(MESSAGE, 'Unhealthy'), log] }, [missing])).toEqual([]);
  });

  it('is a reason alone, where the wording is nothing else', () => {
    const never = rule({ says: [{ in: 'waiting', reason: 'ErrImageNeverPull' }] });
    const container = fact('container', pod('web-1'), { container: 'web', state: 'waiting', reason: 'ErrImageNeverPull' });
    expect(hear({ at: NOW, facts: [container] }, [never])).toMatchObject([{ fields: { in: 'waiting', container: 'web' } }]);
  });

  it('reads words whose quotation marks are escaped in a line of a journal', () => {
    const line = 'E0115 kubelet: "Error syncing pod" err="configmap \\"app\\" not found"';
    const heard = hear(
      { at: NOW, facts: [fact('node-service', { kind: 'Node', name: 'worker-1' }, { service: 'kubelet', log: `first\n${line}` })] },
      [rule({ says: [{ in: 'journal', text: 'configmap "{{ configMap }}" not found' }] })],
    );
    expect(heard).toMatchObject([{ fields: { in: 'journal', configMap: 'app', words: line.replaceAll('\\"', '"') } }]);
  });

  it('quotes a line of a journal that its fact does not quote, and no line twice', () => {
    const told = rule({ says: [{ in: 'journal', text: 'configmap "{{ configMap }}" not found' }] });
    const line = 'E0115 kubelet: configmap "app" not found';
    const quoted = (quote: string): string | undefined => {
      const seen = fact('node-service', { kind: 'Node', name: 'worker-1' }, { service: 'kubelet', log: `first\n${line}` });
      return hear({ at: NOW, facts: [{ ...seen, quote }] }, [told])[0]?.quote;
    };
    expect(quoted('active (running)')).toBe(`active (running)\n${line}`);
    expect(quoted(`log: ${line}`)).toBe(`log: ${line}`);
    const said = { ...event(MESSAGE), quote: 'FailedMount' };
    expect(hear({ at: NOW, facts: [said] }, [missing])[0]?.quote).toBe('FailedMount');
  });

  it('is about the object that a text belongs to, whatever pod its words name', () => {
    const named = rule({ says: [{ text: 'pod "{{ pod: name }}" not found' }] });
    expect(hear({ at: NOW, facts: [fact('text', pod('web-1'), { text: 'pod "web-2" not found', alone: false })] }, [named])).toMatchObject([
      { about: pod('web-1') },
    ]);
  });

  it('gives a lone line its rule, whatever place the wording has, and the pod that the line names', () => {
    const line = 'Error syncing pod, skipping pod="shop/web-1": configmap "app" not found for it';
    const named = rule({
      says: [{ in: 'journal', text: 'pod="{{ namespace: name }}/{{ pod: name }}": configmap "{{ configMap }}" not found' }],
    });
    expect(hear({ at: NOW, facts: [fact('text', { kind: 'Text', name: 'line 1' }, { text: line, alone: false })] }, [named])).toMatchObject(
      [{ about: pod('web-1') }],
    );
    expect(
      hear({ at: NOW, facts: [fact('text', { kind: 'Text', name: 'line 1' }, { text: MESSAGE, alone: true })] }, [missing]),
    ).toMatchObject([{ fields: { configMap: 'app' } }]);
  });

  it('is nothing in a lone line that may be talk about objects that were seen, or whose words say little without their place', () => {
    const text = { kind: 'Text', name: 'line 1' };
    expect(hear({ at: NOW, facts: [fact('text', text, { text: MESSAGE, alone: false })] }, [missing])).toEqual([]);
    expect(
      hear({ at: NOW, facts: [fact('text', text, { text: 'I get permission denied', alone: true })] }, [
        rule({ says: [{ in: 'log', text: 'denied' }] }),
      ]),
    ).toEqual([]);
  });
});

describe('a rule that is recognised by wordings', () => {
  it('needs no patterns', () => {
    const [finding] = reason({ at: 0, facts: [event(MESSAGE)], gaps: [], targets: [] }, [missing]).ranked;
    expect(finding).toMatchObject({ object: pod('web-1'), params: { configMap: 'app', volume: 'conf' } });
  });

  it('is refuted by an object that is seen, but not by one that could not be looked at', () => {
    const refutable = rule({
      says: [{ text: 'configmap "{{ configMap }}" not found' }],
      when: {
        all: [{ said: 'own' }],
        unless: [{ fact: 'reference', where: { refKind: 'ConfigMap', refName: '$configMap', exists: true } }],
      },
    });
    const there = fact('reference', pod('web-1'), { refKind: 'ConfigMap', refName: 'app', exists: true });
    const gap = { kind: 'reference' as const, about: { kind: 'ConfigMap', namespace: 'shop', name: '*' }, reason: 'forbidden' };
    const found = (facts: readonly Fact[], gaps: readonly (typeof gap)[]) =>
      reason({ at: 0, facts, gaps, targets: [] }, [refutable]).ranked.length;
    expect(found([event(MESSAGE), there], [])).toBe(0);
    expect(found([event(MESSAGE)], [gap])).toBe(1);
  });

  it('is undecided where the words could not be read', () => {
    const gap = { kind: 'event' as const, about: { kind: 'Event', namespace: 'shop', name: '*' }, reason: 'forbidden' };
    expect(reason({ at: 0, facts: [], gaps: [gap], targets: [] }, [missing]).judged.undecided).toMatchObject([{ gaps: [gap] }]);
  });

  it('joins what is there by optional patterns, and holds without it', () => {
    const joining = rule({
      says: [{ text: 'configmap "{{ configMap }}" not found' }],
      when: { all: [{ said: 'own' }], optional: [{ fact: 'reference', where: { refName: '$configMap', similar: '$similar' } }] },
    });
    const similar = fact('reference', pod('web-1'), { refName: 'app', similar: 'app-2' });
    const params = (facts: readonly Fact[]) =>
      reason({ at: 0, facts, gaps: [], targets: [] }, [joining]).ranked.map((finding) => finding.params['similar']);
    expect(params([event(MESSAGE), similar])).toEqual(['app-2']);
    expect(params([event(MESSAGE)])).toEqual([undefined]);
  });
});
