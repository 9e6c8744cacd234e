import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asText, asTextMap, dig } from '../../../base/json.ts';
import { append } from '../../../base/lists.ts';
import { parseInteger } from '../../../base/number.ts';
import { unseenIn } from '../../../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { formatRef, objectKey, refOf } from '../../../model/kube-object.ts';
import type { FactSink, FieldValues } from '../../survey/fact-sink.ts';
import { conditionOf, isReady } from '../../objects/pods.ts';
import type { Scene } from '../../survey/scene.ts';
import type { DeviceSupply } from './device-supply.ts';
import { deviceSupply } from './device-supply.ts';
import { podEvents } from '../../events/pod-events.ts';
import type { WaitingPod } from '../fit/waiting-pods.ts';
import { waitingPods } from '../fit/waiting-pods.ts';
import { isOver } from '../fit/placement-view.ts';
import type { SaidReason } from '../fit/scheduler-message.ts';
import { parseSaid } from '../fit/scheduler-message.ts';
import { similarTo } from '../../request/controllers/template-references.ts';

/** `device-claim` facts for every claim for devices of pods that are not ready. */
export async function collectDeviceClaims(scene: Scene, sink: FactSink): Promise<void> {
  for (const pod of scene.judged) await extendedFact(pod, scene, sink);
  const pods = scene.judged.filter((pod) => asList(dig(pod, 'spec', 'resourceClaims')).length > 0 && isReady(pod) !== true && !isOver(pod));
  if (pods.length === 0) return;
  const waiting = new Map((await waitingPods(scene)).map((one) => [objectKey(one.pod), one] as const));
  const events = await podEvents(scene);
  for (const pod of pods) {
    const looker: Looker = {
      scene,
      sink,
      pod,
      waiting: waiting.get(objectKey(pod)),
      refused: events.of(pod).findLast(({ reason }) => reason === 'FailedResourceClaimCreation')?.message,
    };
    for (const use of asList(dig(pod, 'spec', 'resourceClaims'))) await claimFact(use, looker);
  }
}

/** Whether a pod waits for a claim that has yet to be made, or for its devices to be attached: its scheduler has nothing to say of it. */
export async function waitsForDevices(pod: KubeObject, scene: Scene): Promise<boolean> {
  for (const use of asList(dig(pod, 'spec', 'resourceClaims'))) {
    const name = claimNameOf(pod, use);
    if (name === undefined) return true;
    const read = await scene.survey.get(refIn(pod, 'ResourceClaim', name));
    if (!read.ok || dig(read.value, 'metadata', 'deletionTimestamp') !== undefined || unattached(read.value) !== undefined) return true;
  }
  return false;
}

interface Looker {
  readonly scene: Scene;
  readonly sink: FactSink;
  readonly pod: KubeObject;
  /** Set while the pod has no node. */
  readonly waiting: WaitingPod | undefined;
  /** Why no claim was made, in the words of the controller. */
  readonly refused: string | undefined;
}

type Values = FieldValues<'device-claim'>;

async function claimFact(use: Json, looker: Looker): Promise<void> {
  const { scene, sink, pod } = looker;
  const [entry, template, name] = [asText(dig(use, 'name')) ?? '', asText(dig(use, 'resourceClaimTemplateName')), claimNameOf(pod, use)];
  const about = refOf(pod);
  if (name === undefined) {
    if (template !== undefined) await unmadeFact(entry, template, looker);
    return;
  }
  const ref = refIn(pod, 'ResourceClaim', name);
  const read = await scene.survey.get(ref);
  const base: Values = { entry, claim: name, template };
  if (!read.ok && read.why !== 'absent') {
    sink.gap('device-claim', about, read);
    return;
  }
  if (!read.ok) {
    const similar = await similarName('ResourceClaim', name, looker);
    sink.fact(
      'device-claim',
      about,
      { ...base, exists: false, obstacle: 'claim-not-found', similar },
      { source: formatRef(about), quote: `resourceClaims: ${entry} uses ${name}: ${read.detail}` },
    );
    return;
  }
  const claim = read.value;
  const allocated = dig(claim, 'status', 'allocation') !== undefined;
  const deleting = dig(claim, 'metadata', 'deletionTimestamp') !== undefined;
  const values: Values = {
    ...base,
    exists: true,
    allocated,
    ...(deleting && looker.waiting !== undefined ? { obstacle: 'deleting' } : await obstacleOf(claim, allocated, looker)),
  };
  sink.fact('device-claim', about, values, { source: formatRef(ref), quote: values.said ?? quoteOf(values) });
}

