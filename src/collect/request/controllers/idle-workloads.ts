import { asList, asNumber, asText, asTextMap, dig } from '../../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { formatRef, inNamespace, labelsOf, objectKey, refOf, sameObject, shows } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { countsOf, templateOf } from '../../objects/workloads.ts';
import { isUnusedLabel } from '../../placement/fit/blocker-values.ts';
import { taintsOf } from '../../placement/fit/taints.ts';
import { manifestsOf } from '../answers/manifests.ts';
import { ASKED_ABOUT, touched } from './suspicions.ts';
import { selectorOf, selects } from '../../serving/service-backends.ts';

/**
 * An `idle` fact for every top workload whose own spec keeps it from making pods. Often that is intended, so each comes with the
 * ground there is to think that it is not: a Service that has no other pods, an autoscaler or a manifest that wants some, a person who
 * asks.
 */
export async function collectIdleWorkloads(scene: Scene, sink: FactSink): Promise<void> {
  for (const workload of scene.workloads) {
    const ref = refOf(workload);
    const why = isTop(ref, scene) ? whyIdle(workload, scene) : undefined;
    if (why === undefined) continue;
    const service = why === 'replicas' ? await bereftService(workload, scene) : undefined;
    const wanted = await wantedElsewhere(workload, scene, sink);
    const ground = service === undefined ? (wanted?.says ?? (await touched(workload, scene))) : bereftWords(service);
    sink.fact(
      'idle',
      ref,
      {
        why,
        suspicion: ground ?? asked(workload, scene),
        wanted: wanted?.pods ?? 1,
        service: service?.metadata.name,
        manager: why === 'managed-by' ? managerOf(workload) : undefined,
        ...(why === 'no-node' ? await labelToGive(workload, scene) : {}),
      },
      { source: `${formatRef(ref)} spec`, quote: quoteOf(why, ground) },
    );
    if (service !== undefined) dependencyFact(service, ref, sink);
  }
}

function isTop(ref: ObjectRef, scene: Scene): boolean {
  const top = scene.workloadOf(ref);
  return top !== undefined && sameObject(top, ref);
}

/** Whoever calls the Service suffers when nothing stands behind it. */
function dependencyFact(service: KubeObject, workload: ObjectRef, sink: FactSink): void {
  sink.fact(
    'dependency',
    refOf(service),
    { on: formatRef(workload), host: service.metadata.name, exists: true },
    { source: `${objectKey(service)} selector`, quote: `selects the pods of ${formatRef(workload)}` },
  );
}

const QUOTES = {
  replicas: 'replicas: 0',
  paused: 'paused: true',
  suspended: 'suspend: true',
  'no-node': 'desiredNumberScheduled: 0',
  'managed-by': 'managedBy: another controller',
} as const;
/** The value of managedBy that stands for the Job controller itself. Source: pkg/apis/batch/types.go (JobControllerName). */
const JOB_CONTROLLER = 'kubernetes.io/job-controller';

function quoteOf(why: keyof typeof QUOTES, ground: string | undefined): string {
  return ground === undefined ? QUOTES[why] : `${QUOTES[why]}; ${ground}`;
}

function bereftWords(service: KubeObject): string {
  return `Service ${service.metadata.name} selects its pods and has no others`;
}

function whyIdle(workload: KubeObject, scene: Scene): keyof typeof QUOTES | undefined {
  switch (workload.kind) {
    case 'Job':
      if (dig(workload, 'spec', 'suspend') === true) return 'suspended';
      return isLeftToAnother(workload) ? 'managed-by' : undefined;
    case 'CronJob':
      if (dig(workload, 'spec', 'suspend') === true) return 'suspended';
      break;
    case 'DaemonSet':
      return countsOf(workload, scene).desired === 0 && isObserved(workload) ? 'no-node' : undefined;
    case 'Deployment':
      if (dig(workload, 'spec', 'paused') === true) return isBehind(workload, scene) ? 'paused' : undefined;
      break;
    default:
  }
  return countsOf(workload, scene).desired === 0 ? 'replicas' : undefined;
}

function isLeftToAnother(job: KubeObject): boolean {
  return managerOf(job) !== undefined && dig(job, 'status', 'startTime') === undefined && shows(job, 'status.startTime');
}

