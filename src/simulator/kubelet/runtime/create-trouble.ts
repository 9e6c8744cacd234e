import { asText, dig } from '../../../base/json.ts';
import type { Files } from '../../programs/file-tree.ts';
import { entryIn } from '../../programs/file-tree.ts';
import type { ContainerSettings } from './runtime-options.ts';
import type { RuntimeFaults } from './sandbox-trouble.ts';

/**
 * Why containerd cannot make a container of these settings, in its words; undefined when it can.
 * Source: containerd internal/cri/server/container_create_linux.go, contrib/seccomp/seccomp.go, moby/sys/user.
 */
export function createTrouble(settings: ContainerSettings, id: string, hostFiles: Files, faults: RuntimeFaults): string | undefined {
  const trouble =
    settings.argv.length === 0
      ? 'failed to generate spec: no command specified'
      : (specTrouble(faults) ?? userTrouble(settings) ?? seccompTrouble(settings, hostFiles));
  return trouble === undefined ? appArmorTrouble(settings, faults) : `failed to generate container "${id}" spec: ${trouble}`;
}

/** Source: containerd internal/cri/server/container_create.go, container_create_linux.go (generateApparmorSpecOpts). */
function appArmorTrouble({ spec, pod }: ContainerSettings, { appArmorProfiles }: RuntimeFaults): string | undefined {
  const profile = dig(spec, 'securityContext', 'appArmorProfile') ?? dig(pod, 'spec', 'securityContext', 'appArmorProfile');
  const name = asText(dig(profile, 'localhostProfile')) ?? '';
  if (dig(profile, 'type') !== 'Localhost' || appArmorProfiles === undefined || appArmorProfiles.includes(name)) return undefined;
  return `failed to get container spec opts: failed to generate apparmor spec opts: apparmor profile not found ${name}`;
}

function specTrouble({ specError }: RuntimeFaults): string | undefined {
  return specError === undefined ? undefined : `failed to generate spec: ${specError}`;
}

/** Only of an image whose users are known it can be said that one is missing. */
function userTrouble({ spec, pod, image }: ContainerSettings): string | undefined {
  const [user = ''] = image.user.split(':');
  if (user === '' || user === 'root' || /^\d+$/.test(user)) return undefined;
  const given = dig(spec, 'securityContext', 'runAsUser') ?? dig(pod, 'spec', 'securityContext', 'runAsUser');
  const users = image.files.get('/etc/passwd');
  if (given !== undefined || users?.type !== 'file') return undefined;
  return users.content.split('\n').some((line) => line.startsWith(`${user}:`))
    ? undefined
    : `unable to find user ${user}: no matching entries in passwd file`;
}

function seccompTrouble({ spec, pod }: ContainerSettings, hostFiles: Files): string | undefined {
  const profile = dig(spec, 'securityContext', 'seccompProfile') ?? dig(pod, 'spec', 'securityContext', 'seccompProfile');
  if (dig(profile, 'type') !== 'Localhost') return undefined;
  const path = `/var/lib/kubelet/seccomp/${asText(dig(profile, 'localhostProfile')) ?? ''}`;
  return entryIn(hostFiles, path) === undefined
    ? `failed to generate seccomp spec opts: cannot load seccomp profile "${path}": open ${path}: no such file or directory`
    : undefined;
}
