import type { SeenEvent } from './events.ts';

/** Restarts of a container by the kubelet because a probe failed. */
export interface ProbeKills {
  readonly probe: 'liveness' | 'startup';
  readonly count: number;
  readonly at: number | undefined;
  readonly message: string;
}

/** Source: pkg/kubelet/kuberuntime/kuberuntime_manager.go (computePodActions): also "Init container x failed liveness probe". */
const KILLED = /^(?:Init container|Container) (\S{1,253}) failed (liveness|startup) probe/i;

/** The latest kind of kill by a probe, with how often it happened; undefined when events tell of none. */
export function probeKills(container: string, events: readonly SeenEvent[]): ProbeKills | undefined {
  const kills = events.flatMap((event) => {
    const [, name, probe] = event.reason === 'Killing' ? (KILLED.exec(event.message) ?? []) : [];
    return name === container && probe !== undefined ? [{ probe: probe.toLowerCase() as ProbeKills['probe'], count: event.count, at: event.at, message: event.message }] : [];
  });
  const last = kills.at(-1);
  if (last === undefined) return undefined;
  return { ...last, count: kills.filter(({ probe }) => probe === last.probe).reduce((sum, { count }) => sum + count, 0) };
}
