import type { JsonObject } from '../../../base/json.ts';
import { parseInteger } from '../../../base/number.ts';
import { withoutUndefined } from '../../../base/without-undefined.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { Draft } from '../draft.ts';

const NAME = '[a-z0-9][a-z0-9.-]{0,252}';
const REASON = '[A-Z][A-Za-z]{2,80}';
const BEFORE = '(?:^|[^\\w.-])';

interface Telling {
  readonly says: RegExp;
  readonly object: (groups: Readonly<Record<string, string | undefined>>) => KubeObject;
}

/**
 * Sentences in which alerts and tools tell the state of an object. Sources: the alerts of kubernetes-mixin, `oc status`, Skaffold's check of
 * a deployment, Helm's wait for a hook, Terraform's wait for a rollout, Flux's health checks, the kernel's log, controllers of ingresses.
 */
const TELLINGS: readonly Telling[] = [
  {
    says: new RegExp(
      `${BEFORE}[Pp]od (?<namespace>${NAME})/(?<pod>${NAME}) \\((?<container>${NAME})\\) is in waiting state \\(reason: "(?<reason>${REASON})"\\)`,
    ),
    object: waitingPod,
  },
  {
    says: new RegExp(
      `${BEFORE}[Pp]od/(?<pod>${NAME}) in namespace (?<namespace>${NAME}) on container "?(?<container>${NAME})"? has been in waiting state for longer than (?:[^()]{0,60}\\(reason: "(?<reason>${REASON})"\\))?`,
    ),
    object: waitingPod,
  },
  {
    says: new RegExp(`${BEFORE}[Pp]od (?<namespace>${NAME})/(?<pod>${NAME}) has been in a non-ready state for longer than `),
    object: unreadyPod,
  },
  {
    says: new RegExp(
      `${BEFORE}[Pp]od (?<namespace>${NAME})/(?<pod>${NAME}) container (?<container>${NAME}) has been in waiting state for longer than `,
    ),
    object: waitingPod,
  },
  {
    says: new RegExp(`${BEFORE}pod/(?<pod>${NAME}) is crash-looping`),
    object: (groups) => waitingPod({ ...groups, reason: 'CrashLoopBackOff' }),
  },
  {
    says: new RegExp(
      `${BEFORE}(?:(?<namespace>${NAME}):)?pod/(?<pod>${NAME}): container (?<container>${NAME}) is waiting to start: \\S{1,500} can't be pulled`,
    ),
    object: (groups) => waitingPod({ ...groups, reason: 'ErrImagePull' }),
  },
  // The kernel. Source: mm/oom_kill.c (oom_kill_memcg_member, dump_oom_summary, __oom_kill_process).
  { says: new RegExp(`Memory cgroup out of memory: Kill(?:ed)? process \\d{1,10} `), object: killedPod },
  { says: /\] (?:\? )?mem_cgroup_(?:oom_synchronize|out_of_memory)\+0x/, object: killedPod },
  { says: new RegExp(`oom-kill:constraint=CONSTRAINT_MEMCG,.{0,2000}kubepods`), object: killedPod },
  // Alerts on what kube-state-metrics tells of the last end of a container.
  {
    says: new RegExp(
      `${BEFORE}[Cc]ontainer (?<container>${NAME}) (?:in|of) pod (?<namespace>${NAME})/(?<pod>${NAME}) (?:has been|was|is|got) OOM ?[Kk]illed`,
    ),
    object: ({ pod = '', namespace, container }) => withStatus(pod, namespace, container, OOM_KILLED),
  },
  // Words come first where a name alone stands before them. Source: argo-workflows workflow/controller/operator.go (inferFailedReason)
  {
    says: new RegExp(
      `OOMKilled \\(exit code 137\\)(?<=\\s(?<pod>${NAME}-\\d{6,12})\\s{1,20}(?:\\d\\S{0,10}\\s{1,20})?OOMKilled \\(exit code 137\\))`,
    ),
    object: ({ pod = '' }) => withStatus(pod, undefined, undefined, OOM_KILLED),
  },
  {
    says: new RegExp(`has been unready for more than (?<=${BEFORE}(?<node>${NAME}) has been unready for more than )`),
    object: unreadyNode,
  },
  // Where no kubectl says it. Source: pkg/kubelet/kubelet_pods.go (validateContainerLogStatus).
  {
    says: new RegExp(`${BEFORE}container "(?<container>${NAME})" in pod "(?<pod>${NAME})" is waiting to start: (?<reason>${REASON})`),
    object: waitingPod,
  },
  // Rows of custom resources. Sources: tektoncd/pipeline pkg/apis/pipeline/v1, knative/serving pkg/apis/serving/v1.
  {
    says: new RegExp(`^\\s{0,8}(?<pod>${NAME})\\s.{0,300}\\sFalse\\s{1,80}(?:TaskRunImagePullFailed|ContainerMissing)\\b`),
    object: (groups) => waitingPod({ ...groups, reason: 'ErrImagePull' }),
  },
  {
    says: new RegExp(
      `"[^"\\s]{1,253}" exited with code (?<code>\\d{1,3})\\b.{0,600}; for logs run: kubectl -n (?<namespace>${NAME}) logs (?<pod>${NAME}) -c (?<container>${NAME})`,
    ),
    object: ({ pod = '', namespace, container, code }) =>
      withStatus(pod, namespace, container, { terminated: { reason: 'Error', exitCode: parseInteger(code) ?? 1 } }),
  },
  // Taints by which the node lifecycle controller passes a condition on, as `grep` leaves them: tolerations look the same without the title. Source: pkg/controller/nodelifecycle.
  {
    says: /^\s{0,40}Taints:\s{1,40}node\.kubernetes\.io\/(?<taint>(?:disk|memory|pid)-pressure|not-ready|unreachable):No(?:Schedule|Execute)\s{0,8}$/,
    object: taintedNode,
  },
  // Consoles of clusters show it by itself. Source: pkg/controller/nodelifecycle/node_lifecycle_controller.go.
  { says: new RegExp(`${BEFORE}Kubelet stopped posting node status`), object: silentNode },
  // Helm. Source: helm.sh/helm pkg/kube/wait.go (waitForJob), pkg/action/hooks.go.
  {
    says: new RegExp(`(?:hooks? failed: |failed (?:pre|post)-\\w{1,20}: |^\\s{0,20}\\* )job failed: (?<reason>${REASON})`),
    object: failedJob,
  },
  { says: new RegExp(`${BEFORE}[Jj]ob (?<job>${NAME}) failed: (?<reason>${REASON})`), object: failedJob },
  { says: new RegExp(`${BEFORE}Job (?<namespace>${NAME})/(?<job>${NAME}) failed to complete`), object: failedJob },
  { says: new RegExp(`${BEFORE}Job is failed: (?<namespace>${NAME})/(?<job>${NAME})\\s{0,8}$`), object: failedJob },
  {
    says: new RegExp(`${BEFORE}Waiting for rollout to finish: (?<wanted>\\d{1,6}) replicas? wanted; (?<ready>\\d{1,6}) replicas? Ready`),
    object: ({ wanted, ready }) =>
      new Draft('Deployment', '<deployment>', undefined)
        .show('spec.replicas', parseInteger(wanted))
        .show('status.readyReplicas', parseInteger(ready))
        .build(),
  },
  // Helm's wait for resources. Source: helm.sh/helm pkg/kube/ready.go.
  {
    says: new RegExp(
      `(?<kind>Deployment|StatefulSet|DaemonSet) is not ready: (?<namespace>${NAME})/(?<name>${NAME})\\. (?<ready>\\d{1,6}) out of (?<all>\\d{1,6}) expected pods are ready`,
    ),
    object: unreadyWorkload,
  },
  { says: new RegExp(`Pod is not ready: (?<namespace>${NAME})/(?<pod>${NAME})\\s{0,8}$`), object: unreadyPod },
  // Pulumi. Source: pulumi/cloud-ready-checks pkg/kubernetes/pod/checks.go.
  {
    says: new RegExp(
      `\\[Pod (?:(?<namespace>${NAME})/)?(?<pod>${NAME})\\]: (?:[Cc]ontainer "(?<container>${NAME})" has unready status: \\[|containers with unready status: \\[[^\\]]{0,300}\\] -- \\[)(?<reason>${REASON})\\]`,
    ),
    object: waitingPod,
  },
  // Airflow, before and since 1.10. Source: airflow/providers/cncf/kubernetes.
  { says: new RegExp(`\\bPod not yet started: (?<pod>${NAME})\\s{0,8}$`), object: unreadyPod },
  { says: new RegExp(`\\bEvent: (?<pod>${NAME}) had an event of type Pending\\b`), object: unreadyPod },
  // The cluster autoscaler. Source: kubernetes/autoscaler cluster-autoscaler/core.
  { says: new RegExp(`${BEFORE}Pod (?<namespace>${NAME})/(?<pod>${NAME}) is unschedulable\\s{0,8}$`), object: unscheduledPod },
  // GitLab's runner. Source: executors/kubernetes/util.go (getPodPhase).
  {
    says: new RegExp(`${BEFORE}Waiting for pod (?<namespace>${NAME})/(?<pod>${NAME}) to be running, status is Pending`),
    object: unreadyPod,
  },
  // kubectl rollout status. Source: staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go.
  { says: new RegExp(`${BEFORE}deployment "(?<name>${NAME})" exceeded its progress deadline`), object: overdue },
  {
    says: new RegExp(
      `${BEFORE}Waiting for (?<kind>deployment|daemon set) "(?<name>${NAME})" rollout to finish: (?:(?<updated>\\d{1,6}) out of (?<wanted>\\d{1,6}) new |(?<ready>\\d{1,6}) of (?<all>\\d{1,6}) updated |)`,
    ),
    object: rollingOut,
  },
  {
    says: new RegExp(
      `${BEFORE}(?<kind>Deployment|StatefulSet|DaemonSet|Job|Pod)/(?<namespace>${NAME})/(?<name>${NAME}) status: '(?:Failed|InProgress)'`,
    ),
    object: ({ kind = '', namespace, name = '' }) => new Draft(kind, name, namespace).build(),
  },
  {
    says: new RegExp(
      `${BEFORE}(?<kind>Deployment|StatefulSet) (?<namespace>${NAME})/(?<name>${NAME}) has not matched the expected number of replicas`,
    ),
    object: ({ kind = '', namespace, name = '' }) => new Draft(kind, name, namespace).build(),
  },
  // ingress-nginx internal/ingress/controller/controller.go, traefik pkg/provider/kubernetes
  { says: new RegExp(`Service "(?<namespace>${NAME})/(?<name>${NAME})" does not have any active [Ee]ndpoint`), object: unserved },
  { says: new RegExp(`no endpoints found.{0,200} namespace=(?<namespace>${NAME}).{0,200} serviceName=(?<name>${NAME})`), object: unserved },
];

