import { describe, expect, it } from 'vitest';
import { Prng } from '../../src/base/prng.ts';
import { folderWith } from '../support/folder.ts';
import type { AttackResult } from './attack-case.ts';
import { CANARY } from './attack-case.ts';
import { broken } from './invariants.ts';
import { KINDS } from './kinds.ts';

const ARGV = ['scan', '-o', 'json'];
const SECRETS = ['Tr0ub4dor'];
const GOOD: AttackResult = { code: 0, out: '{}\n', err: '', milliseconds: 100, megabytes: 200 };

describe('what an attack looks at', () => {
  it('holds for an answer as it should be', () => {
    expect(broken(ARGV, SECRETS, GOOD, folderWith())).toEqual([]);
  });

  it.each<[string, Partial<AttackResult>]>([
    ['a bug that was caught', { code: 70 }],
    ['a stack', { err: 'Error: x\n    at run (file:///podcheck/main.js:1:2)\n' }],
    ['a control character', { err: 'web\u001B[2J\n' }],
    ['an invisible character', { out: '{"a":"\u00AD"}' }],
    ['a secret', { err: 'password is Tr0ub4dor' }],
    ['an answer that takes too long', { milliseconds: 100_000 }],
    ['an answer that takes too much memory', { megabytes: 4000 }],
    ['an output nobody can read', { err: 'x'.repeat(10_000_000) }],
    ['an object as text', { err: '[object Object]' }],
    ['JSON that is none', { out: '{' }],
  ])('falls for %s', (_title, result) => {
    expect(broken(ARGV, SECRETS, { ...GOOD, ...result }, folderWith())).toHaveLength(1);
  });

  it('falls for a program that was run', () => {
    expect(broken(ARGV, SECRETS, GOOD, folderWith({ [CANARY]: '' }))).toHaveLength(1);
  });
});

describe('a case of an attack', () => {
  it.each(Object.keys(KINDS))('of kind %s is the same for its seed, and another for another', (kind) => {
    const made = (seed: number): string => JSON.stringify(KINDS[kind]?.(new Prng(`${kind}/${String(seed)}`)));
    expect(made(1)).toBe(made(1));
    expect(new Set(Array.from({ length: 20 }, (_, seed) => made(seed))).size).toBeGreaterThan(10);
  });
});
