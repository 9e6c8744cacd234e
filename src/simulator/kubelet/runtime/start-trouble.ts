import type { Image } from '../../images/image-catalog.ts';
import type { FileEntry, FileTree } from '../../programs/file-tree.ts';
import { entryIn } from '../../programs/file-tree.ts';
import type { ContainerSettings } from './runtime-options.ts';

/**
 * Why runc cannot start a container's program, as containerd says it in StartContainer; undefined when it can. That a script's
 * interpreter is missing or a program is for another architecture is not known before the program is run.
 */
export function startTrouble(settings: ContainerSettings, files: FileTree): string | undefined {
  const { memoryLimit, workingDir } = settings;
  if (memoryLimit !== undefined && memoryLimit < MEMORY_TO_START)
    return `${PROCESS}: container init was OOM-killed (memory limit too low?)`;
  const mount = mountTrouble(settings);
  if (mount !== undefined) return `${PROCESS}: error during container init: ${mount}`;
  if (files.entry(workingDir)?.type === 'file') return `${PROCESS}: error during container init: mkdir ${workingDir}: not a directory`;
  const program = programTrouble(settings, files);
  return program === undefined ? undefined : `${PROCESS}: error during container init: ${program}`;
}

/** runc itself needs a few MiB in the container's memory cgroup. */
const MEMORY_TO_START = 4 * 1024 * 1024;

const PROCESS =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process';

function mountTrouble(settings: ContainerSettings): string | undefined {
  const uid = settings.pod.metadata.uid ?? '';
  for (const mount of settings.mounts) {
    const outer = settings.mounts.find(({ path, readOnly }) => readOnly && mount.path.startsWith(`${path}/`));
    if (outer !== undefined && entryIn(outer.files(), mount.path.slice(outer.path.length + 1)) === undefined) {
      return `error mounting "${mount.source ?? `/var/lib/kubelet/pods/${uid}/volumes`}" to rootfs at "${mount.path}": create mountpoint for ${mount.path} mount: make mountpoint "${mount.path}": mkdirat ${mount.path.slice(1)}: read-only file system`;
    }
    const [below, above] = [settings.image.files.get(mount.path), entryIn(mount.files(), '')];
    if (below === undefined || above === undefined || (below.type === 'directory') === (above.type === 'directory')) continue;
    const source = mount.source ?? `/var/lib/kubelet/pods/${uid}/volumes`;
    const flags = mount.readOnly ? 'MS_RDONLY|MS_BIND|MS_REC' : 'MS_BIND|MS_REC';
    const target = `mount src=${source}, dst=${mount.path}, dstFd=/proc/thread-self/fd/14, flags=${flags}: not a directory`;
    return `error mounting "${source}" to rootfs at "${mount.path}": ${target}`;
  }
  return undefined;
}

function programTrouble({ argv, image, workingDir, user }: ContainerSettings, files: FileTree): string | undefined {
  const [program = ''] = argv;
  const path = program.startsWith('/') ? program : `${workingDir === '/' ? '' : workingDir}/${program}`;
  const entry = program.includes('/') ? files.entry(path) : undefined;
  if (entry !== undefined) {
    if (entry.type === 'directory') return `exec: "${program}": is a directory`;
    return isExecutable(entry, user) ? undefined : `exec: "${program}": permission denied`;
  }
  return imageTrouble(program, path, image);
}

/** Of most images not all files are known, but which programs they have. */
function imageTrouble(program: string, path: string, image: Image): string | undefined {
  if (image.programs === undefined) return undefined;
  const name = program.split('/').at(-1) ?? program;
  const isItsOwn = image.entrypoint[0] === program || image.command[0] === program;
  if (isItsOwn && !(program.includes('/') && image.programs.length === 0)) return undefined;
  if (!program.includes('/')) return image.programs.includes(name) ? undefined : `exec: "${program}": executable file not found in $PATH`;
  const inPath = PROGRAM_FOLDERS.some((folder) => path === `${folder}/${name}`);
  return inPath && image.programs.includes(name) ? undefined : `exec: "${program}": stat ${program}: no such file or directory`;
}

function isExecutable(entry: FileEntry, user: number): boolean {
  return entry.type === 'file' && ((entry.mode ?? 0o644) & (user === 0 ? 0o111 : 0o001)) !== 0;
}

const PROGRAM_FOLDERS: readonly string[] = ['/bin', '/usr/bin', '/sbin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin'];