/** Extended resources that a device class stands for: their claim is made only when the pod is bound. */
async function extendedFact(pod: KubeObject, scene: Scene, sink: FactSink): Promise<void> {
  const condition = conditionOf(pod, 'PodScheduled');
  const said = dig(condition, 'status') === 'False' ? asText(dig(condition, 'message')) : undefined;
  if (said === undefined || !devicesIn(said, scene).has('unallocated') || dig(pod, 'spec', 'resourceClaims') !== undefined || isOver(pod))
    return;
  const about = refOf(pod);
  const classes = await scene.survey.list('DeviceClass', {});
  const unseen = unseenIn(classes);
  if (unseen !== undefined || !classes.ok) return sink.gap('device-claim', about, unseen ?? { detail: 'device classes were not seen' });
  const amounts = asList(dig(pod, 'spec', 'containers')).flatMap((container) =>
    Object.entries(asTextMap(dig(container, 'resources', 'requests'))),
  );
  const standing = classes.value.find((one) => amounts.some(([resource]) => standsFor(one, resource)));
  if (standing === undefined) return;
  const own = amounts.filter(([resource]) => standsFor(standing, resource));
  const supply = await deviceSupply(expressionsIn(dig(standing, 'spec')), scene);
  if ('gap' in supply) sink.gap('device-claim', about, supply.gap);
  else
    sink.fact(
      'device-claim',
      about,
      {
        ...shortage(supply, sum(own.map(([, amount]) => parseInteger(amount) ?? 0))),
        entry: own[0]?.[0] ?? '',
        class: standing.metadata.name,
        exists: false,
        said,
      },
      { source: formatRef(about), quote: said },
    );
}

/** What the scheduler's words say of devices. */
function devicesIn(said: string, { survey }: Scene): ReadonlySet<SaidReason['device']> {
  return new Set(parseSaid(said, survey.vocabulary)?.reasons.map(({ device }) => device));
}

/** Source: pkg/scheduler/framework/plugins/dynamicresources/extended/cache.go. */
function standsFor({ metadata, spec }: KubeObject, resource: string): boolean {
  return dig(spec, 'extendedResourceName') === resource || resource === `deviceclass.resource.kubernetes.io/${metadata.name}`;
}

function shortage({ driver, offered, free }: DeviceSupply, wanted: number): Values {
  return { driver, offered, free, wanted, obstacle: offered === 0 ? 'none-offered' : free < wanted ? 'none-free' : 'none-matching' };
}

/** No claim yet: its template is missing, or somebody refuses it. */
async function unmadeFact(entry: string, template: string, { scene, sink, pod, refused, ...looker }: Looker): Promise<void> {
  const [about, ref] = [refOf(pod), refIn(pod, 'ResourceClaimTemplate', template)];
  const read = await scene.survey.get(ref);
  // Before it may stand that several events are one.
  const said = refused?.split(`PodResourceClaim ${entry}: `, 2)[1];
  const base: Values = { entry, template, exists: false, said };
  if (read.ok)
    sink.fact(
      'device-claim',
      about,
      { ...base, templateExists: true, obstacle: 'not-made' },
      { source: formatRef(about), quote: said ?? `resourceClaims: ${entry} comes from template ${template}, and does not exist` },
    );
  else if (read.why === 'absent' || (said !== undefined && scene.survey.vocabulary.phrase('no-template', said) !== undefined)) {
    const similar = await similarName('ResourceClaimTemplate', template, { scene, sink, pod, refused, ...looker });
    sink.fact(
      'device-claim',
      about,
      { ...base, templateExists: false, obstacle: 'template-not-found', similar },
      { source: formatRef(about), quote: said ?? `resourceClaims: ${entry} comes from template ${template}: ${read.detail}` },
    );
  } else sink.gap('device-claim', about, read);
}

/** Why a claim has no devices, as far as its requests, classes and what drivers offer tell. */
async function obstacleOf(claim: KubeObject, allocated: boolean, looker: Looker): Promise<Values> {
  const said = looker.waiting?.said;
  const attachment = looker.waiting === undefined ? undefined : attachmentObstacle(claim, said);
  if (attachment !== undefined) return attachment;
  if (said === undefined) return { obstacle: 'none' };
  const devices = devicesIn(said, looker.scene);
  if (allocated) return devices.has('elsewhere') ? { obstacle: 'elsewhere', node: onlyNode(claim), said } : { obstacle: 'none' };
  const asked = asList(dig(claim, 'spec', 'devices', 'requests')).flatMap(askedFor);
  for (const { request, className } of asked) {
    const missing = await missingClass(request, className, looker);
    if (missing !== undefined) return { ...missing, said };
  }
  const [first] = asked;
  const values: Values = { class: first?.className, request: first?.request, wanted: sum(asked.map(({ count }) => count)), said };
  if (said.includes('CEL ')) return { ...values, obstacle: 'selector' };
  if (!devices.has('unallocated')) return { ...values, obstacle: 'none' };
  const supply = await supplyOf(claim, asked, looker);
  return supply === undefined ? values : { ...values, ...shortage(supply, values.wanted ?? 1) };
}

