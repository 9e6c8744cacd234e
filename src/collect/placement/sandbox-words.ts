/** What goes wrong on a node before a pod's containers can be created; `node-trouble` facts publish it as `trouble`. */
type SandboxTrouble =
  | 'runtime-handler' | 'sandbox-image' | 'cni-binary' | 'ip-exhausted' | 'cni-agent' | 'cni-failed' | 'cni-config' | 'runtime-down' | 'sandbox-timeout' | 'sandbox-other';

export interface SandboxFault {
  readonly trouble: SandboxTrouble;
  /** The plugin, handler, image or address range that is named. */
  readonly detail?: string;
}

interface Wording {
  readonly trouble: SandboxTrouble;
  readonly parts: readonly string[];
  readonly detail?: RegExp;
}

/**
 * Messages of FailedCreatePodSandBox, FailedCreatePodContainer and NetworkNotReady events, and of the node's Ready condition, by what stays the
 * same in them; the first that fits counts. Sources: containerd internal/cri/server/sandbox_run.go, CRI-O server/sandbox_network.go,
 * containernetworking/cni pkg/invoke, containernetworking/plugins ipam/host-local, pkg/kubelet/kuberuntime/kuberuntime_sandbox.go, pkg/kubelet/runtime.go.
 */
const WORDINGS: readonly Wording[] = [
  { trouble: 'runtime-handler', parts: ['no runtime for "', 'failed to find runtime handler', 'unknown runtime handler'], detail: /(?:no runtime for|runtime handler) "?([^\s"]{1,200})"?/ },
  { trouble: 'sandbox-image', parts: ['failed to get sandbox image', 'failed to pull sandbox image', 'failed to pull image', 'image pull failed for', 'Back-off pulling image', 'unable to pull pause image'], detail: /image "([^"\s]{1,300})"/ },
  { trouble: 'cni-binary', parts: ['failed to find plugin "'], detail: /failed to find plugin "([^"]{1,200})"/ },
  { trouble: 'ip-exhausted', parts: ['no IP addresses available in range', 'failed to assign an IP address', 'no available IP', 'No more free IP', 'no more IPs', 'IPs exhausted', 'exhausted all'], detail: /range set: ([0-9a-fA-F.:]{1,50}-[0-9a-fA-F.:]{1,50})/ },
  { trouble: 'cni-agent', parts: ['/run/flannel/subnet.env', '/var/lib/calico/nodename', 'unable to connect to Cilium agent', 'error received from AddNetwork gRPC call'], detail: /plugin type="([^"]{1,100})"/ },
  { trouble: 'cni-config', parts: ['cni plugin not initialized', 'cni config uninitialized', 'no networks found in', 'NetworkPluginNotReady', 'cni config load failed', 'network is not ready'] },
  { trouble: 'cni-failed', parts: ['failed to setup network for sandbox', 'failed to set up sandbox container', 'to CNI network', 'networkPlugin cni failed', 'NetworkPlugin cni failed', 'connection is unauthorized', 'failed (add)'], detail: /plugin type="([^"]{1,100})"/ },
  { trouble: 'runtime-down', parts: ['container runtime is down', 'code = Unavailable', 'Cannot connect to the Docker daemon'], detail: /dial unix (\/[^\s:"]{1,200})/ },
  { trouble: 'sandbox-timeout', parts: ['code = DeadlineExceeded', 'failed to reserve sandbox name', 'name is reserved'] },
];

/** Classifies what the kubelet said when a sandbox could not be made. */
export function sandboxFault(message: string): SandboxFault {
  const wording = WORDINGS.find(({ parts }) => parts.some((part) => message.includes(part)));
  if (wording === undefined) return { trouble: 'sandbox-other' };
  const detail = wording.detail?.exec(message)?.[1];
  return { trouble: wording.trouble, ...(detail === undefined ? {} : { detail }) };
}
