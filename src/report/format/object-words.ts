import type { ObjectRef } from '../../model/kube-object.ts';
import { ANYTHING } from '../../model/fact.ts';
import { clusterLine } from './cluster-text.ts';

/** `Deployment shop/web`, `Node worker-1`: how a person says which object is meant. */
export function objectWords({ kind, namespace, name }: ObjectRef): string {
  const word =
    name === ANYTHING
      ? `every ${kind}${namespace === undefined ? '' : ` in ${namespace}`}`
      : `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  return clusterLine(word, 200);
}

/** The first few, and how many more there are. */
export function objectList(refs: readonly ObjectRef[], limit: number): string {
  const named = refs.slice(0, limit).map(objectWords).join(', ');
  return refs.length > limit ? `${named} and ${refs.length - limit} more` : named;
}
