/** Why a volume could not be mounted, as far as the kubelet's message tells. */
export interface MountFailure {
  readonly class: string;
  /** The volume, or the PersistentVolume, the message names. */
  readonly volume?: string;
  readonly subject?: string;
  readonly detail: string;
}

interface Wording {
  readonly class: string;
  readonly test: RegExp;
  readonly subject?: RegExp;
}

/**
 * Messages of FailedMount, FailedMapVolume and FailedAttachVolume; the first that fits counts. Source: pkg/volume/util/operationexecutor,
 * pkg/volume/{hostpath,nfs,csi,configmap,secret,projected}, pkg/kubelet/volumemanager, pkg/controller/volume/attachdetach.
 */
const WORDINGS: readonly Wording[] = [
  { class: 'transient', test: /failed to sync (?:configmap|secret) cache|not registered|services have not yet been read/ },
  { class: 'reference', test: /\b(?:configmap|secret)s? "[^"]{1,253}" not found|non-existent (?:config|secret) key|serviceaccounts? "[^"]{1,253}" not found/ },
  { class: 'csi-driver-missing', test: /not found in the list of registered CSI drivers|failed to create newCsiDriverClient|CSINode \S{1,253} does not contain driver/, subject: /driver name (\S{1,253}) not found|does not contain driver (\S{1,253})/ },
  { class: 'csi-driver-missing', test: /no CSIDriver object/, subject: /not supported by driver (\S{1,253})/ },
  { class: 'nfs', test: /mount\.nfs|-t nfs|nfs: server|RPC: Program not registered|helper program/i, subject: /(?:-t nfs4? (?:-o \S{1,200} )?|mount\.nfs4?: (?:mounting )?)([\w.[\]:-]{1,253}:\S{1,300})/ },
  { class: 'in-use', test: /Multi-Attach error|ReadWriteOncePod access mode and is already in use|already used by pod|already exclusively attached/ },
  { class: 'path-missing', test: /path "[^"]{1,500}" does not exist/, subject: /path "([^"]{1,500})" does not exist/ },
  { class: 'ownership', test: /applyFSGroup failed|lchown|chown .{1,300}: operation not permitted/i },
  { class: 'node-affinity', test: /no matching NodeSelectorTerms|NodeAffinity check failed/ },
  { class: 'volume-mode', test: /has volumeMode (?:Block|Filesystem)/ },
  { class: 'claim', test: /error processing PVC/, subject: /error processing PVC (?:\S{1,63}\/)?([^\s:]{1,253})/ },
  { class: 'attach-timeout', test: /timed out waiting for external-attacher/, subject: /external-attacher of (\S{1,253}) CSI driver/ },
  { class: 'not-attached', test: /is not attached for volume attachment|WaitForAttach failed|AttachVolume\.Attach failed/ },
  { class: 'mount-command', test: /mount failed: exit status \d|wrong fs type|bad superblock/i, subject: /Mounting arguments: ([^\n]{1,500})/ },
  { class: 'csi', test: /rpc error: code = /, subject: /code = (\w{1,40})/ },
];

const VOLUME = /failed for volume "([^"]{1,253})"|unmounted volumes=\[([^\],\s]{1,253})/;

/** Classifies the message of a failed mount or attach. */
export function classifyMount(message: string): MountFailure {
  const found = WORDINGS.find(({ test }) => test.test(message));
  const [volume, subject] = [group(VOLUME, message), group(found?.subject, message)];
  return {
    class: found?.class ?? 'other',
    ...(volume === undefined ? {} : { volume }),
    ...(subject === undefined ? {} : { subject }),
    detail: detailOf(message),
  };
}

function group(pattern: RegExp | undefined, text: string): string | undefined {
  return pattern?.exec(text)?.slice(1).find((part) => part !== undefined);
}

/** What stands after `: ` or, for a mount command, what that printed. */
function detailOf(message: string): string {
  const output = /Output: ([^\n]{1,400})/.exec(message)?.[1];
  const after = /" : ([\s\S]{1,400})/.exec(message)?.[1];
  return (output ?? after ?? message).trim().slice(0, 400);
}