/** The object whose state a line tells, and nothing of it but that. */
export function toldState(text: string): KubeObject | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  for (const { says, object } of TELLINGS) {
    const told = says.exec(text);
    if (told !== null) return object(told.groups ?? {});
  }
  return undefined;
}

const MAX_LENGTH = 4000;

type Groups = Parameters<Telling['object']>[0];

function waitingPod({ pod = '', namespace, container, reason }: Groups): KubeObject {
  return withStatus(pod, namespace, container, withoutUndefined({ waiting: withoutUndefined({ reason }) }));
}

const OOM_KILLED: JsonObject = { terminated: { reason: 'OOMKilled', exitCode: 137 } };

function killedPod(): KubeObject {
  return withStatus('<pod>', undefined, undefined, OOM_KILLED);
}

/** It may report that it is not ready, or not report at all: Kubernetes' alert makes no difference. */
function unreadyNode({ node = '' }: Groups): KubeObject {
  return new Draft('Node', node, undefined)
    .set('status.conditions', [{ type: 'Ready' }])
    .covers('status.conditions.type')
    .build();
}

function silentNode(): KubeObject {
  const message = 'Kubelet stopped posting node status.';
  return new Draft('Node', '<node>', undefined)
    .set('status.conditions', [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message }])
    .covers('status.conditions.type', 'status.conditions.status', 'status.conditions.reason')
    .build();
}

