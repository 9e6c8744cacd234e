import { onceEach } from '../base/once.ts';
import type { Evidence, Finding, Link, Target } from '../model/diagnosis.ts';
import type { Fact } from '../model/fact.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef, sameObject } from '../model/kube-object.ts';

/** Pods and references of one target that are shown: those of the cause and missing ones first. */
const PODS = 4;
const REFERENCES = 12;
/** Kinds from owner to owned; what is none of them owns nothing. */
const OWNERS = ['CronJob', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'ReplicaSet', 'Pod'];

/** The objects around a target and its cause, as links that form a tree from its topmost owner. */
export function surroundings(evidence: Evidence, { ref, members }: Target, cause: Finding | undefined): readonly Link[] {
  const known = new Map([ref, ...members].map((one) => [formatRef(one), one]));
  const own = [...known.values()].filter(({ kind }) => OWNERS.includes(kind)).toSorted((a, b) => depth(a) - depth(b));
  const [root = ref] = own;
  const suspects = new Set(cause?.affected.map(formatRef));
  const pods = own.filter(({ kind }) => kind === 'Pod').toSorted((a, b) => rankOf(suspects, a) - rankOf(suspects, b));
  const shown = [...own.filter(({ kind }) => kind !== 'Pod'), ...pods.slice(0, PODS)].filter((one) => one !== root);
  const owned = shown.map((to): Link => ({ from: ownerOf(to, own) ?? root, to, how: 'owns' }));
  const named = referencesOf(evidence, known, root);
  const links = [...owned, ...named];
  const object = cause?.object;
  if (object === undefined || known.has(formatRef(object))) return links;
  return links.some(({ to }) => sameObject(to, object)) ? links : [...links, { from: root, to: object, how: 'depends on' }];
}

function depth({ kind }: ObjectRef): number {
  return OWNERS.indexOf(kind);
}

function rankOf(suspects: ReadonlySet<string>, ref: ObjectRef): number {
  return suspects.has(formatRef(ref)) ? 0 : 1;
}

/** What has a name by which this one begins: controllers name what they make after themselves. */
function ownerOf(one: ObjectRef, own: readonly ObjectRef[]): ObjectRef | undefined {
  return own.findLast((owner) => depth(owner) < depth(one) && one.name.startsWith(`${owner.name}-`));
}

function referencesOf(evidence: Evidence, known: ReadonlyMap<string, ObjectRef>, root: ObjectRef): readonly Link[] {
  const links = new Map<string, Link>();
  for (const { about, fields } of [...known.keys()].flatMap((key) => referencesIn(evidence).get(key) ?? [])) {
    const [kind, name] = [String(fields['refKind']), String(fields['refName'])];
    const to = CLUSTER_WIDE.has(kind) || about.namespace === undefined ? { kind, name } : { kind, namespace: about.namespace, name };
    const isMissing = fields['exists'] === false;
    if (!links.has(formatRef(to)))
      links.set(formatRef(to), { from: root, to, how: String(fields['via']), ...(isMissing ? { missing: true } : {}) });
  }
  return [...links.values()].toSorted((a, b) => (a.missing === true ? 0 : 1) - (b.missing === true ? 0 : 1)).slice(0, REFERENCES);
}

const CLUSTER_WIDE: ReadonlySet<string> = new Set(['CSIDriver', 'PriorityClass', 'RuntimeClass', 'ClusterRole']);

/** References by the object that has them: all facts of a large cluster are not gone through for each target. */
const referencesIn = onceEach(({ facts }: Evidence) => {
  const byObject = new Map<string, Fact[]>();
  for (const fact of facts) {
    if (fact.kind !== 'reference') continue;
    const key = formatRef(fact.about);
    const same = byObject.get(key);
    if (same === undefined) byObject.set(key, [fact]);
    else same.push(fact);
  }
  return byObject;
});
