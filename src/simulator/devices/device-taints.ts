import type { Json } from '../../base/json.ts';
import { asText, dig } from '../../base/json.ts';

/**
 * Whether a toleration of a request is for a taint of a device. Source:
 * staging/src/k8s.io/dynamic-resource-allocation/resourceclaim/devicetoleration.go.
 */
export function toleratesDeviceTaint(toleration: Json, taint: Json): boolean {
  const [key, effect] = [asText(dig(toleration, 'key')) ?? '', asText(dig(toleration, 'effect')) ?? ''];
  if (key !== '' && key !== dig(taint, 'key')) return false;
  if (effect !== '' && effect !== dig(taint, 'effect')) return false;
  if (dig(toleration, 'operator') === 'Exists') return true;
  return (asText(dig(toleration, 'value')) ?? '') === (asText(dig(taint, 'value')) ?? '');
}
