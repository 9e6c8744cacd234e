import { asText, dig } from '../../../base/json.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import { forbidden } from '../failures.ts';
import type { Failure } from '../request.ts';
import { podRequests } from '../quota-usage.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';

/** A pod is not resized to more than its whole node gives away. Source: plugin/pkg/admission/podresize/admission.go. */
export const POD_RESIZE: AdmissionPlugin = { name: 'PodResizeValidator', kinds: new Set(['pods']), validate };

function validate({ subresource, object, old, name }: AdmissionRequest, { store }: AdmissionSurroundings): Failure | undefined {
  const node = asText(dig(object, 'spec', 'nodeName')) ?? '';
  if (subresource !== 'resize' || node === '' || object.metadata['generation'] === old?.metadata['generation']) return undefined;
  const of = { group: '', resource: 'pods' };
  const found = store.get('nodes', undefined, node);
  if (found === undefined) return forbidden(of, name, `node ${JSON.stringify(node)} not found`);
  const requests = podRequests(object, 'requests');
  const short = PER_UNIT.flatMap(([resource, unit]) => {
    const [asked, given] = [requests.get(resource) ?? 0n, parseQuantity(dig(found, 'status', 'allocatable', resource)) ?? 0n];
    return asked > given ? [`${resource}, requested: ${roundedUp(asked, unit)}, allocatable: ${roundedUp(given, unit)}`] : [];
  });
  if (short.length === 0) return undefined;
  return forbidden(of, name, `node didn't have enough allocatable resources: ${short.join('; ')}`, [{ reason: 'NodeCapacity' }]);
}

/** In thousandths of a core, and in bytes. */
const PER_UNIT = [
  ['cpu', 1_000_000n],
  ['memory', 1_000_000_000n],
] as const;

function roundedUp(amount: bigint, unit: bigint): bigint {
  return (amount + unit - 1n) / unit;
}
