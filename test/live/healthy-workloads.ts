import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/base/json.ts';
import { kubectl, podcheck } from './real-commands.ts';

const NAMESPACE = 'healthy-workloads';
const objects = parse(readFileSync(join(import.meta.dirname, 'healthy-workloads.yaml'), 'utf8')) as readonly {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}[];
/** Kinds that are looked at one by one when all are at rest. */
const TARGETS = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'Pod', 'Job', 'CronJob', 'Service'];

/** Pods that all of them make. */
const PODS = 11;

interface Scanned {
  readonly causes: readonly { readonly rule: string; readonly object: JsonObject; readonly affected?: readonly JsonObject[] }[];
}

describe('podcheck beside healthy workloads on a real cluster', () => {
  beforeAll(async () => {
    await kubectl(['create', 'namespace', NAMESPACE]);
    const made = await kubectl(['-n', NAMESPACE, 'apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    expect(made.code, made.err).toBe(0);
  });

  it('blames none of them while they start', async () => {
    const began = performance.now();
    for (let looks = 0; looks < 100; looks++) {
      expect(await blamed()).toEqual([]);
      if (looks > 5 && (await allWell())) break;
      await sleep(3000);
    }
    expect(await allWell(), `after ${Math.round((performance.now() - began) / 1000)} s`).toBe(true);
  });

  // Of one with 0 replicas that is asked about, podcheck says that it has 0 replicas.
  it.each(
    objects
      .filter(({ kind, metadata }) => TARGETS.includes(kind) && metadata.name !== 'parked')
      .map(({ kind, metadata }) => `${kind}/${metadata.name}`),
  )('calls %s healthy at rest', async (target) => {
    const { out, err } = await podcheck(['diagnose', target, '-n', NAMESPACE, '-o', 'json']);
    const said = JSON.parse(out === '' ? '{}' : out) as { readonly outcome?: string };
    expect(said.outcome, `${err}${out}`).toBe('healthy');
  });

  it('blames none of them when all are at rest', async () => {
    expect(await blamed()).toEqual([]);
  });
});

/** What a scan of the cluster blames in this namespace. */
async function blamed(): Promise<readonly string[]> {
  const { out, err, code } = await podcheck(['scan', '-A', '-o', 'json']);
  expect([0, 1], `exit ${code}: ${err}`).toContain(code);
  const { causes } = JSON.parse(out) as Scanned;
  return causes.flatMap(({ rule, object, affected }) =>
    [object, ...(affected ?? [])].some(({ namespace }) => namespace === NAMESPACE) ? [`${rule} ${JSON.stringify(object)}`] : [],
  );
}

/** As kubectl tells it: every pod is ready or has succeeded. */
async function allWell(): Promise<boolean> {
  const { out } = await kubectl(['-n', NAMESPACE, 'get', 'pods', '-o', 'json']);
  const { items } = JSON.parse(out) as {
    readonly items: readonly {
      readonly status: { readonly phase?: string; readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    }[];
  };
  const well = items.filter(
    ({ status }) =>
      status.phase === 'Succeeded' || status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true,
  );
  return items.length >= PODS && well.length === items.length;
}
