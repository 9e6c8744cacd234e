import { describe, expect, it } from 'vitest';
import { tokenLife } from '../../src/certificates/token.ts';

function token(claims: unknown): string {
  return ['{"alg":"RS256"}', JSON.stringify(claims), 'signature'].map((part) => Buffer.from(part).toString('base64url')).join('.');
}

describe('the life of a token', () => {
  it('is what it says of itself: nbf before iat, in milliseconds', () => {
    const claims = { sub: 'system:serviceaccount:shop:web', iss: 'https://kube', exp: 2000, nbf: 1000, iat: 900 };
    expect(tokenLife(token(claims))).toEqual({
      subject: 'system:serviceaccount:shop:web',
      issuer: 'https://kube',
      notAfter: 2_000_000,
      notBefore: 1_000_000,
    });
    expect(tokenLife(` ${token({ exp: 2000, iat: 900 })}\n`)).toEqual({ subject: '', issuer: '', notAfter: 2_000_000, notBefore: 900_000 });
  });

  it('has no end where it names none, or none that a date can be made of', () => {
    expect(tokenLife(token({ sub: 'web' }))).toEqual({ subject: 'web', issuer: '' });
    expect(tokenLife(token({ exp: 253_402_300_800, nbf: -253_402_300_800 }))).toEqual({ subject: '', issuer: '' });
    expect(tokenLife(token({ exp: 253_402_300_799 }))).toMatchObject({ notAfter: 253_402_300_799_000 });
    expect(tokenLife(token('text'))).toEqual({ subject: '', issuer: '' });
  });

  it.each(['', 'abcdef.0123456789abcdef', 'a.b.c.d', 'a.%%%.c', `${'a'.repeat(65_536)}.e30.c`])(
    'is not told by what is no such token %#',
    (text) => {
      expect(tokenLife(text)).toBeUndefined();
    },
  );

  it('of text that is no JSON has neither end nor subject', () => {
    expect(tokenLife(`a.${Buffer.from('{').toString('base64url')}.c`)).toEqual({ subject: '', issuer: '' });
  });
});
