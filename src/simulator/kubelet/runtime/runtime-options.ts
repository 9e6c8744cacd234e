import { parseInteger } from '../../../base/number.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import type { Prng } from '../../../base/prng.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Agenda } from '../../time/agenda.ts';
import type { Network } from '../../network/network.ts';
import type { ContainerStreams } from '../../programs/container-streams.ts';
import type { Behaviours } from '../../programs/behaviour.ts';
import type { FileMount } from '../../programs/file-tree.ts';
import type { Variables } from '../../programs/program.ts';
import type { Image } from '../../images/image-catalog.ts';
import type { Registries } from '../../images/registry.ts';

export interface ContainerSettings {
  readonly pod: KubeObject;
  readonly spec: JsonObject;
  readonly argv: readonly string[];
  readonly env: Variables;
  readonly workingDir: string;
  readonly image: Image;
  readonly user: number;
  readonly memoryLimit: number | undefined;
  /** How much the node has. */
  readonly nodeMemory: Json | undefined;
  readonly mounts: readonly FileMount[];
  readonly hostname: string;
  /** The streams of its own program. */
  readonly streams: ContainerStreams;
}

export interface RuntimeOptions {
  readonly node: string;
  readonly address: string;
  readonly podNetwork: string;
  readonly architecture: string;
  readonly agenda: Agenda;
  readonly prng: Prng;
  readonly network: Network;
  readonly registries: Registries;
  readonly behaviours: Behaviours;
  /** Told of the namespace in which a container begins to use more or less of anything. */
  readonly usageChanged: (namespace: string) => void;
}

/** Whom the directories of its image belong to. */
export function ownerOf({ image, user }: ContainerSettings): number {
  return parseInteger(/^\d+/.exec(image.user)?.[0]) ?? (image.user === '' || image.user === 'root' ? 0 : user);
}
