import type { Instant } from '../base/instant.ts';
import type { CertificateRow } from './certificate.ts';
import type { Fact, Gap, Scalar } from './fact.ts';
import type { ObjectRef } from './kube-object.ts';
import type { Fix, Rule } from './rule.ts';
import type { StageId, Verdict } from './stage.ts';

/** Everything seen and everything that could not be, with the source's own time. */
export interface Evidence {
  readonly at: Instant;
  readonly facts: readonly Fact[];
  readonly gaps: readonly Gap[];
  /** What was looked at and may be chosen as a target, healthy or not. */
  readonly targets: readonly Target[];
  /** Where not all pods were looked at one by one. */
  readonly sample?: PodSample;
}

/** Pods, by key. */
export interface PodSample {
  /** Each stands for others that are like it: what is found about one of these is true of the others, too. */
  readonly standing: ReadonlySet<string>;
  /** Others stand for these, of which nothing was said but that they have started. */
  readonly started: ReadonlySet<string>;
  /** Others stand for these, but something was said of them all the same. */
  readonly spoken: ReadonlySet<string>;
}

/** A thing a person can ask about: a workload with its pods, a pod of its own, a Service, a Node, an object that was refused. */
export interface Target {
  readonly ref: ObjectRef;
  /** `unhealthy` and `progressing` are seen facts; `unknown` when it could not be told. */
  readonly state: 'healthy' | 'unhealthy' | 'progressing' | 'unknown';
  /** Why it is not healthy, in a few words: `0/3 ready`, `CrashLoopBackOff`. */
  readonly reason?: string;
  /** Pods that are ready and pods that are wanted, for a controller whose status was seen. */
  readonly pods?: PodCounts;
  /** Its pods and owners and itself: facts about any of these are facts about the target. */
  readonly members: readonly ObjectRef[];
}

export interface PodCounts {
  readonly ready: number;
  readonly desired: number;
}

/** A rule that matched, with everything it matched grouped by the object at fault. */
export interface Finding {
  readonly rule: Rule;
  readonly object: ObjectRef;
  /** The workload the object belongs to, or that is affected when there is just one. */
  readonly workload?: ObjectRef;
  readonly params: Readonly<Record<string, Scalar>>;
  readonly facts: readonly Fact[];
  readonly support: readonly Fact[];
  /** Workloads, pods and other objects that suffer from it. */
  readonly affected: readonly ObjectRef[];
  /** Further objects at fault in the same way, for the same thing outside of them: a scan tells them with it. */
  readonly others?: readonly ObjectRef[];
}

/** A finding as the answer to "why", with its words filled in. `rank` 1 is the cause; the others are further candidates. */
export interface Cause {
  readonly rank: number;
  readonly rule: string;
  readonly stage: StageId;
  /** It only says what is seen: no rule names what causes it. */
  readonly symptom?: true;
  readonly title: string;
  readonly object: ObjectRef;
  readonly workload?: ObjectRef;
  readonly params: Readonly<Record<string, Scalar>>;
  readonly what: string;
  readonly why: string;
  readonly fix: readonly Fix[];
  readonly evidence: readonly Quote[];
  readonly playbook?: string;
  readonly affected: readonly ObjectRef[];
  /** Further objects at fault in the same way, which are among the affected. */
  readonly others?: readonly ObjectRef[];
  /** Rule ids of findings this cause accounts for, about the same objects. */
  readonly explains: readonly string[];
  readonly references: readonly string[];
}

export interface Quote {
  /** The object the quoted words are about. */
  readonly about: ObjectRef;
  readonly source: string;
  readonly quote: string;
  /** When it was last seen. */
  readonly at?: Instant;
  /** How often it was seen; left out for once. */
  readonly count?: number;
  /** It only raises confidence: the cause holds without it. */
  readonly support?: true;
}

export const OUTCOMES = ['healthy', 'explained', 'waiting', 'unexplained', 'inconclusive'] as const;

/**
 * `waiting`: all was seen, and the object is starting, without a sign of trouble, no longer than is normal; `unexplained`: all was seen and
 * no
 * rule knows it; `inconclusive`: something that could decide it was not seen.
 */
export type Outcome = (typeof OUTCOMES)[number];

export interface StageVerdict {
  readonly id: StageId;
  readonly verdict: Verdict;
  readonly at?: Instant;
  readonly reason?: string;
}

/** One object owns, names or depends on another one. */
export interface Link {
  readonly from: ObjectRef;
  readonly to: ObjectRef;
  /** In a word or two: `owns`, `volume`. */
  readonly how: string;
  /** The other one does not exist. */
  readonly missing?: true;
}

/** The answer about one target. */
export interface Diagnosis {
  readonly target: ObjectRef;
  readonly at: Instant;
  readonly outcome: Outcome;
  /** How the target is doing by its own status, whatever the cause. */
  readonly state: Target['state'];
  /** Why it is not healthy, in a few words: `0/3 ready`, `CrashLoopBackOff`. */
  readonly reason?: string;
  readonly pods?: PodCounts;
  readonly stages: readonly StageVerdict[];
  readonly causes: readonly Cause[];
  /** Objects that are as healthy as the target, where nobody said which one is meant: then `stages` is empty. */
  readonly others?: readonly { readonly ref: ObjectRef; readonly reason: string | undefined }[];
  /** What the target owns and names, and the object at fault: for a picture. Left out where nothing is known of it. */
  readonly around?: readonly Link[];
  readonly gaps: readonly Gap[];
}

/** The answer about a scope: one cause for all the objects it explains. */
export interface ScanResult {
  readonly at: Instant;
  readonly scope: { readonly namespace?: string };
  readonly counts: {
    readonly targets: number;
    readonly healthy: number;
    readonly unhealthy: number;
    readonly unexplained: number;
    readonly unknown: number;
  };
  readonly causes: readonly Cause[];
  /** Unhealthy things no cause was found for. */
  readonly unexplained: readonly Target[];
  /** What is counted as unhealthy and is on its way: starting, going, or about to be used. Left out where there is none. */
  readonly starting?: readonly Target[];
  /** Healthy, but without running pods because their own spec says so: suspended, scaled to zero, gated. Left out where there are none. */
  readonly inactive?: readonly Target[];
  /** Certificates that have ended, or will before they are renewed; undefined where nobody looked for them. */
  readonly certificates?: readonly CertificateRow[];
  readonly gaps: readonly Gap[];
}
