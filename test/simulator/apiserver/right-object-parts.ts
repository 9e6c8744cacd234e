import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asObject } from '../../../src/base/json.ts';

let count = 0;

/** An object by the next name there is, in the namespace `shop` unless it is of none. */
export function of(apiVersion: string, kind: string, fields: JsonObject, isNamespaced = true): JsonObject {
  return {
    ...fields,
    apiVersion,
    kind,
    metadata: { name: `w${count++}`, ...(isNamespaced ? { namespace: 'shop' } : {}), ...asObject(fields['metadata']) },
  };
}

export function tpl(spec: JsonObject = {}, container: JsonObject = {}): JsonObject {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'a/b:1', ...container }], ...spec } };
}

export function hpa(spec: JsonObject): JsonObject {
  return of('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 3, ...spec },
  });
}

export const sel: Json = { matchLabels: { app: 'web' } };
