import { describe, expect, it } from 'vitest';
import { remembered, sharing } from '../../src/base/memoized.ts';

function counted(bounds: { readonly limit: number; readonly length: number }) {
  const asked: string[] = [];
  const shout = remembered((text) => {
    asked.push(text);
    return text.toUpperCase();
  }, bounds);
  return { asked, shout };
}

describe('a function that remembers', () => {
  it('answers as the function does, and asks it once', () => {
    const { asked, shout } = counted({ limit: 10, length: 10 });
    expect([shout('web'), shout('cart'), shout('web')]).toEqual(['WEB', 'CART', 'WEB']);
    expect(asked).toEqual(['web', 'cart']);
  });

  it('remembers that there is no answer', () => {
    const asked: string[] = [];
    const nothing = remembered((text) => void asked.push(text), { limit: 10, length: 10 });
    expect([nothing('web'), nothing('web')]).toEqual([undefined, undefined]);
    expect(asked).toEqual(['web']);
  });

  it('forgets the oldest when there are too many', () => {
    const { asked, shout } = counted({ limit: 2, length: 10 });
    for (const text of ['web', 'cart', 'stock', 'cart', 'web']) shout(text);
    expect(asked).toEqual(['web', 'cart', 'stock', 'web']);
  });

  it('keeps no text that is too long', () => {
    const { asked, shout } = counted({ limit: 2, length: 3 });
    expect([shout('cart'), shout('cart')]).toEqual(['CART', 'CART']);
    expect(asked).toEqual(['cart', 'cart']);
  });
});

it('gives one value for what is written alike', () => {
  const shared = sharing(2);
  const ready = shared({ type: 'Ready', status: 'True', reason: undefined });
  expect(ready).toEqual({ type: 'Ready', status: 'True' });
  expect(shared({ type: 'Ready', status: 'True' })).toBe(ready);
  for (const type of ['Initialized', 'PodScheduled']) shared({ type, status: 'True' });
  expect(shared({ type: 'Ready', status: 'True' })).not.toBe(ready);
});
