import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { asText, dig } from '../../src/base/json.ts';
import { planChange } from '../../src/runbook/change-plan.ts';
import type { Confirmation, Prompt } from '../../src/runbook/ports.ts';
import { simulatedChanger } from '../../src/runbook/simulated-changer.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import type { Played } from '../support/runbook-runs.ts';
import { play, playbookOf } from '../support/runbook-runs.ts';
import { shop, steps, web, WEB } from './shop.ts';

const SOON = 'verify: { until: { outcome: healthy }, every: 5s, limit: 2m }';

/** Says yes, and keeps what was asked. */
function yes(asked: Confirmation[], meanwhile: () => void = () => undefined): Partial<Prompt> {
  return {
    confirm: (question) => {
      asked.push(question);
      if (asked.length === 1) meanwhile();
      return Promise.resolve('yes');
    },
  };
}

async function deployment(cluster: Cluster): Promise<JsonObject> {
  const read = await cluster.reader().get(WEB);
  return read.ok ? read.value : {};
}

function run(cluster: Cluster, text: string, more: Partial<Parameters<typeof play>[1]> & { readonly head?: string } = {}): Promise<Played> {
  const { head, ...options } = more;
  return play(playbookOf(steps(text, head)), { cluster, target: WEB, ...options });
}

describe('a change', () => {
  it('is shown as a command and as what becomes different, before anybody says yes', async () => {
    const asked: Confirmation[] = [];
    const cluster = shop();
    const { end } = await run(cluster, `- { say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, ${SOON}, undo: restore }`, {
      prompt: yes(asked),
    });
    expect(asked[0]?.lines).toEqual([
      'kubectl -n shop scale deployment web --replicas=3',
      'Deployment/shop/web',
      '  - spec.replicas: 2',
      '  + spec.replicas: 3',
    ]);
    expect(end).toMatchObject({ status: 'completed', result: 'fixed' });
    expect(dig(await deployment(cluster), 'spec', 'replicas')).toBe(3);
  });

  it('is not done when somebody says no: the run goes on where the step says, or fails', async () => {
    const cluster = shop();
    const no: Partial<Prompt> = { confirm: () => Promise.resolve('no') };
    const change = `say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, ${SOON}, undo: restore`;
    expect((await run(cluster, `- { ${change} }`, { prompt: no })).end).toMatchObject({ status: 'failed' });
    expect(
      (
        await run(cluster, `- { id: grow, ${change}, then: end, fail: help }\n- { id: help, escalate: Call the owner., to: the shop }`, {
          prompt: no,
        })
      ).end,
    ).toMatchObject({ status: 'completed', escalated: { step: 'help', to: 'the shop' } });
    expect(dig(await deployment(cluster), 'spec', 'replicas')).toBe(2);
  });

  it('is not done when the object is no longer what was shown', async () => {
    const cluster = shop();
    const meanwhile = (): void => void cluster.apply([{ ...web(), spec: { ...(web()['spec'] as object), replicas: 4 } }]);
    const { end, entries } = await run(
      cluster,
      `- { say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, ${SOON}, undo: restore }`,
      { prompt: yes([], meanwhile) },
    );
    expect(end).toMatchObject({ status: 'failed' });
    expect(entries.find(({ type }) => type === 'done')).toMatchObject({ result: 'failed' });
    expect(end.words).toMatch(/Deployment\/shop\/web has changed since it was shown: .*spec\.replicas: 2; \+ spec\.replicas: 4/);
    expect(entries.some(({ type }) => type === 'changed')).toBe(false);
    expect(dig(await deployment(cluster), 'spec', 'replicas')).toBe(4);
  });

  it('is not done when it would touch more objects than the playbook allows', async () => {
    const cluster = shop();
    const { end, entries } = await run(
      cluster,
      `- { say: Empty the node., change: { drain: "{{ node }}" }, ${SOON}, undo: { none: pods have moved } }`,
      { head: 'limits: { objects: 1 }\n' },
    );
    expect(end.status).toBe('failed');
    expect(end.words).toMatch(/the change limit of the playbook is exceeded \(limit 1, needed \d\): Node\/worker-/);
    expect(entries.some(({ type }) => type === 'changed')).toBe(false);
    const scale = `- { say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, ${SOON}, undo: restore }`;
    const twice = `${scale}\n${scale.replace('replicas: 3', 'replicas: 4')}`;
    // The same object twice is one object.
    expect((await run(cluster, twice, { head: 'limits: { objects: 1 }\n' })).end.result).toBe('fixed');
    expect((await run(cluster, scale, { head: 'limits: { objects: 0 }\n' })).end.words).toContain('(limit 0, needed 1)');
  });

  it('that nothing can be had back from is confirmed by typing a name', async () => {
    const asked: Confirmation[] = [];
    const cluster = shop();
    const { end } = await run(
      cluster,
      `- { say: Send the pod away., change: { evict: "{{ pod }}" }, ${SOON}, undo: { none: the pod is gone } }`,
      { prompt: yes(asked) },
    );
    expect(asked[0]?.typed).toMatch(/^web-/);
    expect(end).toMatchObject({ status: 'completed', result: 'fixed' });
  });

  it('that does not help is offered to be undone, and what was there before is put back', async () => {
    const asked: Confirmation[] = [];
    const cluster = shop({ nodeSelector: { disk: 'fast' } });
    const { end, entries } = await run(
      cluster,
      '- { say: Give it two of them., change: { set-image: "{{ target }}", container: web, image: "nginx:1.28" }, verify: { until: { outcome: healthy }, every: 10s, limit: 20s }, undo: restore }',
      { prompt: yes(asked) },
    );
    expect(end).toMatchObject({ status: 'failed', result: 'not fixed' });
    expect(asked[1]?.question).toBe('Undo the change of this run?');
    expect(entries.find(({ type }) => type === 'undone')).toMatchObject({ ok: true, object: 'Deployment/shop/web' });
    expect(asText(dig(await deployment(cluster), 'spec', 'template', 'spec', 'containers', 0, 'image'))).toBe('nginx:1.27');
  });

  it('is offered to be undone with all that will be sent, forty lines of each', async () => {
    const asked: Confirmation[] = [];
    const cluster = shop();
    cluster.apply([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'notes', namespace: 'shop' },
        data: Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`k${String(index)}`, 'v'] as const)),
      },
    ]);
    const never = 'verify: { until: { outcome: unexplained }, every: 5s, limit: 5s }';
    await run(
      cluster,
      `- { id: grow, say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, verify: { until: { outcome: healthy }, limit: 2m }, undo: restore }
- { id: drop, say: Drop them., change: { delete: ConfigMap/notes }, ${never}, undo: restore }`,
      { prompt: yes(asked) },
    );
    const { question, lines = [] } = asked.at(-1) ?? { question: '' };
    expect(question).toBe('Undo the 2 changes of this run?');
    expect(lines.slice(0, 4)).toEqual([
      'drop: ConfigMap/shop/notes',
      '  create ConfigMap/shop/notes',
      '    apiVersion: v1',
      '    kind: ConfigMap',
    ]);
    expect(lines[42]).toMatch(/^    and \d+ more lines$/);
    expect(lines.slice(43)).toEqual(['grow: Deployment/shop/web', '  patch Deployment/shop/web', '    spec.replicas: 2']);
  });

  it('of a Secret is offered to be undone without what is in it', async () => {
    const asked: Confirmation[] = [];
    const cluster = shop();
    cluster.apply([{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'till', namespace: 'shop' }, stringData: { word: 'sesame' } }]);
    const body = '{ stringData: { word: abracadabra } }';
    const verify = 'verify: { until: { outcome: unexplained }, every: 5s, limit: 5s }';
    await run(
      cluster,
      `- { id: turn, say: Change it., change: { patch: Secret/till, type: merge, body: ${body} }, ${verify}, undo: restore }`,
      {
        prompt: yes(asked),
      },
    );
    expect(asked.at(-1)?.lines).toEqual(['turn: Secret/shop/till', '  patch Secret/shop/till']);
    const told = JSON.stringify(asked.slice(1));
    for (const word of ['sesame', 'abracadabra'])
      for (const form of [word, Buffer.from(word).toString('base64')]) expect(told).not.toContain(form);
  });

  it('that makes an object is taken back by its uid, which no dry run knows', async () => {
    const { entries } = await run(
      shop(),
      `- { say: Note it., change: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: notes } } }, ${SOON}, undo: restore }`,
    );
    const place = { verb: 'delete', kind: 'ConfigMap', namespace: 'shop', name: 'notes' };
    expect(entries.flatMap((entry) => (entry.type === 'writing' ? [entry.undo] : []))).toEqual([[place]]);
    expect(entries.flatMap((entry) => (entry.type === 'changed' ? [entry.undo] : []))).toEqual([
      [{ ...place, uid: expect.stringMatching(/./) as string }],
    ]);
  });

  it('that the server refuses is not offered at all', async () => {
    const asked: Confirmation[] = [];
    const { end } = await run(
      shop(),
      `- { say: Break it., change: { patch: "{{ target }}", type: merge, body: { spec: { replicas: -1 } } }, ${SOON}, undo: restore }`,
      { prompt: yes(asked) },
    );
    expect(asked).toEqual([]);
    expect(end.words).toMatch(/Deployment\/shop\/web: the change is denied: .*spec\.replicas/);
  });

  it.each([
    ['restarts', '{ restart: "{{ target }}" }', 'restore'],
    ['takes back to the revision before', '{ rollout-undo: "{{ target }}" }', 'restore'],
    ['cordons', '{ cordon: "{{ node }}" }', '{ uncordon: "{{ node }}" }'],
    ['patches by a list of operations', '{ patch: "{{ target }}", body: [{ op: replace, path: /spec/replicas, value: 1 }] }', 'restore'],
    ['makes', '{ create: { apiVersion: v1, kind: ConfigMap, metadata: { name: web-notes }, data: { seen: "{{ name }}" } } }', 'restore'],
    ['deletes', '{ delete: "{{ workload }}" }', 'restore'],
    ['empties a node', '{ drain: "{{ node }}" }', '{ uncordon: "{{ node }}" }'],
  ])('%s, and goes back', async (_, change, undo) => {
    const cluster = shop();
    cluster.apply([web({}, { env: [{ name: 'THEME', value: 'dark' }] })]);
    cluster.runUntilSettled({ milliseconds: 120_000 });
    // A verification that never holds ends the run as failed: then it is undone.
    const { entries, end } = await run(
      cluster,
      `- { say: Do it., change: ${change}, verify: { until: { outcome: unexplained }, every: 5s, limit: 5s }, undo: ${undo} }`,
    );
    expect(end.status, end.words).toBe('failed');
    expect(entries.filter(({ type }) => type === 'changed').length).toBeGreaterThan(0);
    expect(entries.flatMap((entry) => (entry.type === 'undone' ? [entry.ok, entry.words] : []))).not.toContain(false);
    cluster.runUntilSettled({ milliseconds: 180_000 });
    const nodes = await cluster.reader().list('Node', {});
    expect(nodes.ok && nodes.value.filter((node) => dig(node, 'spec', 'unschedulable') === true)).toEqual([]);
    expect(dig(await deployment(cluster), 'spec', 'template', 'spec', 'containers', 0, 'env', 0, 'value')).toBe('dark');
    expect(dig(await deployment(cluster), 'spec', 'replicas')).toBe(2);
    const notes = await cluster.reader().get({ kind: 'ConfigMap', namespace: 'shop', name: 'web-notes' });
    expect(notes.ok).toBe(false);
  });
});

