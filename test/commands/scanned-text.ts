import { expect } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

export interface Scanned {
  readonly causes: readonly { readonly rule: string; readonly what: string }[];
  readonly gaps: readonly { readonly reason: string; readonly needs?: string }[];
  readonly unexplained: readonly unknown[];
  readonly counts: { readonly healthy: number; readonly unhealthy: number };
}

/** What a scan of a saved text says. */
export async function scanned(text: string, name = 'shop.txt'): Promise<Scanned> {
  const { out, err } = await podcheck(['scan', '-A', '--from', `${folderWith({ [name]: text })}/${name}`, '-o', 'json']);
  expect(err).toBe('');
  return JSON.parse(out) as Scanned;
}

export async function rulesFor(text: string, name?: string): Promise<readonly string[]> {
  return (await scanned(text, name)).causes.map(({ rule }) => rule);
}

export const EVENTS = 'NAMESPACE   LAST SEEN   TYPE      REASON                 OBJECT                        MESSAGE\n';
export const row = (age: string, type: string, reason: string, object: string, message: string): string =>
  `till        ${age.padEnd(12)}${type.padEnd(10)}${reason.padEnd(23)}${object.padEnd(30)}${message}\n`;

export function podList(...items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** A pod of a Job, or of nothing, whose container ended. */
export function attempt(
  name: string,
  { phase, job, at, code, index }: { phase: 'Failed' | 'Succeeded'; job: string; at: string; code: number; index?: string },
): object {
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: job, uid: 'b1', controller: true };
  const terminated = {
    exitCode: code,
    reason: code === 0 ? 'Completed' : 'Error',
    startedAt: `2026-02-03T10:${at}:05Z`,
    finishedAt: `2026-02-03T10:${at}:40Z`,
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'till',
      creationTimestamp: `2026-02-03T10:${at}:00Z`,
      ownerReferences: [owner],
      ...(index === undefined ? {} : { annotations: { 'batch.kubernetes.io/job-completion-index': index } }),
    },
    spec: { nodeName: 'worker-2', restartPolicy: 'Never', containers: [{ name: 'load', image: 'registry.shop.example/load:3' }] },
    status: {
      phase,
      conditions: [{ type: 'PodScheduled', status: 'True' }],
      containerStatuses: [{ name: 'load', image: 'registry.shop.example/load:3', ready: false, restartCount: 0, state: { terminated } }],
    },
  };
}
