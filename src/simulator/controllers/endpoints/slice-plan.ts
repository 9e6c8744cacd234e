import type { JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig } from '../../../base/json.ts';
import { canonicalJson, sameJson } from '../../../base/json-edit.ts';
import { append } from '../../../base/lists.ts';
import { onceEach } from '../../../base/once.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { keyOf } from '../../store/store.ts';
import type { Member } from './service-pods.ts';

/** What a pod is to a Service; the endpoint is the very object of the slice once it is in one. */
export interface Made {
  /** The ports as text. */
  readonly hash: string;
  readonly ports: readonly JsonObject[];
  readonly pod: string;
  endpoint: JsonObject;
}

/** Gives a pod's endpoint; undefined for one that has none. */
type Maker = (member: Member<Made>) => Made | undefined;

export interface Content {
  readonly endpoints: readonly JsonObject[];
  readonly ports: readonly JsonObject[];
}

export interface Plan {
  readonly update: readonly (Content & { readonly slice: KubeObject })[];
  readonly create: readonly Content[];
  readonly remove: readonly KubeObject[];
  /** All endpoints as they will be, when they have their ports in common. */
  readonly placed: Placed | undefined;
}

interface Placed {
  readonly hash: string;
  readonly ports: readonly JsonObject[];
  readonly made: Map<Member<Made>, Made>;
}

const MAX_ENDPOINTS = 100;

/** The endpoints a Service should have, by the ports they have in common. */
interface Group {
  readonly ports: readonly JsonObject[];
  readonly endpoints: Map<string, Made>;
}

/** Source: reconciler.go (reconcileByPortMapping, finalize): slices keep what they have, and those left over are used again. */
export function planOf(existing: readonly KubeObject[], members: Iterable<Member<Made>>, make: Maker): Plan {
  const groups = new Map<string, Group>();
  const all = new Map<Member<Made>, Made>();
  for (const member of members) {
    const made = make(member);
    if (made === undefined) continue;
    all.set(member, made);
    const group = groups.get(made.hash) ?? { ports: made.ports, endpoints: new Map<string, Made>() };
    groups.set(made.hash, group);
    group.endpoints.set(made.pod, made);
  }
  const update: (Content & { readonly slice: KubeObject })[] = [];
  const create: Content[] = [];
  const remove = existing.filter((slice) => !groups.has(portsHash(slice)));
  for (const [hash, group] of groups) {
    const planned = fill(
      existing.filter((slice) => portsHash(slice) === hash),
      group,
    );
    append(update, planned.update);
    append(create, planned.create);
    append(remove, planned.remove);
  }
  if (remove.length === existing.length && create.length === 0) {
    const [only] = remove;
    if (remove.length === 1 && only !== undefined && asList(only['endpoints']).length === 0 && asList(only['ports']).length === 0)
      remove.length = 0;
    else create.push({ endpoints: [], ports: [] });
  }
  const reused = Math.min(remove.length, create.length);
  const recycled = remove.slice(0, reused).map((slice, index) => ({ slice, ...(create[index] ?? { endpoints: [], ports: [] }) }));
  const [group] = groups;
  return {
    update: [...update, ...recycled],
    create: create.slice(reused),
    remove: remove.slice(reused),
    placed: groups.size === 1 && group !== undefined ? { hash: group[0], ports: group[1].ports, made: all } : undefined,
  };
}

/**
 * The same for slices that are as the last plan left them, from the pods that have changed since: a hundred endpoints were made and
 * compared for every pod that became ready. Undefined when all have to be looked at.
 */
