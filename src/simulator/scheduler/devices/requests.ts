import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';

/** What a claim asks for: one of the alternatives, the first that can be had. */
export interface DeviceRequest {
  readonly name: string;
  readonly alternatives: readonly DeviceAlternative[];
}

export interface DeviceAlternative {
  /** `gpu`, or `gpu/large` for one of several alternatives. */
  readonly name: string;
  readonly className: string;
  /** How many devices; undefined for all that match. */
  readonly count: number | undefined;
  readonly selectors: readonly Json[];
  readonly adminAccess: boolean;
  readonly tolerations: readonly Json[];
}

/** The requests of a claim. Source: staging/src/k8s.io/api/resource/v1/types.go (DeviceRequest). */
export function requestsOf(claim: KubeObject): readonly DeviceRequest[] {
  return asList(dig(claim, 'spec', 'devices', 'requests')).map((request) => {
    const name = asText(dig(request, 'name')) ?? '';
    const exactly = dig(request, 'exactly');
    if (exactly !== undefined) return { name, alternatives: [alternative(name, exactly)] };
    return {
      name,
      alternatives: asList(dig(request, 'firstAvailable')).map((one) => alternative(`${name}/${asText(dig(one, 'name')) ?? ''}`, one)),
    };
  });
}

function alternative(name: string, given: Json): DeviceAlternative {
  return {
    name,
    className: asText(dig(given, 'deviceClassName')) ?? '',
    count: dig(given, 'allocationMode') === 'All' ? undefined : (asNumber(dig(given, 'count')) ?? 1),
    selectors: asList(dig(given, 'selectors')),
    adminAccess: dig(given, 'adminAccess') === true,
    tolerations: asList(dig(given, 'tolerations')),
  };
}
