import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { readTranscript } from '../../src/clusters/transcript/transcript.ts';
import { OPENINGS } from '../support/transcripts.ts';
import { collect } from '../../src/collect/collect.ts';
import { scan } from '../../src/engine/scan.ts';

/** Words of many versions, runtimes and tools, as people paste them: the rules of which any names the cause, and the text. */
const WORDS: readonly (readonly [rules: readonly string[], text: string])[] = [
  [
    ['apply/server-certificate-untrusted'],
    `after rebuilding the cluster:
\`\`\`
PS C:\\Users\\me> kubectl get nodes
Unable to connect to the server: tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of "crypto/rsa: verification error" while trying to verify candidate authority certificate "kubernetes")
\`\`\`
`,
  ],
  [
    ['schema-validation/unknown-field'],
    `Error from server (BadRequest): error when creating "STDIN": Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.template.spec.containers[0].resources.limit"
`,
  ],
  [
    ['apply/kind-not-served'],
    `\`helm install\` fails with: Error: unable to build kubernetes objects from release manifest: resource mapping not found for name: "web" namespace: "" from "": no matches for kind "Ingress" in version "extensions/v1beta1"
`,
  ],
  [
    ['schema-validation/immutable-field'],
    `> The Job "migrate" is invalid: spec.template: Invalid value: core.PodTemplateSpec{ObjectMeta:v1.ObjectMeta{Name:"", GenerateName:""}}: field is immutable
> make: *** [deploy] Error 1
> exit status 2
`,
  ],
  [
    ['apply/kubeconfig-not-found'],
    `E0101 10:00:00.000000   12345 memcache.go:265] couldn't get current server API group list: Get "http://localhost:8080/api?timeout=32s": dial tcp 127.0.0.1:8080: connect: connection refused
The connection to the server localhost:8080 was refused - did you specify the right host or port?
`,
  ],
  [
    ['authorization/forbidden'],
    `time="2023-01-02T10:00:00Z" level=error msg="failed to reconcile" error="configmaps is forbidden: User \\"system:serviceaccount:shop:depot\\" cannot list resource \\"configmaps\\" in API group \\"\\" in the namespace \\"shop\\""
`,
  ],
  [
    ['validating-admission/webhook-certificate-untrusted'],
    `  Warning  FailedCreate  4m (x18 over 15m)  replicaset-controller  Error creating: Internal error occurred: failed calling webhook "inject.mesh.example": Post "https://injector.mesh.svc:443/inject?timeout=10s": x509: certificate signed by unknown authority
`,
  ],
  [
    ['validating-admission/pod-security-violated'],
    `Error creating: pods "agent-" is forbidden: unable to validate against any pod security policy: [spec.securityContext.hostNetwork: Invalid value: true: Host network is not allowed to be used]
`,
  ],
  [
    ['validating-admission/quota-exceeded'],
    `12m    12m    1    web-5f6   ReplicaSet      Warning   FailedCreate   replicaset-controller   Error creating: pods "web-5f6-x1z2y" is forbidden: exceeded quota: mem-cpu, requested: requests.cpu=500m, used: requests.cpu=1, limited: requests.cpu=1
`,
  ],
  [
    ['validating-admission/limit-range-violated'],
    `Error from server (Forbidden): error when creating "pod.yaml": pods "big" is forbidden: [maximum memory usage per Container is 1Gi, but limit is 2Gi, maximum cpu usage per Pod is 1, but limit is 2]
`,
  ],
  [
    ['mutating-admission/service-account-not-found'],
    `Conditions:
  Type             Status  Reason
  ----             ------  ------
  ReplicaFailure   True    FailedCreate
Events: pods "runner-" is forbidden: error looking up service account ci/runner-sa: serviceaccount "runner-sa" not found
`,
  ],
  [
    ['scheduling/node-selector-mismatch', 'scheduling/node-affinity-mismatch'],
    `  FirstSeen	LastSeen	Count	From			SubObjectPath	Type		Reason			Message
  ---------	--------	-----	----			-------------	--------	------			-------
  6m		6s		25	default-scheduler			Warning		FailedScheduling	No nodes are available that match all of the following predicates:: MatchNodeSelector (3).
`,
  ],
  [
    ['scheduling/insufficient-resource'],
    `6m	6s	25	{default-scheduler }			Warning	FailedScheduling	No nodes are available that match all of the following predicates:: Insufficient cpu (2), PodToleratesNodeTaints (1).
`,
  ],
  [
    ['scheduling/extended-resource-unavailable'],
    `The pod is stuck: 0/3 nodes are available: 1 Insufficient nvidia.com/gpu, 2 node(s) didn't match node selector.
`,
  ],
  [
    ['scheduling/too-many-pods'],
    `  Warning  FailedScheduling  2m19s (x99 over 10m)  default-scheduler  0/2 nodes are available: 2 Insufficient pods.
`,
  ],
  [
    ['kubelet/node-allocatable-exceeded'],
    `  Warning  OutOfcpu  12s   kubelet, node-3  Node didn't have enough resource: cpu, requested: 1000, used: 1500, capacity: 2000
`,
  ],
  [
    ['sandbox/cni-config-missing'],
    `Ready            False   Mon, 01 Jan 2024 10:00:00 +0000   Mon, 01 Jan 2024 09:00:00 +0000   KubeletNotReady              runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:docker: network plugin is not ready: cni config uninitialized
`,
  ],
  [
    ['kubelet/kubelet-client-certificate-expired'],
    `E0301 07:00:01.123456    1410 bootstrap.go:265] part of the existing bootstrap client certificate in /etc/kubernetes/kubelet.conf is expired: 2024-02-28 11:22:33 +0000 UTC
F0301 07:00:01.123999    1410 server.go:266] failed to run Kubelet: unable to load bootstrap kubeconfig: stat /etc/kubernetes/bootstrap-kubelet.conf: no such file or directory
`,
  ],
  [
    ['volumes/csi-driver-not-found'],
    `Warning FailedAttachVolume 30s (x8 over 2m) attachdetach-controller AttachVolume.Attach failed for volume "pvc-1" : CSINode worker-1 does not contain driver disk.csi.example.com
`,
  ],
  [
    ['volumes/nfs-mount-failed'],
    `    Output: mount.nfs: Connection refused
  Warning  FailedMount  14s  kubelet  MountVolume.SetUp failed for volume "data" : mount failed: exit status 32
Mounting command: mount
Mounting arguments: -t nfs 10.0.0.5:/exports /var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/data
Output: mount.nfs: Connection refused
`,
  ],
  [
    ['volumes/volume-in-use'],
    `Warning   FailedAttachVolume   pod/mysql-0   Multi-Attach error for volume "pvc-22" Volume is already used by pod(s) mysql-0-old on node worker-2
`,
  ],
  [
    ['containers/configmap-key-not-found'],
    `4s   Warning   Failed   pod/api-77   Error: couldn't find key LOG_LEVEL in ConfigMap shop/api-config
`,
  ],
  [
    ['network/network-plugin-failed', 'network/network-agent-not-running'],
    `Failed create pod sandbox: rpc error: code = Unknown desc = failed to set up sandbox container "aa" network for pod "api-0": NetworkPlugin cni failed to set up pod "api-0_shop" network: dial tcp 10.96.0.1:443: connect: connection refused
`,
  ],
  [
    ['sandbox/cni-plugin-binary-missing'],
    `Jul 01 10:00:00 n1 kubelet[99]: E0701 10:00:00.000000      99 kuberuntime_manager.go:815] "CreatePodSandbox for pod failed" err="rpc error: code = Unknown desc = failed to setup network for sandbox \\"ff\\": failed to find plugin \\"loopback\\" in path [/opt/cni/bin]" pod="kube-system/coredns-1"
`,
  ],
  [
    ['sandbox/sandbox-image-pull-failed'],
    `1m  1m  1  {kubelet node-1}    Warning  FailedSync  Error syncing pod, skipping: failed to "StartContainer" for "POD" with ErrImagePull: "image pull failed for gcr.io/google_containers/pause:2.0, this may be because there are no credentials on this request. details: (Error response from daemon: Get https://gcr.io/v1/_ping: dial tcp 64.233.1.82:443: i/o timeout)"
`,
  ],
  [
    ['images/registry-rate-limited'],
    `Failed to pull image "busybox": rpc error: code = Unknown desc = Error response from daemon: toomanyrequests: You have reached your pull rate limit.
`,
  ],
  [
    ['images/image-not-found'],
    `Message: Failed to pull image "registry.shop.example/web:v9": reading manifest v9 in registry.shop.example/web: manifest unknown
`,
  ],
  [
    ['images/pull-access-denied'],
    `Failed to pull image "1234.dkr.ecr.eu-west-1.amazonaws.com/web:1": rpc error: code = Unknown desc = failed to pull and unpack image "1234.dkr.ecr.eu-west-1.amazonaws.com/web:1": failed to resolve reference "1234.dkr.ecr.eu-west-1.amazonaws.com/web:1": pulling from host 1234.dkr.ecr.eu-west-1.amazonaws.com failed with status code [manifests 1]: 401 Unauthorized
`,
  ],
  [
    ['images/registry-speaks-http'],
    `  Warning  Failed   9s    kubelet   Failed to pull image "10.0.0.9:5000/web": rpc error: code = Unknown desc = failed to do request: Head "https://10.0.0.9:5000/v2/web/manifests/latest": http: server gave HTTP response to HTTPS client
`,
  ],
  [
    ['containers/exec-format-error'],
    `$ kubectl -n shop logs deploy/web
exec /usr/local/bin/docker-entrypoint.sh: exec format error
`,
  ],
  [
    ['containers/oom-killed'],
    `lastState: {terminated: {containerID: x, exitCode: 137, finishedAt: "2024-01-01T00:00:00Z", reason: OOMKilled, startedAt: "2024-01-01T00:00:00Z"}}
`,
  ],
  [
    ['containers/oom-killed'],
    `    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
    Ready:          True
    Restart Count:  3
`,
  ],
  [
    ['containers/command-not-found'],
    `Error: failed to start container "app": Error response from daemon: OCI runtime create failed: container_linux.go:367: starting container process caused: exec: "/start.sh": stat /start.sh: no such file or directory: unknown
`,
  ],
  [
    ['containers/permission-denied', 'containers/volume-permission-denied'],
    `\`\`\`
kubectl logs postgres-0
mkdir: cannot create directory '/bitnami/postgresql/data': Permission denied
\`\`\`
the pod is in CrashLoopBackOff
`,
  ],
  [
    ['probes/liveness-probe-timeout'],
    `  Warning  Unhealthy  2m (x30 over 20m)   kubelet  Liveness probe failed: Get "http://10.1.2.3:8080/live": context deadline exceeded (Client.Timeout exceeded while awaiting headers)
  Normal   Killing    2m (x10 over 19m)   kubelet  Container web failed liveness probe, will be restarted
`,
  ],
  [
    ['sandbox/runtime-handler-not-configured'],
    `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "gvisor" is configured
`,
  ],
  [
    ['containers/secret-not-found'],
    `  Warning  Failed  11s (x3 over 40s)  kubelet, n2  Error: secret "api-secret" not found
`,
  ],
  [
    ['volumes/configmap-not-found'],
    `大家好,我的 pod 一直处于 ContainerCreating 状态,describe 后显示:MountVolume.SetUp failed for volume "config" : configmap "app-config" not found ,请问怎么解决?
`,
  ],
  [
    ['images/image-not-found', 'images/pull-access-denied'],
    `以下のエラーが出ます。

    LAST SEEN   TYPE      REASON    OBJECT          MESSAGE
    2m          Normal    Pulling   pod/web-7       Pulling image "shop/wbe:1"
    2m          Warning   Failed    pod/web-7       Failed to pull image "shop/wbe:1": rpc error: code = Unknown desc = Error response from daemon: pull access denied for shop/wbe, repository does not exist or may require 'docker login': denied: requested access to the resource is denied
    1m          Warning   Failed    pod/web-7       Error: ImagePullBackOff
`,
  ],
  [
    ['scheduling/insufficient-resource'],
    `apiVersion: v1
kind: Pod
metadata:
  name: big
spec:
  containers:
  - name: a
    image: nginx
    resources: { requests: { cpu: "64" } }

$ kubectl get events
LAST SEEN   TYPE      REASON             OBJECT    MESSAGE
5s          Warning   FailedScheduling   pod/big   0/2 nodes are available: 2 Insufficient cpu.
`,
  ],
  [
    ['sandbox/cni-config-missing', 'network/network-plugin-failed'],
    `  Warning  NetworkNotReady  3s (x5 over 20s)  kubelet  network is not ready: container\r
 runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady me\r
ssage:Network plugin returns error: cni plugin not initialized\r
`,
  ],
  [
    ['scheduling/insufficient-resource', 'scheduling/untolerated-taint'],
    `Warning  FailedScheduling  <unknown>  default-scheduler  0/3 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 2 Insufficient memory.
`,
  ],
  [
    ['containers/run-as-non-root-violated'],
    `Reason: CreateContainerConfigError
Message: container has runAsNonRoot and image will run as root (pod: "web-0_shop(1)", container: web)
`,
  ],
  [
    ['persistence/namespace-not-found', 'validating-admission/request-refused'],
    `Error from server (NotFound): error when creating "web.yaml": namespaces "shop" not found
`,
  ],
  [
    ['volumes/secret-not-found'],
    `1:02:03 PM	Warning	FailedMount	MountVolume.SetUp failed for volume "certs" : secret "web-certs" not found
`,
  ],
  [
    ['images/registry-name-not-resolved', 'images/registry-unreachable'],
    `time="2024-01-01T10:00:00.1Z" level=error msg="PullImage \\"registry.shop.example/web:1\\" failed" error="failed to pull and unpack image \\"registry.shop.example/web:1\\": failed to resolve reference \\"registry.shop.example/web:1\\": failed to do request: Head \\"https://registry.shop.example/v2/web/manifests/1\\": dial tcp: lookup registry.shop.example on 10.0.0.2:53: no such host"
`,
  ],
  [
    ['containers/poststart-hook-failed'],
    `  Warning  FailedPostStartHook  9s  kubelet  Exec lifecycle hook ([/bin/sh -c /init.sh]) for Container "web" in Pod "web-1_shop(1)" failed - error: command '/bin/sh -c /init.sh' exited with 127: , message: "/bin/sh: /init.sh: not found\\n"
`,
  ],
  [
    ['apply/server-certificate-untrusted'],
    `the dashboard says: Get https://10.9.0.1:443/apis/apps/v1/namespaces/till/deployments: x509: certificate signed by unknown authority
`,
  ],
  [
    ['schema-validation/unknown-field'],
    `The request is invalid: patch: Invalid value: "map[spec:map[volumes:[map[name:till]]]]": strict decoding error: unknown field "spec.volumes"
`,
  ],
  [
    ['authorization/forbidden'],
    `panic: jobs.batch is forbidden: User "system:serviceaccount:till:press" cannot create jobs.batch in the namespace "till"

goroutine 9 [running]:
`,
  ],
  [
    ['controllers/hpa-no-metrics'],
    `unable to get metrics for resource cpu: unable to fetch metrics from API: the server could not find the requested resource (get pods.metrics.k8s.io)
`,
  ],
  [
    ['containers/dependency-times-out'],
    `kubectl logs names-7d9c8b6f5-x2v4q -n till
E1018 06:39:54.604839       1 reflector.go:134] controller.go:315: Failed to list *v1.Service: Get https://10.9.0.1:443/api/v1/services: dial tcp 10.9.0.1:443: connect: no route to host
log: exiting because of error: log: cannot create log: open /tmp/names.log.ERROR.1: no such file or directory
`,
  ],
  [
    ['containers/application-error-exit'],
    `kubectl get pods
NAME      READY   STATUS             RESTARTS   AGE
ledger-0  2/3     CrashLoopBackOff   6          13m
kubectl logs ledger-0 -c db
2021-03-16T17:33:55.776426+08:00 0 [ERROR] --initialize was given, but there are files
2021-03-16T17:33:55.776454+08:00 0 [ERROR] Aborting
`,
  ],
  [
    ['sandbox/cni-config-missing'],
    `> Mar 08 16:46:49 till-2 kubelet[1882]: W0308 16:46:49.803352    1882 cni.go:203] Unable to update cni config: No networks found in /etc/cni/net.d
> Mar 08 16:46:49 till-2 kubelet[1882]: E0308 16:46:49.803971    1882 kubelet.go:2192] Container runtime network not ready:
`,
  ],
  [
    ['volumes/mount-failed'],
    `1h   1m   37   press-2275263275-01pq7   Pod   Warning   FailedSync   {kubelet till-2}   Error syncing pod, skipping: timeout expired waiting for volumes to attach/mount for pod "press-2275263275-01pq7"/"till". list of unattached/unmounted volumes=[ink]
`,
  ],
  [
    ['volumes/volume-not-attached'],
    `  Warning  FailedMount         4m1s (x29 over 81m)  kubelet                  Unable to attach or mount volumes: unmounted volumes=[ink], unattached volumes=[ink kube-api-access-ctdgx]: timed out waiting for the condition
  Warning  FailedAttachVolume  39s (x25 over 83m)   attachdetach-controller  AttachVolume.Attach failed for volume "pvc-1" : Attach timeout for volume pvc-1
`,
  ],
  [
    ['kubelet/node-disk-pressure'],
    `Events:
  Type     Reason          Age                From               Message
  ----     ------          ----               ----               -------
  Normal   Started         18m (x2 over 18m)  kubelet, till-2    Started container press
  Normal   Killing         18m (x2 over 18m)  kubelet, till-2    Stopping container press
  Warning  Evicted         18m                kubelet, till-2    The node was low on resource: ephemeral-storage. Container press was using 92Ki, which exceeds its request of 0.
`,
  ],
  [
    ['kubelet/node-disk-pressure'],
    `Events:
  Type     Reason                Age    From             Message
  ----     ------                ----   ----             -------
  Warning  EvictionThresholdMet  4m32s  kubelet, till-2  Attempting to reclaim ephemeral-storage
  Normal   NodeHasDiskPressure   4m23s  kubelet, till-2  Node till-2 status is now: NodeHasDiskPressure
`,
  ],
];

let loaded: ReturnType<typeof shippedRules> | undefined;
const rulesOnce = (): ReturnType<typeof shippedRules> => (loaded ??= shippedRules());
const NOW = Date.parse('2026-11-20T12:00:00Z');

describe('pasted words', () => {
  it.each(WORDS)('name %j', async (rules, text) => {
    const { reader } = readTranscript(text, { openings: OPENINGS, name: 'pasted', written: NOW });
    const { causes } = scan(await collect(reader, {}, await rulesOnce()), await rulesOnce(), {});
    expect(rules).toContain(causes[0]?.rule);
  });
});
