import type { StageId } from '../model/stage.ts';

/** A reason of Kubernetes that people look up: where it is seen, its stage, and what it means. */
export interface Reason {
  readonly reason: string;
  readonly stage: StageId;
  readonly seen: 'container state' | 'event' | 'condition' | 'scheduler' | 'API answer' | 'pod status' | 'STATUS column' | 'exit code';
  readonly means: string;
  /** Path in the Kubernetes repository that defines it. */
  readonly source: string;
  /** Rules to list first; rules whose patterns contain the reason follow. */
  readonly rules: readonly string[];
}

/** Reasons of Kubernetes 1.36. */
export const REASONS: readonly Reason[] = [
  row('Unauthorized', 'authentication', 'API answer', 'The API server cannot authenticate the request: the credentials are missing, invalid or expired (HTTP 401).', 'staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go', 'authentication/client-certificate-expired', 'authentication/client-certificate-untrusted', 'authentication/token-invalid'),
  row('Forbidden', 'authorization', 'API answer', 'The API server knows the user but denies the request (HTTP 403). RBAC does not allow it, or an admission plugin rejects it: quota, Pod Security, a policy.', 'staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go', 'authorization/forbidden', 'validating-admission/quota-exceeded', 'validating-admission/pod-security-violated'),
  row('Invalid', 'schema-validation', 'API answer', 'A field of the object has a value that the API does not accept. The message names the field.', 'staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go', 'schema-validation/invalid-value', 'schema-validation/missing-required-field'),
  row('exceeded quota', 'validating-admission', 'API answer', 'The request exceeds a ResourceQuota of the namespace. The message has the requested, used and limited amounts.', 'staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go', 'validating-admission/quota-exceeded'),
  row('FailedCreate', 'controllers', 'event', 'A controller cannot create its pods. The message is the error from the API server.', 'pkg/controller/controller_utils.go', 'controllers/pod-creation-refused', 'validating-admission/quota-exceeded', 'mutating-admission/service-account-not-found'),
  row('ReplicaFailure', 'controllers', 'condition', 'The ReplicaSet cannot create its pods. The condition has the error from the API server.', 'pkg/controller/replicaset/replica_set_utils.go', 'controllers/pod-creation-refused'),
  row('ProgressDeadlineExceeded', 'controllers', 'condition', 'No new pod of the Deployment became available within progressDeadlineSeconds. This is a symptom; the pods show the cause.', 'pkg/controller/deployment/sync.go', 'controllers/progress-deadline-exceeded'),
  row('MinimumReplicasUnavailable', 'controllers', 'condition', 'Fewer pods are available than the Deployment requires. This is a symptom; the pods show the cause.', 'pkg/controller/deployment/sync.go', 'controllers/progress-deadline-exceeded'),
  row('BackoffLimitExceeded', 'controllers', 'event', 'A Job failed: its pods failed more often than backoffLimit.', 'pkg/controller/job/job_controller.go', 'controllers/job-backoff-limit-exceeded'),
  row('DeadlineExceeded', 'controllers', 'event', 'A Job ran longer than its activeDeadlineSeconds and was stopped.', 'pkg/controller/job/job_controller.go', 'controllers/job-deadline-exceeded', 'containers/active-deadline-exceeded'),
  row('FailedScheduling', 'scheduling', 'event', 'No node can run the pod. The message counts the nodes by the reason why each one was rejected.', 'pkg/scheduler/schedule_one.go'),
  row('Unschedulable', 'scheduling', 'condition', 'PodScheduled is False: the scheduler checked every node and none fits.', 'pkg/scheduler/schedule_one.go'),
  row('SchedulingGated', 'scheduling', 'condition', 'The pod has scheduling gates. The scheduler ignores the pod until the controller that set them removes them.', 'pkg/registry/core/pod/strategy.go', 'scheduling/scheduling-gated'),
  row('Insufficient cpu', 'scheduling', 'scheduler', 'A node has less unrequested CPU than the pod requests. Requests count, not usage.', 'pkg/scheduler/framework/plugins/noderesources/fit.go', 'scheduling/insufficient-resource'),
  row('Insufficient memory', 'scheduling', 'scheduler', 'A node has less unrequested memory than the pod requests. Requests count, not usage.', 'pkg/scheduler/framework/plugins/noderesources/fit.go', 'scheduling/insufficient-resource'),
  row('Too many pods', 'scheduling', 'scheduler', 'The node already runs the maximum number of pods that its kubelet allows (maxPods).', 'pkg/scheduler/framework/plugins/noderesources/fit.go', 'scheduling/too-many-pods'),
  row('untolerated taint', 'scheduling', 'scheduler', 'The node has a taint that the pod does not tolerate.', 'pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go', 'scheduling/untolerated-taint'),
  row("didn't match Pod's node affinity/selector", 'scheduling', 'scheduler', "The node's labels do not match the pod's nodeSelector or required node affinity.", 'pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go', 'scheduling/node-selector-mismatch', 'scheduling/node-affinity-mismatch'),
  row("didn't match pod anti-affinity rules", 'scheduling', 'scheduler', 'A conflicting pod (required anti-affinity) already runs in the same topology domain.', 'pkg/scheduler/framework/plugins/interpodaffinity/filtering.go', 'scheduling/pod-anti-affinity-conflict'),
  row("didn't match pod topology spread constraints", 'scheduling', 'scheduler', 'The pod would make its topology spread more uneven than maxSkew allows.', 'pkg/scheduler/framework/plugins/podtopologyspread/filtering.go', 'scheduling/topology-spread-unsatisfiable'),
  row("didn't have free ports for the requested pod ports", 'scheduling', 'scheduler', 'Another pod already uses the requested hostPort on the node.', 'pkg/scheduler/framework/plugins/nodeports/node_ports.go', 'scheduling/host-port-conflict'),
  row('pod has unbound immediate PersistentVolumeClaims', 'scheduling', 'scheduler', "A PersistentVolumeClaim of the pod is not bound. The claim's events show why.", 'pkg/scheduler/framework/plugins/volumebinding/volume_binding.go', 'scheduling/claim-unbound', 'scheduling/claim-no-matching-volume', 'scheduling/claim-storage-class-not-found'),
  row('volume node affinity conflict', 'scheduling', 'scheduler', 'The volume is reachable only from other nodes, usually in another zone.', 'pkg/scheduler/framework/plugins/volumebinding/binder.go', 'scheduling/volume-node-affinity-conflict'),
  row('Preempted', 'scheduling', 'event', 'The scheduler deleted the pod to make room for a pod with a higher priority.', 'pkg/scheduler/framework/preemption/preemption.go', 'scheduling/preempted'),
  row('NodeNotReady', 'kubelet', 'event', 'The node is NotReady or has stopped reporting; its pods are marked not ready.', 'pkg/controller/nodelifecycle/node_lifecycle_controller.go', 'kubelet/node-not-ready', 'kubelet/kubelet-not-running'),
  row('NodeStatusUnknown', 'kubelet', 'condition', 'The kubelet has stopped reporting: the node is down, the kubelet is stopped, or its network or certificate fails.', 'pkg/controller/nodelifecycle/node_lifecycle_controller.go', 'kubelet/node-not-ready', 'kubelet/kubelet-not-running'),
  row('Evicted', 'kubelet', 'pod status', 'The kubelet evicted the pod because the node ran short of memory, disk space or process IDs.', 'pkg/kubelet/eviction/helpers.go', 'kubelet/node-memory-pressure', 'kubelet/node-disk-pressure', 'containers/ephemeral-storage-exceeded'),
  row('NodeAffinity', 'kubelet', 'pod status', "The kubelet rejected the pod: the node's labels do not match its nodeSelector or node affinity.", 'pkg/kubelet/lifecycle/predicate.go', 'kubelet/node-affinity-rejected-by-kubelet'),
  row('OutOfcpu', 'kubelet', 'pod status', 'The kubelet rejected the pod: the node had too little CPU for its request when it arrived.', 'pkg/kubelet/lifecycle/predicate.go', 'kubelet/node-allocatable-exceeded'),
  row('FailedMount', 'volumes', 'event', 'The kubelet could not mount a volume. No container starts before all volumes are mounted. The message names the volume and what is missing.', 'pkg/kubelet/events/event.go', 'volumes/configmap-not-found', 'volumes/secret-not-found', 'volumes/configmap-key-not-found', 'volumes/secret-key-not-found', 'volumes/hostpath-type-check-failed', 'volumes/local-path-missing', 'volumes/nfs-mount-failed', 'volumes/csi-driver-not-found', 'volumes/volume-not-attached'),
  row('FailedAttachVolume', 'volumes', 'event', 'The volume could not be attached to the node; often it is still attached to another node.', 'pkg/controller/volume/attachdetach/reconciler/reconciler.go', 'volumes/volume-in-use', 'volumes/volume-not-attached', 'volumes/csi-driver-not-found'),
  row('Multi-Attach error', 'volumes', 'event', 'A volume that attaches to one node at a time is still attached to another node.', 'pkg/controller/volume/attachdetach/reconciler/reconciler.go', 'volumes/volume-in-use'),
  row('FailedBinding', 'volumes', 'event', 'No PersistentVolume matches the claim, and no StorageClass can provision one.', 'pkg/controller/volume/persistentvolume/pv_controller.go', 'scheduling/claim-no-matching-volume'),
  row('ProvisioningFailed', 'volumes', 'event', 'The provisioner could not create a volume for the claim. The message has the reason.', 'pkg/controller/volume/persistentvolume/pv_controller.go', 'scheduling/claim-provisioning-failed', 'scheduling/claim-storage-class-not-found'),
  row('WaitForFirstConsumer', 'volumes', 'event', 'Not a fault: the claim is bound after a pod that uses it is scheduled.', 'pkg/controller/volume/persistentvolume/pv_controller.go', 'scheduling/claim-unbound'),
  row('FailedCreatePodSandBox', 'sandbox', 'event', 'The container runtime could not create the pod sandbox; usually the CNI plugin failed.', 'pkg/kubelet/events/event.go', 'sandbox/sandbox-not-created', 'network/network-plugin-failed'),
  row('NetworkNotReady', 'network', 'event', 'The CNI plugin of the node is missing or not ready yet.', 'pkg/kubelet/events/event.go', 'network/network-plugin-failed', 'sandbox/cni-config-missing'),
  row('ContainerCreating', 'containers', 'container state', 'The container waits for an earlier stage: volumes, sandbox, network or image. The list of stages shows which one.', 'pkg/kubelet/kubelet_pods.go'),
  row('PodInitializing', 'containers', 'container state', 'Not all init containers have completed yet.', 'pkg/kubelet/kubelet_pods.go'),
  row('ErrImagePull', 'images', 'container state', "The last attempt to pull the image failed. The message has the registry's answer.", 'pkg/kubelet/images/types.go', 'images/image-not-found', 'images/pull-access-denied', 'images/registry-unreachable'),
  row('ImagePullBackOff', 'images', 'container state', 'The image could not be pulled, and the kubelet waits before it retries (10 s, doubling up to 5 min).', 'pkg/kubelet/images/types.go', 'images/image-not-found', 'images/pull-access-denied', 'images/registry-unreachable'),
  row('ErrImageNeverPull', 'images', 'container state', 'imagePullPolicy is Never, and the image is not on the node.', 'pkg/kubelet/images/types.go', 'images/never-pull-and-absent'),
  row('InvalidImageName', 'images', 'container state', 'The image reference cannot be parsed.', 'pkg/kubelet/images/types.go', 'images/invalid-image-name'),
  row('CreateContainerConfigError', 'containers', 'container state', 'The kubelet cannot configure the container: a ConfigMap, Secret or key for its environment is missing, or runAsNonRoot rejects its user.', 'pkg/kubelet/kuberuntime/kuberuntime_container.go', 'containers/configmap-not-found', 'containers/secret-not-found', 'containers/configmap-key-not-found', 'containers/secret-key-not-found', 'containers/run-as-non-root-violated', 'volumes/subpath-failure'),
  row('CreateContainerError', 'containers', 'container state', 'The container runtime could not create the container.', 'pkg/kubelet/kuberuntime/kuberuntime_container.go'),
  row('RunContainerError', 'containers', 'container state', 'The container runtime created the container but could not start it. Usually the command does not exist or is not executable.', 'pkg/kubelet/kuberuntime/kuberuntime_container.go', 'containers/command-not-found', 'containers/entrypoint-not-executable'),
  row('CrashLoopBackOff', 'containers', 'container state', 'The container keeps exiting, and the kubelet waits before it restarts it (10 s, doubling up to 5 min). Its last state and its log show why it exits.', 'pkg/kubelet/kuberuntime/kuberuntime_manager.go', 'containers/application-error-exit', 'containers/oom-killed', 'containers/container-completes', 'probes/liveness-probe-failing'),
  row('BackOff', 'containers', 'event', 'The kubelet waits before the next attempt to start a container (Warning) or to pull an image (Normal).', 'pkg/kubelet/events/event.go'),
  row('OOMKilled', 'containers', 'container state', 'The kernel killed a process because the container exceeded its memory limit, or because the node ran out of memory.', 'container runtime', 'containers/oom-killed'),
  row('ContainerStatusUnknown', 'containers', 'container state', 'The kubelet lost track of the container, usually because the node was restarted or cleaned up.', 'pkg/kubelet/kubelet_pods.go'),
  row('StartError', 'containers', 'container state', 'The container runtime could not start the process of the container.', 'container runtime', 'containers/command-not-found', 'containers/start-failed'),
  row('FailedPostStartHook', 'containers', 'event', 'The postStart hook failed, and the kubelet killed the container.', 'pkg/kubelet/events/event.go', 'containers/poststart-hook-failed'),
  row('Unhealthy', 'probes', 'event', 'A probe failed. The message names the probe and the response.', 'pkg/kubelet/events/event.go', 'probes/readiness-probe-failing', 'probes/liveness-probe-failing', 'probes/startup-probe-failing'),
  row('Killing', 'probes', 'event', 'The kubelet stops a container after a failed liveness or startup probe, or because the pod is being deleted.', 'pkg/kubelet/events/event.go', 'probes/liveness-probe-failing', 'probes/startup-probe-failing'),
  row('ContainersNotReady', 'probes', 'condition', 'Ready is False: at least one container is not running, or its readiness probe fails.', 'pkg/kubelet/status/generate.go', 'probes/readiness-probe-failing'),
  row('ReadinessGatesNotReady', 'probes', 'condition', 'All containers are ready, but a readiness gate of the pod is not True. Another controller must set it.', 'pkg/kubelet/status/generate.go', 'probes/readiness-gate-not-set'),
  row('FailedToUpdateEndpointSlices', 'endpoints', 'event', 'The EndpointSlice controller could not write the endpoints of the Service.', 'pkg/controller/endpointslice/endpointslice_controller.go'),
  row('SyncLoadBalancerFailed', 'traffic', 'event', 'The cloud provider could not create or update the load balancer of the Service.', 'staging/src/k8s.io/cloud-provider/controllers/service/controller.go'),
  row('Pending', 'scheduling', 'STATUS column', 'The pod is not scheduled to a node yet, or no container of it has started.', 'pkg/printers/internalversion/printers.go', 'scheduling/insufficient-resource', 'scheduling/untolerated-taint', 'scheduling/claim-unbound', 'scheduling/scheduler-down'),
  row('Terminating', 'controllers', 'STATUS column', 'The pod is being deleted. It remains until its containers have stopped and its finalizers are removed, or until its node reports again.', 'pkg/printers/internalversion/printers.go', 'controllers/finalizer-blocks-deletion', 'kubelet/node-not-ready'),
  row('Init:0/1', 'containers', 'STATUS column', 'The first number counts the init containers that have completed, the second all of them. The main containers start when all have completed.', 'pkg/printers/internalversion/printers.go', 'containers/init-container-failed', 'containers/init-container-hanging'),
  row('Completed', 'containers', 'STATUS column', 'All containers exited with code 0. That is right for a Job. With restartPolicy Always the container is restarted.', 'pkg/printers/internalversion/printers.go', 'containers/container-completes'),
  row('Error', 'containers', 'STATUS column', 'A container exited with a code other than 0 and is not running. Its log shows why.', 'pkg/printers/internalversion/printers.go', 'containers/application-error-exit'),
  row('Running', 'containers', 'STATUS column', 'At least one container of the pod runs. READY counts the containers that are ready; the pod serves when all of them are.', 'pkg/printers/internalversion/printers.go', 'probes/readiness-probe-failing'),
  row('Unknown', 'kubelet', 'STATUS column', 'The node has stopped reporting, so that the state of the pod is not known. Of a node: its kubelet sends no heartbeat.', 'pkg/printers/internalversion/printers.go', 'kubelet/node-not-ready', 'kubelet/kubelet-down'),
  row('NodeLost', 'kubelet', 'STATUS column', 'The node has stopped reporting while the pod was being deleted. kubectl shows Unknown instead since 1.5.', 'pkg/util/node/node.go', 'kubelet/node-not-ready', 'kubelet/kubelet-down'),
  row('NotReady', 'kubelet', 'STATUS column', 'Of a node: its kubelet reports that it cannot run pods, or has stopped reporting. Of a pod: some containers have completed and others run.', 'pkg/printers/internalversion/printers.go', 'kubelet/node-not-ready', 'kubelet/kubelet-down'),
  row('SchedulingDisabled', 'scheduling', 'STATUS column', 'The node is cordoned: it gets no new pods. Its running pods stay.', 'pkg/printers/internalversion/printers.go', 'scheduling/node-cordoned'),
  row('Failed', 'containers', 'STATUS column', 'All containers exited, at least one with a failure, and none is restarted. The pod status or the log shows why.', 'pkg/printers/internalversion/printers.go', 'containers/application-error-exit'),
  row('Succeeded', 'containers', 'STATUS column', 'All containers exited with code 0 and are not restarted. kubectl get shows Completed.', 'pkg/printers/internalversion/printers.go', 'containers/container-completes'),
  row('Suspended', 'controllers', 'STATUS column', 'The Job is suspended: it creates no pods until suspend is false.', 'pkg/printers/internalversion/printers.go', 'controllers/job-suspended'),
  row('Lost', 'scheduling', 'STATUS column', 'The PersistentVolume that the claim is bound to no longer exists. The data is not reachable through this claim.', 'pkg/controller/volume/persistentvolume/pv_controller.go', 'scheduling/claim-lost'),
  row('Released', 'scheduling', 'STATUS column', 'The claim of the PersistentVolume was deleted. No other claim is bound until claimRef is removed or the volume is deleted.', 'pkg/controller/volume/persistentvolume/pv_controller.go', 'scheduling/claim-volume-already-bound'),
  row('Preempting', 'kubelet', 'pod status', 'The kubelet stopped the pod to make room for a critical pod.', 'pkg/kubelet/preemption/preemption.go', 'scheduling/preempted'),
  row('NodeShutdown', 'kubelet', 'pod status', 'The node was shutting down when the pod was to start, or while it ran.', 'pkg/kubelet/nodeshutdown/nodeshutdown_manager.go', 'kubelet/node-shutting-down'),
  row('PostStartHookError', 'containers', 'container state', 'The postStart hook of the container failed, so the kubelet stopped the container.', 'pkg/kubelet/kuberuntime/kuberuntime_container.go', 'containers/poststart-hook-failed'),
  row('ImageInspectError', 'images', 'container state', 'The container runtime could not inspect the image on the node.', 'pkg/kubelet/images/types.go', 'images/image-pull-failing'),
  row('ExitCode:1', 'containers', 'STATUS column', 'A container ended with this exit code, and its state has no reason. Its log shows why.', 'pkg/printers/internalversion/printers.go', 'containers/application-error-exit'),
  row('Signal:9', 'containers', 'STATUS column', 'A signal ended the process of a container: 9 is SIGKILL, 11 SIGSEGV, 15 SIGTERM.', 'pkg/printers/internalversion/printers.go', 'containers/oom-killed'),
  row('READY 0/1', 'probes', 'STATUS column', 'The first number counts the containers that are ready, the second all of them. A container is ready when it runs and its readiness probe succeeds.', 'pkg/printers/internalversion/printers.go', 'probes/readiness-probe-failing'),
  row('126', 'containers', 'exit code', 'The command was found but is not executable.', 'container runtime', 'containers/entrypoint-not-executable'),
  row('127', 'containers', 'exit code', 'The command was not found.', 'container runtime', 'containers/command-not-found'),
  row('137', 'containers', 'exit code', '128 + 9: SIGKILL stopped the process. Reason OOMKilled shows that the memory limit did. Otherwise it did not stop within its grace period.', 'signal(7)', 'containers/oom-killed', 'probes/liveness-probe-failing'),
  row('139', 'containers', 'exit code', '128 + 11: the process crashed with SIGSEGV (invalid memory access).', 'signal(7)', 'containers/application-error-exit'),
  row('143', 'containers', 'exit code', '128 + 15: SIGTERM stopped the process. The kubelet sends it when the pod is deleted or a liveness probe fails.', 'signal(7)', 'probes/liveness-probe-failing'),
  row('255', 'containers', 'exit code', 'The process exited with -1. With reason Unknown the runtime lost it, usually because the node was restarted.', 'container runtime'),
];

