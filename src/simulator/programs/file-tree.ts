/** One file of an image, a volume or a machine. */
export type FileEntry =
  /** `size`: bytes, where there are more of them than anybody reads. */
  | {
      readonly type: 'file';
      readonly content: string;
      readonly size?: number;
      readonly mode?: number;
      readonly owner?: number;
      readonly group?: number;
    }
  | {
      readonly type: 'directory' | 'socket' | 'block' | 'character';
      readonly mode?: number;
      readonly owner?: number;
      readonly group?: number;
    };

export type Files = ReadonlyMap<string, FileEntry>;

export interface FileMount {
  readonly path: string;
  /** Where it lies on the machine, for messages that name it. */
  readonly source?: string;
  readonly readOnly: boolean;
  /** Whether it lies in memory; on the machine's disk when not given. */
  readonly inMemory?: boolean;
  /** Asked at every look, so that an updated volume shows at once. Paths in it are relative: `` is the mount itself. */
  readonly files: () => Files;
  /** Set for volumes that keep what is written to them; without an entry what is there is taken away. */
  readonly write?: ((path: string, entry: FileEntry | undefined) => void) | undefined;
}

export interface FileTrouble {
  readonly trouble: 'No such file or directory' | 'Permission denied' | 'Is a directory' | 'Not a directory' | 'Read-only file system';
}

export interface FileOwners {
  /** Whom the image's directories belong to; root when not given. */
  readonly owner?: number;
  /** Those of the container's processes. */
  readonly groups?: readonly number[];
  /** The image's files with what the kubelet puts into /etc; made when something looks there. */
  readonly withEtc?: () => Files;
  /** What the kernel shows below /proc and /sys/fs/cgroup, asked at every look. */
  readonly kernel?: () => Files;
}

/** The files a container sees: its image's, what it has written, and the volumes mounted over them. */
export class FileTree {
  readonly #image: Files;
  readonly #withEtc: () => Files;
  readonly #kernel: (() => Files) | undefined;
  #etc: Files | undefined;
  readonly #mounts: readonly FileMount[];
  /** Most containers write no file, and fewer take one away. */
  #written: Map<string, FileEntry> | undefined;
  /** What the image has and was taken away. */
  #removed: Set<string> | undefined;
  readonly #readOnly: boolean;
  readonly #wrote: () => void;
  readonly #owner: number;
  readonly #groups: readonly number[];
  #sawMounts = false;

  constructor(
    image: Files,
    mounts: readonly FileMount[],
    readOnly: boolean,
    wrote: () => void = () => undefined,
    { owner = 0, groups = [], withEtc = () => image, kernel }: FileOwners = {},
  ) {
    this.#groups = groups;
    this.#wrote = wrote;
    this.#owner = owner;
    this.#image = image;
    this.#withEtc = withEtc;
    this.#kernel = kernel;
    this.#mounts = [...mounts].sort((a, b) => b.path.length - a.path.length);
    this.#readOnly = readOnly;
  }

  /** Whether anything was looked up in a volume. */
  get sawMounts(): boolean {
    return this.#sawMounts;
  }