/** Conditions by the taints that follow from them. */
const TAINTS: Readonly<Record<string, readonly [type: string, status: string]>> = {
  'disk-pressure': ['DiskPressure', 'True'],
  'memory-pressure': ['MemoryPressure', 'True'],
  'pid-pressure': ['PIDPressure', 'True'],
  'not-ready': ['Ready', 'False'],
  unreachable: ['Ready', 'Unknown'],
};

function taintedNode({ taint = '' }: Groups): KubeObject {
  const [type = '', status = ''] = TAINTS[taint] ?? [];
  return new Draft('Node', '<node>', undefined)
    .set('status.conditions', [{ type, status }])
    .covers('status.conditions.type', 'status.conditions.status')
    .build();
}

function withStatus(pod: string, namespace: string | undefined, container: string | undefined, state: JsonObject): KubeObject {
  return new Draft('Pod', pod, namespace)
    .set('status.containerStatuses', [{ name: container ?? '<container>', image: '<image>', ready: false, state }])
    .covers('status.containerStatuses.name', 'status.containerStatuses.state')
    .set('status.conditions', [{ type: 'Ready', status: 'False' }])
    .build();
}

function overdue({ name = '' }: Groups): KubeObject {
  return new Draft('Deployment', name, undefined)
    .set('status.conditions', [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }])
    .covers('status.conditions.type', 'status.conditions.status', 'status.conditions.reason')
    .build();
}

