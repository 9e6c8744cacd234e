import type { AttackText } from './attack-texts.ts';
import { attackText, attackTexts } from './attack-texts.ts';
import type { Expression } from './expressions.ts';
import { within } from './time-limit.ts';
import { threadMilliseconds } from './thread-time.ts';

/**
 * A text that an expression takes too long for: milliseconds of the processor for all of it, and for eight texts of an eighth; Infinity
 * when it was ended.
 */
export interface Slowness {
  readonly text: AttackText;
  readonly whole: number;
  readonly eighths: number;
}

type Tried = Pick<Expression, 'pattern' | 'flags' | 'everywhere'>;

/** One of its attack texts that an expression takes more than linear time for; undefined when there is none. */
export function slownessOf(expression: Tried): Slowness | undefined {
  for (const text of worstOf(expression)) {
    const slow = slowWith(expression, text);
    if (slow !== undefined) return slow;
  }
  return undefined;
}

const LENGTH = 100_000;
/**
 * Characters, and at least these many repetitions: a quadratic expression takes milliseconds for them, a linear one a hundredth of that.
 */
const SHORT_LENGTH = 2000;
const SHORT_REPETITIONS = 50;
const NOTICEABLE_MILLISECONDS = 0.3;
/** Of the texts that take noticeably long, as many are tried at their whole length. */
const MAX_TEXTS = 6;
/** What takes no longer for the whole length is not looked at again. */
const SUSPICIOUS_MILLISECONDS = 100;
/** A quadratic expression takes eight times as long for the whole as for its eighths, a linear one as long. */
const MAX_GROWTH = 4.5;
const CLEARLY_LINEAR = 2.5;
/** Bounded repetitions in bounded repetitions grow in proportion to the text, and may be hopeless nevertheless. */
const MAX_MILLISECONDS = 1000;
/** The processor's time is measured, and time by the clock ends what is hopeless: others use the machine too. */
const SHARE_OF_THE_MACHINE = 0.25;
const TRIES = 3;

/** The texts that an expression takes longest for, each of them short. */
function worstOf(expression: Tried): readonly AttackText[] {
  const tried: { readonly text: AttackText; readonly taken: number }[] = [];
  const texts = attackTexts(expression.pattern, expression.flags);
  const done = within(MAX_MILLISECONDS / 4, () => {
    for (const text of texts)
      tried.push({
        text,
        taken: milliseconds(expression, attackText(text, Math.max(SHORT_LENGTH, text.repeat.length * SHORT_REPETITIONS)), () =>
          performance.now(),
        ),
      });
  });
  const unfinished = done === undefined ? texts.slice(tried.length, tried.length + 1) : [];
  const worst = tried
    .toSorted((a, b) => b.taken - a.taken)
    .filter(({ taken }, index) => index < 2 || (index < MAX_TEXTS && taken > NOTICEABLE_MILLISECONDS));
  return [...unfinished, ...worst.map(({ text }) => text)];
}

/**
 * Whole and eighth take turns, for others use the machine too; the fastest of each counts. What is hopeless for an eighth is not tried
 * whole.
 */
function slowWith(expression: Tried, text: AttackText): Slowness | undefined {
  const [long, short] = [attackText(text, LENGTH), attackText(text, LENGTH / 8)];
  let [whole, eighths] = [Infinity, Infinity];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    eighths = Math.min(eighths, limited(MAX_MILLISECONDS / 8, () => milliseconds(expression, short)) * 8);
    if (eighths < Infinity)
      whole = Math.min(
        whole,
        limited(MAX_MILLISECONDS, () => milliseconds(expression, long)),
      );
    if (whole === Infinity) return { text, whole, eighths };
    if (whole < SUSPICIOUS_MILLISECONDS || whole < eighths * CLEARLY_LINEAR) return undefined;
  }
  return whole < eighths * MAX_GROWTH ? undefined : { text, whole, eighths };
}

function limited(limit: number, measure: () => number): number {
  const taken = within(limit / SHARE_OF_THE_MACHINE, measure)?.given ?? Infinity;
  return taken > limit ? Infinity : taken;
}

function milliseconds({ pattern, flags, everywhere }: Tried, text: string, clock = threadMilliseconds): number {
  const expression = new RegExp(pattern, everywhere && !flags.includes('g') ? `${flags}g` : flags);
  const start = clock();
  if (everywhere) text.replace(expression, '');
  else expression.test(text);
  return clock() - start;
}
