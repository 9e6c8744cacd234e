import type { Json } from '../../base/json.ts';
import { asList, asText, dig, digAt } from '../../base/json.ts';
import type { Target } from '../../model/diagnosis.ts';
import type { KubeObject } from '../../model/kube-object.ts';

/** A condition of an object, or of a part of it that has conditions of its own. */
export interface PartCondition {
  readonly condition: Json;
  /** The listener, or the parent that a route or policy is attached to; absent for the object itself. */
  readonly part?: string;
}

/** Conditions in the places where the Gateway API has them. Source: gateway-api apis/v1/{gateway,shared,policy}_types.go. */
export function conditionsOf(object: KubeObject): readonly PartCondition[] {
  const status = dig(object, 'status');
  const own = asList(dig(status, 'conditions')).map((condition): PartCondition => ({ condition }));
  const parts = PARTS.flatMap(([list, ...name]) =>
    asList(dig(status, list)).flatMap((entry) =>
      asList(dig(entry, 'conditions')).map((condition): PartCondition => ({ condition, part: asText(digAt(entry, name)) ?? '?' })),
    ),
  );
  return [...own, ...parts];
}

const PARTS: readonly (readonly [string, ...string[]])[] = [
  ['listeners', 'name'],
  ['parents', 'parentRef', 'name'],
  ['ancestors', 'ancestorRef', 'name'],
];

/** How a Gateway, its class, a route, a range of addresses or what makes nodes is, by its own conditions; undefined for other kinds, and where none of these was seen. */
export function gatewayState(object: KubeObject): Pick<Target, 'state' | 'reason'> | undefined {
  if (READY_KINDS.has(object.kind)) return readyState(object);
  if (!object.apiVersion.startsWith('gateway.networking.k8s.io/')) return undefined;
  const decisive = conditionsOf(object).filter(({ condition }) => DECISIVE.has(asText(dig(condition, 'type')) ?? ''));
  if (decisive.length === 0) return undefined;
  const bad = decisive.find(({ condition }) => dig(condition, 'status') !== DECISIVE.get(asText(dig(condition, 'type')) ?? ''));
  return bad === undefined ? { state: 'healthy' } : { state: 'unhealthy', reason: asText(dig(bad.condition, 'reason')) ?? 'not accepted' };
}

/** Kinds whose condition Ready sums up all others. Source: pkg/apis/networking, kubernetes-sigs/karpenter pkg/apis/v1. */
const READY_KINDS: ReadonlySet<string> = new Set(['ServiceCIDR', 'NodePool', 'NodeClaim']);

function readyState(object: KubeObject): Pick<Target, 'state' | 'reason'> | undefined {
  const ready = conditionsOf(object).find(({ condition }) => dig(condition, 'type') === 'Ready')?.condition;
  if (ready === undefined) return undefined;
  return dig(ready, 'status') === 'True'
    ? { state: 'healthy' }
    : { state: 'unhealthy', reason: asText(dig(ready, 'reason')) ?? 'not ready' };
}

/** The status that each of these conditions has when all is well. */
const DECISIVE: ReadonlyMap<string, string> = new Map([
  ['Accepted', 'True'],
  ['Programmed', 'True'],
  ['ResolvedRefs', 'True'],
  ['Conflicted', 'False'],
]);
