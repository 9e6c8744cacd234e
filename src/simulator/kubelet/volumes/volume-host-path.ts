import type { JsonObject } from '../../../base/json.ts';
import { asText } from '../../../base/json.ts';
import type { FileEntry } from '../../programs/file-tree.ts';
import { entryIn, normalize, removeFrom } from '../../programs/file-tree.ts';
import type { SetUp } from './volume-set-up.ts';

/** A path of the machine, of the type the pod asks for. Source: pkg/volume/hostpath/host_path.go (checkTypeInternal). */
export function setUpHostPath(source: JsonObject, machine: Map<string, FileEntry>): SetUp {
  const path = normalize(asText(source['path']) ?? '/');
  const type = asText(source['type']) ?? '';
  const entry = entryIn(machine, path);
  if (entry === undefined && (type === '' || type === 'DirectoryOrCreate')) machine.set(path, { type: 'directory' });
  else if (entry === undefined && type === 'FileOrCreate') machine.set(path, { type: 'file', content: '' });
  else {
    const wanted = WANTED[type];
    if (wanted !== undefined && entry?.type !== wanted.type)
      return { ok: false, kind: 'operation', trouble: `hostPath type check failed: ${path} is not a ${wanted.called}` };
  }
  return {
    ok: true,
    plugin: 'host-path',
    // Others write to the machine too.
    get files() {
      return below(machine, path);
    },
    write: (name, written) => writeTo(machine, name === '' ? path : `${path === '/' ? '' : path}/${name}`, written),
  };
}

const WANTED: Readonly<Record<string, { readonly type: FileEntry['type']; readonly called: string }>> = {
  Directory: { type: 'directory', called: 'directory' },
  DirectoryOrCreate: { type: 'directory', called: 'directory' },
  File: { type: 'file', called: 'file' },
  FileOrCreate: { type: 'file', called: 'file' },
  Socket: { type: 'socket', called: 'socket file' },
  CharDevice: { type: 'character', called: 'character device' },
  BlockDevice: { type: 'block', called: 'block device' },
};

function below(machine: ReadonlyMap<string, FileEntry>, path: string): ReadonlyMap<string, FileEntry> {
  const exact = machine.get(path);
  if (exact !== undefined && exact.type !== 'directory') return new Map([['', exact]]);
  const prefix = path === '/' ? '/' : `${path}/`;
  return new Map(
    [...machine].flatMap(([name, entry]) =>
      name.startsWith(prefix) && name.length > prefix.length ? [[name.slice(prefix.length), entry] as const] : [],
    ),
  );
}

function writeTo(machine: Map<string, FileEntry>, path: string, entry: FileEntry | undefined): void {
  if (entry === undefined) removeFrom(machine, path);
  else machine.set(path, entry);
}
