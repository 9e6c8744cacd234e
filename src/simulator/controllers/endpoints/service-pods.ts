import type { Instant } from '../../../base/instant.ts';
import { asTextMap, dig } from '../../../base/json.ts';
import { onceEach } from '../../../base/once.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import { selectsLabels } from '../../apiserver/selectors.ts';
import type { Informer, ObjectEvent } from '../../components/informer.ts';
import { SelectingServices } from '../../components/selecting-services.ts';
import { keyOfObject } from '../../store/store.ts';
import { conditionOf } from '../conditions.ts';
import { isDeleted } from '../ownership.ts';
import { isFinished, readySince } from '../pod-state.ts';

/**
 * Which pods each Service selects, kept as both change, so that a pod of thousands is looked at once and not every time.
 * Tells of Services whose endpoints may have to change.
 */
export class ServicePods<Made> {
  readonly #selections = new Map<string, Selection<Made>>();
  readonly #services: SelectingServices;
  readonly #pods: Informer;
  readonly #changed: (key: string, size: number) => void;
  #order = 0;

  constructor(services: Informer, pods: Informer, changed: (key: string, size: number) => void) {
    this.#services = new SelectingServices(services);
    this.#pods = pods.addIndex('namespace', inNamespace);
    this.#changed = changed;
    services.onChange((event) => this.#serviceChanged(event));
    pods.onChange((event) => this.#podChanged(event));
  }

  /** In the order they came. */
  of(key: string): Iterable<Member<Made>> {
    return this.#selections.get(key)?.members.values() ?? [];
  }

  /** Those that came, changed or went since this was asked the last time. */
  takeChanged(key: string): readonly Member<Made>[] {
    const selection = this.#selections.get(key);
    if (selection === undefined) return [];
    const { changed } = selection;
    selection.changed = [];
    selection.isDue = false;
    for (const member of changed) member.isNoted = false;
    return changed;
  }

  #serviceChanged({ type, object, key }: ObjectEvent): void {
    const selector = asTextMap(dig(object, 'spec', 'selector'));
    const known = this.#selections.get(key);
    if (type === 'DELETED') this.#selections.delete(key);
    else if (JSON.stringify(known?.selector) !== JSON.stringify(selector)) {
      const members = new Map<string, Member<Made>>();
      for (const pod of this.#pods.by('namespace', object.metadata.namespace ?? '')) {
        const podKey = keyOfObject(pod);
        if (selectsLabels(selector, labelsOf(pod))) members.set(podKey, known?.members.get(podKey) ?? this.#memberOf(pod));
      }
      for (const member of members.values()) member.isNoted = true;
      this.#selections.set(key, { selector, members, changed: [...members.values()], isDue: true });
    }
    this.#changed(key, this.#selections.get(key)?.members.size ?? 0);
  }

  #podChanged(event: ObjectEvent): void {
    const { type, object, previous } = event;
    const [labels, before] = [labelsOf(object), labelsOf(previous ?? object)];
    const namespace = object.metadata.namespace ?? '';
    const services = labels === before ? this.#services.of(namespace, labels) : this.#services.ofAny(namespace, [labels, before]);
    if (services.length === 0) return;
    const differs = type !== 'MODIFIED' || !alike(previous, object);
    const hasAddress = isAddressed(object) || (previous !== undefined && isAddressed(previous));
    for (const service of services) this.#tell(keyOfService(service), event, { differs, hasAddress, keepsLabels: labels === before });
  }

  #tell(key: string, event: ObjectEvent, { differs, hasAddress, keepsLabels }: Difference): void {
    const selection = this.#selections.get(key);
    if (selection === undefined) return;
    const had = selection.members.has(event.key);
    const has = event.type !== 'DELETED' && ((had && keepsLabels) || selectsLabels(selection.selector, labelsOf(event.object)));
    if (!had && !has) return;
    const member = this.#note(selection, event, has, differs);
    if (had === has && !differs) return;
    const { size } = selection.members;
    // A pod without an address is no endpoint: three in four looks at a Service, for pods that began, found nothing to do.
    if (hasAddress || gatherMilliseconds(size) > 0) {
      selection.isDue = true;
      this.#changed(key, size);
    } else if (!selection.isDue) member.told = toldOf(member);
  }

