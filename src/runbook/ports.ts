import type { Instant } from '../base/instant.ts';
import type { ClusterChanger } from '../model/cluster-changer.ts';
import type { ClusterReader } from '../model/cluster-reader.ts';
import type { AskedValue } from '../model/playbook.ts';

/** Everything a run touches of the world. */
export interface RunPorts {
  readonly reader: ClusterReader;
  /** Undefined where nothing can be changed: a snapshot. */
  readonly changer: ClusterChanger | undefined;
  readonly prompt: Prompt;
  readonly view: View;
  /** Undefined where no program can be run: a simulated cluster, a snapshot. */
  readonly programs: Programs | undefined;
  /** Flags that lead a command for a person to the cluster of the run; undefined where none chose it. */
  readonly flags?: string;
  /** What a command prints on a node, where that can be had without a person; undefined when not. Whoever looks afterwards sees it. */
  readonly onNode: (node: string, argv: readonly string[]) => Promise<string | undefined>;
  /** Text somebody pasted as something that can be looked at; undefined when podcheck knows nothing in it. */
  readonly readPasted: (text: string) => Promise<ClusterReader | undefined>;
  readonly clock: () => Instant;
  /** Milliseconds since some moment, which never go back: every wait and limit is measured by them, no moment is. */
  readonly elapsed: () => number;
  /** What is looked at never changes: waiting for it is in vain. */
  readonly isStill?: boolean;
  /** Lets so much time pass: really, or in the simulated cluster. */
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly signal: AbortSignal;
  /** After Ctrl-C: lets the reader and the changer work again, for undoing. Undefined where they always do. */
  readonly recover?: () => Promise<void>;
}

/** Who answers, a person or what stands in for one. Undefined means that nobody answers. */
export interface Prompt {
  /** Who it is, for the journal. */
  readonly who: string;
  confirm(question: Confirmation): Promise<Confirmed>;
  value(question: string, asked: AskedValue): Promise<string | undefined>;
  manual(task: ManualTask): Promise<ManualAnswer>;
  /** What a command printed on a node. */
  paste(node: string, command: string): Promise<string | undefined>;
}

export interface Confirmation {
  readonly question: string;
  /** What will be done, line by line: command, objects, differences. */
  readonly lines: readonly string[];
  /** A destructive one is confirmed by typing this. */
  readonly typed?: string;
}

export type Confirmed = 'yes' | 'no' | 'stop' | 'nobody';

export interface ManualTask {
  readonly step: string;
  readonly say: string;
  readonly commands: readonly string[];
}

export interface ManualAnswer {
  readonly word: 'done' | 'not-done' | 'stop' | 'nobody';
  readonly note?: string;
}

export interface Programs {
  /** The words as they are run: kubectl is told which cluster is meant. */
  words(argv: readonly string[]): readonly string[];
  run(argv: readonly string[]): Promise<ProgramEnd>;
}

/** How a program ended: by itself, by a signal, or because it took too long, printed too much, was interrupted, or never started. */
export interface ProgramEnd {
  readonly ended: 'exit' | 'killed' | 'time' | 'output' | 'interrupted' | 'not-started';
  /** Of one that ended by itself. */
  readonly code: number | undefined;
  readonly output: string;
}

/** Shows a run as it goes. */
export interface View {
  /** Shows what is being done while it is. `say` changes the words. */
  during<T>(title: string, work: (say: (words: string) => void) => Promise<T>): Promise<T>;
  /** What a step came to. */
  ended(outcome: ShownOutcome): void;
  /** Lines for the person that belong to no step's outcome: what an undo does. */
  lines(lines: readonly string[]): void;
}

export interface ShownOutcome {
  readonly step: string;
  readonly title: string;
  readonly result: string;
  readonly words: string;
  /** What was read, and commands to copy. */
  readonly lines: readonly string[];
  readonly milliseconds: number;
}