describe('a restart', () => {
  it('right after another one restarts the pods again', async () => {
    const cluster = shop();
    const variables = { target: 'Deployment/shop/web', namespace: 'shop' };
    const now = cluster.now();
    const restartedAt = async (): Promise<unknown> =>
      dig(await deployment(cluster), 'spec', 'template', 'metadata', 'annotations', 'kubectl.kubernetes.io/restartedAt');
    const seen: unknown[] = [];
    for (const milliseconds of [0, 1, 2]) {
      const plan = await planChange({ change: 'restart', object: '{{ target }}' }, variables, cluster.reader(), now + milliseconds);
      if (!plan.ok) throw new Error(plan.cannot);
      for (const { request } of plan.writes) expect(await simulatedChanger(cluster).send(request, false)).toMatchObject({ ok: true });
      seen.push(await restartedAt());
    }
    expect(new Set(seen).size).toBe(3);
  });
});

describe('rights', () => {
  const CHANGE = `- { id: grow, say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, ${SOON}, undo: restore }`;

  it('that are missing are found before the first step', async () => {
    const cluster = shop();
    const eve = simulatedChanger(cluster, cluster.userCredential('eve'));
    const refusing: Partial<Prompt> = { confirm: () => Promise.resolve('nobody') };
    await expect(
      run(cluster, `- { say: See it., show: { get: "{{ target }}" } }\n${CHANGE}`, { ports: { changer: eve }, prompt: refusing }),
    ).rejects.toThrow('step grow needs: patch deployments in shop');
    const { end, steps: taken } = await run(cluster, CHANGE, { ports: { changer: eve } });
    expect(taken).toEqual(['grow: not-evaluated']);
    expect(end.words).toContain('the permission is missing');
  });
});

