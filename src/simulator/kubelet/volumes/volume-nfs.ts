import type { JsonObject } from '../../../base/json.ts';
import { asText } from '../../../base/json.ts';
import type { Routine } from '../../time/routine.ts';
import { sleep } from '../../components/component.ts';
import { emptyVolume } from './empty-volume.ts';
import type { SetUp, VolumeSurroundings } from './volume-set-up.ts';

/**
 * A share that the machine itself mounts: its server must be found, answer, and export the path. Of a server of which nothing is
 * said nothing is known but its name or address, and it does not answer. Source: pkg/volume/nfs/nfs.go, k8s.io/mount-utils
 * (MountMountFailed).
 */
export function* setUpNfs(source: JsonObject, name: string, uid: string, { host, runtime }: VolumeSurroundings): Routine<SetUp> {
  const [server, path] = [asText(source['server']) ?? '', asText(source['path']) ?? ''];
  const { network } = runtime.options;
  const attempt = network.reach({ node: runtime.node, netns: runtime.netns, pod: undefined }, server, NFS_PORT);
  if (!attempt.ok && attempt.trouble === 'i/o timeout') yield* sleep(host, TIMEOUT_MILLISECONDS, 'mount.nfs');
  const said = attempt.ok
    ? network.exports(attempt.ip, path)
      ? undefined
      : `access denied by server while mounting ${server}:${path}`
    : (WORDS[attempt.trouble] ?? 'Connection timed out').replace('%s', server);
  if (said === undefined) return { ok: true, ...emptyVolume(), plugin: 'nfs' };
  const target = `/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~nfs/${name}`;
  return {
    ok: false,
    kind: 'operation',
    trouble: `mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs ${server}:${path} ${target}\nOutput: mount.nfs: ${said}\n`,
  };
}

const NFS_PORT = 2049;
/** mount.nfs gives up after two minutes (`retry=2`). Source: nfs-utils utils/mount/stropts.c. */
const TIMEOUT_MILLISECONDS = 120_000;

const WORDS: Readonly<Record<string, string>> = {
  'connection refused': 'Connection refused',
  'no route to host': 'No route to host',
  'no such host': 'Failed to resolve server %s: Name or service not known',
  'dns timeout': 'Failed to resolve server %s: Temporary failure in name resolution',
};
