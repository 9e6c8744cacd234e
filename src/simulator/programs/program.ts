import type { Instant } from '../../base/instant.ts';
import type { Response, Speech } from '../network/sockets.ts';
import type { Attempt } from '../network/network.ts';
import type { Resolution } from '../network/dns.ts';
import type { Routine } from '../time/routine.ts';
import type { FileTree } from './file-tree.ts';

/** What a container runs, as a routine in virtual time: its end is the exit code. */
export type Program = (process: ProcessContext) => Routine<number>;

/** An environment: its variables in the order they were first set. */
export type Variables = Pick<ReadonlyMap<string, string>, 'get' | typeof Symbol.iterator>;

/** What a program has of its container and of the world around it. */
export interface ProcessContext {
  readonly args: readonly string[];
  readonly env: Variables;
  readonly files: FileTree;
  readonly hostname: string;
  /** Numeric user the program runs as. */
  readonly user: number;
  /** Of its processes, the primary one first. */
  readonly groups: readonly number[];
  /** For measuring how long something takes. */
  now(): Instant;
  /** For telling what time it is. */
  clock(): Instant;
  /** Lets time pass. A background sleep is one that a settled cluster may be left in. */
  sleep(milliseconds: number, background?: boolean): Routine;
  /** Does nothing until a signal comes; it is noticed at the next multiple of the period (0: at once). */
  idle(periodMilliseconds: number): Routine;
  log(line: string): void;
  /** Why the address cannot be listened on; undefined when it is from now on. */
  listen(address: string, port: number, speech: Speech): string | undefined;
  /** Bytes in use from now on; beyond the container's limit it is killed. */
  useMemory(bytes: number): void;
  /** Bytes on the machine's disk from now on: its own files and logs. */
  useDisk(bytes: number): void;
  /** CPU cores in use from now on. */
  useCpu(cores: number): void;
  connect(host: string, port: number, timeoutMilliseconds: number, protocol?: string): Routine<Attempt>;
  request(
    host: string,
    port: number,
    path: string,
    timeoutMilliseconds: number,
    protocol?: string,
  ): Routine<Attempt & { readonly response?: Response }>;
  /** What a program learns that asks somebody else while it is asked itself: the answer, and how long it took. */
  ask(
    host: string,
    port: number,
    path: string,
    protocol: string,
  ): { readonly milliseconds: number } & ({ readonly response: Response } | { readonly trouble: string });
  /** Ends it, in a moment. */
  quit(code: number): void;
  resolve(name: string): Routine<Resolution>;
  /** The records of a name; undefined when no name server answers. */
  lookUp(name: string, type: string): Routine<readonly string[] | undefined>;
  /** Whether SIGTERM has come since it was last asked; only for programs that handle it. */
  takeSignal(): boolean;
  /** What SIGTERM does: nothing (the default of process 1), end it with a code, or be noticed by the program itself. */
  onTerminate(reaction: Reaction): void;
}

export type Reaction =
  | { readonly kind: 'ignore' }
  | { readonly kind: 'exit'; readonly code: number; readonly afterMilliseconds: number }
  | { readonly kind: 'notice' };
