import type { WordOf } from '../survey/fact-sink.ts';

/** Why a container could not be created or started, as far as the message tells. */
export interface StartFailure {
  readonly class: WordOf<'start-failure', 'class'>;
  /** The command, directory, path, user or volume it is about. */
  readonly subject?: string;
  /** The end of the message: what the system said. */
  readonly detail?: string;
}

interface Wording {
  readonly class: StartFailure['class'];
  readonly test: RegExp;
  /** Finds the subject: its first group that took part. */
  readonly subject?: RegExp;
}

const EXEC = /exec: "([^"]{1,500})"|executable file `([^`]{1,500})`|exec `?([/\w.-]{1,300})`?: /;

/**
 * Messages of the kubelet (CreateContainerConfigError), of the runtime (CreateContainerError) and of runc or crun (RunContainerError,
 * StartError); the first that fits counts. Source: pkg/kubelet/kubelet_pods.go, pkg/kubelet/kuberuntime/security_context.go,
 * opencontainers/runc libcontainer, containers/crun src/libcrun, containerd internal/cri/server.
 */
const WORDINGS: readonly Wording[] = [
  { class: 'reference', test: /\b(?:configmap|secret)s? "[^"]{1,253}" not found|couldn't find key \S{1,253} in (?:ConfigMap|Secret)|failed to sync (?:configmap|secret) cache/ },
  { class: 'post-start-hook', test: /lifecycle hook \(|PostStartHook/, subject: /lifecycle hook \(\[?([^\n]{0,500}?)\]?\) for Container/ },
  { class: 'run-as-non-root', test: /runAsNonRoot and image|non-numeric user|breaks non-root policy/, subject: /non-numeric user \(([^)]{1,100})\)/ },
  { class: 'user-unknown', test: /unable to find (?:user|group) /, subject: /unable to find (?:user|group) ([^:\s]{1,100})/ },
  { class: 'subpath', test: /subPath/i, subject: /volumeMount "([^"]{1,253})"|SubPath `([^`]{1,253})`/ },
  { class: 'out-of-memory', test: /OOM-killed|memory limit too low|container init was OOM|memory\.max.{0,200}(?:device or resource busy|invalid argument)|minimum memory limit/i },
  { class: 'working-directory', test: /chdir to cwd|set in config\.json failed|mkdir (?:cwd|workdir)|chdir to `|error during container init: mkdir \S{1,300}: (?:not a directory|file exists|permission denied|read-only file system)/, subject: /chdir to cwd \("([^"]{1,300})"\)|chdir to `([^`]{1,300})`|container init: mkdir ([^:\s]{1,300}):/ },
  { class: 'mount-not-a-directory', test: /mount[^\n]{0,1200}(?:not a directory|Are you trying to mount a directory onto a file|is a directory)/i, subject: /to rootfs at "([^"]{1,300})"|dst=([^,\s]{1,300})|mount `[^`]{1,300}` to `([^`]{1,300})`/ },
  { class: 'mount-read-only', test: /mount[^\n]{0,1200}read-only file system/i, subject: /to rootfs at "([^"]{1,300})"|dst=([^,\s]{1,300})|mkdir ([^:\s]{1,300}): read-only/ },
  { class: 'mount-failed', test: /error mounting|failed to mount|failed to mkdir|is not a shared mount|transport endpoint is not connected|stale NFS file handle|cannot find volume/i, subject: /to rootfs at "([^"]{1,300})"|failed to (?:mkdir|stat) "([^"]{1,300})"|cannot find volume "([^"]{1,253})"/ },
  { class: 'security-profile', test: /seccomp|apparmor|selinux/i },
  { class: 'device', test: /CDI device injection|device plugin|no devices found allocated/i },
  { class: 'no-command', test: /no command specified/ },
  { class: 'not-executable', test: /exec: "[^"]{1,500}": (?:permission denied|is a directory)|open executable: permission denied|exec [^\n]{1,300}: permission denied|starting container process caused: exec: "[^"]{1,500}": permission denied|is a directory: permission denied|: not executable/i, subject: EXEC },
  { class: 'command-not-found', test: /executable file (?:`[^`]{1,500}` )?not found|exec: "[^"]{1,500}": (?:stat [^\n]{1,500}: )?no such file or directory|stat \S{1,500}: no such file or directory|open executable: no such file/i, subject: EXEC },
  { class: 'exec-format', test: /exec format error/i, subject: EXEC },
  { class: 'runtime-slow', test: /context deadline exceeded|DeadlineExceeded|failed to reserve container name|is reserved for/ },
];

/** Words of a message that say only that the container is in back-off. */
const EMPTY_TALK = /^back-off \S{1,20} restarting failed container|^services have not yet been read at least once/;

/** Classifies what is said of a container that could not start; undefined for words that name no cause. */
export function classifyStart(message: string): StartFailure | undefined {
  const text = message.replace(/^Error: /, '').trim();
  if (text === '' || EMPTY_TALK.test(text)) return undefined;
  const found = WORDINGS.find(({ test }) => test.test(text));
  const subject = found?.subject?.exec(text)?.slice(1).find((group) => group !== undefined);
  return { class: found?.class ?? 'other', ...(subject === undefined ? {} : { subject }), detail: tailOf(text) };
}

/** Runtime messages are nested from the outside in: the last parts say what the system refused. */
function tailOf(text: string): string {
  const [firstLine = ''] = text.split('\n');
  const parts = firstLine.replace(/: unknown$/, '').split(': ');
  return parts.slice(-3).join(': ').slice(-400);
}