describe('a secret', () => {
  it('is neither shown nor written down', async () => {
    const cluster = shop();
    const text = `- { say: "The word is {{ word }}.", ask: { as: other, type: text, secret: true } }
- { id: make, say: Keep it., change: { create: { apiVersion: v1, kind: Secret, metadata: { name: till }, stringData: { word: "{{ word }}", other: "{{ other }}" } } }, verify: { until: { outcome: healthy }, limit: 10s }, undo: restore }
- { say: Look at it., show: { get: Secret/till } }
- { note: "It was {{ word }} and {{ other }}." }`;
    const { entries, lines, end } = await run(cluster, text, {
      head: 'params: { word: { type: text, says: the word, secret: true, required: true } }\n',
      params: { word: 'open-sesame' },
      prompt: { value: () => Promise.resolve('abracadabra') },
    });
    expect(end.status).toBe('completed');
    const secret = await cluster.reader().get({ kind: 'Secret', namespace: 'shop', name: 'till' });
    expect(secret.ok && dig(secret.value, 'data', 'word')).toBe(Buffer.from('open-sesame').toString('base64'));
    const told = JSON.stringify([entries, lines, end]);
    for (const word of ['open-sesame', 'abracadabra'])
      for (const form of [word, Buffer.from(word).toString('base64')]) expect(told).not.toContain(form);
  });
});

describe('Ctrl-C', () => {
  it('stops between two steps and offers to undo', async () => {
    const stop = new AbortController();
    const asked: Confirmation[] = [];
    const cluster = shop();
    const text = `- { id: grow, say: Add a pod., change: { scale: "{{ target }}", replicas: 3 }, ${SOON}, undo: restore }\n- { say: See it., show: { get: "{{ target }}" } }`;
    const { end, steps: taken } = await run(cluster, text, {
      prompt: yes(asked),
      signal: stop.signal,
      onEntry: ({ type }) => (type === 'changed' ? stop.abort() : undefined),
    });
    expect(taken).toEqual(['grow: unknown']);
    expect(end.status).toBe('interrupted');
    expect(asked.map(({ question }) => question)).toEqual(['Add a pod?', 'Undo the change of this run?']);
    expect(dig(await deployment(cluster), 'spec', 'replicas')).toBe(2);
  });
});
