/**
 * A pattern of a definition, when it can be tried without going through a text again and again: nothing that repeats may repeat
 * inside. Go's engine has no such trouble; a pattern that cannot be tried here is taken to fit.
 */
export function safePattern(pattern: string): RegExp | undefined {
  if (pattern.length > LONGEST) return undefined;
  const known = patterns.get(pattern);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const made = isLinear(pattern) ? compiled(pattern) : undefined;
  if (patterns.size >= MOST) patterns.clear();
  patterns.set(pattern, made ?? 'none');
  return made;
}

const LONGEST = 1000;
const MOST = 1000;
const patterns = new Map<string, RegExp | 'none'>();

function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    // Go's syntax has more than ours.
    return undefined;
  }
}

/** No group that is repeated without a limit holds something that is repeated without a limit or offers a choice. */
function isLinear(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[\^?\]?[^\]]*\]/g, 'x');
  const open: number[] = [];
  for (let index = 0; index < plain.length; index++) {
    if (plain[index] === '(') open.push(index);
    if (plain[index] !== ')') continue;
    const start = open.pop() ?? 0;
    const repeated = /^(?:[*+]|\{\d+,\})/.test(plain.slice(index + 1, index + 12));
    if (repeated && /[*+|]|\{\d+,\}/.test(plain.slice(start + 1, index).replaceAll('(?:', ''))) return false;
  }
  return (plain.match(/[*+]|\{\d+,\}/g) ?? []).length <= MOST_REPEATS;
}

/** Each further one multiplies the work by the length of the text. */
const MOST_REPEATS = 6;
