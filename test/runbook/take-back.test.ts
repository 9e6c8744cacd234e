import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { dig } from '../../src/base/json.ts';
import type { JournalEntry } from '../../src/model/journal.ts';
import type { Confirmation } from '../../src/runbook/ports.ts';
import { progressOf } from '../../src/runbook/resume.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { play, playbookOf } from '../support/runbook-runs.ts';
import { RUN_HEAD, shop, steps, web, WEB } from './shop.ts';

/** A verification that never holds ends the run as failed: then it is undone. */
const NEVER = 'verify: { until: { all: [{ fact: workload, where: { top: true, desired: 99 } }] }, every: 5s, limit: 5s }';

describe('the revision before', () => {
  it.each(['StatefulSet', 'DaemonSet'])('of a %s is brought back from what its ControllerRevisions keep', async (kind) => {
    const cluster = shop();
    const target = { kind, namespace: 'shop', name: 'store' };
    for (const image of ['nginx:1.27', 'nginx:1.28']) {
      cluster.apply([workload(kind, image)]);
      cluster.runUntilSettled({ milliseconds: 180_000 });
    }
    const text = steps(
      '- { say: Take it back., change: { rollout-undo: "{{ target }}" }, verify: { until: { outcome: healthy }, every: 5s, limit: 5m }, undo: restore }',
    );
    const { end } = await play(playbookOf(text), { cluster, target });
    expect(end).toMatchObject({ status: 'completed', result: 'fixed' });
    const read = await cluster.reader().get(target);
    expect(read.ok && dig(read.value, 'spec', 'template', 'spec', 'containers', 0, 'image')).toBe('nginx:1.27');
  });

  it('is not there where there was only one, and is said not to be', async () => {
    const cluster = shop();
    cluster.apply([workload('StatefulSet', 'nginx:1.27')]);
    cluster.runUntilSettled({ milliseconds: 180_000 });
    const text = steps(
      '- { say: Take it back., change: { rollout-undo: "{{ target }}" }, verify: { until: { outcome: healthy }, limit: 5s }, undo: restore }',
    );
    const { end } = await play(playbookOf(text), { cluster, target: { kind: 'StatefulSet', namespace: 'shop', name: 'store' } });
    expect(end.words).toContain('StatefulSet/shop/store has no earlier revision');
  });
});

describe('an undo that the playbook leaves to podcheck', () => {
  it('says of an eviction that nothing brings the pod back', async () => {
    const { asked, entries } = await undone(shop(), '{ evict: "{{ pod }}" }');
    expect(asked.at(-1)?.lines.join()).toContain('cannot be undone: an evicted pod cannot be restored; its controller creates another one');
    expect(entries.some((entry) => entry.type === 'undone' && !entry.ok && entry.words.includes('cannot be restored'))).toBe(true);
  });

  it('deletes the request of an approval, and says what that is worth', async () => {
    const cluster = shop();
    const request = btoa(`-----BEGIN CERTIFICATE REQUEST-----\n${REQUEST}\n-----END CERTIFICATE REQUEST-----\n`);
    cluster.request({
      verb: 'create',
      group: 'certificates.k8s.io',
      version: 'v1',
      resource: 'certificatesigningrequests',
      body: {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: 'till' },
        spec: { request, signerName: 'shop.example/tills', usages: ['client auth'] },
      },
    });
    const till = { kind: 'CertificateSigningRequest', name: 'till' };
    expect((await cluster.reader().get(till)).ok).toBe(true);
    const { asked } = await undone(cluster, '{ approve: CertificateSigningRequest/till }');
    expect(asked.at(-1)?.lines.join()).toContain('an approval cannot be withdrawn');
    expect((await cluster.reader().get(till)).ok).toBe(false);
  });
});

describe('an undo', () => {
  it('is not done over what somebody else has changed since', async () => {
    const cluster = shop();
    const scale = (replicas: number): void =>
      void cluster.request({
        verb: 'patch',
        group: 'apps',
        version: 'v1',
        resource: 'deployments',
        namespace: 'shop',
        name: 'web',
        patch: { type: 'merge', body: { spec: { replicas } } },
      });
    const text = steps(`- { id: grow, say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, ${NEVER}, undo: restore }`);
    const { entries } = await play(playbookOf(text), {
      cluster,
      target: WEB,
      onEntry: ({ type }) => (type === 'changed' ? scale(5) : undefined),
    });
    expect(entries.flatMap((entry) => (entry.type === 'undone' ? [entry.ok, entry.words] : []))).toEqual([
      false,
      'Deployment/shop/web has changed since this run: an undo would also revert the change of another client',
    ]);
    const read = await cluster.reader().get(WEB);
    expect(read.ok && dig(read.value, 'spec', 'replicas')).toBe(5);
  });

  it('deletes nothing of the same name that somebody else has made since', async () => {
    const cluster = shop();
    const notes = { kind: 'ConfigMap', namespace: 'shop', name: 'notes' };
    const own = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'notes', namespace: 'shop' }, data: { by: 'eve' } };
    const text = steps(
      `- { id: make, say: Note it., change: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: notes } } }, ${NEVER}, undo: restore }`,
    );
    const again = (): void => {
      cluster.request({ verb: 'delete', group: '', version: 'v1', resource: 'configmaps', namespace: 'shop', name: 'notes' });
      cluster.apply([own]);
    };
    await play(playbookOf(text), { cluster, target: WEB, onEntry: ({ type }) => (type === 'changed' ? again() : undefined) });
    const read = await cluster.reader().get(notes);
    expect(read.ok && dig(read.value, 'data', 'by')).toBe('eve');
  });

  it('that was interrupted is gone on with, and no step after it is taken', async () => {
    const cluster = shop();
    const text =
      steps(`- { id: grow, say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, verify: { until: { all: [{ fact: workload, where: { top: true } }] }, limit: 5s }, undo: restore }
- { id: make, say: Note it., change: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: notes } } }, ${NEVER}, undo: restore }
- { id: last, note: Done. }`);
    const earlier: JournalEntry[] = [RUN_HEAD];
    const onEntry = (entry: JournalEntry): void => {
      if (earlier.some(({ type }) => type === 'undone')) throw new Error('killed');
      earlier.push(entry);
    };
    await expect(play(playbookOf(text), { cluster, target: WEB, onEntry })).rejects.toThrow('killed');
    const progress = progressOf(
      earlier.map((entry, seq) => ({ seq, at: '', entry, hash: '' })),
      'grow',
    );
    expect(progress).toMatchObject({ undoing: true, over: false, changes: [{ step: 'grow' }] });
    const { end, entries, steps: taken } = await play(playbookOf(text), { cluster, target: WEB, earlier });
    expect([end.status, taken]).toEqual(['aborted', []]);
    expect(entries.flatMap((entry) => (entry.type === 'undone' ? [entry.object, entry.ok] : []))).toEqual(['Deployment/shop/web', true]);
    const read = await cluster.reader().get(WEB);
    expect(read.ok && dig(read.value, 'spec', 'replicas')).toBe(2);
  });
});

