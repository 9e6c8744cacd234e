import type { Instant } from '../../../base/instant.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asObject, asText } from '../../../base/json.ts';
import { imageIdOf } from '../../images/image-catalog.ts';
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
  /** What it has now: it may be given others while it runs. */
  resources: JsonObject;
}

type Made = Pick<Container, 'id' | 'chance' | 'podUid' | 'sandboxId' | 'kind' | 'attempt' | 'settings' | 'createdAt'>;

/** A container that was made and not started. Its fields stand one by one: spread, they took three times the memory. */
export function newContainer({ id, chance, podUid, sandboxId, kind, attempt, settings, createdAt }: Made): Container {
  const image = asText(settings.spec['image']) ?? '';
  return {
    id,
    chance,
    podUid,
    sandboxId,
    kind,
    attempt,
    settings,
    createdAt,
    name: asText(settings.spec['name']) ?? '',
    image,
    imageId: imageIdOf(image, settings.image),
    user: settings.user,
    mounts: settings.mounts,
    logs: [],
    droppedLines: 0,
    state: 'created',
    startedAt: undefined,
    finishedAt: undefined,
    exitCode: undefined,
    reason: undefined,
    message: undefined,
    process: undefined,
    whenExited: [],
    resources: asObject(settings.spec['resources']),
  };
}
