import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { readTranscript } from '../../src/clusters/transcript/transcript.ts';
import { OPENINGS } from '../support/transcripts.ts';
import { collect } from '../../src/collect/collect.ts';
import { scan } from '../../src/engine/scan.ts';

/** Texts as people paste them, each with the rules of which any names the cause. */
const PASTED: readonly (readonly [what: string, rules: readonly string[], text: string])[] = [
  [
    'one row of events after prose',
    ['scheduling/insufficient-resource'],
    `my cart pod never starts:

  Warning  FailedScheduling  3m2s (x14 over 21m)  default-scheduler  0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.
`,
  ],
  [
    'the log of an end-to-end test',
    ['volumes/secret-not-found'],
    `Feb  3 11:22:31.118: INFO: At 2023-02-03 11:20:11 +0000 UTC - event for web-0: {default-scheduler } Scheduled: Successfully assigned shop/web-0 to worker-1
Feb  3 11:22:31.118: INFO: At 2023-02-03 11:20:13 +0000 UTC - event for web-0: {kubelet worker-1} FailedMount: MountVolume.SetUp failed for volume "tls" : secret "web-tls" not found
`,
  ],
  [
    'a table of events of 1.5',
    ['volumes/configmap-not-found'],
    `LASTSEEN   FIRSTSEEN   COUNT     NAME        KIND      SUBOBJECT   TYPE      REASON        SOURCE              MESSAGE
1m         9m          12        web-3x2k1   Pod                   Warning   FailedMount   {kubelet worker-2}  MountVolume.SetUp failed for volume "kubernetes.io/configmap/5d9e-settings" (spec.Name: "settings") pod "5d9e" (UID: "5d9e") with: configmaps "web-settings" not found
`,
  ],
  [
    'rows that a page printed on one line',
    ['images/image-not-found'],
    `Type Reason Age From Message ---- ------ ---- ---- ------- Normal Scheduled 50s default-scheduler Successfully assigned shop/web-7d9 to worker-3 Normal Pulling 20s (x2 over 49s) kubelet Pulling image "shop/web:1.9" Warning Failed 19s (x2 over 47s) kubelet Failed to pull image "shop/web:1.9": rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/shop/web:1.9": failed to resolve reference "docker.io/shop/web:1.9": docker.io/shop/web:1.9: not found Warning Failed 19s (x2 over 47s) kubelet Error: ErrImagePull
`,
  ],
  [
    'a row wrapped at words and indented',
    ['scheduling/untolerated-taint'],
    `Why does this happen?

    Warning  FailedScheduling  2m   default-scheduler  0/2 nodes are
    available: 1 node(s) had untolerated taint {dedicated: gpu}, 1 node(s) had
    untolerated taint {node-role.kubernetes.io/control-plane: }. preemption:
    0/2 nodes are available: 2 Preemption is not helpful for scheduling.

Thanks!
`,
  ],
  [
    'a container that ends well and is started again, with a readiness probe that fails in between',
    ['containers/container-completes'],
    `    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Completed
      Exit Code:    0
      Started:      Tue, 04 Mar 2025 10:00:00 +0000
      Finished:     Tue, 04 Mar 2025 10:00:31 +0000
    Ready:          False
    Restart Count:  9
Events:
  Type     Reason     Age                   From     Message
  ----     ------     ----                  ----     -------
  Warning  Unhealthy  8m (x31 over 41m)     kubelet  Readiness probe failed: Get "http://10.9.0.4:8080/ready": dial tcp 10.9.0.4:8080: connect: connection refused
  Warning  BackOff    61s (x120 over 40m)   kubelet  Back-off restarting failed container
`,
  ],
  [
    'a registry that does not know the tag, in the words of 2016',
    ['images/image-not-found'],
    `  Warning  Failed  47s (x3 over 1m)  kubelet, worker-6  Failed to pull image "reg.shop.example/till:4": rpc error: code = Unknown desc = Error: image till:4 not found
`,
  ],
  [
    'a log that cannot be read because the image cannot be pulled',
    ['images/image-pull-failing'],
    `$ kubectl logs till-1
Error from server: container "till" in pod "till-1" is waiting to start: trying and failing to pull image
`,
  ],
  [
    'a log that a sentence announces',
    ['containers/environment-variable-missing'],
    `The database does not come up. kubectl logs db-0:

2024-02-01 10:12:02+00:00 [ERROR] [Entrypoint]: Database is uninitialized and password option is not specified
`,
  ],
  [
    'an address that an issue tracker made a link',
    ['validating-admission/webhook-certificate-untrusted'],
    `Internal error occurred: failed calling webhook "check.shop.example": Post "[https://check.shop.svc:443/validate?timeout=10s](https://check.shop.svc/validate?timeout=10s)": x509: certificate signed by unknown authority
`,
  ],
  [
    'the state of a container alone',
    ['containers/oom-killed'],
    `    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Tue, 04 Mar 2025 10:00:00 +0000
      Finished:     Tue, 04 Mar 2025 10:00:09 +0000
    Ready:          False
    Restart Count:  6
    Limits:
      memory:  64Mi
`,
  ],
  [
    'a part of a status in YAML',
    ['containers/oom-killed'],
    `status of the pod:
\`\`\`yaml
  containerStatuses:
  - containerID: containerd://abc
    image: shop/cart:2
    lastState:
      terminated:
        exitCode: 137
        finishedAt: "2025-03-04T10:00:09Z"
        reason: OOMKilled
        startedAt: "2025-03-04T10:00:00Z"
    name: cart
    ready: false
    restartCount: 4
    state:
      waiting:
        message: back-off 1m20s restarting failed container=cart pod=cart-0_shop(1)
        reason: CrashLoopBackOff
\`\`\`
`,
  ],
  [
    'a part of a status in JSON',
    ['images/pull-access-denied', 'images/image-not-found'],
    `  "containerStatuses": [
    {
      "image": "registry.shop.example/web:2",
      "imageID": "",
      "name": "web",
      "ready": false,
      "restartCount": 0,
      "state": {
        "waiting": {
          "message": "failed to pull and unpack image \\"registry.shop.example/web:2\\": failed to resolve reference \\"registry.shop.example/web:2\\": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed",
          "reason": "ErrImagePull"
        }
      }
    }
  ]
`,
  ],
  [
    'a screen with a frame around it',
    ['volumes/configmap-not-found'],
    `│ Events:                                                                                          │
│   Type     Reason       Age                From               Message                            │
│   ----     ------       ----               ----               -------                            │
│   Normal   Scheduled    90s                default-scheduler  Successfully assigned shop/cart-1 to worker-1 │
│   Warning  FailedMount  20s (x8 over 90s)  kubelet            MountVolume.SetUp failed for volume "cfg" : configmap "cart-cfg" not found │
`,
  ],
  [
    'a table of another console',
    ['validating-admission/quota-exceeded'],
    `REASON        MESSAGE                                                                                    COUNT  FIRST OCCURRED  LAST OCCURRED
FailedCreate  Error creating: pods "web-6d8f9-abcde" is forbidden: exceeded quota: compute, requested: limits.memory=2Gi, used: limits.memory=7Gi, limited: limits.memory=8Gi   12   5m ago   1m ago
`,
  ],
  [
    'a message with its fields below it',
    ['sandbox/ipam-exhausted'],
    `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0a1b": plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container
Source
kubelet worker-4.shop.example
Count
31
Sub-object
Last seen
2025-02-11T09:11:12Z
`,
  ],
  [
    'a message in a sentence of a person',
    ['volumes/volume-in-use'],
    `After the upgrade the database hangs with \`Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can't be attached to another\` – any idea?
`,
  ],
  [
    'the message of a probe after words of a person',
    ['probes/readiness-probe-failing', 'probes/readiness-wrong-port'],
    `The pod is never ready, events say Readiness probe failed: Get "http://10.42.0.70:8080/healthz": dial tcp 10.42.0.70:8080: connect: connection refused
`,
  ],
  [
    'a line of a controller',
    ['mutating-admission/service-account-not-found'],
    `E0801 08:00:01.000000       1 replica_set.go:557] sync "shop/web-6f5d" failed with pods "web-6f5d-" is forbidden: error looking up service account shop/web-sa: serviceaccount "web-sa" not found
`,
  ],
  [
    'a structured line of the scheduler',
    ['scheduling/node-affinity-mismatch', 'scheduling/node-selector-mismatch'],
    `I0801 08:00:01.000000       1 schedule_one.go:1055] "Unable to schedule pod; no fit; waiting" pod="shop/cart-7d" err="0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
`,
  ],
  [
    'spaces that do not break and line ends of Windows',
    ['scheduling/claim-not-found'],
    `Events:\r
\u00A0 Type\u00A0\u00A0\u00A0\u00A0 Reason\u00A0 Age\u00A0\u00A0 From\u00A0\u00A0 Message\r
\u00A0 Warning\u00A0 FailedScheduling\u00A0 10s\u00A0 default-scheduler\u00A0 0/1 nodes are available: 1 persistentvolumeclaim "data" not found. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.\r
`,
  ],
  [
    'HTML with its entities',
    ['volumes/secret-not-found'],
    `<pre><code>  Warning  FailedMount  5s (x5 over 30s)  kubelet, worker-1  MountVolume.SetUp failed for volume &quot;creds&quot; : secret &quot;db-creds&quot; not found
</code></pre>
`,
  ],
  [
    'a quotation within a mail',
    ['images/registry-rate-limited'],
    `On Monday Ann wrote:
> Pods fail since this morning
>   Warning  Failed     3m (x4 over 5m)   kubelet   Failed to pull image "redis:7": rpc error: code = Unknown desc = failed to pull and unpack image "docker.io/library/redis:7": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/library/redis/manifests/sha256:aa: 429 Too Many Requests - Server message: toomanyrequests: You have reached your pull rate limit.

Same here.
`,
  ],
  [
    'the log of a pod that was not seen',
    ['containers/dependency-credentials-rejected'],
    `> kubectl logs api-5f-abc -n shop
Starting
psql: FATAL:  password authentication failed for user "shop"
`,
  ],
  [
    'an error of the kubelet alone',
    ['containers/run-as-non-root-violated'],
    `Error: container has runAsNonRoot and image will run as root (pod: "web-0_shop(12)", container: web)
`,
  ],
  [
    'the refusal of a ReplicaSet without its name',
    ['mutating-admission/priority-class-not-found'],
    `  Warning  FailedCreate  8s (x13 over 29s)  replicaset-controller  Error creating: pods "web-77-" is forbidden: no PriorityClass with name gold was found
`,
  ],
  [
    'an error of helm',
    ['validating-admission/webhook-no-endpoints', 'mutating-admission/webhook-unreachable'],
    `helm says

Error: UPGRADE FAILED: failed to create resource: Internal error occurred: failed calling webhook "policy.shop.example": failed to call webhook: Post "https://policy.shop.svc:443/validate?timeout=10s": no endpoints available for service "policy"
`,
  ],
  [
    'what a runtime says alone',
    ['containers/exec-format-error'],
    `standard_init_linux.go:228: exec user process caused: exec format error
`,
  ],
  [
    'the message of a condition',
    ['sandbox/cni-config-missing'],
    `KubeletNotReady              container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized
`,
  ],
  [
    'a row between Korean sentences',
    ['containers/command-not-found'],
    `파드가 계속 재시작됩니다. 이벤트는 다음과 같습니다.

  Warning  Failed     12s (x3 over 40s)  kubelet            Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "serve": executable file not found in $PATH: unknown

도와주세요.
`,
  ],
  [
    'lines with numbers',
    ['scheduling/insufficient-resource'],
    `1  Events:
2    Type     Reason            Age   From               Message
3    ----     ------            ----  ----               -------
4    Warning  FailedScheduling  12s   default-scheduler  0/5 nodes are available: 5 Insufficient memory.
`,
  ],
  [
    'conditions in YAML',
    ['scheduling/insufficient-resource'],
    `  conditions:
  - lastProbeTime: null
    lastTransitionTime: "2024-05-05T10:00:00Z"
    message: '0/4 nodes are available: 4 Insufficient memory.'
    reason: Unschedulable
    status: "False"
    type: PodScheduled
  phase: Pending
`,
  ],
  [
    'a describe that went through grep',
    ['containers/secret-key-not-found'],
    `user@laptop ~ % kubectl describe pod pay-0 -n shop | grep -A5 Events
Events:
  Type     Reason     Age               From               Message
  ----     ------     ----              ----               -------
  Normal   Scheduled  30s               default-scheduler  Successfully assigned shop/pay-0 to worker-1
  Warning  Failed     5s (x4 over 29s)  kubelet            Error: couldn't find key token in Secret shop/pay-secret
`,
  ],
  [
    'the words of the scheduler alone',
    ['scheduling/host-port-conflict'],
    `0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod..
`,
  ],
  [
    'a line of a log in JSON',
    ['authorization/forbidden'],
    `{"level":"error","ts":"2024-05-05T10:00:00Z","logger":"controller","msg":"Reconciler error","error":"deployments.apps is forbidden: User \\"system:serviceaccount:shop:operator\\" cannot list resource \\"deployments\\" in API group \\"apps\\" in the namespace \\"shop\\""}
`,
  ],
  [
    'a row of get events without its title line',
    ['network/network-plugin-failed', 'network/network-agent-not-running'],
    `2m3s        Warning   FailedCreatePodSandBox   pod/web-1                                Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "ff": plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running and has mounted /var/lib/calico/
`,
  ],
  [
    'the status message of an evicted pod',
    ['kubelet/node-memory-pressure'],
    `Pod status shows: The node was low on resource: memory. Threshold quantity: 100Mi, available: 80Mi. Container web was using 3Gi, request is 0, has larger consumption of memory.
`,
  ],
  [
    'an answer of the API server in backticks',
    ['validating-admission/pod-security-violated'],
    `creating it prints
\`pods "debug" is forbidden: violates PodSecurity "baseline:latest": privileged (container "debug" must not set securityContext.privileged=true)\`
`,
  ],
  [
    'the events of Kubernetes 1.6',
    ['images/pull-access-denied', 'images/image-not-found'],
    `Events:
  FirstSeen	LastSeen	Count	From			SubObjectPath		Type		Reason		Message
  ---------	--------	-----	----			-------------		--------	------		-------
  4m		4m		1	{default-scheduler }				Normal		Scheduled	Successfully assigned front-1 to node-b
  4m		20s		5	{kubelet node-b}	spec.containers{front}	Normal		Pulling		pulling image "registry.shop.example/front:3"
  4m		19s		5	{kubelet node-b}	spec.containers{front}	Warning		Failed		Failed to pull image "registry.shop.example/front:3": Error: image front:3 not found
`,
  ],
];

