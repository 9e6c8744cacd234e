import type { Json, JsonObject } from '../../../src/base/json.ts';

export function of(apiVersion: string, kind: string, spec: Json, more: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, spec, ...more };
}

export function job(spec: JsonObject, restartPolicy = 'Never'): JsonObject {
  return of('batch/v1', 'Job', {
    template: { spec: { restartPolicy, containers: [{ name: 'import', image: 'shop/import:1' }] } },
    ...spec,
  });
}

export function cron(schedule: string): JsonObject {
  return of('batch/v1', 'CronJob', {
    schedule,
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'tick', image: 'shop/tick:1' }] } } } },
  });
}

export const SERVICE = { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] };
