import { describe, expect, it } from 'vitest';
import { podcheck } from '../../../support/command-line.ts';

interface Said {
  readonly outcome: string;
  readonly causes: readonly { readonly rule: string }[];
}

const HELD = `$ kubectl -n till get configmap prices -o yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  namespace: till
  deletionGracePeriodSeconds: 0
  deletionTimestamp: "2026-11-20T09:00:00Z"
  finalizers:
  - till.example/ledger
`;

async function saidAt(now: string): Promise<Said> {
  const { out } = await podcheck(['diagnose', 'configmap/prices', '-n', 'till', '--from', '-', '--now', now, '-o', 'json'], {
    stdin: HELD,
  });
  return JSON.parse(out) as Said;
}

describe('an object that is no workload and was deleted', () => {
  it('is Terminating for as long as finalizers usually take', async () => {
    const { outcome, causes } = await saidAt('2026-11-20T09:00:30Z');
    expect([outcome, causes]).toEqual(['inconclusive', []]);
    const { out } = await podcheck(['diagnose', 'configmap/prices', '-n', 'till', '--from', '-', '--now', '2026-11-20T09:00:30Z'], {
      stdin: HELD,
    });
    expect(out).toContain('Terminating, as of');
  });

  it('is held by its finalizer from then on', async () => {
    const { outcome, causes } = await saidAt('2026-11-20T09:02:00Z');
    expect([outcome, causes.map(({ rule }) => rule)]).toEqual(['explained', ['controllers/finalizer-blocks-deletion']]);
  });
});
