import type { Json } from '../../../base/json.ts';
import { asNumber, asText, dig } from '../../../base/json.ts';
import { smallest } from '../../../base/lists.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { FileEntry, Files } from '../../programs/file-tree.ts';
import { amountOf, containersOf, isSidecar } from '../pods/pod-fields.ts';
import type { Container } from './runtime-container.ts';

/**
 * What the kernel shows in a container of what it may use (cgroup v2), and of its first process. Source: pkg/kubelet/cm/helpers_linux.go,
 * pkg/kubelet/qos/policy.go (GetContainerOOMScoreAdjust), opencontainers/cgroups (ConvertCPUSharesToCgroupV2Value).
 */
export function kernelFiles(container: Container): Files {
  const amount = (kind: 'limits' | 'requests', name: string): Json | undefined => dig(container.resources, kind, name);
  const quota = milli(amount('limits', 'cpu'));
  const limit = amountOf(amount('limits', 'memory')) ?? 0;
  const request = amount('requests', 'cpu') ?? amount('limits', 'cpu');
  return new Map<string, FileEntry>(
    (
      [
        ['/sys/fs/cgroup/cgroup.controllers', 'cpuset cpu io memory hugetlb pids rdma misc'],
        ['/sys/fs/cgroup/cpu.max', `${quota === 0 ? 'max' : Math.max(MIN_QUOTA, quota * 100)} 100000`],
        ['/sys/fs/cgroup/cpu.weight', String(weightOf(milli(request)))],
        ['/sys/fs/cgroup/memory.max', limit === 0 ? 'max' : String(limit)],
        ['/sys/fs/cgroup/memory.current', String(container.process?.memory ?? 0)],
        ['/proc/1/oom_score_adj', String(oomScoreAdjust(container))],
        ['/proc/self/status', 'Name:\tsh\nState:\tR (running)\nPid:\t1\nCpus_allowed:\tf\nCpus_allowed_list:\t0-3'],
      ] as const
    ).map(([path, content]) => [path, { type: 'file', content: `${content}\n`, mode: 0o444 }]),
  );
}

/** Microseconds. */
const MIN_QUOTA = 1000;

function milli(cores: Json | undefined): number {
  return Math.round((amountOf(cores) ?? 0) * 1000);
}

function weightOf(millicores: number): number {
  const shares = Math.floor((millicores * 1024) / 1000);
  if (shares <= 2) return 1;
  if (shares >= 262_144) return 10_000;
  const log = Math.log2(shares);
  return Math.ceil(10 ** ((log * log + 125 * log) / 612 - 7 / 34));
}

/** The higher, the sooner it is killed when the node's memory is short. */
function oomScoreAdjust({ settings, resources }: Container): number {
  const { pod, spec, nodeMemory } = settings;
  const qos = asText(dig(pod, 'status', 'qosClass'));
  if (qos === 'Guaranteed' || (asNumber(dig(pod, 'spec', 'priority')) ?? 0) >= NODE_CRITICAL) return -997;
  if (qos !== 'Burstable') return 1000;
  const capacity = amountOf(nodeMemory) ?? 0;
  const scoreOf = (request: number): number => (capacity === 0 ? 999 : 1000 - Math.trunc((1000 * request) / capacity));
  const own = scoreOf(amountOf(dig(resources, 'requests', 'memory')) ?? 0);
  const score = isSidecar(spec) ? Math.min(own, scoreOf(leastRequest(pod))) : own;
  return Math.min(999, Math.max(3, score));
}

const NODE_CRITICAL = 2_000_001_000;

function leastRequest(pod: KubeObject): number {
  return smallest(containersOf(pod, 'containers').map((container) => amountOf(dig(container, 'resources', 'requests', 'memory')) ?? 0));
}
