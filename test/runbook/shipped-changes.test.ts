import { describe, expect, it } from 'vitest';
import { shippedScenarios } from '../../src/catalog/bundled-data.ts';
import { dig } from '../../src/base/json.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import { Looker } from '../../src/runbook/look-at-target.ts';
import { simulatedChanger } from '../../src/runbook/simulated-changer.ts';
import { unlikeOriginal } from '../../src/runbook/clone-likeness.ts';
import { offerUndo } from '../../src/runbook/undo.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { playScenario } from '../../src/simulator/index.ts';
import type { Played, PlayOptions } from '../support/runbook-runs.ts';
import { play, playbooks, rules } from '../support/runbook-runs.ts';
import { shop, WEB } from './shop.ts';

const scenarios = await shippedScenarios();

describe('a finalizer', () => {
  const REPORT = { kind: 'Pod', namespace: 'shop', name: 'report' };

  it('is removed once its owner was named, and then the target is gone for good', async () => {
    const { end, cluster, entries } = await run('stuck-terminating', 'controllers/finalizer-blocks-deletion', {
      params: { owner: 'archiver' },
    });
    expect(end, end.words).toMatchObject({ status: 'completed', result: 'fixed', words: 'Pod/shop/report is deleted' });
    expect(entries).toContainEqual(
      expect.objectContaining({ type: 'change', command: expect.stringContaining(`-p '{"metadata":{"finalizers":null}}'`) as string }),
    );
    expect(await cluster.reader().get(REPORT)).toMatchObject({ ok: false, why: 'absent' });
  });

  it('stays while nobody names its owner', async () => {
    const { entries, cluster } = await run('stuck-terminating', 'controllers/finalizer-blocks-deletion');
    expect(entries.filter(({ type }) => type === 'change')).toEqual([]);
    expect(await cluster.reader().get(REPORT)).toMatchObject({ ok: true });
  });

  it('of Kubernetes itself stays, whoever is named', async () => {
    const scenario = scenarios.find(({ id }) => id === 'controllers/finalizer-blocks-deletion');
    if (scenario === undefined) throw new Error('no scenario');
    const text = JSON.stringify(scenario).replaceAll('shop.example/archived', 'kubernetes.io/pvc-protection');
    const { cluster } = playScenario(JSON.parse(text) as typeof scenario);
    const { entries } = await play(named('stuck-terminating'), { cluster, target: REPORT, params: { owner: 'archiver' } });
    expect(entries).toContainEqual(expect.objectContaining({ type: 'done', step: 'whose', next: 'finalizer' }));
    expect(entries.filter(({ type }) => type === 'change')).toEqual([]);
  });

  it('is only removed by whoever types the name of the object', async () => {
    const asked: (string | undefined)[] = [];
    await run('stuck-terminating', 'controllers/finalizer-blocks-deletion', {
      params: { owner: 'archiver' },
      prompt: {
        confirm: ({ typed }) => {
          asked.push(typed);
          return Promise.resolve('no');
        },
      },
    });
    expect(asked).toEqual(['report']);
  });
});

describe('the CSR of a kubelet', () => {
  it('is approved only when a person names it', async () => {
    const scenario = 'kubelet/kubelet-client-certificate-expired';
    const { entries, cluster } = await run('certificates', scenario);
    expect(entries.filter(({ type }) => type === 'change')).toEqual([]);
    const csr = (await requests(cluster))[0] ?? '';
    const named = await run('certificates', scenario, { params: { csr } });
    const read = await named.cluster.reader().get({ kind: 'CertificateSigningRequest', name: csr });
    expect(read.ok && dig(read.value, 'status', 'conditions', 0, 'type')).toBe('Approved');
  });

  async function requests(cluster: Cluster): Promise<readonly string[]> {
    const list = await cluster.reader().list('CertificateSigningRequest', {});
    return list.ok ? list.value.map(({ metadata }) => metadata.name) : [];
  }
});

