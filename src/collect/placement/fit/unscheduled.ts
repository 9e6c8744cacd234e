import { formatDuration } from '../../../base/duration.ts';
import { asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { objectKey, refOf, sameObject } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import { ageSeconds } from '../../objects/pods.ts';
import { gatesOf, isGated } from '../../objects/scheduling-gates.ts';
import { countsOf } from '../../objects/workloads.ts';
import { ASKED_ABOUT, touched } from '../../request/controllers/suspicions.ts';
import type { Scene } from '../../survey/scene.ts';
import { componentFacts } from '../nodes/control-plane.ts';
import { waitsForDevices } from '../devices/device-claims.ts';
import { nodeServices, serviceQuote } from '../nodes/node-services.ts';
import type { PodView } from './pod-view.ts';
import { podViewer } from './pod-view.ts';
import type { WaitingPod } from './waiting-pods.ts';
import { waitingPods } from './waiting-pods.ts';
import { waitsForVolumes } from './waits-for-volumes.ts';
import { commandWord, describePodCommand, namespaceFlag } from '../../../model/placeholders.ts';

const DEFAULT_SCHEDULER = 'default-scheduler';
const COMPONENT = 'kube-scheduler';

/** `unscheduled` and `missing-scheduler` facts: the pods that wait for a node, and whether anybody is there to find one. */
export async function collectUnscheduled(scene: Scene, sink: FactSink): Promise<void> {
  const waiting = await waitingPods(scene);
  const viewer = await podViewer(scene);
  for (const one of waiting) {
    const suspicion = isGated(one.pod) ? await suspicionOf(one.pod, scene) : undefined;
    unscheduledFact(one, { scheduler: schedulerOf(viewer(one.pod)), suspicion }, scene, sink);
  }
  await stoppedServices(scene, sink);
  const free: WaitingPod[] = [];
  for (const one of waiting)
    if (one.tried !== false || !((await waitsForDevices(one.pod, scene)) || (await waitsForVolumes(one.pod, scene)))) free.push(one);
  silenceFact(free, viewer, scene, sink);
  if (free.some(({ tried }) => tried === false)) await componentFacts(COMPONENT, scene, sink);
}

/**
 * Why the gates are perhaps not meant to stay. A queue leaves pods gated on purpose for hours, so that alone is no trouble: a person asks,
 * or a workload that serves has too few pods because of it.
 */
async function suspicionOf(pod: KubeObject, scene: Scene): Promise<string | undefined> {
  const { target } = scene.request;
  const ref = refOf(pod);
  const owners = scene.workloads.filter((workload) => scene.podsOf(refOf(workload)).includes(pod));
  if (target !== undefined && [ref, ...owners.map(refOf)].some((one) => sameObject(one, target))) return ASKED_ABOUT;
  // Whoever shows one pod of many asks about it.
  if (scene.unlisted.has('Pod') && scene.pods.length === 1) return 'it is the only pod shown';
  const short = owners.find((workload) => isShortOfPods(workload, scene));
  return short === undefined ? touched(pod, scene) : `${objectKey(short)} has too few ready pods`;
}

function isShortOfPods(workload: KubeObject, scene: Scene): boolean {
  const { desired, ready } = countsOf(workload, scene);
  return !BATCH.has(workload.kind) && desired !== undefined && ready !== undefined && ready < desired;
}

/** Kinds whose pods may wait for their turn. */
const BATCH: ReadonlySet<string> = new Set(['Job', 'CronJob']);

function unscheduledFact(
  { pod, tried, said, saidAt, source, displaced, displacedBy }: WaitingPod,
  { scheduler, suspicion }: { readonly scheduler: string; readonly suspicion: string | undefined },
  scene: Scene,
  sink: FactSink,
): void {
  const ref = refOf(pod);
  if (tried === undefined)
    sink.gap('unscheduled', ref, {
      detail: `the conditions and events of pod ${pod.metadata.name} were not read`,
      needs: describePodCommand(pod.metadata),
    });
  const age = ageSeconds(pod, scene.survey.now());
  const gates = gatesOf(pod).join(', ');
  const custom = scheduler !== DEFAULT_SCHEDULER;
  const parts = [
    'Pending',
    ...(age === undefined ? [] : [`for ${formatDuration(age)}`]),
    ...(tried === false ? ['no event or condition of a scheduler'] : []),
    ...(custom ? [`schedulerName: ${scheduler}`] : []),
    ...(gates === '' ? [] : [`schedulingGates: ${gates}`]),
    ...(gates === '' && isGated(pod) ? ['SchedulingGated'] : []),
  ];
  const quote = said ?? parts.join(', ');
  const gated = { gates: gates === '' ? undefined : gates, gateSuspicion: suspicion };
  sink.fact(
    'unscheduled',
    ref,
    { scheduler, custom, tried, ageSeconds: age, ...gated, said, displaced, displacedBy },
    { source, quote, at: saidAt },
  );
  if (custom && tried === false)
    sink.fact(
      'missing-scheduler',
      ref,
      { scheduler, unknownName: scheduler, via: 'name', trouble: 'no scheduler with this name has processed the pod', ageSeconds: age },
      { source, quote },
    );
}

/** The pod that has waited longest for the default scheduler without a word of it stands for all that wait. */
function silenceFact(waiting: readonly WaitingPod[], viewer: (pod: KubeObject) => PodView, scene: Scene, sink: FactSink): void {
  const silent = waiting.filter(({ pod, tried }) => tried === false && !isGated(pod));
  const unheard = silent.filter(({ pod }) => isForDefault(viewer(pod)));
  // A description of a pod does not show its schedulerName: another scheduler than the default one may be the silent one.
  for (const { pod } of silent)
    if (!viewer(pod).field('schedulerName').known)
      sink.gap('missing-scheduler', refOf(pod), {
        detail: `spec.schedulerName of pod ${pod.metadata.name} was not seen`,
        needs: `kubectl${namespaceFlag(pod.metadata.namespace)} get pod ${commandWord(pod.metadata.name)} -o yaml`,
      });
  const [first] = unheard.toSorted((a, b) => createdAt(a.pod).localeCompare(createdAt(b.pod)));
  if (first === undefined) return;
  const age = ageSeconds(first.pod, scene.survey.now());
  const others = unheard.length === 1 ? '' : ` (${unheard.length === 2 ? '1 other pod' : `${String(unheard.length - 1)} other pods`} too)`;
  sink.fact(
    'missing-scheduler',
    refOf(first.pod),
    { scheduler: DEFAULT_SCHEDULER, via: 'silence', ageSeconds: age },
    {
      source: `${objectKey(first.pod)} status`,
      quote: `Pending${age === undefined ? '' : ` for ${formatDuration(age)}`}, no event or condition of a scheduler${others}`,
    },
  );
}

function schedulerOf(view: PodView): string {
  return asText(view.field('schedulerName').value) ?? DEFAULT_SCHEDULER;
}

function isForDefault(view: PodView): boolean {
  const { value, known } = view.field('schedulerName');
  return known && (asText(value) ?? DEFAULT_SCHEDULER) === DEFAULT_SCHEDULER;
}

function createdAt(pod: KubeObject): string {
  return asText(dig(pod, 'metadata', 'creationTimestamp')) ?? '';
}

/** A stopped service counts only when none of its kind runs on another node: one of several is enough. */
async function stoppedServices(scene: Scene, sink: FactSink): Promise<void> {
  const services = (await nodeServices(scene)).filter(({ service }) => service === COMPONENT);
  if (services.some(({ running }) => running)) return;
  for (const service of services) {
    const { node, active, lines } = service;
    sink.fact(
      'missing-scheduler',
      { kind: 'Node', name: node },
      { scheduler: DEFAULT_SCHEDULER, via: 'service', node, trouble: `its service on node ${node} is ${active}` },
      serviceQuote(service, `${COMPONENT}.service Active: ${active}`, lines.slice(-2)),
    );
  }
}
