import type { Instant } from '../../../base/instant.ts';
import type { Prng } from '../../../base/prng.ts';
import type { FileMount } from '../../programs/file-tree.ts';
import type { Process } from './container-process.ts';
import type { ContainerSettings } from './runtime-options.ts';

/** A container of the runtime. Its fields are set by the runtime only. */
export interface Container {
  readonly id: string;
  /** What its program draws from. */
  readonly chance: Prng;
  readonly podUid: string;
  readonly sandboxId: string | undefined;
  readonly name: string;
  readonly kind: 'init' | 'main' | 'ephemeral';
  readonly attempt: number;
  readonly image: string;
  readonly imageId: string;
  readonly createdAt: Instant;
  readonly user: number;
  readonly mounts: readonly FileMount[];
  readonly settings: ContainerSettings;
  readonly logs: { readonly at: Instant; readonly line: string }[];
  /** Lines that were written and are kept no more. */
  droppedLines: number;
  state: 'created' | 'running' | 'exited';
  startedAt: Instant | undefined;
  finishedAt: Instant | undefined;
  exitCode: number | undefined;
  reason: string | undefined;
  message: string | undefined;
  process: Process | undefined;
  readonly whenExited: (() => void)[];
}