  entry(path: string): FileEntry | undefined {
    const full = normalize(path);
    const mount = this.#mountOf(full);
    if (mount !== undefined) return entryIn(mount.files(), relative(full, mount.path));
    return (
      this.#written?.get(full) ??
      (this.#removed?.has(full) === true ? undefined : entryIn(this.#imageAt(full), full)) ??
      (this.#leadsToMount(full) ? { type: 'directory' } : undefined)
    );
  }

  /** The volume that a path lies in. */
  mountAt(path: string): FileMount | undefined {
    return this.#mountOf(normalize(path));
  }

  read(path: string, user: number): string | FileTrouble {
    const entry = this.entry(path);
    if (entry === undefined) return { trouble: 'No such file or directory' };
    if (entry.type !== 'file') return { trouble: 'Is a directory' };
    if (!readable(entry, user, this.#groups)) return { trouble: 'Permission denied' };
    return entry.content;
  }

  write(path: string, entry: FileEntry, user = 0): FileTrouble | undefined {
    const full = normalize(path);
    const mount = this.#mountOf(full);
    if (mount === undefined && this.#readOnly) return { trouble: 'Read-only file system' };
    if (mount === undefined && !this.#mayWrite(full, user)) return { trouble: 'Permission denied' };
    if (mount === undefined) {
      this.#removed?.delete(full);
      (this.#written ??= new Map()).set(full, entry);
    } else if (mount.write === undefined || mount.readOnly) return { trouble: 'Read-only file system' };
    else mount.write(relative(full, mount.path), entry);
    this.#wrote();
    return undefined;
  }

  /** Takes a file away, or a directory with all that was written below it. Directories of the image stay. */
  remove(path: string): FileTrouble | undefined {
    const full = normalize(path);
    const mount = this.#mountOf(full);
    if (mount === undefined && this.#readOnly) return { trouble: 'Read-only file system' };
    if (mount !== undefined && (mount.write === undefined || mount.readOnly)) return { trouble: 'Read-only file system' };
    if (mount === undefined) {
      if (this.#written !== undefined) removeFrom(this.#written, full);
      if (this.#imageAt(full).has(full)) (this.#removed ??= new Set()).add(full);
    } else mount.write?.(relative(full, mount.path), undefined);
    this.#wrote();
    return undefined;
  }

  /** Bytes written to the container's own layer, volumes aside. */
  written(): number {
    return this.#written === undefined ? 0 : bytesIn(this.#written);
  }

  /** Names directly below a directory. */
  list(path: string): readonly string[] {
    const full = normalize(path);
    const mount = this.#mountOf(full);
    const prefix =
      mount === undefined ? (full === '/' ? '/' : `${full}/`) : relative(full, mount.path) === '' ? '' : `${relative(full, mount.path)}/`;
    const own = (): string[] => [
      ...[...this.#imageAt(full).keys()].filter((each) => this.#removed?.has(each) !== true),
      ...(this.#written?.keys() ?? []),
    ];
    const paths = mount === undefined ? own() : [...mount.files().keys()];
    const names = paths
      .filter((each) => each.startsWith(prefix) && each.length > prefix.length)
      .map((each) => each.slice(prefix.length).split('/')[0] ?? '');
    return [...new Set(names)].sort();
  }

  /** A file is its owner's to write; a new one is for whoever may write into its directory. */
  #mayWrite(full: string, user: number): boolean {
    if (user === 0 || user === this.#owner || OPEN_FOLDERS.some((folder) => full.startsWith(folder))) return true;
    for (let path = full; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
      const entry = this.#written?.get(path) ?? this.#imageAt(path).get(path);
      if (entry !== undefined) return (entry.owner ?? this.#owner) === user || ((entry.mode ?? 0o644) & 0o002) !== 0;
    }
    return false;
  }

  #imageAt(full: string): Files {
    if (this.#kernel !== undefined && KERNEL_FOLDERS.some((folder) => full.startsWith(folder))) return this.#kernel();
    return full.startsWith('/etc') || full === '/' ? (this.#etc ??= this.#withEtc()) : this.#image;
  }

  #mountOf(full: string): FileMount | undefined {
    const mount = this.#mounts.find(({ path }) => full === path || full.startsWith(`${path === '/' ? '' : path}/`));
    if (mount !== undefined) this.#sawMounts = true;
    return mount;
  }

  #leadsToMount(full: string): boolean {
    return this.#mounts.some((mount) => mount.path.startsWith(full === '/' ? '/' : `${full}/`));
  }
}

const KERNEL_FOLDERS: readonly string[] = ['/proc/', '/sys/fs/cgroup'];

/** Everybody's, in every container. */
const OPEN_FOLDERS: readonly string[] = ['/tmp/', '/var/tmp/', '/dev/', '/proc/'];

/** Takes away what is at a path and below it. */
export function removeFrom(files: Map<string, FileEntry>, path: string): void {
  for (const each of files.keys()) if (each === path || each.startsWith(`${path}/`)) files.delete(each);
}

export function bytesIn(files: Files): number {
  let sum = 0;
  for (const entry of files.values()) if (entry.type === 'file') sum += entry.size ?? entry.content.length;
  return sum;
}

/** An entry by path; a directory is there when something lies in it. */
export function entryIn(files: Files, path: string): FileEntry | undefined {
  const found = files.get(path);
  if (found !== undefined) return found;
  if (path === '' || path === '/') return { type: 'directory' };
  for (const each of files.keys()) if (each.startsWith(`${path}/`)) return { type: 'directory' };
  return undefined;
}

/** An absolute path without `.`, `..` and doubled slashes. */
export function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function relative(full: string, mount: string): string {
  return full === mount ? '' : full.slice(mount === '/' ? 1 : mount.length + 1);
}

function readable(entry: FileEntry, user: number, groups: readonly number[]): boolean {
  if (user === 0) return true;
  const mode = entry.mode ?? 0o644;
  if (entry.group !== undefined && groups.includes(entry.group)) return (mode & 0o040) !== 0;
  return (entry.owner ?? 0) === user ? (mode & 0o400) !== 0 : (mode & 0o004) !== 0;
}
