import { describe, expect, it } from 'vitest';
import type { ClusterChanger } from '../../src/model/cluster-changer.ts';
import type { ChangeAction } from '../../src/model/playbook-change.ts';
import type { PlaybookStep } from '../../src/model/playbook.ts';
import { accessWords, deniedRights, missingRights } from '../../src/runbook/change-access.ts';

/** Somebody who may do nothing but what is named. */
function changer(allowed: readonly string[] = []): ClusterChanger & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    send: () => Promise.reject(new Error('nothing is sent')),
    allowed: (access) => {
      asked.push(accessWords(access));
      return Promise.resolve(allowed.includes(accessWords(access)));
    },
  };
}

function step(id: string, change: ChangeAction, undo?: ChangeAction): PlaybookStep {
  const action = { kind: 'change', change, undo: undo === undefined ? { undo: 'restore' } : { undo: 'change', change: undo } };
  return { id, say: '', action } as unknown as PlaybookStep;
}

const TILL = 'Deployment/shop/till';

describe('the rights that a change needs', () => {
  it.each<readonly [change: ChangeAction, needs: readonly string[]]>([
    [{ change: 'patch', object: TILL, type: 'merge', body: {} }, ['patch deployments in shop']],
    [{ change: 'patch', object: TILL, type: 'merge', body: {}, subresource: 'status' }, ['patch deployments/status in shop']],
    [{ change: 'delete', object: 'Pod/shop/till-1' }, ['delete pods in shop']],
    [{ change: 'evict', object: 'Pod/shop/till-1' }, ['create pods/eviction in shop']],
    [{ change: 'approve', object: 'CertificateSigningRequest/csr-1' }, ['update certificatesigningrequests/approval']],
    [{ change: 'drain', object: 'Node/aisle-1' }, ['patch nodes', 'create pods/eviction']],
    [{ change: 'cordon', object: 'Node/aisle-1' }, ['patch nodes']],
    [{ change: 'allow-clients', object: 'Service/shop/till' }, ['create networkpolicies in shop']],
    [{ change: 'create', manifest: { kind: 'ConfigMap', metadata: { name: 'book', namespace: 'shop' } } }, ['create configmaps in shop']],
    [{ change: 'delete', object: 'not an object' }, []],
  ])('are those of its request: %j', async (change, needs) => {
    expect(await missingRights([step('one', change)], {}, changer())).toEqual(needs.map((one) => ({ step: 'one', needs: one })));
  });

  it('are those of what takes it back, too, and each is asked about once', async () => {
    const who = changer(['patch deployments in shop']);
    const back: ChangeAction = { change: 'delete', object: 'Pod/shop/till-1' };
    const patch: ChangeAction = { change: 'patch', object: TILL, type: 'merge', body: {} };
    expect(await missingRights([step('one', patch, back), step('two', back)], {}, who)).toEqual([
      { step: 'one', needs: 'delete pods in shop' },
      { step: 'two', needs: 'delete pods in shop' },
    ]);
    expect(who.asked).toEqual(['patch deployments in shop', 'delete pods in shop']);
  });

  it('of a printed fix are told once each, and not at all where nobody can tell', async () => {
    const fix = 'kubectl -n shop scale deployment/till --replicas=2';
    expect(await deniedRights(fix, changer())).toEqual(['patch deployments in shop']);
    expect(await deniedRights(fix, { ...changer(), allowed: () => Promise.resolve(undefined) })).toEqual([]);
    expect(await deniedRights('make a cup of tea', changer())).toEqual([]);
  });
});