describe('missing permissions', () => {
  it('are granted to the user whom the cause names, and are taken back by an undo', async () => {
    const { entries, cluster, running } = await run('client-access', 'authorization/forbidden');
    expect(entries.flatMap((entry) => (entry.type === 'changed' ? [entry.object] : []))).toEqual([
      'Role/shop/apply-deployments',
      'RoleBinding/shop/apply-deployments',
    ]);
    const clerk = simulatedChanger(cluster, cluster.userCredential('clerk'));
    const access = { verb: 'create', kind: 'Deployment', namespace: 'shop' } as const;
    expect(await clerk.allowed(access)).toBe(true);
    expect(await offerUndo(running)).toBe(true);
    expect(await clerk.allowed(access)).toBe(false);
  });

  it('of whoever runs the playbook are said before the first step, also for the fix of the cause', async () => {
    const { cluster, target } = broken('traffic/network-policy-denies-all');
    const eve = simulatedChanger(cluster, cluster.userCredential('eve'));
    const asked: string[] = [];
    const confirm: NonNullable<PlayOptions['prompt']>['confirm'] = ({ lines }) => {
      asked.push(...lines);
      return Promise.resolve('no');
    };
    const allow = play(named('network-policy'), { cluster, target, ports: { changer: eve }, prompt: { confirm } });
    await expect(allow).rejects.toThrow('permissions are missing');
    expect(asked).toEqual(['Permissions are missing:', 'step allow-namespace needs: create networkpolicies in shop']);
    asked.length = 0;
    const full = broken('scheduling/insufficient-resource');
    const other = simulatedChanger(full.cluster, full.cluster.userCredential('eve'));
    const fix = play(named('scheduling'), { ...full, ports: { changer: other }, prompt: { confirm } });
    await expect(fix).rejects.toThrow('permissions are missing');
    expect(asked.at(-1)).toMatch(/^steps fix-make-room, .*need: patch deployments in shop$/);
  });
});

describe('a command that a person is to run', () => {
  it('leads to the cluster that the flags of the run chose', async () => {
    const shown: string[] = [];
    await run('drain', 'controllers/pdb-blocks-eviction', {
      ports: { flags: '--context staging' },
      prompt: {
        confirm: () => Promise.resolve('no'),
        manual: ({ commands }) => {
          shown.push(...commands);
          return Promise.resolve({ word: 'not-done' });
        },
      },
    });
    expect(shown[0]).toBe('kubectl --context staging -n shop describe poddisruptionbudgets');
  });
});

describe('what tells whether a clone is like its original', () => {
  it('is that the same is wrong in it', async () => {
    const { cluster, target } = broken('scheduling/insufficient-resource');
    const { running } = await play(named('scheduling'), { cluster, target, mode: 'dry-run' });
    const { diagnosis } = await new Looker(cluster.reader(), rules).look(target);
    expect(await unlikeOriginal(running, diagnosis)).toBeUndefined();
    const healthy = await play(named('scheduling'), { cluster: shop(), target: WEB, mode: 'dry-run' });
    expect(await unlikeOriginal(healthy.running, diagnosis)).toMatch(/does not reproduce it: .*scheduling\/insufficient-resource/);
  });
});

function named(playbook: string): (typeof playbooks)[number] {
  const found = playbooks.find(({ name }) => name === playbook);
  if (found === undefined) throw new Error(`no playbook ${playbook}`);
  return found;
}

function broken(id: string): { readonly cluster: Cluster; readonly target: ObjectRef } {
  const scenario = scenarios.find((one) => one.id === id);
  const target = scenario?.expect?.target;
  if (scenario === undefined || target === undefined) throw new Error(`no scenario ${id} with a target`);
  return { cluster: playScenario(scenario).cluster, target };
}

async function run(playbook: string, id: string, options: Partial<PlayOptions> = {}): Promise<Played & { readonly cluster: Cluster }> {
  const { cluster, target } = broken(id);
  return { ...(await play(named(playbook), { cluster, target, ...options })), cluster };
}
