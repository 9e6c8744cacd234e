import { describe, expect, it } from 'vitest';
import type { StoredEvidence } from '../../src/clusters/memory-reader.ts';
import { combine, mergeEvidence } from '../../src/clusters/merge-evidence.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { OBSERVED, shows } from '../../src/model/kube-object.ts';

function pod(fields: object, observed?: readonly string[], uid?: string): KubeObject {
  const metadata = { name: 'web-1', namespace: 'shop', ...(uid === undefined ? {} : { uid }) };
  return { apiVersion: 'v1', kind: 'Pod', metadata, ...fields, ...(observed === undefined ? {} : { [OBSERVED]: observed }) };
}

const EMPTY: StoredEvidence = { objects: [], collected: [], absent: [], refused: [], logs: [], now: 0 };

describe('two views of one object', () => {
  it('show together what each of them shows', () => {
    const merged = combine(
      pod({ status: { podIP: '10.0.0.7' } }, ['status.podIP']),
      pod({ status: { phase: 'Running' } }, ['status.phase']),
    );
    expect(merged['status']).toEqual({ podIP: '10.0.0.7', phase: 'Running' });
    expect([shows(merged, 'status.podIP'), shows(merged, 'status.phase'), shows(merged, 'status.reason')]).toEqual([true, true, false]);
  });

  it('follow the later one where both show a field, also when it shows that the field is not set', () => {
    const table = pod({ status: { phase: 'Pending', reason: 'ImagePullBackOff' } }, ['status.phase']);
    const merged = combine(table, pod({ status: { phase: 'Running' } }, ['status.phase', 'status.reason']));
    expect(merged['status']).toEqual({ phase: 'Running' });
  });

  it('merge lists by the names of their members', () => {
    const wide = pod({ spec: { containers: [{ name: 'app', image: 'web:1' }] } }, ['spec.containers.name', 'spec.containers.image']);
    const other = pod({ spec: { containers: [{ name: 'app', command: ['serve'] }, { name: 'proxy' }] } }, [
      'spec.containers.name',
      'spec.containers.command',
    ]);
    expect(combine(wide, other)['spec']).toEqual({ containers: [{ name: 'app', image: 'web:1', command: ['serve'] }, { name: 'proxy' }] });
  });

  it('drop members that the later view, which lists them all, does not have', () => {
    const earlier = pod(
      {
        status: {
          conditions: [
            { type: 'Ready', status: 'True' },
            { type: 'Old', status: 'True' },
          ],
        },
      },
      ['status.conditions.type'],
    );
    const later = pod({ status: { conditions: [{ type: 'Ready', status: 'False' }] } }, [
      'status.conditions.type',
      'status.conditions.status',
    ]);
    expect(combine(earlier, later)['status']).toEqual({ conditions: [{ type: 'Ready', status: 'False' }] });
  });

  it('give way to an object that was read whole, earlier or later', () => {
    const whole = pod({ status: { phase: 'Running' } });
    const seen = pod({ status: { phase: 'Pending', podIP: '10.0.0.7' } }, ['status.phase', 'status.podIP']);
    expect(combine(whole, seen)).toBe(whole);
    expect(combine(seen, whole)).toBe(whole);
  });

  it('of objects that are different by their uid are not mixed', () => {
    const old = pod({ status: { phase: 'Failed' } }, undefined, 'u-1');
    const recreated = pod({ status: { phase: 'Running' } }, ['status.phase'], 'u-2');
    expect(combine(old, recreated)).toBe(recreated);
  });
});

describe('several sources', () => {
  it('are one evidence as late as the latest of them', () => {
    const merged = mergeEvidence([
      {
        ...EMPTY,
        objects: [pod({ status: { phase: 'Pending' } }, ['status.phase'])],
        collected: [{ kind: 'Pod', complete: true }],
        now: 5,
      },
      { ...EMPTY, objects: [pod({ status: { phase: 'Running' } })], now: 3 },
    ]);
    expect(merged.objects).toEqual([pod({ status: { phase: 'Running' } })]);
    expect(merged).toMatchObject({ collected: [{ kind: 'Pod', complete: true }], now: 5 });
  });

  it('do not call absent what one of them has seen', () => {
    const ref = { kind: 'Pod', namespace: 'shop', name: 'web-1' };
    const merged = mergeEvidence([
      { ...EMPTY, absent: [ref, { ...ref, name: 'web-2' }] },
      { ...EMPTY, objects: [pod({})] },
    ]);
    expect(merged.absent).toEqual([{ ...ref, name: 'web-2' }]);
  });
});
