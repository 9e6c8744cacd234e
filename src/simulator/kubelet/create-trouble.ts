import { asText, dig } from '../../base/json.ts';
import type { Files } from './files.ts';
import { entryIn } from './files.ts';
import type { ContainerSettings } from './runtime.ts';

/**
 * Why containerd cannot make a container of these settings, in its words; undefined when it can.
 * Source: containerd internal/cri/server/container_create_linux.go, contrib/seccomp/seccomp.go, moby/sys/user.
 */
export function createTrouble(settings: ContainerSettings, hostFiles: Files): string | undefined {
  if (settings.argv.length === 0) return 'failed to generate spec: no command specified';
  return userTrouble(settings) ?? seccompTrouble(settings, hostFiles);
}

/** Only of an image whose users are known it can be said that one is missing. */
function userTrouble({ spec, pod, image }: ContainerSettings): string | undefined {
  const [user = ''] = image.user.split(':');
  if (user === '' || user === 'root' || /^\d+$/.test(user)) return undefined;
  const given = dig(spec, 'securityContext', 'runAsUser') ?? dig(pod, 'spec', 'securityContext', 'runAsUser');
  const users = image.files.get('/etc/passwd');
  if (given !== undefined || users?.type !== 'file') return undefined;
  return users.content.split('\n').some((line) => line.startsWith(`${user}:`)) ? undefined : `unable to find user ${user}: no matching entries in passwd file`;
}

function seccompTrouble({ spec, pod }: ContainerSettings, hostFiles: Files): string | undefined {
  const profile = dig(spec, 'securityContext', 'seccompProfile') ?? dig(pod, 'spec', 'securityContext', 'seccompProfile');
  if (dig(profile, 'type') !== 'Localhost') return undefined;
  const path = `/var/lib/kubelet/seccomp/${asText(dig(profile, 'localhostProfile')) ?? ''}`;
  return entryIn(hostFiles, path) === undefined ? `failed to generate seccomp spec opts: cannot load seccomp profile "${path}": open ${path}: no such file or directory` : undefined;
}
