import { expect, it } from 'vitest';
import { FactSink } from '../../../src/collect/survey/fact-sink.ts';
import { withMembers } from '../../../src/collect/survey/with-members.ts';

it('a gap that many collectors meet is told once; another object, reason, kind or permission is another gap', () => {
  const sink = new FactSink(() => undefined);
  const service = { kind: 'Service', namespace: 'shop', name: '*' };
  const gaps = [
    ['endpoints', service, { detail: 'not collected' }],
    ['endpoints', { ...service, namespace: 'blog' }, { detail: 'not collected' }],
    ['endpoints', service, { detail: 'forbidden' }],
    ['service', service, { detail: 'not collected' }],
    ['endpoints', service, { detail: 'not collected', needs: 'list endpoints' }],
  ] as const;
  for (const [kind, about, unread] of [...gaps, ...gaps]) sink.gap(kind, about, unread);
  expect(sink.gaps).toEqual(gaps.map(([kind, about, { detail, ...needs }]) => ({ kind, about, reason: detail, ...needs })));
});

it('members of a target are named once, when they are asked for', () => {
  let asked = 0;
  const target = withMembers({ ref: { kind: 'Service', name: 'web' }, state: 'healthy' }, () => {
    asked++;
    return [{ kind: 'Pod', name: 'web-1' }];
  });
  expect([target.state, asked]).toEqual(['healthy', 0]);
  expect([target.members, target.members, { ...target }.members].map(([member]) => member?.name)).toEqual(['web-1', 'web-1', 'web-1']);
  expect(asked).toBe(1);
});

it('a fact has what is known of it: its workload, its time, and a count of more than one', () => {
  const web = { kind: 'Deployment', namespace: 'shop', name: 'web' };
  const asked: string[] = [];
  const sink = new FactSink(({ name }) => {
    asked.push(name);
    return name === 'web-1' ? web : undefined;
  });
  const pod = (name: string) => ({ kind: 'Pod', namespace: 'shop', name });
  const proof = { source: 's', quote: 'q' };
  sink.fact('pod', pod('web-1'), {}, { ...proof, at: 5, count: 2 });
  sink.fact('pod', { ...pod('web-1') }, {}, { ...proof, count: 1 });
  sink.fact('pod', pod('till-1'), {}, proof);
  const about = { kind: 'pod', fields: {}, ...proof };
  expect(sink.facts).toEqual([
    { ...about, about: pod('web-1'), workload: web, at: 5, count: 2 },
    { ...about, about: pod('web-1'), workload: web },
    { ...about, about: pod('till-1') },
  ]);
  expect(sink.facts.map((fact) => Object.keys(fact).length)).toEqual([8, 6, 5]);
  expect(asked).toEqual(['web-1', 'till-1']);
});

it('a fact is cut where it is long, and has no fields that were not seen', () => {
  const sink = new FactSink(() => undefined);
  const about = { kind: 'Pod', name: 'web-1' };
  sink.fact('log', about, { line: 'x'.repeat(9000), times: 9000, path: undefined }, { source: 's', quote: 'y'.repeat(3000) });
  const [fact] = sink.facts;
  expect([String(fact?.fields['line']).length, fact?.fields['times'], fact?.quote.length]).toEqual([8000, 9000, 2000]);
  expect(fact?.fields).not.toHaveProperty('path');
});
