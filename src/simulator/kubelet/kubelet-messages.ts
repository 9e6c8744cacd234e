/** What the kubelet says in events and conditions, in the words of 1.36, with the file each follows. */

// pkg/kubelet/images/image_manager.go
export const PULLING = (image: string): string => `Pulling image "${image}"`;
export const PRESENT = (image: string): string => `Container image "${image}" already present on machine and can be accessed by the pod`;
export const NEVER_PULL = (image: string): string => `Container image "${image}" is not present with pull policy of Never`;
export const PULL_FAILED = (image: string, error: string): string => `Failed to pull image "${image}": ${error}`;
export const PULL_BACK_OFF = (image: string): string => `Back-off pulling image "${image}"`;
export const INVALID_IMAGE = (image: string, error: string): string =>
  `Failed to apply default image tag "${image}": couldn't parse image name "${image}": ${error}`;
export const PULLED = (image: string, pull: string, total: string, bytes: number): string =>
  `Successfully pulled image "${image}" in ${pull} (${total} including waiting). Image size: ${bytes} bytes.`;

// pkg/kubelet/kuberuntime/kuberuntime_container.go, kuberuntime_manager.go
export const CREATED = 'Container created';
export const STARTED = 'Container started';
export const FAILED = (error: string): string => `Error: ${error}`;
export const STOPPING = (container: string): string => `Stopping container ${container}`;
export const PROBE_KILLING = (container: string, probe: string, restarts: boolean): string =>
  `Container ${container} failed ${probe} probe${restarts ? ', will be restarted' : ''}`;
export const INIT_PROBE_KILLING = (container: string, probe: string): string => `Init container ${container} failed ${probe} probe`;
export const RESIZE_RESTARTS = (container: string): string => `Container ${container} resize requires restart`;
export const RESIZE_EVENT = (what: string, summary: string): string => `Pod resize ${what}: ${summary}`;
export const LIMIT_BELOW_USAGE = (container: string, limit: number, usage: number): string =>
  `attempting to set container "${container}" memory limit (${limit}) below current usage (${usage})`;
export const DEFINITION_CHANGED = (container: string): string => `Container ${container} definition changed, will be restarted`;
export const CRASH_BACK_OFF = (container: string, pod: string): string => `Back-off restarting failed container ${container} in pod ${pod}`;
export const CRASH_WAITING = (wait: string, container: string, pod: string): string =>
  `back-off ${wait} restarting failed container=${container} pod=${pod}`;
export const SANDBOX_FAILED = (error: string): string => `Failed to create pod sandbox: ${error}`;
export const POD_CGROUP_FAILED = (cgroup: string, error: string): string =>
  `unable to ensure pod container exists: failed to create container for [kubepods ${cgroup}] : ${error}`;
export const SANDBOX_CHANGED = 'Pod sandbox changed, it will be killed and re-created.';
export const POST_START_FAILED = 'PostStartHook failed';
export const PRE_STOP_FAILED = 'PreStopHook failed';
export const POST_START_KILLING = 'FailedPostStartHook';

// pkg/kubelet/kubelet.go, kubelet_pods.go
export const NETWORK_NOT_READY =
  'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized';
export const NETWORK_NOT_READY_EVENT = `network is not ready: ${NETWORK_NOT_READY}`;
export const PULL_SECRETS_MISSING = (names: readonly string[]): string =>
  `Unable to retrieve some image pull secrets (${names.join(', ')}); attempting to pull the image may not succeed.`;
export const REJECTED = (message: string): string => `Pod was rejected: ${message}`;
export const DEADLINE_EXCEEDED = 'Pod was active on the node longer than the specified deadline';
export const NOT_BY_ROOT = (pod: string, container: string): string =>
  `container has runAsNonRoot and image will run as root (pod: "${pod}", container: ${container})`;
export const NOT_NUMERIC = (user: string, pod: string, container: string): string =>
  `container has runAsNonRoot and image has non-numeric user (${user}), cannot verify user is non-root (pod: "${pod}", container: ${container})`;
export const RUNS_AS_ROOT = (pod: string, container: string): string =>
  `container's runAsUser breaks non-root policy (pod: "${pod}", container: ${container})`;

// pkg/kubelet/volumemanager, pkg/volume/util/operationexecutor
export const MOUNT_FAILED = (volume: string, error: string, step = 'SetUp'): string =>
  `MountVolume.${step} failed for volume "${volume}" : ${error}`;
export const MOUNT_UNABLE = (volume: string, error: string): string =>
  `Unable to attach or mount volumes: unmounted volumes=[${volume}], unattached volumes=[], failed to process volumes=[${volume}]: ${error}`;

// pkg/kubelet/cm/dra/manager.go, pkg/kubelet/cm/dra/plugin/dra_plugin_manager.go, pkg/kubelet/kuberuntime/kuberuntime_manager.go
export const PREPARE_DEVICES_FAILED = (error: string): string => `Failed to prepare dynamic resources: ${error}`;
export const PREPARE_DEVICES = (error: string): string => `prepare dynamic resources: ${error}`;
export const DRIVER_NOT_REGISTERED = (driver: string): string => `DRA driver ${driver} is not registered`;
export const DRIVER_CALL_FAILED = (claim: string, error: string): string =>
  `NodePrepareResources failed for ResourceClaim ${claim}: ${error}`;

// pkg/kubelet/prober/prober.go
export const PROBE_FAILED = (probe: string, output: string): string => `${probe} probe failed: ${output}`;
export const PROBE_ERRORED = (probe: string, error: string): string => `${probe} probe errored and resulted in unknown state: ${error}`;

// pkg/kubelet/status/generate.go
export const UNREADY = (names: readonly string[]): string => `containers with unready status: [${names.join(' ')}]`;
export const INCOMPLETE = (names: readonly string[]): string => `containers with incomplete status: [${names.join(' ')}]`;
export const GATE_MISSING = (gate: string): string => `corresponding condition of pod readiness gate "${gate}" does not exist.`;
export const GATE_UNTRUE = (gate: string, status: string): string =>
  `the status of pod readiness gate "${gate}" is not "True", but ${status}`;

// pkg/kubelet/eviction/helpers.go, eviction_manager.go
export const HAS_CONDITION = (conditions: readonly string[]): string => `The node had condition: [${conditions.join(', ')}]. `;
export const LOW_ON = (resource: string, threshold: string, available: string): string =>
  `The node was low on resource: ${resource}. Threshold quantity: ${threshold}, available: ${available}. `;
export const LARGER_USE = (container: string, used: string, requested: string, resource: string): string =>
  `Container ${container} was using ${used}, request is ${requested}, has larger consumption of ${resource}. `;
export const RECLAIMING = (resource: string): string => `Attempting to reclaim ${resource}`;

// pkg/kubelet/lifecycle/handlers.go, pkg/security/apparmor/validate.go
export const NO_APP_ARMOR = 'Cannot enforce AppArmor: AppArmor is not enabled on the host';
