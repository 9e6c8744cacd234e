import { parseImage } from '../../images/image-reference.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/** What scenarios break on a machine. */
export interface RuntimeFaults {
  /** containerd does not run. */
  down?: boolean | undefined;
  /** No CNI configuration: the network is not ready. */
  cniConfigMissing?: boolean | undefined;
  /** The CNI plugin's program is missing. */
  cniBinaryMissing?: boolean | undefined;
  /** What the CNI plugin says when it fails, as it says it. */
  cniError?: string | undefined;
  /** Where new pods get their addresses from instead: `10.88.0.0/29`, `10.88.0.20-10.88.0.25`. */
  podNetwork?: string | undefined;
  /** What RunPodSandbox fails with, in its own words. */
  sandboxError?: string | undefined;
  /** What the kubelet fails with when it makes the cgroup of a pod, in its own words. */
  cgroupError?: string | undefined;
  /** What the specification of every container fails with, in the words of the runtime. */
  specError?: string | undefined;
  /** The image of sandboxes, which the machine does not have: `127.0.0.1:5000/pause:3.10`. */
  sandboxImage?: string | undefined;
  /** Pressures the kubelet reports whatever it measures: `DiskPressure`. */
  pressures?: readonly string[] | undefined;
  /** Devices whose plugin has not registered with the kubelet: `nvidia.com/gpu`. */
  unregisteredDevices?: readonly string[] | undefined;
  /** How many CPUs a NUMA node has, where the kubelet's topologyManagerPolicy is single-numa-node. */
  numaCpus?: number | undefined;
  /** The kernel of the machine has no AppArmor. */
  appArmorMissing?: boolean | undefined;
  /** The AppArmor profiles that are loaded on the machine; all there are when nothing is said. */
  appArmorProfiles?: readonly string[] | undefined;
  /** How many times as long as its back-off a container that crashed waits, 1 to 1.5: drawn anew for each wait when nothing is said. */
  backOffFactor?: number | undefined;
  /** Handlers containerd knows beside the default. */
  handlers?: readonly string[] | undefined;
}

export const RUNTIME_UNREACHABLE =
  'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: no such file or directory"';

/** Why a sandbox cannot be made on a machine that is broken so, as the CRI says it; undefined when it can. */
export function sandboxTrouble(
  faults: RuntimeFaults,
  id: string,
  handler: string,
  hostNetwork: boolean,
  options: RuntimeOptions,
): string | undefined {
  if (faults.down === true) return RUNTIME_UNREACHABLE;
  if (handler !== '' && !(faults.handlers ?? ['runc']).includes(handler))
    return `rpc error: code = Unknown desc = unable to get OCI runtime for sandbox "${id}": no runtime for "${handler}" is configured`;
  if (faults.sandboxError !== undefined) return `rpc error: code = Unknown desc = failed to start sandbox "${id}": ${faults.sandboxError}`;
  const unpulled = faults.sandboxImage === undefined ? undefined : imageTrouble(faults.sandboxImage, id, options);
  if (unpulled !== undefined || hostNetwork) return unpulled;
  if (faults.cniBinaryMissing === true)
    return `${networkSetup(id)}: plugin type="bridge" failed (add): failed to find plugin "bridge" in path [/opt/cni/bin]`;
  return faults.cniError === undefined ? undefined : `${networkSetup(id)}: ${faults.cniError}`;
}

/** The gRPC code is the cause's. Source: containerd internal/cri/server/podsandbox/sandbox_run.go (Start). */
function imageTrouble(image: string, id: string, { registries, architecture, agenda }: RuntimeOptions): string | undefined {
  const reference = parseImage(image);
  const pulled =
    'trouble' in reference ? { ok: false, message: reference.trouble } : registries.pull(reference, architecture, [], agenda.now);
  if (pulled.ok || !('message' in pulled)) return undefined;
  const [, code = 'Unknown', words = ''] = /^(?:rpc error: code = (\w+) desc = )?([\s\S]*)$/.exec(pulled.message) ?? [];
  return `rpc error: code = ${code} desc = failed to start sandbox "${id}": failed to get sandbox image "${image}": failed to pull image "${image}": ${words}`;
}

export function networkSetup(id: string): string {
  return `rpc error: code = Unknown desc = failed to setup network for sandbox "${id}"`;
}
