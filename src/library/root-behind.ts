import type { ClusterReader } from '../model/cluster-reader.ts';
import type { Cause, Diagnosis, Evidence, Quote, Target } from '../model/diagnosis.ts';
import type { Fact } from '../model/fact.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef, parseRef, sameObject } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import { stageOrder } from '../model/stage.ts';
import type { Examination } from './examine.ts';
import { examine, requestAbout } from './examine.ts';

/** How far callers are followed to what they call, and how many Services of each are looked at. */
const [DEPTH, SERVICES] = [3, 3];

/** What the rules make of a target; where that is a symptom of what it calls, with the cause of that. */
export async function rootedDiagnosis(own: Examination, target: ObjectRef, around: Around): Promise<Diagnosis> {
  const near = own.diagnosisOf(target);
  return (await withRootBehind(own, near, around)) ?? near;
}

interface Around {
  readonly reader: ClusterReader;
  readonly rules: readonly Rule[];
  /** Services that were followed already. */
  readonly seen?: readonly string[];
}

/**
 * Where all that is known of a target is a symptom, and a Service that it calls has no ready pod, or none on a port: why that has none.
 * Undefined where nothing of the kind is known. The target's own causes stay, as further candidates.
 */
async function withRootBehind(own: Examination, near: Diagnosis, { reader, rules, seen = [] }: Around): Promise<Diagnosis | undefined> {
  const [first] = near.causes;
  if (first?.symptom !== true || near.state === 'healthy' || seen.length >= DEPTH || stageOrder(first.stage) < stageOrder('containers'))
    return undefined;
  for (const link of linksOf(own.evidence, near.target, first).slice(0, SERVICES)) {
    const service = parseRef(String(link.fields['on']));
    if (service === undefined || seen.includes(formatRef(service)) || sameObject(service, near.target)) continue;
    const there = await examine(reader, rules, requestAbout(service), own.survey);
    const behind = await rootedDiagnosis(there, service, { reader, rules, seen: [...seen, formatRef(service)] });
    const root = behind.causes[0];
    const bare = hasNoReadyPod(there.evidence, service);
    if (!isRoot(root) || !(bare || isOfPort(root, link))) continue;
    return { ...near, causes: [calledBy(near.target, root, { link, first, service, bare }), ...laterRanks(near.causes)] };
  }
  return undefined;
}

/** Services that the container with the symptom was seen to call, those first about which its log tells. */
function linksOf({ facts, targets }: Evidence, target: ObjectRef, { params: { container } }: Cause): readonly Fact[] {
  const members: Target['members'] = targets.find(({ ref }) => sameObject(ref, target))?.members ?? [];
  const own = new Set([target, ...members].map(formatRef));
  const isOwn = ({ about, workload }: Fact): boolean =>
    own.has(formatRef(about)) || (workload !== undefined && own.has(formatRef(workload)));
  const links = facts.filter(
    (fact) => fact.kind === 'dependency' && fact.fields['called'] === true && fact.fields['container'] === container && isOwn(fact),
  );
  const heard = (fact: Fact): number => (fact.source.startsWith('log of ') ? 0 : 1);
  const sorted = links.toSorted((one, other) => heard(one) - heard(other));
  return sorted.filter((link, index) => sorted.findIndex(({ fields }) => fields['on'] === link.fields['on']) === index);
}

function hasNoReadyPod({ facts }: Evidence, { namespace, name }: ObjectRef): boolean {
  return facts.some(
    ({ kind, about, fields }) => kind === 'service' && about.name === name && about.namespace === namespace && fields['ready'] === 0,
  );
}

function isRoot(cause: Cause | undefined): cause is Cause {
  return cause !== undefined && cause.symptom !== true && stageOrder(cause.stage) < stageOrder('traffic');
}

/** The Service has ready pods, but the port that is called leads to none of them. */
function isOfPort({ stage, params: { port } }: Cause, { fields }: Fact): boolean {
  return stage === 'endpoints' && (port === undefined || fields['port'] === undefined || String(port) === fields['port']);
}

interface Link {
  /** The Service has no ready pod. */
  readonly bare: boolean;
  readonly link: Fact;
  /** What shows at the target. */
  readonly first: Cause;
  readonly service: ObjectRef;
}

/** The root as the cause of the caller: the first sentence says what leads from one to the other, and so does the proof. */
function calledBy(target: ObjectRef, root: Cause, { link, first, service, bare }: Link): Cause {
  const { source, quote, about } = link;
  const call: Quote = { about, source, quote };
  const called = `Service ${service.name}`;
  return {
    ...root,
    rank: 1,
    title: `${called}${bare ? ' has no ready pod' : ''}: ${root.title}`,
    what: `${target.kind}/${target.name} calls ${called}${bare ? ', which has no ready pod' : ''}. ${root.what}`,
    evidence: [call, ...root.evidence, ...first.evidence].filter(
      (one, index, all) => all.findIndex((known) => isSame(known, one)) === index,
    ),
    affected: [...root.affected.filter((ref) => !sameObject(ref, target)), target],
    explains: [...new Set([...root.explains, first.rule])].toSorted(),
  };
}

function isSame(one: Quote, other: Quote): boolean {
  return one.source === other.source && one.quote === other.quote;
}

function laterRanks(causes: readonly Cause[]): readonly Cause[] {
  return causes.slice(1).map((cause, index) => ({ ...cause, rank: index + 2 }));
}
