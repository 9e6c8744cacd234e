/** What the operating system refused, in words. */
export interface SystemTrouble {
  /** `/var/lib/x: no space left on device`. */
  readonly message: string;
  /** One sentence that says what to do. */
  readonly hint: string;
}

/**
 * The words for an error by which Node says that the operating system refused something: a full disk, too few file descriptors, no
 * memory. Undefined for any other error. The cause of an error is looked at as well.
 */
export function systemTrouble(error: unknown): SystemTrouble | undefined {
  let one: unknown = error;
  for (let depth = 0; depth < DEEPEST && one instanceof Error; depth++, one = one.cause) {
    const known = wordsOf(one);
    const { path } = one as { readonly path?: unknown };
    // Which file was one too many says nothing.
    if (known !== undefined)
      return { message: `${typeof path === 'string' && known !== FILES ? `${path}: ` : ''}${known[0]}`, hint: known[1] };
  }
  return undefined;
}

/** Words of an error of any kind, for a message that names the file: those of the operating system where it refused something. */
export function systemReason(error: unknown): string {
  return wordsOf(error)?.[0] ?? (error instanceof Error ? error.message : String(error));
}

type Words = readonly [words: string, hint: string];

function wordsOf(error: unknown): Words | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof RangeError && MEMORY.test(error.message)) return NO_MEMORY;
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  const isOfFiles = typeof syscall === 'string' && !OF_NETWORK.has(syscall);
  return typeof code === 'string' && (isOfFiles || code.startsWith('ERR_')) ? WORDS.get(code) : undefined;
}

const DEEPEST = 8;
/** What a socket is refused is told where it is opened. */
const OF_NETWORK: ReadonlySet<string> = new Set(['listen', 'bind', 'connect', 'accept', 'getaddrinfo']);
/** Source: V8's kInvalidStringLength and kInvalidTypedArrayLength, Node's ERR_MEMORY_ALLOCATION_FAILED. */
const MEMORY = /^(?:Invalid string length|Array buffer allocation failed|Invalid typed array length)/;
const NO_MEMORY: Words = ['not enough memory', 'Give podcheck less at once, or more memory: NODE_OPTIONS=--max-old-space-size=4096.'];
const FILES: Words = ['too many open files', 'Raise the limit of open files: ulimit -n 1024.'];
const RIGHTS: Words = ['permission denied', 'Check the permissions of the file and of its folders.'];
const SPACE = 'Free some disk space, or choose another folder.';
const PATH = 'Check the path.';

/** Source: glibc's strerror, in lower case; Node's own codes where it is Node that refuses. */
const WORDS: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['EMFILE', FILES],
  ['ENFILE', FILES],
  ['ENOMEM', NO_MEMORY],
  ['ERR_MEMORY_ALLOCATION_FAILED', NO_MEMORY],
  ['ERR_STRING_TOO_LONG', NO_MEMORY],
  ['ENOSPC', ['no space left on device', SPACE]],
  ['EDQUOT', ['disk quota exceeded', SPACE]],
  ['EFBIG', ['file too large', SPACE]],
  ['EROFS', ['read-only file system', 'Choose a writable folder.']],
  ['EACCES', RIGHTS],
  ['EPERM', ['operation not permitted', 'Check the permissions of the file and of its folders.']],
  ['ENOENT', ['no such file or directory', PATH]],
  ['ENOTDIR', ['not a directory', PATH]],
  ['EISDIR', ['is a directory', 'Give a file.']],
  ['EEXIST', ['file exists', 'Choose another name.']],
  ['ELOOP', ['too many levels of symbolic links', PATH]],
  ['ENAMETOOLONG', ['file name too long', 'Choose a shorter path.']],
  ['EIO', ['input/output error', 'Check the disk.']],
  ['ESTALE', ['stale file handle', 'Try again.']],
  ['EBADF', ['bad file descriptor', 'Check how the stream is redirected.']],
  ['ENXIO', ['device not found', PATH]],
  ['ENODEV', ['device not found', PATH]],
  ['EAGAIN', ['resource temporarily unavailable', 'Try again when fewer processes are running.']],
]);
