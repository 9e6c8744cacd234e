import { isPlaceholder } from './placeholder.ts';
import type { Span } from './span.ts';

/** Passwords in addresses (`scheme://user:password@host`), and tokens that stand there in place of a user. */
export function urlSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf('://'); at >= 0;) {
    const from = at + 3;
    at = text.indexOf('://', from);
    const run = addressAt(text, from, at < 0 ? text.length : at);
    const login = loginIn(run);
    if (login !== undefined && !isPlaceholder(run.slice(login.start, login.end)))
      spans.push({ start: from + login.start, end: from + login.end });
  }
  for (const match of text.matchAll(DSN)) {
    const end = match.index + match[0].length - 1;
    spans.push({ start: end - (match[1] ?? '').length, end });
  }
  return spans;
}

/** Go's MySQL driver: `user:password@tcp(host:3306)/shop`. */
const DSN = /(?<=[\w.-]:)([^\s:@"'`/]{1,128})@(?=(?:tcp|unix)6?\()/g;
/** Characters of an address that are looked at. */
const LONGEST = 4096;

function addressAt(text: string, from: number, limit: number): string {
  return /^[^\s"'`<>]*/.exec(text.slice(from, Math.min(limit, from + LONGEST)))?.[0] ?? '';
}

/** A user without a password that is so long is a token. */
const TOKEN_LENGTH = 16;
const PORT = /^[1-9]\d{0,4}(?:[/?]|$)/;

/** The password's place in `user:password@host/path`. */
function loginIn(run: string): { readonly start: number; readonly end: number } | undefined {
  const path = run.search(/[/?#]/);
  const authority = path < 0 ? run : run.slice(0, path);
  const colon = authority.indexOf(':');
  // A password may have an @, a / or a # in it that was not escaped; a port is no password.
  const whole = run.slice(0, run.search(/[?#]|$/));
  const isLogin = colon >= 0 && !PORT.test(run.slice(colon + 1));
  const at = !isLogin ? authority.lastIndexOf('@') : whole.includes('@') ? whole.lastIndexOf('@') : run.lastIndexOf('@');
  if (at < 0 || /^sha\d{3}:/.test(run.slice(at + 1, at + 8))) return undefined;
  if (colon >= 0 && colon < at) return colon + 1 === at ? undefined : { start: colon + 1, end: at };
  return at >= TOKEN_LENGTH ? { start: 0, end: at } : undefined;
}
