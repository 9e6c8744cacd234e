import type { ReadySentence } from './sentence-search.ts';
import { sentence } from './sentence-search.ts';

/**
 * The sentences with which components begin to tell that something fails, each with the event that carries it. A line that is pasted
 * without its event is read as that event; what it means is for the rules. `{{ message }}` is the event's message where a log has it
 * in quotation marks. Old wordings stand beside new ones.
 */
export const SENTENCES: readonly ReadySentence[] = [
  // pkg/scheduler/framework/types.go, pkg/scheduler/schedule_one.go, before 1.9 plugin/pkg/scheduler/core/generic_scheduler.go
  ...event('FailedScheduling', 'default-scheduler', [
    '0/{{ nodes: number }} nodes are available: ', 'no nodes available to schedule pods', 'No nodes are available that match all of the ', 'pod has unbound immediate PersistentVolumeClaims', 'pod has unbound PersistentVolumeClaims',
    'running PreBind plugin "VolumeBinding": ', 'running "VolumeBinding" filter plugin for pod "', 'PersistentVolumeClaim is not bound: "', 'fit failure on node (', 'failed to fit in any node', 'skip schedule deleting pod: ', 'Failed for reason PodFits',
  ]),
  // pkg/volume/util/operationexecutor/operation_generator.go, pkg/kubelet/volumemanager/volume_manager.go
  ...event('FailedMount', 'kubelet', [
    'MountVolume.SetUp failed for volume "', 'MountVolume.MountDevice failed for volume "', 'MountVolume.WaitForAttach failed for volume "', 'MountVolume.NewMounter initialization failed for volume "', 'MountVolume.MountDevice failed to create newCsiDriverClient',
    'Unable to attach or mount volumes: ', 'Unable to mount volumes for pod "', 'unmounted volumes=[', 'timeout expired waiting for volumes to attach',
  ]),
  ...event('FailedMapVolume', 'kubelet', ['MapVolume.SetUpDevice failed for volume "', 'MapVolume.MapPodDevice failed for volume "']),
  ...event('FailedAttachVolume', 'attachdetach-controller', ['AttachVolume.Attach failed for volume "', 'AttachVolume.NewAttacher failed for volume "', 'Multi-Attach error for volume "']),
  // pkg/kubelet/images/image_manager.go; the second halves are what runtimes answer
  ...event('Failed', 'kubelet', [
    'with ErrImagePull: "{{ message }}', 'ErrImagePull: {{ message }}', 'Failed to pull image "', 'failed to pull and unpack image "', 'Error response from daemon: pull access denied for ', 'pull access denied for ', 'Error response from daemon: manifest for ',
    'toomanyrequests: ', 'Error: image {{ image: word }} not found', 'PullImage from image service failed', 'PullImage "{{ image: word }}" failed', 'PullImage "{{ image: word }}" from image service failed', 'Pull image "{{ image: word }}" failed', 'Pulling image "{{ image: word }}" failed', 'SignatureValidationFailed: ', 'Error response from daemon: Get "https://', 'Error response from daemon: Get https://',
  ]),
  ...event('BackOff', 'kubelet', ['with ImagePullBackOff: "{{ message }}', 'Back-off pulling image "']),
  ...event('ErrImageNeverPull', 'kubelet', ['is not present with pull policy of Never']),
  ...event('InspectFailed', 'kubelet', ['Failed to apply default image tag "', 'Failed to inspect image "', "couldn't parse image reference \"", 'with InvalidImageName: "{{ message }}', 'with ImageInspectError: "{{ message }}']),
  // pkg/kubelet/kuberuntime/kuberuntime_container.go, pkg/kubelet/kubelet_pods.go; OCI runtimes and dockershim for the rest
  ...event('Failed', 'kubelet', [
    'with CreateContainerConfigError: "{{ message }}', 'with CreateContainerError: "{{ message }}', 'with RunContainerError: "{{ message }}', 'CreateContainerConfigError: {{ message }}', 'CreateContainerError: {{ message }}', 'RunContainerError: {{ message }}', 'StartError: {{ message }}',
    'ContainerCannotRun: {{ message }}', 'Error: failed to create containerd task: ', 'Error: failed to start container "', 'failed to create containerd task: ', 'failed to create shim task: ', 'Failed to start container ', 'failed to start container "',
    'OCI runtime create failed: ', 'OCI runtime exec failed: ', 'runc create failed: ', 'starting container process caused', 'exec user process caused', 'container create failed: ', 'Error: failed to generate container "', 'Error: failed to create containerd container: ',
    "couldn't find key {{ key: name }} in Secret ", "couldn't find key {{ key: name }} in ConfigMap ", "couldn't find key name in Secret ", 'Error: secret "{{ secret: name }}" not found', 'Error: configmap "{{ configMap: name }}" not found', 'Error: secrets "{{ secret: name }}" not found',
    'Error: configmaps "{{ configMap: name }}" not found', 'container has runAsNonRoot and ', 'failed to prepare subPath for volumeMount ', 'cannot find volume "', 'failed to generate spec: ', 'failed to generate container "', 'Error: services have not yet been read at least once', 'no command specified',
    'unable to find user ', "can't find user ", 'Error: context deadline exceeded', 'error during container init: ',
  ], 'Error: '),
  ...event('BackOff', 'kubelet', ['with CrashLoopBackOff: "{{ message }}', 'Back-off restarting failed', 'back-off {{ wait: word }} restarting failed container']),
  ...event('FailedPostStartHook', 'kubelet', ['PostStartHookError: ', 'with PostStartHookError: "{{ message }}']),
  ...event('FailedPreStopHook', 'kubelet', ['PreStopHook failed']),
  // pkg/kubelet/kuberuntime/kuberuntime_sandbox.go, pkg/kubelet/dockershim, containerd internal/cri/server/sandbox_run.go
  ...event('FailedCreatePodSandBox', 'kubelet', [
    'with CreatePodSandboxError: "{{ message }}', 'with SetupNetworkError: "{{ message }}', 'Failed to create pod sandbox: ', 'Failed create pod sandbox: ', 'Failed create pod sandbox', 'CreatePodSandbox for pod "', 'createPodSandbox for pod "', 'RunPodSandbox from runtime service failed',
    'failed to setup network for sandbox "', 'failed to set up sandbox container "', 'NetworkPlugin cni failed to set up pod "', 'networkPlugin cni failed to set up pod "', 'failed to create pod network sandbox ', 'error adding pod {{ pod: word }} to CNI network "', 'failed to get sandbox image "',
    'for "POD" with ErrImagePull: "{{ message }}', 'for "POD" with ImagePullBackOff: "{{ message }}', 'RunPodSandbox for ', 'Failed to setup network for pod "', 'CreatePodSandbox failed', 'plugin type="{{ plugin: name }}" failed (add): ', 'plugin type="{{ plugin: name }}" name="{{ network: word }}" failed (add): ',
  ]),
  ...event('NetworkNotReady', 'kubelet', ['network is not ready: ', 'container runtime network not ready', 'runtime network not ready: ', 'Unable to update cni config: ', 'cni config uninitialized', 'cni plugin not initialized']),
  // pkg/kubelet/prober/prober.go
  ...event('Unhealthy', 'kubelet', ['Readiness probe failed: ', 'Liveness probe failed: ', 'Startup probe failed: ', 'Readiness probe errored', 'Liveness probe errored', 'Startup probe errored', 'Readiness probe failed', 'Liveness probe failed']),
  ...event('Killing', 'kubelet', ['failed liveness probe, will be restarted', 'failed startup probe, will be restarted', 'Container failed liveness probe.. Container will be killed and recreated']),
  // pkg/kubelet/eviction, pkg/kubelet/lifecycle/predicate.go
  ...event('Evicted', 'kubelet', ['The node was low on resource: ', 'The node had condition: [', 'Pod ephemeral local storage usage exceeds the total limit', 'exceeded its local ephemeral storage limit', 'Usage of EmptyDir volume "']),
  ...event('PodFitsHostPorts', 'kubelet', ['Predicate PodFitsHostPorts failed', 'Predicate NodePorts failed']),
  ...event('NodeAffinity', 'kubelet', ['Predicate NodeAffinity failed', 'Predicate MatchNodeSelector failed']),
  ...event('UnexpectedAdmissionError', 'kubelet', ['Allocate failed due to ', 'Update plugin resources failed due to ']),
  ...event('OutOfcpu', 'kubelet', ["Node didn't have enough resource: cpu"]),
  ...event('OutOfmemory', 'kubelet', ["Node didn't have enough resource: memory"]),
  ...event('OutOfpods', 'kubelet', ["Node didn't have enough resource: pods"]),
  // pkg/controller
  ...event('FailedCreate', 'controller', ['Error creating: ', 'create Pod {{ pod: name }} in StatefulSet {{ set: name }} failed error: ', 'create Claim {{ claim: name }} for Pod ']),
  ...event('ProvisioningFailed', 'persistentvolume-controller', [
    'storageclass.storage.k8s.io "{{ class: name }}" not found', 'failed to provision volume with StorageClass "', 'Failed to provision volume with StorageClass "', 'StorageClass "{{ class: name }}" not found', 'error getting claim reference: ',
  ]),
  ...event('FailedBinding', 'persistentvolume-controller', ['no persistent volumes available for this claim and no storage class is set', 'no volume plugin matched']),
  ...event('ExternalProvisioning', 'persistentvolume-controller', ['waiting for a volume to be created, either by external provisioner "', 'waiting for a volume to be created either by the external provisioner ']),
  ...event('BackoffLimitExceeded', 'job-controller', ['Job has reached the specified backoff limit']),
  ...event('DeadlineExceeded', 'job-controller', ['Job was active longer than specified deadline']),
  // what the API server answers; apimachinery/pkg/api/errors, apiserver/pkg/admission, client-go
  ...answer([
    ' is forbidden: ', 'Internal error occurred: failed calling ', 'failed calling webhook "', 'failed calling admission webhook "', 'admission webhook "', 'x509: certificate has expired or is not yet valid', 'Unable to connect to the server: ', 'The connection to the server ',
    'error validating "', 'error validating data: ', 'unable to recognize "', 'no matches for kind "', 'You must be logged in to the server', 'the server has asked for the client to provide credentials', ' is invalid: ', 'is immutable', 'field is immutable', 'unable to build kubernetes objects from ',
    'strict decoding error: ', 'ValidationError(', 'error when creating "', 'error when evicting ', "Cannot evict pod as it would violate", 'etcdserver: ', 'namespaces "{{ namespace: name }}" not found', 'the object has been modified; please apply your changes', 'Operation cannot be fulfilled on ', 'because it is being terminated', 'no configuration has been provided',
    'dial tcp {{ address: word }}:6443: ', 'did you specify the right host or port?', 'error: You must be logged in', 'cannot list resource "', 'cannot get resource "', 'cannot create resource "', 'cannot watch resource "', 'cannot patch resource "', 'cannot update resource "', 'cannot delete resource "',
  ]),
  // pkg/kubelet/kubelet.go (syncLoop), pkg/kubelet/runtime.go
  ...['PLEG is not healthy: ', 'container runtime is down'].map((text) => sentence({ as: 'node' }, text)),
  // what a program's own log says; Go's net, glibc, Node, curl
  ...['dial tcp: lookup ', 'dial udp: lookup ', 'getaddrinfo ENOTFOUND ', 'getaddrinfo EAI_AGAIN ', 'Temporary failure in name resolution', 'could not translate host name "', 'Could not resolve host: ', 'java.net.UnknownHostException: ', 'connection timed out; no servers could be reached'].map((text) => sentence({ as: 'log' }, text)),
];

function event(reason: string, component: string, texts: readonly string[], prefix?: string): readonly ReadySentence[] {
  return texts.map((text) => sentence({ as: 'event', reason, component, ...(prefix === undefined ? {} : { prefix }) }, text));
}

function answer(texts: readonly string[]): readonly ReadySentence[] {
  return texts.map((text) => sentence({ as: 'answer' }, text));
}