/** The reason of this name, in any case of letters; undefined when it is not in the table. What kubectl prints of an init container is its own reason. */
export function reasonNamed(word: string): Reason | undefined {
  const wanted = aliasOf(word.trim().toLowerCase());
  return REASONS.find(({ reason }) => reason.toLowerCase() === wanted);
}

/** Words with numbers stand for all numbers; an exit code that has a row of its own is named by it; a node shows two words. */
function aliasOf(lower: string): string {
  if (/^init:\d{1,4}\/\d{1,4}$/.test(lower)) return 'init:0/1';
  if (/^\d{1,4}\/\d{1,4}$/.test(lower)) return 'ready 0/1';
  if (/^(?:init:)?signal:\d{1,3}$/.test(lower)) return 'signal:9';
  const code = /^(?:init:)?exit ?code[: ]? ?(\d{1,3})$/.exec(lower)?.[1];
  if (code !== undefined) return REASONS.some(({ reason }) => reason === code) ? code : 'exitcode:1';
  return lower.replace(/^init:(?=[a-z])/, '').replace(/,schedulingdisabled$/, '');
}

function row(reason: string, stage: StageId, seen: Reason['seen'], ...[means, source, ...rules]: readonly [means: string, source: string, ...rules: string[]]): Reason {
  return { reason, stage, seen, means, source, rules };
}
