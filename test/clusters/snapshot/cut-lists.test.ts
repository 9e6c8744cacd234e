import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { shippedRules } from '../../../src/catalog/bundled-data.ts';
import { memoryReader } from '../../../src/clusters/memory-reader.ts';
import { assembleSnapshot } from '../../../src/clusters/snapshot/assemble.ts';
import type { ClusterReader } from '../../../src/model/cluster-reader.ts';
import { scanExitCode } from '../../../src/commands/diagnose/scan.ts';
import { EXIT } from '../../../src/commands/exit-codes.ts';
import { scanScope } from '../../../src/library/diagnose-target.ts';

const SERVICES = {
  kind: 'ServiceList',
  apiVersion: 'v1',
  items: [{ metadata: { name: 'web', namespace: 'shop' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }],
};
const PODS = {
  kind: 'PodList',
  apiVersion: 'v1',
  items: [
    {
      metadata: { name: 'till-1', namespace: 'shop' },
      spec: { nodeName: 'worker-1', containers: [{ name: 'till', image: 'till:1' }] },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    },
  ],
};

/** A snapshot whose list of pods could be read to its end, or not. */
function snapshot(isCut: boolean): ClusterReader {
  const document = (value: Json, cut: boolean): object => ({ value, line: 1, ...(cut ? { isCut: true } : {}) });
  const documents = [document(SERVICES, false), document(PODS, isCut)] as readonly { readonly value: Json; readonly line: number }[];
  const { objects, collected } = assembleSnapshot(
    [{ path: 'dump.json', documents: { documents, faults: [], syntax: 'json', logs: [], values: 10 } }],
    ['dump.json'],
  );
  return memoryReader({ objects, collected, absent: [], refused: [], logs: [], now: Date.parse('2026-01-14T10:00:00Z') });
}

describe('a list that was not read to its end', () => {
  it('says so wherever it is asked for', async () => {
    expect(await snapshot(true).list('Pod', { namespace: 'shop' })).toMatchObject({ ok: true, brokeOff: true });
    expect(await snapshot(false).list('Pod', { namespace: 'shop' })).not.toHaveProperty('brokeOff');
  });

  it('does not make a Service look as if nothing were behind it, and leaves the scan undecided', async () => {
    const rules = await shippedRules();
    const result = await scanScope(snapshot(true), rules, {});
    expect(result.unexplained).toEqual([]);
    expect(result.counts).toMatchObject({ unhealthy: 0, unknown: 1 });
    expect(scanExitCode(result)).toBe(EXIT.inconclusive);
    const whole = await scanScope(snapshot(false), rules, {});
    expect(whole.counts.unknown).toBe(0);
  });
});
