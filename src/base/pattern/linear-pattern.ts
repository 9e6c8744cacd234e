import type { PatternNode, Place } from './pattern-syntax.ts';
import { isWord, parsePattern, PatternTrouble } from './pattern-syntax.ts';

/** A regular expression as Go has it: the time it takes grows with the text, never faster. */
export interface LinearPattern {
  /** Whether it fits anywhere in the text. */
  test(text: string): boolean;
  /** What fits first, and from where; undefined when nothing does. `from` counts in characters of the text. */
  find(text: string, from?: number): { readonly index: number; readonly text: string } | undefined;
}

/** The pattern, or Go's words of what is wrong with it. Source: Go's regexp (Compile). */
export function linearPattern(pattern: string): LinearPattern | { readonly trouble: string } {
  try {
    const program = programOf(parsePattern(pattern));
    if (program === undefined) return { trouble: `error parsing regexp: expression too large: \`${pattern}\`` };
    return { test: (text) => run(program, text, 0, true) !== undefined, find: (text, from = 0) => run(program, text, from, false) };
  } catch (error) {
    if (error instanceof PatternTrouble) return { trouble: error.words };
    throw error;
  }
}

/** A step of the way through a text; `next` and `other` are places in the program. */
type Step =
  | { readonly do: 'character'; readonly fits: (code: number) => boolean }
  | { readonly do: 'place'; readonly place: Place }
  | { readonly do: 'fork'; first: number; second: number }
  | { readonly do: 'jump'; to: number }
  | { readonly do: 'end' };

const MOST_STEPS = 10_000;

/** Undefined when it is too large. */
function programOf(node: PatternNode): readonly Step[] | undefined {
  const steps: Step[] = [];
  const isWhole = add(node, steps);
  steps.push({ do: 'end' });
  return isWhole && steps.length <= MOST_STEPS ? steps : undefined;
}

/** False as soon as it becomes too large. */
function add(node: PatternNode, steps: Step[]): boolean {
  if (steps.length > MOST_STEPS) return false;
  switch (node.is) {
    case 'character':
      steps.push({ do: 'character', fits: node.fits });
      return true;
    case 'place':
      steps.push({ do: 'place', place: node.place });
      return true;
    case 'sequence':
      return node.parts.every((part) => add(part, steps));
    case 'choice':
      return addChoice(node.parts, steps);
    case 'repeat':
      return addRepeat(node, steps);
  }
}

function addChoice(parts: readonly PatternNode[], steps: Step[]): boolean {
  const jumps: { to: number }[] = [];
  for (const [index, part] of parts.entries()) {
    const fork = { do: 'fork' as const, first: 0, second: 0 };
    if (index < parts.length - 1) steps.push(fork);
    fork.first = steps.length;
    if (!add(part, steps)) return false;
    if (index === parts.length - 1) continue;
    const jump = { do: 'jump' as const, to: 0 };
    steps.push(jump);
    jumps.push(jump);
    fork.second = steps.length;
  }
  for (const jump of jumps) jump.to = steps.length;
  return true;
}

function addRepeat({ of, least, most, greedy }: PatternNode & { readonly is: 'repeat' }, steps: Step[]): boolean {
  for (let count = 0; count < least; count++) if (!add(of, steps)) return false;
  if (most === Number.POSITIVE_INFINITY) {
    const fork = { do: 'fork' as const, first: 0, second: 0 };
    const start = steps.length;
    steps.push(fork);
    if (!add(of, steps)) return false;
    steps.push({ do: 'jump', to: start });
    setFork(fork, start + 1, steps.length, greedy);
    return true;
  }
  const forks: { first: number; second: number; readonly inner: number }[] = [];
  for (let count = least; count < most; count++) {
    const fork = { do: 'fork' as const, first: 0, second: 0, inner: steps.length + 1 };
    steps.push(fork);
    forks.push(fork);
    if (!add(of, steps)) return false;
  }
  for (const fork of forks) setFork(fork, fork.inner, steps.length, greedy);
  return true;
}

function setFork(fork: { first: number; second: number }, inside: number, past: number, greedy: boolean): void {
  fork.first = greedy ? inside : past;
  fork.second = greedy ? past : inside;
}

/** Ways through the program at one place of the text, the preferred first, each step once. */
interface Ways {
  readonly at: number[];
  readonly from: number[];
  readonly seen: Int32Array;
}

/** All ways at once, character by character. Source: Go's regexp/exec.go, after Pike. */
function run(program: readonly Step[], text: string, from: number, anyWillDo: boolean): { readonly index: number; readonly text: string } | undefined {
  let now: Ways = { at: [], from: [], seen: new Int32Array(program.length).fill(-1) };
  let next: Ways = { at: [], from: [], seen: new Int32Array(program.length).fill(-1) };
  let found: { readonly start: number; readonly end: number } | undefined;
  for (let index = from; ; ) {
    if (found === undefined) follow(program, text, index, { ways: now, step: 0, start: index });
    if (now.at.length === 0 && found !== undefined) break;
    const code = text.codePointAt(index);
    const after = index + (code !== undefined && code > 0xff_ff ? 2 : 1);
    for (const [place, at] of now.at.entries()) {
      const step = program[at];
      const start = now.from[place] ?? 0;
      if (step?.do === 'end') {
        found = { start, end: index };
        break;
      }
      if (step?.do === 'character' && code !== undefined && step.fits(code)) follow(program, text, after, { ways: next, step: at + 1, start });
    }
    if (found !== undefined && anyWillDo) break;
    if (code === undefined) break;
    [now, next] = [next, now];
    next.at.length = 0;
    next.from.length = 0;
    index = after;
  }
  return found === undefined ? undefined : { index: found.start, text: text.slice(found.start, found.end) };
}

/** Adds every step that can be reached without a character, the preferred first. */
function follow(program: readonly Step[], text: string, index: number, { ways, step: first, start }: { readonly ways: Ways; readonly step: number; readonly start: number }): void {
  const open = [first];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (ways.seen[at] === index) continue;
    ways.seen[at] = index;
    const step = program[at];
    if (step?.do === 'jump') open.push(step.to);
    else if (step?.do === 'fork') open.push(step.second, step.first);
    else if (step?.do === 'place') {
      if (isAt(step.place, text, index)) open.push(at + 1);
    } else {
      ways.at.push(at);
      ways.from.push(start);
    }
  }
}

function isAt(place: Place, text: string, index: number): boolean {
  const [isStart, isEnd] = [index === 0, index >= text.length];
  switch (place) {
    case 'text-start':
      return isStart;
    case 'text-end':
      return isEnd;
    case 'line-start':
      return isStart || text.charAt(index - 1) === '\n';
    case 'line-end':
      return isEnd || text.charAt(index) === '\n';
    case 'word-edge':
    case 'no-word-edge': {
      const edge = (!isStart && isWord(text.charCodeAt(index - 1))) !== (!isEnd && isWord(text.charCodeAt(index)));
      return edge === (place === 'word-edge');
    }
  }
}
