import type { KubeObject } from '../../../model/kube-object.ts';
import type { FileEntry, FileMount } from '../../programs/file-tree.ts';
import { entryIn } from '../../programs/file-tree.ts';
import type { SetUp } from './volume-set-up.ts';

/** A volume that is there: its files, and where what is written to it goes. */
export interface MountedVolume {
  readonly name: string;
  readonly setUp: Extract<SetUp, { ok: true }>;
  /** What was put in the place of its files. */
  replaced: ReadonlyMap<string, FileEntry> | undefined;
  readonly inMemory: boolean;
}

/** A volume where a container sees it. There is one for each container: what few ask for is worked out when it is. */
export class VolumeMount implements FileMount {
  readonly path: string;
  readonly readOnly: boolean;
  readonly #volume: MountedVolume;
  readonly #pod: KubeObject;
  readonly #subPath: string;
  readonly #snapshot: ReadonlyMap<string, FileEntry> | undefined;

  constructor(
    volume: MountedVolume,
    path: string,
    { pod, readOnly, subPath }: { readonly pod: KubeObject; readonly readOnly: boolean; readonly subPath: string },
  ) {
    const { write } = volume.setUp;
    this.path = path;
    this.readOnly = readOnly || write === undefined;
    this.#volume = volume;
    this.#pod = pod;
    this.#subPath = subPath;
    if (subPath === '') return;
    // What is not there is made. Source: pkg/kubelet/kubelet_pods.go (makeMounts).
    if (write !== undefined && entryIn(filesIn(volume), subPath) === undefined) write(subPath, { type: 'directory', mode: 0o755 });
    else if (write === undefined) this.#snapshot = filesBelow(filesIn(volume), subPath);
  }

  get source(): string {
    return `/var/lib/kubelet/pods/${this.#pod.metadata.uid}/volumes/kubernetes.io~${this.#volume.setUp.plugin}/${this.#volume.name}`;
  }

  get inMemory(): boolean {
    return this.#volume.inMemory;
  }

  get write(): FileMount['write'] {
    const { write } = this.#volume.setUp;
    if (this.#subPath === '' || write === undefined) return write;
    return (name, entry) => write(`${this.#subPath}/${name}`, entry);
  }

  files(): ReadonlyMap<string, FileEntry> {
    const files = this.#snapshot ?? filesIn(this.#volume);
    return this.#subPath === '' || this.#snapshot !== undefined ? files : filesBelow(files, this.#subPath);
  }
}

/** Of what can be written to, what is there now. */
export function filesIn({ replaced, setUp }: MountedVolume): ReadonlyMap<string, FileEntry> {
  return replaced ?? setUp.files;
}

/** A subPath is bound once: later changes of the volume do not show in it. */
function filesBelow(files: ReadonlyMap<string, FileEntry>, path: string): ReadonlyMap<string, FileEntry> {
  const exact = files.get(path);
  if (exact !== undefined && exact.type === 'file') return new Map([['', exact]]);
  return new Map([
    ...(exact === undefined ? [] : [['', exact] as const]),
    ...[...files].flatMap(([name, entry]) => (name.startsWith(`${path}/`) ? [[name.slice(path.length + 1), entry] as const] : [])),
  ]);
}