function attachmentObstacle(claim: KubeObject, said: string | undefined): Values | undefined {
  const driver = unattached(claim);
  const failure = said?.includes(`claim ${claim.metadata.name} binding `) === true ? said : undefined;
  return driver === undefined && failure === undefined ? undefined : { obstacle: 'not-attached', driver, said: failure };
}

/**
 * The driver of a device that is yet to be attached to the node.
 * Source: pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go (isClaimReadyForBinding).
 */
function unattached(claim: KubeObject): string | undefined {
  const statuses = asList(dig(claim, 'status', 'devices'));
  const waits = asList(dig(claim, 'status', 'allocation', 'devices', 'results')).find((result) => {
    const conditions = asList(
      dig(
        statuses.find((status) => ['driver', 'pool', 'device'].every((field) => dig(status, field) === dig(result, field))),
        'conditions',
      ),
    );
    return asList(dig(result, 'bindingConditions')).some(
      (type) => !conditions.some((condition) => dig(condition, 'type') === type && dig(condition, 'status') === 'True'),
    );
  });
  return asText(dig(waits, 'driver'));
}

/** Source: staging/src/k8s.io/dynamic-resource-allocation/structured/internal/stable/allocator_stable.go (createNodeSelector). */
function onlyNode(claim: KubeObject): string | undefined {
  return asText(dig(claim, 'status', 'allocation', 'nodeSelector', 'nodeSelectorTerms', 0, 'matchFields', 0, 'values', 0));
}

interface Asked {
  readonly request: string;
  readonly className: string;
  readonly count: number;
  readonly expressions: readonly string[];
}

/** Of alternatives the last is what can be done with. */
function askedFor(request: Json): readonly Asked[] {
  const name = asText(dig(request, 'name')) ?? '';
  const alternatives = asList(dig(request, 'firstAvailable'));
  const [given, label] =
    alternatives.length === 0
      ? [dig(request, 'exactly') ?? request, name]
      : [alternatives.at(-1) ?? null, `${name}/${asText(dig(alternatives.at(-1), 'name')) ?? ''}`];
  const className = asText(dig(given, 'deviceClassName'));
  return className === undefined
    ? []
    : [{ request: label, className, count: asNumber(dig(given, 'count')) ?? 1, expressions: expressionsIn(given) }];
}

function expressionsIn(given: Json | undefined): readonly string[] {
  return asList(dig(given, 'selectors')).flatMap((selector) => asText(dig(selector, 'cel', 'expression')) ?? []);
}

async function missingClass(request: string, className: string, looker: Looker): Promise<Values | undefined> {
  const { scene, sink, pod, waiting } = looker;
  const read = await scene.survey.get({ kind: 'DeviceClass', name: className });
  if (read.ok) return undefined;
  if (read.why !== 'absent' && waiting?.said?.includes(`device class ${className} does not exist`) !== true) {
    sink.gap('device-claim', refOf(pod), read);
    return undefined;
  }
  return { obstacle: 'class-not-found', class: className, request, similar: await similarName('DeviceClass', className, looker) };
}

async function supplyOf(claim: KubeObject, asked: readonly Asked[], { scene, sink, pod }: Looker): Promise<DeviceSupply | undefined> {
  const expressions: string[] = [];
  for (const one of asked) {
    const read = await scene.survey.get({ kind: 'DeviceClass', name: one.className });
    append(expressions, [...(read.ok ? expressionsIn(dig(read.value, 'spec')) : []), ...one.expressions]);
  }
  const supply = await deviceSupply(expressions, scene);
  if (!('gap' in supply)) return supply;
  sink.gap('device-claim', refOf(pod), supply.gap);
  return undefined;
}

/** Source: staging/src/k8s.io/dynamic-resource-allocation/resourceclaim/claim.go (Name). */
function claimNameOf(pod: KubeObject, use: Json): string | undefined {
  const own = asText(dig(use, 'resourceClaimName'));
  if (own !== undefined) return own;
  return asText(
    dig(
      asList(dig(pod, 'status', 'resourceClaimStatuses')).find((status) => dig(status, 'name') === dig(use, 'name')),
      'resourceClaimName',
    ),
  );
}

function refIn(pod: KubeObject, kind: string, name: string): ObjectRef {
  return { kind, namespace: pod.metadata.namespace ?? 'default', name };
}

function similarName(kind: string, name: string, { scene, pod }: Looker): Promise<string | undefined> {
  return similarTo(kind === 'DeviceClass' ? { kind, name } : refIn(pod, kind, name), scene);
}

function quoteOf({ claim, obstacle, offered, free, driver }: Values): string {
  if (obstacle === 'not-attached') return `${claim ?? ''}: devices of ${driver ?? 'its driver'} wait to be attached`;
  if (offered !== undefined) return `${String(offered)} devices offered, ${String(free ?? 0)} free`;
  return obstacle === undefined || obstacle === 'none' ? `${claim ?? ''} is there` : `${claim ?? ''}: ${obstacle}`;
}

function sum(numbers: readonly number[]): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