function rollingOut({ kind, name = '', updated, wanted, ready, all }: Groups): KubeObject {
  const desired = parseInteger(wanted ?? all);
  const draft = new Draft(kind === 'deployment' ? 'Deployment' : 'DaemonSet', name, undefined);
  if (desired !== undefined) draft.show(kind === 'deployment' ? 'spec.replicas' : 'status.desiredNumberScheduled', desired);
  if (updated !== undefined)
    draft.show(kind === 'deployment' ? 'status.updatedReplicas' : 'status.updatedNumberScheduled', parseInteger(updated));
  if (ready !== undefined) draft.show(kind === 'deployment' ? 'status.availableReplicas' : 'status.numberAvailable', parseInteger(ready));
  return draft.build();
}

function unreadyWorkload({ kind = '', namespace, name = '', ready, all }: Groups): KubeObject {
  const isDaemonSet = kind === 'DaemonSet';
  return new Draft(kind, name, namespace)
    .show(isDaemonSet ? 'status.desiredNumberScheduled' : 'spec.replicas', parseInteger(all))
    .show(isDaemonSet ? 'status.numberReady' : 'status.readyReplicas', parseInteger(ready))
    .build();
}

function unserved({ name = '', namespace }: Groups): KubeObject {
  return new Draft('Endpoints', name, namespace).set('subsets', []).covers('subsets.addresses.ip').build();
}

function unreadyPod({ pod = '', namespace }: Groups): KubeObject {
  return new Draft('Pod', pod, namespace).set('status.conditions', [{ type: 'Ready', status: 'False' }]).build();
}

function unscheduledPod({ pod = '', namespace }: Groups): KubeObject {
  return new Draft('Pod', pod, namespace).show('status.phase', 'Pending').show('spec.nodeName').build();
}

/** Source: pkg/controller/job/job_controller.go. */
function failedJob({ job = '<job>', namespace, reason }: Groups): KubeObject {
  return new Draft('Job', job, namespace)
    .set('status.conditions', [withoutUndefined({ type: 'Failed', status: 'True', reason })])
    .covers('status.conditions.type', 'status.conditions.status', ...(reason === undefined ? [] : ['status.conditions.reason']))
    .build();
}
