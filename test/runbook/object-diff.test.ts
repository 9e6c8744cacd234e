import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { boundedDiff, diffLines, remakeable } from '../../src/runbook/object-diff.ts';

function web(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', ...metadata }, spec };
}

describe('a difference', () => {
  it('tells what comes and what goes, by its place', () => {
    expect(diffLines(web({ replicas: 2, paused: true }), web({ replicas: 3, minReadySeconds: 5 }))).toEqual([
      '- spec.replicas: 2',
      '+ spec.replicas: 3',
      '- spec.paused: true',
      '+ spec.minReadySeconds: 5',
    ]);
    expect(diffLines(web({ replicas: 2 }), web({ replicas: 2 }))).toEqual([]);
  });

  it('compares members by their names where all have one, else by their places', () => {
    const two = (image: string): JsonObject =>
      web({
        containers: [
          { name: 'a', image: 'x' },
          { name: 'b', image },
        ],
      });
    const turned = web({
      containers: [
        { name: 'b', image: 'z' },
        { name: 'a', image: 'x' },
      ],
    });
    expect(diffLines(two('y'), turned)).toEqual(['- spec.containers[b].image: y', '+ spec.containers[b].image: z']);
    expect(diffLines(two('y'), web({ containers: [{ name: 'a', image: 'x' }] }))).toEqual([
      '- spec.containers[b].name: b',
      '- spec.containers[b].image: y',
    ]);
    expect(diffLines(web({ args: ['a', 'b'] }), web({ args: ['a', 'c', 'd'] }))).toEqual([
      '- spec.args[1]: b',
      '+ spec.args[1]: c',
      '+ spec.args[2]: d',
    ]);
    expect(diffLines(web({ x: [{ name: 'a', v: 1 }] }), web({ x: [{ v: 2 }] }))).toEqual([
      '- spec.x[0].name: a',
      '- spec.x[0].v: 1',
      '+ spec.x[0].v: 2',
    ]);
  });

  it('leaves out what the server keeps for itself', () => {
    const kept = { managedFields: [], resourceVersion: '5', generation: 2, selfLink: '/a', creationTimestamp: 'now' };
    expect(diffLines({ ...web({}), status: { a: 1 } }, { ...web({}, kept), status: { a: 2 } })).toEqual([]);
    const taint = (more: JsonObject): JsonObject => web({ taints: [{ key: 'a', ...more }] });
    expect(diffLines(taint({ timeAdded: 'now' }), taint({ timeAdded: 'later' }))).toEqual([]);
    expect(diffLines(taint({}), taint({ effect: 'NoSchedule' }))).toEqual(['+ spec.taints[0].effect: NoSchedule']);
    expect(diffLines(web({}), web({}, { labels: { a: 'b' } }))).toEqual(['+ metadata.labels.a: b']);
  });

  it('shows no value of a Secret, whether it comes, goes or changes', () => {
    const secret = (data: JsonObject, field = 'data'): JsonObject => ({ kind: 'Secret', type: 'Opaque', [field]: data });
    const lines = [
      ...diffLines(undefined, secret({ word: 'sesame' })),
      ...diffLines(secret({ word: 'sesame' }, 'stringData'), undefined),
      ...diffLines(secret({ word: 'sesame' }), secret({ word: 'open' })),
    ];
    expect(lines).toContain('+ data.word: (not shown)');
    expect(lines).toContain('- stringData.word: (not shown)');
    expect(lines).toContain('+ type: Opaque');
    expect(lines.join('\n')).not.toMatch(/sesame|open/);
    expect(diffLines({ kind: 'ConfigMap' }, { kind: 'ConfigMap', data: { word: 'sesame' } })).toEqual(['+ data.word: sesame']);
  });

  it('is whole up to so many lines and so long values', () => {
    const before = { metadata: { name: 'web' } };
    const diff = (values: readonly unknown[]): ReturnType<typeof boundedDiff> =>
      boundedDiff(
        before,
        { ...before, spec: Object.fromEntries(values.map((value, index) => [`a${String(index)}`, value])) as JsonObject },
        {
          lines: 3,
          longest: 5,
        },
      );
    expect(diff([1, 2, 3])).toMatchObject({ isWhole: true, lines: { length: 3 } });
    expect(diff([1, 2, 3, 4, 5])).toMatchObject({ isWhole: false, lines: { length: 4, 3: '  and 2 more lines' } });
    expect([['12345'], ['123456'], [12_345], [123_456], ['123456', 'b']].map((values) => diff(values).isWhole)).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });
});

describe('a difference in a journal', () => {
  it('has forty lines and values of two hundred characters', () => {
    const labels = (count: number, value: string): JsonObject =>
      web({}, { labels: Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${String(index)}`, value])) });
    expect([40, 41].map((count) => diffLines(web({}), labels(count, 'b')).length)).toEqual([40, 41]);
    expect(diffLines(web({}), labels(41, 'b')).at(-1)).toBe('  and 1 more line');
    expect([200, 201].map((length) => diffLines(web({}), labels(1, 'b'.repeat(length)))[0]?.includes('…'))).toEqual([false, true]);
  });
});

describe('what makes an object again', () => {
  it('is without its identity', () => {
    const object = web(
      { a: 1 },
      { uid: 'x', resourceVersion: '5', deletionTimestamp: 'now', deletionGracePeriodSeconds: 5, labels: { a: 'b' } },
    );
    expect(JSON.parse(JSON.stringify(remakeable({ ...object, status: {} })))).toEqual(web({ a: 1 }, { labels: { a: 'b' } }));
  });
});
