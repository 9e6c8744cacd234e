import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/base/json.ts';

/** A line of faults.yaml, whose head says what each field means. */
export interface Fault {
  readonly fault: string;
  readonly target?: string;
  readonly rules: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly image?: readonly string[];
  readonly web?: { readonly container?: JsonObject; readonly pod?: JsonObject; readonly spec?: JsonObject };
  readonly objects?: readonly JsonObject[];
  readonly earlier?: readonly JsonObject[];
  readonly after?: readonly string[];
  readonly other?: readonly string[];
  readonly gone?: true;
}

export function liveFaults(): readonly Fault[] {
  return parse(readFileSync(join(import.meta.dirname, 'faults.yaml'), 'utf8')) as readonly Fault[];
}

/** The time after which a Deployment of these faults has failed to progress. */
export const PROGRESS_DEADLINE_SECONDS = 45;

/** What is applied: the fault's namespace is the default of all. */
export function manifestsOf(fault: Fault): readonly JsonObject[] {
  return [...(fault.objects ?? []), ...(fault.web === undefined ? [] : [webDeployment(fault.web)])];
}

function webDeployment({ container, pod, spec }: NonNullable<Fault['web']>): JsonObject {
  const labels = { app: 'web' };
  const web = { name: 'web', image: '127.0.0.1:5000/web:1.0', ports: [{ containerPort: 8080 }], ...container };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', labels },
    spec: {
      replicas: 1,
      progressDeadlineSeconds: PROGRESS_DEADLINE_SECONDS,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 1, containers: [web], ...pod } },
      ...spec,
    },
  };
}