describe('the steps back that a playbook names', () => {
  const VERIFIED = 'verify: { until: { outcome: healthy }, limit: 5s }, undo: { none: It is the end. }';
  const ROLLBACK = `rollback:
  - { note: Tell the shop. }
  - { manual: Close the till., commands: [till close] }
  - { id: less, say: One pod is enough., change: { scale: "{{ target }}", replicas: 1 }, ${VERIFIED} }
`;
  const grow = steps(`- { id: grow, say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, ${NEVER}, undo: restore }`, ROLLBACK);
  const replicas = async (cluster: Cluster): Promise<unknown> => {
    const read = await cluster.reader().get(WEB);
    return read.ok && dig(read.value, 'spec', 'replicas');
  };
  const back = async (answers: Readonly<Record<string, 'yes' | 'no'>>): Promise<readonly unknown[]> => {
    const cluster = shop();
    const asked: Confirmation[] = [];
    const confirm = (question: Confirmation): Promise<'yes' | 'no'> => {
      asked.push(question);
      return Promise.resolve(answers[question.question] ?? 'yes');
    };
    const { entries, lines } = await play(playbookOf(grow), { cluster, target: WEB, prompt: { confirm } });
    const undone = entries.flatMap((entry) => (entry.type === 'undone' ? [[entry.step, entry.ok]] : []));
    const shown = ['Tell the shop.', 'Close the till.', 'till close'].filter((line) => lines.includes(line));
    return [undone, shown, asked.map(({ question }) => question).at(-1), await replicas(cluster)];
  };
  const SHOWN = ['Tell the shop.', 'Close the till.', 'till close'];

  it('are taken after the undo, each change confirmed', async () => {
    expect(await back({})).toEqual([
      [
        ['grow', true],
        ['less', true],
      ],
      SHOWN,
      'One pod is enough.',
      1,
    ]);
  });

  it('change nothing that nobody wants', async () => {
    expect(await back({ 'One pod is enough.': 'no' })).toEqual([[['grow', true]], SHOWN, 'One pod is enough.', 2]);
    expect(await back({ 'Undo the change of this run?': 'no' })).toEqual([[], [], 'Undo the change of this run?', 3]);
  });

  it('say why they cannot be taken', async () => {
    const text = steps(
      `- { id: grow, say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, ${NEVER}, undo: restore }`,
      `rollback:\n  - { say: Take it back., change: { rollout-undo: "{{ target }}" }, ${VERIFIED} }\n`,
    );
    const { lines, entries } = await play(playbookOf(text), { cluster: shop(), target: WEB });
    expect(lines.some((line) => line.startsWith('Take it back. Deployment/shop/web has no earlier revision'))).toBe(true);
    expect(entries.filter(({ type }) => type === 'undone')).toHaveLength(1);
  });
});

async function undone(
  cluster: Cluster,
  change: string,
): Promise<{ readonly asked: readonly Confirmation[]; readonly entries: Awaited<ReturnType<typeof play>>['entries'] }> {
  cluster.apply([web()]);
  const asked: Confirmation[] = [];
  const confirm = (question: Confirmation): Promise<'yes'> => {
    asked.push(question);
    return Promise.resolve('yes');
  };
  const { entries } = await play(playbookOf(steps(`- { say: Do it., change: ${change}, ${NEVER}, undo: restore }`)), {
    cluster,
    target: WEB,
    prompt: { confirm },
  });
  return { asked, entries };
}

function workload(kind: string, image: string): JsonObject {
  const template = { metadata: { labels: { app: 'store' } }, spec: { containers: [{ name: 'store', image }] } };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'store', namespace: 'shop' },
    spec: {
      ...(kind === 'StatefulSet' ? { serviceName: 'store', replicas: 2 } : {}),
      selector: { matchLabels: { app: 'store' } },
      template,
    },
  };
}

/** For CN=till, with a key that nobody has. */
const REQUEST =
  'MIHKMHECAQAwDzENMAsGA1UEAwwEdGlsbDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABN/ZVkx7rHqv5g+1BNrGavVIFBkhmWzXNN/g0zoI5zMaUvkg7VJ+NoLfjt6QmXXKA4jkkdQhJt/vuqxTnmcAqj6gADAKBggqhkjOPQQDAgNJADBGAiEAkeH2fDQMjwhypf2z0ba/tpukegY6/cN/4NUnAr/5C/gCIQDcd00/58+uMovemSRCjUpSKMMr67zJ4eRUOeppn/K6QQ==';
