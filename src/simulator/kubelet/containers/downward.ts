import { asText, asTextMap, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { amountOf } from '../pods/pod-fields.ts';
import type { Json, JsonObject } from '../../../base/json.ts';

/** The value a fieldRef stands for; undefined when the field is not one that can be had. Source: pkg/fieldpath/fieldpath.go. */
export function fieldValue(path: string, pod: KubeObject, ips: { readonly hostIp: string; readonly podIp: string }): string | undefined {
  const keyed = /^metadata\.(labels|annotations)\['([^']{1,300})'\]$/.exec(path);
  if (keyed !== null) return asTextMap(dig(pod, 'metadata', keyed[1] ?? ''))[keyed[2] ?? ''] ?? '';
  switch (path) {
    case 'metadata.name':
      return pod.metadata.name;
    case 'metadata.namespace':
      return pod.metadata.namespace ?? '';
    case 'metadata.uid':
      return pod.metadata.uid ?? '';
    case 'metadata.labels':
    case 'metadata.annotations':
      return formatMap(asTextMap(dig(pod, 'metadata', path.slice('metadata.'.length))));
    case 'spec.nodeName':
      return asText(dig(pod, 'spec', 'nodeName')) ?? '';
    case 'spec.serviceAccountName':
      return asText(dig(pod, 'spec', 'serviceAccountName')) ?? '';
    case 'status.hostIP':
    case 'status.hostIPs':
      return ips.hostIp;
    case 'status.podIP':
    case 'status.podIPs':
      return ips.podIp;
    default:
      return undefined;
  }
}

/** The value a resourceFieldRef stands for: a limit or request in whole parts of its divisor. */
export function resourceValue(
  resource: string,
  divisor: Json | undefined,
  container: JsonObject,
  allocatable: Json | undefined,
): string | undefined {
  const [kind = '', name = ''] = resource.split('.', 2);
  const own = dig(container, 'resources', kind, name) ?? (kind === 'limits' ? dig(allocatable, name) : undefined);
  const amount = amountOf(own);
  const part = amountOf(divisor) ?? 1;
  return amount === undefined ? '0' : String(Math.ceil(amount / (part === 0 ? 1 : part)));
}

function formatMap(map: Readonly<Record<string, string>>): string {
  return Object.keys(map)
    .sort()
    .map((key) => `${key}="${(map[key] ?? '').replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`)
    .join('\n');
}
