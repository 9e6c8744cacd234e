import type { Json, JsonObject } from '../../../src/base/json.ts';

/** One object that a real server refuses, by what is wrong with it, and what the server says after `is invalid: `. */
export type WrongObject = readonly [what: string, object: JsonObject, message: string];

export function of(apiVersion: string, kind: string, spec: Json, more: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, spec, ...more };
}

/** An object without a spec, of no namespace unless it says so. */
export function bare(apiVersion: string, kind: string, fields: JsonObject, namespaced = false): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web', ...(namespaced ? { namespace: 'shop' } : {}) }, ...fields };
}

export const LABELS: JsonObject = { app: 'web' };
export const CONTAINER: JsonObject = { name: 'web', image: 'shop/web:1' };
export const TEMPLATE: JsonObject = { metadata: { labels: LABELS }, spec: { containers: [CONTAINER] } };
export const SELECTOR: JsonObject = { matchLabels: LABELS };

export function workload(kind: string, spec: JsonObject, template: JsonObject = TEMPLATE): JsonObject {
  return of('apps/v1', kind, { selector: SELECTOR, template, ...spec });
}

export function job(spec: JsonObject, podSpec: JsonObject = {}): JsonObject {
  return of('batch/v1', 'Job', { template: { spec: { restartPolicy: 'Never', containers: [CONTAINER], ...podSpec } }, ...spec });
}

export function cron(spec: JsonObject, jobSpec: JsonObject = {}): JsonObject {
  return of('batch/v1', 'CronJob', {
    schedule: '* * * * *',
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [CONTAINER] } }, ...jobSpec } },
    ...spec,
  });
}

export function service(spec: JsonObject): JsonObject {
  return of('v1', 'Service', { selector: LABELS, ports: [{ port: 80 }], ...spec });
}

export function backend(name: string, port: JsonObject): JsonObject {
  return { service: { name, port } };
}

export function ingress(spec: JsonObject): JsonObject {
  return of('networking.k8s.io/v1', 'Ingress', spec);
}

export function path(fields: JsonObject): JsonObject {
  return ingress({ rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: backend('web', { number: 80 }), ...fields }] } }] });
}

export function policy(spec: JsonObject): JsonObject {
  return of('networking.k8s.io/v1', 'NetworkPolicy', { podSelector: {}, ...spec });
}

export function scaler(spec: JsonObject): JsonObject {
  return of('autoscaling/v2', 'HorizontalPodAutoscaler', {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    maxReplicas: 3,
    ...spec,
  });
}

export function volume(spec: JsonObject): JsonObject {
  return bare('v1', 'PersistentVolume', {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' }, ...spec },
  });
}

export function claim(spec: JsonObject): JsonObject {
  return of('v1', 'PersistentVolumeClaim', { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec });
}

export function limits(...list: JsonObject[]): JsonObject {
  return of('v1', 'LimitRange', { limits: list });
}

export const probe = (fields: JsonObject): JsonObject => ({ livenessProbe: fields });
export const RULES: JsonObject = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
export const ROLE: JsonObject = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' };
