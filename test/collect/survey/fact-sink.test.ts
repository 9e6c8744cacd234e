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