export function planChanges(slices: readonly KubeObject[], placed: Placed, changed: Iterable<Member<Made>>, make: Maker): Plan | undefined {
  if (placed.made.size === 0) return undefined;
  let kept: readonly Kept[] | undefined;
  const fresh: Member<Made>[] = [];
  for (const member of changed) {
    const [before, now] = [placed.made.get(member), make(member)];
    if (before === now) continue;
    kept ??= slices.map((slice) => ({ slice, after: asList(slice['endpoints']) as JsonObject[], changed: false }));
    if (now === undefined) placed.made.delete(member);
    else if (now.hash !== placed.hash) return undefined;
    else placed.made.set(member, now);
    if (before !== undefined && !replaced(kept, before.endpoint, now)) return undefined;
    if (before === undefined || (now !== undefined && uidOf(before.endpoint) !== uidOf(now.endpoint))) fresh.push(member);
  }
  if (kept === undefined) return { update: [], create: [], remove: [], placed };
  fresh.sort((a, b) => a.order - b.order);
  const rest = fresh.map((member) => placed.made.get(member)).filter((made) => made !== undefined);
  const { update, create, remove } = filled(
    kept,
    rest.map(({ endpoint }) => endpoint),
    placed.ports,
  );
  return kept.every(({ after }) => after.length === 0) ? undefined : { update, create, remove, placed };
}

interface Kept {
  readonly slice: KubeObject;
  /** Of one that has not changed, the slice's own. */
  after: JsonObject[];
  changed: boolean;
}

/** Puts another endpoint of the same pod in the place of one, or takes it away; whether it was there. */
function replaced(kept: readonly Kept[], before: JsonObject, now: Made | undefined): boolean {
  for (const entry of kept) {
    const place = entry.after.indexOf(before);
    if (place < 0) continue;
    if (now === undefined || uidOf(before) !== uidOf(now.endpoint)) entry.after = entry.after.toSpliced(place, 1);
    else if (sameJson(before, now.endpoint)) {
      now.endpoint = before;
      return true;
    } else entry.after = entry.after.with(place, now.endpoint);
    entry.changed = true;
    return true;
  }
  return false;
}

const portsHash = onceEach((slice: KubeObject) => canonicalJson(asList(slice['ports'])));

function uidOf(endpoint: JsonObject) {
  return dig(endpoint, 'targetRef', 'uid');
}

function fill(slices: readonly KubeObject[], { ports, endpoints }: Group) {
  const open = new Map(endpoints);
  const kept = slices.map((slice): Kept => {
    const before = asList(slice['endpoints']);
    const after: JsonObject[] = [];
    for (const endpoint of before) {
      const pod = keyOf(asText(dig(endpoint, 'targetRef', 'namespace')), asText(dig(endpoint, 'targetRef', 'name')) ?? '');
      const wanted = open.get(pod);
      if (wanted === undefined || uidOf(wanted.endpoint) !== dig(endpoint, 'targetRef', 'uid')) continue;
      open.delete(pod);
      if (sameJson(endpoint, wanted.endpoint)) wanted.endpoint = asObject(endpoint);
      after.push(wanted.endpoint);
    }
    return { slice, after, changed: after.length !== before.length || after.some((endpoint, index) => endpoint !== before[index]) };
  });
  return filled(
    kept,
    Array.from(open.values(), ({ endpoint }) => endpoint),
    ports,
  );
}

/** Fills up the slices with what is in none, first those that are written anyway. */
function filled(kept: readonly Kept[], rest: JsonObject[], ports: readonly JsonObject[]): Omit<Plan, 'placed'> {
  const inOrder = kept.length < 2 ? kept : [...kept.filter(({ changed }) => changed), ...kept.filter(({ changed }) => !changed)];
  for (const entry of inOrder) {
    const more = rest.splice(0, Math.max(0, MAX_ENDPOINTS - entry.after.length));
    if (more.length === 0) continue;
    // A spread list has half as much room again as it needs, in each of the states that are kept.
    entry.after = entry.after.concat(more);
    entry.changed = true;
  }
  const create: Content[] = [];
  for (let from = 0; from < rest.length; from += MAX_ENDPOINTS) create.push({ endpoints: rest.slice(from, from + MAX_ENDPOINTS), ports });
  return {
    update: kept
      .filter(({ changed, after }) => changed && after.length > 0)
      .map(({ slice, after }) => ({ slice, endpoints: after, ports })),
    create,
    remove: kept.filter(({ after }) => after.length === 0).map(({ slice }) => slice),
  };
}