/** Whether a Deployment has fewer pods, or fewer new ones, than it wants. */
function isBehind(deployment: KubeObject, scene: Scene): boolean {
  const { desired, current, updated } = countsOf(deployment, scene);
  return desired !== undefined && Math.min(current ?? desired, updated ?? desired) < desired;
}

/** A label that no node has yet, with a node that takes pods. */
async function labelToGive(workload: KubeObject, scene: Scene): Promise<{ readonly label?: string; readonly node?: string }> {
  const spec = dig(templateOf(workload), 'spec');
  const labels = asTextMap(dig(spec, 'nodeSelector'));
  const nodes = await scene.survey.list('Node', {});
  if (!nodes.ok || nodes.partial !== undefined || dig(spec, 'affinity') !== undefined || !isUnusedLabel(labels, nodes.value)) return {};
  const node = nodes.value.find((one) => dig(one, 'spec', 'unschedulable') !== true && taintsOf(one)?.length === 0);
  const [key = '', value = ''] = Object.entries(labels)[0] ?? [];
  return node === undefined ? {} : { label: `${key}=${value}`, node: node.metadata.name };
}

/** Whether its controller has counted the nodes: before that the count is 0, too. */
function isObserved(workload: KubeObject): boolean {
  return dig(workload, 'status', 'observedGeneration') !== undefined || !shows(workload, 'status.observedGeneration');
}

/** The controller that is to run a Job, when it is not Kubernetes' own. */
function managerOf(workload: KubeObject): string | undefined {
  const manager = asText(dig(workload, 'spec', 'managedBy'));
  return manager === JOB_CONTROLLER ? undefined : manager;
}

/** A Service that would have this workload's pods behind it and has none at all. */
async function bereftService(workload: KubeObject, scene: Scene): Promise<KubeObject | undefined> {
  const { namespace } = workload.metadata;
  const labels = asTextMap(dig(templateOf(workload), 'metadata', 'labels'));
  if (namespace === undefined || Object.keys(labels).length === 0) return undefined;
  const list = await scene.survey.list(
    'Service',
    scene.request.target === undefined && scene.request.namespace === undefined ? {} : { namespace },
  );
  if (!list.ok) return undefined;
  const selecting = list.value.filter((service) => service.metadata.namespace === namespace && selects(selectorOf(service), labels));
  for (const service of selecting) {
    const pods = await podsIn(namespace, scene);
    if (pods !== undefined && !pods.some((pod) => selects(selectorOf(service), labelsOf(pod)))) return service;
  }
  return undefined;
}

async function podsIn(namespace: string, scene: Scene): Promise<readonly KubeObject[] | undefined> {
  if (scene.request.target === undefined) return scene.within(namespace).pods;
  const list = await scene.survey.list('Pod', { namespace });
  return list.ok && list.partial === undefined ? list.value : undefined;
}

/** What an autoscaler or the manifest that was applied wants. */
async function wantedElsewhere(
  workload: KubeObject,
  scene: Scene,
  sink: FactSink,
): Promise<{ readonly pods: number; readonly says: string } | undefined> {
  const { namespace, name } = workload.metadata;
  for (const { ref, object, file } of await manifestsOf(scene)) {
    const replicas =
      asNumber(dig(object, 'spec', 'replicas')) ?? (workload.kind === 'Deployment' || workload.kind === 'StatefulSet' ? 1 : 0);
    if (ref.kind === workload.kind && ref.name === name && ref.namespace === namespace && replicas > 0 && !hasSwitch(object))
      return { pods: replicas, says: `${file} requests ${String(replicas)} ${replicas === 1 ? 'replica' : 'replicas'}` };
  }
  const caller = sink.facts.find(
    ({ kind, about, fields }) =>
      kind === 'dependency' &&
      about.kind !== 'Service' &&
      fields['on'] === formatRef({ kind: workload.kind, ...inNamespace(namespace), name }),
  );
  return caller === undefined ? undefined : { pods: 1, says: `${formatRef(caller.workload ?? caller.about)} calls it` };
}

function hasSwitch(object: KubeObject): boolean {
  return dig(object, 'spec', 'suspend') === true || dig(object, 'spec', 'paused') === true;
}

function asked(workload: KubeObject, scene: Scene): string | undefined {
  const { target } = scene.request;
  return target !== undefined && sameObject(target, refOf(workload)) && asList(dig(workload, 'metadata', 'ownerReferences')).length === 0
    ? ASKED_ABOUT
    : undefined;
}
