import type { Instant } from '../../base/instant.ts';
import type { Used } from '../../base/use-order.ts';
import { UseOrder } from '../../base/use-order.ts';
import { timeOf } from '../time/api-times.ts';
import { TokenBucket } from '../time/token-bucket.ts';

/**
 * What a recorder remembers of its events: of whom each is, of which kind, and how often it was seen. Three maps with long texts for keys
 * were the largest part of what a simulated pod kept; here an event hangs on its kind, and a kind on whom it is of. Each of the three
 * forgets what was used longest ago. Source: staging/src/k8s.io/client-go/tools/record/events_cache.go (EventCorrelator).
 */
export class EventCorrelator {
  readonly #subjects = new Map<string, Subject>();
  readonly #subjectOrder = new UseOrder<Subject>();
  readonly #kindOrder = new UseOrder<Kind>();
  readonly #seenOrder = new UseOrder<Seen>();

  /** Counts an event. `nameOf` is asked for its name when it is a new one. */
  note(whom: string, words: SeenWords, now: Instant, nameOf: () => string): Noted {
    const { reason, message, fieldPath } = words;
    const subject = this.#subject(whom, now);
    const kind = this.#kind(subject, reason, message);
    const combined = isOneTooMany(kind, message, now);
    const seen = this.#find(kind, combined, message, fieldPath) ?? this.#see(kind, { combined, fieldPath, first: timeOf(now), nameOf });
    this.#seenOrder.use(seen);
    seen.count++;
    seen.message = combined ? `(combined from similar events): ${message}` : message;
    return { bucket: subject.bucket, kind, seen };
  }

  #subject(whom: string, now: Instant): Subject {
    const known = this.#subjects.get(whom);
    if (known !== undefined) {
      this.#subjectOrder.use(known);
      return known;
    }
    const subject: Subject = { newer: undefined, older: undefined, whom, bucket: new TokenBucket(1 / 300, 25, now), kinds: undefined };
    this.#subjects.set(whom, subject);
    this.#subjectOrder.add(subject);
    const oldest = excess(this.#subjectOrder);
    if (oldest !== undefined) {
      while (oldest.kinds !== undefined) this.#forgetKind(oldest.kinds);
      this.#subjectOrder.remove(oldest);
      this.#subjects.delete(oldest.whom);
    }
    return subject;
  }

  #kind(of: Subject, reason: string, message: string): Kind {
    let known = of.kinds;
    while (known !== undefined && known.reason !== reason) known = known.next;
    if (known !== undefined) {
      this.#kindOrder.use(known);
      return known;
    }
    const kind: Kind = { newer: undefined, older: undefined, of, next: of.kinds, reason, messages: message, at: 0, seen: undefined };
    of.kinds = kind;
    this.#kindOrder.add(kind);
    const oldest = excess(this.#kindOrder);
    if (oldest !== undefined) this.#forgetKind(oldest);
    return kind;
  }

  #find({ seen: first }: Kind, combined: boolean, message: string, fieldPath: string | undefined): Seen | undefined {
    let seen = first;
    while (seen !== undefined && !(combined ? seen.combined : !seen.combined && seen.message === message && seen.fieldPath === fieldPath))
      seen = seen.next;
    return seen;
  }

  #see(of: Kind, words: NewSeen): Seen {
    const { combined, fieldPath, first, nameOf } = words;
    // Field by field: spread, it would take twice the memory.
    const seen: Seen = {
      newer: undefined,
      older: undefined,
      of,
      next: of.seen,
      combined,
      fieldPath,
      name: nameOf(),
      count: 0,
      first,
      message: '',
    };
    of.seen = seen;
    this.#seenOrder.add(seen);
    const oldest = excess(this.#seenOrder);
    if (oldest !== undefined) this.#forgetSeen(oldest);
    return seen;
  }

  #forgetKind(kind: Kind): void {
    while (kind.seen !== undefined) this.#forgetSeen(kind.seen);
    kind.of.kinds = unchained(kind.of.kinds, kind);
    this.#kindOrder.remove(kind);
  }

  #forgetSeen(seen: Seen): void {
    seen.of.seen = unchained(seen.of.seen, seen);
    this.#seenOrder.remove(seen);
  }
}

/** From the tenth different message of one kind within ten minutes on, one event stands for all that follow. */
function isOneTooMany(kind: Kind, message: string, now: Instant): boolean {
  again(kind, message, now);
  if (kind.messages === message) return false;
  const messages = typeof kind.messages === 'string' ? [kind.messages] : kind.messages;
  kind.messages = messages;
  if (!messages.includes(message)) messages.push(message);
  if (messages.length < AGGREGATE_MESSAGES) return false;
  messages.shift();
  return true;
}

/** A message that was noted came again at a moment. */
export function again(kind: Kind, message: string, moment: Instant): void {
  if (moment - kind.at > AGGREGATE_MILLISECONDS) kind.messages = message;
  kind.at = moment;
}

/** What is to be forgotten. */
function excess<T extends Used<T>>({ size, oldest }: UseOrder<T>): T | undefined {
  return size > CACHE_SIZE ? oldest : undefined;
}

function unchained<T extends { next: T | undefined }>(first: T | undefined, gone: T): T | undefined {
  if (first === gone) return gone.next;
  for (let one = first; one !== undefined; one = one.next) if (one.next === gone) one.next = gone.next;
  return first;
}

const CACHE_SIZE = 4096;
const AGGREGATE_MESSAGES = 10;
const AGGREGATE_MILLISECONDS = 600_000;

export interface SeenWords {
  readonly reason: string;
  readonly message: string;
  readonly fieldPath?: string;
}

export interface Noted {
  /** How many more events of the same object may be written. */
  readonly bucket: TokenBucket;
  readonly kind: Kind;
  readonly seen: Seen;
}

interface NewSeen extends Pick<Seen, 'combined' | 'fieldPath' | 'first'> {
  readonly nameOf: () => string;
}

interface Subject extends Used<Subject> {
  readonly whom: string;
  readonly bucket: TokenBucket;
  kinds: Kind | undefined;
}

export interface Kind extends Used<Kind> {
  readonly of: Subject;
  next: Kind | undefined;
  readonly reason: string;
  /** The latest different ones, at most ten: the oldest first. Most kinds have one, which needs no list. */
  messages: string | string[];
  at: Instant;
  seen: Seen | undefined;
}

export interface Seen extends Used<Seen> {
  readonly of: Kind;
  next: Seen | undefined;
  /** Whether it stands for messages of which there were too many. */
  readonly combined: boolean;
  readonly fieldPath: string | undefined;
  readonly name: string;
  count: number;
  /** As metav1.Time. */
  readonly first: string;
  message: string;
}
