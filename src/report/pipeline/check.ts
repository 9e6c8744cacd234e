import { sha256Hex } from '../../base/sha256.ts';
import type { Quote } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef } from '../../model/kube-object.ts';
import type { Fix } from '../../model/rule.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { fixWords } from '../format/fix-words.ts';

/** What a pipeline is told about: one object that was looked at, and what was found. All formats for pipelines are made of these. */
export interface Check {
  readonly ref: ObjectRef;
  /** `unknown`: what would decide was not seen. */
  readonly verdict: 'passed' | 'failed' | 'unknown';
  /** Why it is not known, or what it looks like, in a few words. */
  readonly reason?: string;
  readonly place?: Place;
  readonly problems: readonly Problem[];
}

/** Where something stands in a file. */
export interface Place {
  readonly file: string;
  /** Both count from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** `error` stops the object, `warning` may, `note` is what could not be looked at. */
export type Level = 'error' | 'warning' | 'note';

/** One thing that is wrong, or could not be looked at. */
export interface Problem {
  /** The rule's id, or one of `podcheck/…` for what no rule names. */
  readonly rule: string;
  readonly level: Level;
  readonly title: string;
  readonly says: string;
  readonly fix: readonly Fix[];
  readonly evidence: readonly Pick<Quote, 'source' | 'quote'>[];
  /** What is stopped, and the object at fault: together with the rule they make the problem the same one in the next run. */
  readonly subject: ObjectRef;
  readonly object: ObjectRef;
  readonly place?: Place;
  readonly references: readonly string[];
}

/** A problem with the word by which it is known again. */
export interface KnownProblem extends Problem {
  readonly fingerprint: string;
}

/**
 * Each problem once, in order. The fingerprint is made of rule, subject and object, and so stays when words, times and lines change; a
 * second problem with all three the same has a number behind it.
 */
export function problemsOf(checks: readonly Check[]): readonly KnownProblem[] {
  const seen = new Set<Problem>();
  const counts = new Map<string, number>();
  return checks
    .flatMap(({ problems }) => problems)
    .flatMap((problem) => {
      if (seen.has(problem)) return [];
      seen.add(problem);
      const key = `${problem.rule}\n${formatRef(problem.subject)}\n${formatRef(problem.object)}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const text = count === 1 ? key : `${key}\n${count}`;
      return [{ ...problem, fingerprint: sha256Hex(new TextEncoder().encode(text)).slice(0, 32) }];
    });
}

/** What a problem says, its proof and its fix, a line each: harmless, and bounded. */
export function problemLines({ says, evidence, fix }: Problem): readonly string[] {
  return [
    clusterLine(says, 1200),
    ...evidence.slice(0, QUOTES).map(({ source, quote }) => clusterLine(`Proof: ${source}: ${quote}`)),
    ...fix.slice(0, FIXES).map((step) => clusterLine(`Fix: ${step.run === undefined ? '' : `${step.run}  # `}${fixWords(step)}`)),
  ];
}

const QUOTES = 3;
const FIXES = 2;
