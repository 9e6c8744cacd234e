import type { Phrase } from './phrases.ts';
import type { FactKind } from './fact-kinds.ts';
import type { Scalar } from './fact.ts';
import type { Place } from './place.ts';
import type { StageId } from './stage.ts';

/**
 * One failure mode: data over facts. `rules/<stage>/<name>.yaml` holds one; its path is its id.
 *
 * `when` is three-valued: a pattern that no fact fits is false only if everything it could have matched was looked at; over a
 * gap it is undecided, and so is what depends on it.
 */
export interface Rule {
  readonly id: string;
  readonly stage: StageId;
  readonly title: string;
  /**
   * `cause` (the default) names why; `symptom` only says what is seen (a probe fails, a process exits), and gives way to any
   * cause about the same workload.
   */
  readonly kind: 'cause' | 'symptom';
  /** The wordings it is recognised by; the patterns of `when` hear them. */
  readonly says: readonly Wording[];
  /** Wordings of which a collector makes a fact of the kind that they name. */
  readonly tells: readonly Wording[];
  /** Those of its stage; none for a rule without wordings. */
  readonly frames: Frames;
  readonly when: When;
  /** Facts that raise confidence and are quoted, but are not required. */
  readonly support: readonly Pattern[];
  /**
   * Template `Kind/name` or `Kind/namespace/name` of the object at fault, or several with ` | ` between them, of which the first
   * counts whose variables are bound; without it, or where words name none, the workload of what the first pattern's fact is about, or that
   * itself.
   */
  readonly object?: string;
  /**
   * Template of what all that suffers from it has in common, though it is no object there: a registry, the scheduler. A scan tells what has
   * the same once.
   */
  readonly shared?: string;
  /** Variables published as the cause's parameters; all named ones without it. */
  readonly params?: readonly string[];
  readonly what: string;
  readonly why: string;
  readonly fix: readonly Fix[];
  /** Ids, or `<stage>/*`, of findings further down that this one accounts for when they are about the same objects. */
  readonly explains: readonly string[];
  /** Ids, or `<stage>/*`, of findings about the same pods that matter only when this one is over: they are told after it. */
  readonly before: readonly string[];
  readonly playbook?: string;
  readonly references: readonly string[];
}

/** Words by which something is recognised, and where they may be said. */
export interface Wording {
  /** The kind of fact that a collector makes of it, with what it captures in that fact's fields; without it, it is `said`. */
  readonly fact?: FactKind;
  /** None: anywhere. */
  readonly in: readonly Place[];
  /** The machine words that may stand with them; none: any, or none at all. */
  readonly reason: readonly string[];
  /** A template (`base/wording/template.ts`); empty: the reason alone says it. */
  readonly text: string;
  /** The case of letters does not count. */
  readonly anyCase: boolean;
  /** It counts only where no other wording fits: what it says stands around many causes. */
  readonly general: boolean;
  /** Values that the match has besides what the template captures: they tell wordings of one rule apart. */
  readonly as: Readonly<Record<string, Scalar>>;
  /** First and last minor version of Kubernetes that has them, for a reader: words of old versions are never taken for something else. */
  readonly since?: string;
  readonly until?: string;
}

/** What `<stage>/_frames.yaml` has beside the rules of a stage. */
export interface Frames {
  /** They stand around the wordings of rules: what they capture is known of every text in which they stand. */
  readonly around: readonly Wording[];
  readonly phrases: readonly PhraseWording[];
  readonly openings: readonly Opening[];
}

/** A wording of a phrase. It tells of nothing by itself, and stands around nothing. */
export interface PhraseWording extends Wording {
  readonly phrase: Phrase;
}

/**
 * Words with which a component begins to tell that something fails. A line that is pasted alone and has them is read as what carries it in
 * a cluster; what it means is for the rules. `message` captures the carried message where a log has it in quotation marks.
 */
export interface Opening {
  /** What the text is taken for; `condition` is a node's Ready. */
  readonly place: 'event' | 'condition' | 'log' | 'answer';
  /** The component that says it; `controller` for any. */
  readonly component: string;
  /** Of an event; empty for other places. */
  readonly reason: string;
  /** What the message begins with in its event, where a log leaves it out. */
  readonly begins: string;
  readonly text: string;
  /** It stands within longer messages, too: a line that begins with it need not begin anything. */
  readonly within?: true;
  /** It is a rule's wording of a log, which counts only where nothing else in a text says what the text is. */
  readonly known?: true;
}

/**
 * All of `all` must fit one binding of the variables, at least one alternative of `any` (where given), and none of `none`. A seen fact of
 * `unless` refutes a match; unlike `none` it leaves nothing undecided when it could not be looked for. `optional` joins what is there.
 */
export interface When {
  readonly all: readonly Pattern[];
  /** Patterns of one alternative must all fit. */
  readonly any: readonly (readonly Pattern[])[];
  readonly none: readonly Pattern[];
  readonly optional: readonly Pattern[];
  readonly unless: readonly Pattern[];
}

export interface Pattern {
  readonly fact: FactKind;
  readonly where: Readonly<Record<string, Predicate>>;
  /** Facts of a match are about one namespace; a pattern of this scope looks in all of them. */
  readonly scope?: 'cluster';
  /** Of a pattern over words: where they may be said. */
  readonly places?: readonly Place[];
}

/**
 * What a field must be. A text that is `$name` binds or joins a variable; `where` may name `namespace`, `name`, `objectKind`
 * of what the fact is about besides the fact's own fields. A field the fact lacks fails every predicate but `absent`.
 */
export type Predicate =
  | { readonly test: 'equals'; readonly value: Scalar }
  | { readonly test: 'variable'; readonly name: string }
  | { readonly test: 'checks'; readonly checks: readonly Check[] };

export type Check =
  | { readonly check: 'not'; readonly value: Scalar | readonly Scalar[] }
  | { readonly check: 'oneOf'; readonly values: readonly Scalar[] }
  /** Text predicates ignore nothing: case and spaces count. `$name` in them stands for a bound variable's value. */
  | { readonly check: 'contains' | 'startsWith' | 'endsWith'; readonly any: readonly string[] }
  | { readonly check: 'lacks'; readonly any: readonly string[] }
  /** Literal text with `${name}` placeholders that bind variables to what stands there, shortest first. */
  | { readonly check: 'parse'; readonly any: readonly string[] }
  | { readonly check: 'above' | 'below' | 'atLeast' | 'atMost'; readonly value: number | string }
  | { readonly check: 'absent' }
  /** Binds the variable to the field besides other checks; `maybe` also fits when the field is missing, and binds nothing then. */
  | { readonly check: 'as' | 'maybe'; readonly name: string };

/** A remedy in one sentence, with a command to copy where there is one. */
export interface Fix {
  readonly say: string;
  readonly run?: string;
  /** Who must do it where no command of kubectl can; `run` then only helps to look. */
  readonly by?: FixRole;
  /** Variables without which the step is left out: what it sets must be known. */
  readonly needs?: readonly string[];
}

/**
 * A developer changes the program, its image or its manifest; the others administer what their names say; an owner knows the data or
 * credentials.
 */
export const FIX_ROLES = [
  'developer',
  'owner',
  'cluster-admin',
  'node-admin',
  'storage-admin',
  'network-admin',
  'registry-admin',
  'cloud-admin',
] as const;
export type FixRole = (typeof FIX_ROLES)[number];
