import { asList, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, shows } from '../../model/kube-object.ts';
import type { Collected } from '../memory-reader.ts';
import { Draft } from './draft.ts';

/**
 * Services of which only their Endpoints were seen, without an address: each has the name of its Endpoints. Leaders of old were elected by
 * Endpoints without addresses, too: those of the control plane stand in kube-system, those of provisioners have the names of drivers.
 */
export function impliedServices(objects: readonly KubeObject[], collected: readonly Collected[]): readonly KubeObject[] {
  const known = new Set(objects.flatMap((object) => (object.kind === 'Service' ? [formatRef({ kind: 'Service', ...at(object) })] : [])));
  return objects.filter(isEmpty).flatMap((object) => {
    const { namespace, name } = at(object);
    const isRead = collected.some((one) => one.kind === 'Service' && (one.namespace === undefined || one.namespace === namespace));
    if (isRead || known.has(formatRef({ kind: 'Service', namespace, name }))) return [];
    return [new Draft('Service', name, namespace).build()];
  });
}

function at({ metadata }: KubeObject): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata.namespace ?? 'default', name: metadata.name };
}

function isEmpty(object: KubeObject): boolean {
  if (object.kind !== 'Endpoints' || at(object).namespace === 'kube-system' || object.metadata.name.includes('.')) return false;
  if (Object.keys(object.metadata.annotations ?? {}).some((key) => key.endsWith('/leader'))) return false;
  return shows(object, 'subsets.addresses.ip') && asList(dig(object, 'subsets')).length === 0;
}
