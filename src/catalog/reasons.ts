import type { StageId } from '../model/stage.ts';

/** A word of Kubernetes that people look up: where it stands, the stage it speaks of, what it means. */
export interface Reason {
  readonly reason: string;
  readonly stage: StageId;
  readonly seen: 'container state' | 'event' | 'condition' | 'scheduler' | 'API answer' | 'pod status';
  readonly means: string;
  /** Path in the Kubernetes repository where the word comes from. */
  readonly source: string;
  /** Rules to look at first; besides them those whose patterns have the word. */
  readonly rules: readonly string[];
}

/** Wordings of Kubernetes 1.36. */
export const REASONS: readonly Reason[] = [
  row('Unauthorized', 'authentication', 'API answer', 'The API server does not know who asks: the credentials are missing, wrong or have ended.', 'staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go', 'authentication/client-certificate-expired', 'authentication/client-certificate-untrusted', 'authentication/token-invalid'),
  row('Forbidden', 'authorization', 'API answer', 'The API server knows who asks and refuses: RBAC allows it not, or an admission plugin (quota, Pod Security, a policy) does not.', 'staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go', 'authorization/forbidden', 'validating-admission/quota-exceeded', 'validating-admission/pod-security-violated'),
  row('Invalid', 'schema-validation', 'API answer', 'A field of the object has a value the API does not accept; the answer names the field.', 'staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go', 'schema-validation/invalid-value', 'schema-validation/missing-required-field'),
  row('exceeded quota', 'validating-admission', 'API answer', 'What is asked for does not fit in a ResourceQuota of the namespace; the answer has the sums.', 'staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go', 'validating-admission/quota-exceeded'),
  row('FailedCreate', 'controllers', 'event', 'A controller may not or cannot create the pods it should: its message is the API answer it got.', 'pkg/controller/controller_utils.go', 'controllers/pod-creation-refused', 'validating-admission/quota-exceeded', 'mutating-admission/service-account-not-found'),
  row('ReplicaFailure', 'controllers', 'condition', 'The ReplicaSet cannot create its pods; the condition has the API answer.', 'pkg/controller/replicaset/replica_set_utils.go', 'controllers/pod-creation-refused'),
  row('ProgressDeadlineExceeded', 'controllers', 'condition', 'No new pod of the Deployment became available within progressDeadlineSeconds. A symptom: the pods tell why.', 'pkg/controller/deployment/sync.go', 'controllers/progress-deadline-exceeded'),
  row('MinimumReplicasUnavailable', 'controllers', 'condition', 'Fewer pods are available than the Deployment must keep. A symptom: the pods tell why.', 'pkg/controller/deployment/sync.go', 'controllers/progress-deadline-exceeded'),
  row('BackoffLimitExceeded', 'controllers', 'event', 'A Job gave up: its pods failed more often than backoffLimit.', 'pkg/controller/job/job_controller.go', 'controllers/job-backoff-limit-exceeded'),
  row('DeadlineExceeded', 'controllers', 'event', 'A Job ran longer than activeDeadlineSeconds and was stopped.', 'pkg/controller/job/job_controller.go', 'controllers/job-deadline-exceeded', 'containers/active-deadline-exceeded'),
  row('FailedScheduling', 'scheduling', 'event', 'No node can take the pod; the message counts the nodes by the reason each was refused for.', 'pkg/scheduler/schedule_one.go'),
  row('Unschedulable', 'scheduling', 'condition', 'PodScheduled=False: the scheduler looked at every node and none fits.', 'pkg/scheduler/schedule_one.go'),
  row('SchedulingGated', 'scheduling', 'condition', 'The pod has scheduling gates; whoever set them must remove them before the scheduler looks at it.', 'pkg/registry/core/pod/strategy.go', 'scheduling/scheduling-gated'),
  row('Insufficient cpu', 'scheduling', 'scheduler', 'A node has less CPU left unrequested than the pod requests. Requests count, not use.', 'pkg/scheduler/framework/plugins/noderesources/fit.go', 'scheduling/insufficient-resource'),
  row('Insufficient memory', 'scheduling', 'scheduler', 'A node has less memory left unrequested than the pod requests. Requests count, not use.', 'pkg/scheduler/framework/plugins/noderesources/fit.go', 'scheduling/insufficient-resource'),
  row('Too many pods', 'scheduling', 'scheduler', 'The node runs as many pods as its kubelet allows (maxPods).', 'pkg/scheduler/framework/plugins/noderesources/fit.go', 'scheduling/too-many-pods'),
  row('untolerated taint', 'scheduling', 'scheduler', 'The node has a taint that the pod does not tolerate.', 'pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go', 'scheduling/untolerated-taint'),
  row("didn't match Pod's node affinity/selector", 'scheduling', 'scheduler', "The node's labels do not fit the pod's nodeSelector or required node affinity.", 'pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go', 'scheduling/node-selector-mismatch', 'scheduling/node-affinity-mismatch'),
  row("didn't match pod anti-affinity rules", 'scheduling', 'scheduler', 'A pod this one must keep away from is already in the same topology domain.', 'pkg/scheduler/framework/plugins/interpodaffinity/filtering.go', 'scheduling/pod-anti-affinity-conflict'),
  row("didn't match pod topology spread constraints", 'scheduling', 'scheduler', 'Placing the pod there would make its spread more uneven than maxSkew allows.', 'pkg/scheduler/framework/plugins/podtopologyspread/filtering.go', 'scheduling/topology-spread-unsatisfiable'),
  row("didn't have free ports for the requested pod ports", 'scheduling', 'scheduler', 'The hostPort the pod asks for is taken on the node.', 'pkg/scheduler/framework/plugins/nodeports/node_ports.go', 'scheduling/host-port-conflict'),
  row('pod has unbound immediate PersistentVolumeClaims', 'scheduling', 'scheduler', 'A claim of the pod has no volume yet; the claim tells why.', 'pkg/scheduler/framework/plugins/volumebinding/volume_binding.go', 'scheduling/claim-unbound', 'scheduling/claim-no-matching-volume', 'scheduling/claim-storage-class-not-found'),
  row('volume node affinity conflict', 'scheduling', 'scheduler', 'The volume is reachable from other nodes only: mostly another zone.', 'pkg/scheduler/framework/plugins/volumebinding/binder.go', 'scheduling/volume-node-affinity-conflict'),
  row('Preempted', 'scheduling', 'event', 'The pod was removed to make room for one of higher priority.', 'pkg/scheduler/framework/preemption/preemption.go'),
  row('NodeNotReady', 'kubelet', 'event', "The node stopped reporting that it is well; its pods count as not ready.", 'pkg/controller/nodelifecycle/node_lifecycle_controller.go', 'kubelet/node-not-ready', 'kubelet/kubelet-not-running'),
  row('NodeStatusUnknown', 'kubelet', 'condition', 'The kubelet stopped posting its status: node down, kubelet stopped, or its network or certificate gone.', 'pkg/controller/nodelifecycle/node_lifecycle_controller.go', 'kubelet/node-not-ready', 'kubelet/kubelet-not-running'),
  row('Evicted', 'kubelet', 'pod status', 'The kubelet removed the pod because the node ran short of memory, disk or process ids.', 'pkg/kubelet/eviction/helpers.go', 'kubelet/node-memory-pressure', 'kubelet/node-disk-pressure', 'containers/ephemeral-storage-exceeded'),
  row('NodeAffinity', 'kubelet', 'pod status', "The kubelet refused the pod: the node's labels no longer fit its selector.", 'pkg/kubelet/lifecycle/predicate.go', 'kubelet/node-affinity-rejected-by-kubelet'),
  row('OutOfcpu', 'kubelet', 'pod status', 'The kubelet refused the pod: the node had no room for its CPU request when it arrived.', 'pkg/kubelet/lifecycle/predicate.go', 'kubelet/node-allocatable-exceeded'),
  row('FailedMount', 'volumes', 'event', 'The kubelet could not make a volume ready; no container starts before all are. The message names the volume and what is missing.', 'pkg/kubelet/events/event.go'),
  row('FailedAttachVolume', 'volumes', 'event', 'The volume could not be attached to the node; often it is still attached to another.', 'pkg/controller/volume/attachdetach/reconciler/reconciler.go', 'volumes/volume-in-use'),
  row('Multi-Attach error', 'volumes', 'event', 'A volume for one node at a time is still attached to another node.', 'pkg/controller/volume/attachdetach/reconciler/reconciler.go', 'volumes/volume-in-use'),
  row('FailedBinding', 'volumes', 'event', 'No PersistentVolume fits the claim and no StorageClass can make one.', 'pkg/controller/volume/persistentvolume/pv_controller.go', 'scheduling/claim-no-matching-volume'),
  row('ProvisioningFailed', 'volumes', 'event', 'A volume for the claim could not be made; the message has the reason.', 'pkg/controller/volume/persistentvolume/pv_controller.go', 'scheduling/claim-provisioning-failed', 'scheduling/claim-storage-class-not-found'),
  row('WaitForFirstConsumer', 'volumes', 'event', 'Not a fault: the claim is bound once a pod that uses it is scheduled.', 'pkg/controller/volume/persistentvolume/pv_controller.go', 'scheduling/claim-unbound'),
  row('FailedCreatePodSandBox', 'sandbox', 'event', 'The container runtime could not make the pod sandbox; most often the network plugin failed.', 'pkg/kubelet/events/event.go', 'sandbox/sandbox-not-created', 'network/network-plugin-failed'),
  row('NetworkNotReady', 'network', 'event', 'The network plugin of the node is not there or not ready yet.', 'pkg/kubelet/events/event.go', 'network/network-plugin-failed', 'sandbox/cni-config-missing'),
  row('ContainerCreating', 'containers', 'container state', 'The container waits for what comes before it: volumes, sandbox, network or image. The stage list says which.', 'pkg/kubelet/kubelet_pods.go'),
  row('PodInitializing', 'containers', 'container state', 'The init containers have not all ended well yet.', 'pkg/kubelet/kubelet_pods.go'),
  row('ErrImagePull', 'images', 'container state', 'The image could not be pulled just now; the message has the registry\'s answer.', 'pkg/kubelet/images/types.go', 'images/image-not-found', 'images/pull-access-denied', 'images/registry-unreachable'),
  row('ImagePullBackOff', 'images', 'container state', 'The image could not be pulled and the kubelet waits before it tries again (10 s, doubling up to 5 min).', 'pkg/kubelet/images/types.go', 'images/image-not-found', 'images/pull-access-denied', 'images/registry-unreachable'),
  row('ErrImageNeverPull', 'images', 'container state', 'imagePullPolicy is Never and the image is not on the node.', 'pkg/kubelet/images/types.go', 'images/never-pull-and-absent'),
  row('InvalidImageName', 'images', 'container state', 'The image reference cannot be parsed.', 'pkg/kubelet/images/types.go', 'images/invalid-image-name'),
  row('CreateContainerConfigError', 'containers', 'container state', 'The container cannot be described to the runtime: a ConfigMap, Secret or key for its environment is missing, or its user is not allowed.', 'pkg/kubelet/kuberuntime/kuberuntime_container.go', 'containers/configmap-not-found', 'containers/secret-not-found', 'containers/configmap-key-not-found', 'containers/secret-key-not-found', 'containers/run-as-non-root-violated'),
  row('CreateContainerError', 'containers', 'container state', 'The runtime refused to create the container.', 'pkg/kubelet/kuberuntime/kuberuntime_container.go'),
  row('RunContainerError', 'containers', 'container state', 'The runtime created the container and could not start it: mostly the command does not exist or may not be executed.', 'pkg/kubelet/kuberuntime/kuberuntime_container.go', 'containers/command-not-found', 'containers/entrypoint-not-executable'),
  row('CrashLoopBackOff', 'containers', 'container state', 'The container ended again and again, and the kubelet waits before it starts it anew (10 s, doubling up to 5 min). Why it ends is in its last state and its log.', 'pkg/kubelet/kuberuntime/kuberuntime_manager.go', 'containers/application-error-exit', 'containers/oom-killed', 'containers/container-completes', 'probes/liveness-probe-failing'),
  row('BackOff', 'containers', 'event', 'The kubelet waits before the next try: to start a container (Warning) or to pull an image (Normal).', 'pkg/kubelet/events/event.go'),
  row('OOMKilled', 'containers', 'container state', "The kernel killed a process because the container reached its memory limit, or the node's memory was gone.", 'container runtime', 'containers/oom-killed'),
  row('ContainerStatusUnknown', 'containers', 'container state', 'The kubelet lost track of the container, mostly because the node was restarted or cleaned.', 'pkg/kubelet/kubelet_pods.go'),
  row('StartError', 'containers', 'container state', 'The runtime could not start the process of the container.', 'container runtime', 'containers/command-not-found', 'containers/start-failed'),
  row('FailedPostStartHook', 'containers', 'event', 'The postStart hook failed and the container was killed for it.', 'pkg/kubelet/events/event.go', 'containers/poststart-hook-failed'),
  row('Unhealthy', 'probes', 'event', 'A probe failed: the message says which one and what it got.', 'pkg/kubelet/events/event.go', 'probes/readiness-probe-failing', 'probes/liveness-probe-failing', 'probes/startup-probe-failing'),
  row('Killing', 'probes', 'event', 'The kubelet stops a container: after a failed liveness or startup probe, or because the pod is being deleted.', 'pkg/kubelet/events/event.go', 'probes/liveness-probe-failing', 'probes/startup-probe-failing'),
  row('ContainersNotReady', 'probes', 'condition', 'Ready=False: at least one container is not ready, for its probe fails or it does not run.', 'pkg/kubelet/status/generate.go', 'probes/readiness-probe-failing'),
  row('ReadinessGatesNotReady', 'probes', 'condition', 'The containers are ready, but a readiness gate of the pod is not set to True by whoever owns it.', 'pkg/kubelet/status/generate.go', 'probes/readiness-gate-not-set'),
  row('FailedToUpdateEndpointSlices', 'endpoints', 'event', 'The EndpointSlice controller could not write the addresses of the Service.', 'pkg/controller/endpointslice/endpointslice_controller.go'),
  row('SyncLoadBalancerFailed', 'traffic', 'event', 'The cloud could not make or change the load balancer of the Service.', 'staging/src/k8s.io/cloud-provider/controllers/service/controller.go'),
];

/** The reason a person means, whatever the case of the letters; undefined when it is not in the table. */
export function reasonNamed(word: string): Reason | undefined {
  const wanted = word.trim().toLowerCase();
  return REASONS.find(({ reason }) => reason.toLowerCase() === wanted);
}

function row(reason: string, stage: StageId, seen: Reason['seen'], ...[means, source, ...rules]: readonly [means: string, source: string, ...rules: string[]]): Reason {
  return { reason, stage, seen, means, source, rules };
}