const NOW = Date.parse('2026-11-20T12:00:00Z');

async function causesOf(text: string): Promise<{ readonly recognised: boolean; readonly causes: readonly string[] }> {
  const { reader, recognised } = readTranscript(text, { openings: OPENINGS, name: 'pasted', written: NOW });
  const { causes } = scan(await collect(reader, {}, await rulesOnce()), await rulesOnce(), {});
  return { recognised, causes: causes.map(({ rule }) => rule) };
}

let loaded: ReturnType<typeof shippedRules> | undefined;
const rulesOnce = (): ReturnType<typeof shippedRules> => (loaded ??= shippedRules());

describe('a text that is no transcript', () => {
  it.each(PASTED)('is read where it is %s', async (_, rules, text) => {
    const { causes } = await causesOf(text);
    expect(rules).toContain(causes[0]);
  });
});

describe('a text of people', () => {
  it.each([
    [
      'mentions machine words in sentences of its own',
      'ImagePullBackOff is annoying. We see CrashLoopBackOff once in a while too and nobody knows why. OOMKilled would be worse. How do you all deal with FailedScheduling?\n',
    ],
    ['is of another program', 'npm ERR! code ENOENT\nnpm ERR! syscall open\nnpm ERR! path /home/me/package.json\nnpm ERR! errno -2\n'],
  ])('is nothing of Kubernetes where it %s', async (_, text) => {
    expect(await causesOf(text)).toEqual({ recognised: false, causes: [] });
  });
});
