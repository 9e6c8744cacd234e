import type { JsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { Draft } from '../draft.ts';
import { endpointSubsets } from '../printed-values.ts';
import { endpointsLines } from './serving.ts';
import type { Sections } from './sections.ts';

/**
 * The Endpoints of a Service as far as its own describe lists them: the ready addresses. None when the list was cut, or when the port that
 * an
 * address stands for is not known to the cluster either.
 */
export function endpointsOfService(fields: Sections, service: KubeObject): readonly KubeObject[] {
  const lines = endpointsLines(fields);
  if (lines.length === 0) return [];
  const subsets: JsonObject[] = [];
  for (const { portName, text } of lines) {
    const read = endpointSubsets(text);
    if (read === undefined || read.some((subset) => subset['ports'] === undefined)) return [];
    for (const subset of read) subsets.push(portName === undefined ? subset : named(subset, portName));
  }
  const draft = new Draft('Endpoints', service.metadata.name, service.metadata.namespace);
  return [draft.set('subsets', subsets).covers('subsets.addresses.ip').build()];
}

function named(subset: JsonObject, name: string): JsonObject {
  const ports = Array.isArray(subset['ports']) ? (subset['ports'] as readonly JsonObject[]) : [];
  return { ...subset, ...(ports.length === 0 ? {} : { ports: ports.map((port) => ({ name, ...port })) }) };
}
