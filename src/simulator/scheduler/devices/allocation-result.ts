import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Chosen } from './limits.ts';

/**
 * What is written into a claim's `status.allocation` for the devices that were chosen for it.
 * Source: staging/src/k8s.io/dynamic-resource-allocation/structured/internal/stable/allocator_stable.go (Allocate, createNodeSelector).
 */
export function allocationResult(
  claim: KubeObject,
  chosen: readonly Chosen[],
  classNamed: (name: string) => KubeObject | undefined,
): JsonObject {
  const results = chosen.map(({ request, device }): JsonObject => ({
    request: request.name,
    driver: device.driver,
    pool: device.pool,
    device: device.name,
    ...(request.adminAccess ? { adminAccess: true } : {}),
    ...(request.tolerations.length === 0 ? {} : { tolerations: request.tolerations }),
    ...Object.fromEntries(
      ['bindingConditions', 'bindingFailureConditions'].flatMap((field) =>
        dig(device.spec, field) === undefined ? [] : [[field, dig(device.spec, field)]],
      ),
    ),
  }));
  const config = [...classConfigs(chosen, classNamed), ...claimConfigs(claim, chosen)].map((one) => withoutNeedlessRequests(claim, one));
  const nodeSelector = selectorOf(chosen);
  return { devices: { results, ...(config.length === 0 ? {} : { config }) }, ...(nodeSelector === undefined ? {} : { nodeSelector }) };
}

function classConfigs(chosen: readonly Chosen[], classNamed: (name: string) => KubeObject | undefined): readonly JsonObject[] {
  const requests = new Map<string, Set<string>>();
  for (const { request } of chosen) requests.set(request.className, (requests.get(request.className) ?? new Set()).add(request.name));
  return [...requests].flatMap(([name, names]) =>
    asList(dig(classNamed(name), 'spec', 'config')).map((config): JsonObject => ({
      source: 'FromClass',
      requests: [...names],
      opaque: dig(config, 'opaque'),
    })),
  );
}

function claimConfigs(claim: KubeObject, chosen: readonly Chosen[]): readonly JsonObject[] {
  const names = new Set(chosen.flatMap(({ request }) => [request.name, request.name.split('/', 1)[0] ?? '']));
  return asList(dig(claim, 'spec', 'devices', 'config')).flatMap((config): readonly JsonObject[] => {
    const requests = asList(dig(config, 'requests'));
    const applies = requests.length === 0 || requests.some((name) => names.has(asText(name) ?? ''));
    return applies ? [{ source: 'FromClaim', ...(requests.length === 0 ? {} : { requests }), opaque: dig(config, 'opaque') }] : [];
  });
}

/** None named means all. */
function withoutNeedlessRequests(claim: KubeObject, { requests, ...rest }: JsonObject): JsonObject {
  const all = asList(dig(claim, 'spec', 'devices', 'requests')).length;
  return requests === undefined || asList(requests).length === all ? rest : { ...rest, requests };
}

/** The nodes from which all of the devices can be reached; undefined for every node. */
function selectorOf(chosen: readonly Chosen[]): JsonObject | undefined {
  const term: { matchExpressions: Json[]; matchFields: Json[] } = { matchExpressions: [], matchFields: [] };
  for (const { device } of chosen) {
    const from = dig(device.slice, 'spec', 'perDeviceNodeSelection') === true ? device.spec : dig(device.slice, 'spec');
    const node = asText(dig(from, 'nodeName')) ?? '';
    if (node !== '') return { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }] };
    const given = dig(from, 'nodeSelector', 'nodeSelectorTerms', 0);
    for (const field of ['matchExpressions', 'matchFields'] as const) {
      for (const requirement of asList(dig(given, field)))
        if (!term[field].some((known) => sameJson(known, requirement))) term[field].push(requirement);
    }
  }
  const { matchExpressions, matchFields } = term;
  if (matchExpressions.length === 0 && matchFields.length === 0) return undefined;
  return {
    nodeSelectorTerms: [
      { ...(matchExpressions.length === 0 ? {} : { matchExpressions }), ...(matchFields.length === 0 ? {} : { matchFields }) },
    ],
  };
}