  #note({ members, changed }: Selection<Made>, { key, object }: ObjectEvent, has: boolean, differs: boolean): Member<Made> {
    const member = members.get(key) ?? this.#memberOf(object);
    if (!member.isNoted) changed.push(member);
    member.isNoted = true;
    if (has) members.set(key, member);
    else members.delete(key);
    member.pod = object;
    member.isGone = !has;
    if (differs) member.made = undefined;
    return member;
  }

  #memberOf(pod: KubeObject): Member<Made> {
    return { pod, isGone: false, isNoted: false, order: this.#order++, told: Number.NEGATIVE_INFINITY, made: undefined };
  }
}

interface Difference {
  readonly differs: boolean;
  readonly hasAddress: boolean;
  /** Who was selected still is. */
  readonly keepsLabels: boolean;
}

interface Selection<Made> {
  readonly selector: Readonly<Record<string, string>>;
  readonly members: Map<string, Member<Made>>;
  changed: Member<Made>[];
  /** Whether it will be looked at. */
  isDue: boolean;
}

/** A pod of a Service, with what its endpoint was made of. */
export interface Member<Made> {
  pod: KubeObject;
  /** Whether it is one no longer. */
  isGone: boolean;
  /** Whether it is among those that have changed: a set of them was made for each change. */
  isNoted: boolean;
  readonly order: number;
  /** The latest moment it became ready that was written. */
  told: Instant;
  made: { readonly of: KubeObject; readonly with: KubeObject | undefined; readonly made: Made } | undefined;
}

/** When a member became ready, or ceased to be: what is told of it once it is looked at. */
export function toldOf({ isGone, pod }: Member<unknown>): Instant {
  return (isGone ? undefined : readySince(pod)) ?? Number.NEGATIVE_INFINITY;
}

/** What a pod is to its Service: made anew when something of the pod, the Service or the node has changed. */
export function madeOnce<Made>(
  member: Member<Made>,
  service: KubeObject,
  node: KubeObject | undefined,
  make: (pod: KubeObject, service: KubeObject, node: KubeObject | undefined) => Made,
): Made {
  const { made } = member;
  if (made !== undefined && made.of === service && made.with === node) return made.made;
  const fresh = make(member.pod, service, node);
  member.made = { of: service, with: node, made: fresh };
  return fresh;
}

/**
 * How long a change of a Service is gathered with others, in milliseconds. Not at all for those of usual size; a large one, whose
 * every change is a rewrite of hundreds of endpoints, is written once a second, as a busy controller gets to it in its turn.
 */
export function gatherMilliseconds(size: number): number {
  return size > LARGE_SERVICE ? 1000 : 0;
}

const LARGE_SERVICE = 100;

const keyOfService = onceEach(keyOfObject);

/** Whether two states of a pod agree in all that its endpoints are made of. */
function alike(a: KubeObject | undefined, b: KubeObject): boolean {
  if (a === undefined) return false;
  const [before, now] = [conditionOf(a, 'Ready'), conditionOf(b, 'Ready')];
  return (
    a.metadata.uid === b.metadata.uid &&
    dig(a, 'status', 'podIP') === dig(b, 'status', 'podIP') &&
    (before?.['status'] === 'True') === (now?.['status'] === 'True') &&
    (before === undefined) === (now === undefined) &&
    isDeleted(a) === isDeleted(b) &&
    isFinished(a) === isFinished(b) &&
    (a['spec'] === b['spec'] || PLACES.every((field) => dig(a, 'spec', field) === dig(b, 'spec', field))) &&
    (labelsOf(a) === labelsOf(b) || JSON.stringify(labelsOf(a)) === JSON.stringify(labelsOf(b)))
  );
}

const PLACES = ['nodeName', 'hostname', 'subdomain'];

function isAddressed(pod: KubeObject): boolean {
  return dig(pod, 'status', 'podIP') !== undefined;
}

function inNamespace(object: KubeObject): readonly string[] {
  return [object.metadata.namespace ?? ''];
}
