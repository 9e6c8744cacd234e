import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { asList, dig } from '../../src/base/json.ts';
import type { RunbookRunOptions } from '../../src/commands/runbook/runbook-run.ts';
import { runRunbookRun } from '../../src/commands/runbook/runbook-run.ts';
import type { JournalEntry } from '../../src/model/journal.ts';
import { readJournal } from '../../src/runbook/journal-file.ts';
import { journalState } from '../../src/runbook/journal-state.ts';
import { addTrust, digestOfText, trustFolder } from '../../src/runbook/trust.ts';
import { startServing } from '../../src/server/serve.ts';
import type { Serving } from '../../src/server/serve.ts';
import { shop, WEB } from '../runbook/shop.ts';
import type { WrittenContext } from '../support/context.ts';
import { writtenContext } from '../support/context.ts';
import type { Fault, ProxiedRequest } from '../support/faulty-proxy.ts';
import { faultyProxy } from '../support/faulty-proxy.ts';
import { folderWith } from '../support/folder.ts';

const PLAYBOOK = `title: The shop needs another pod
use: When it is slow.
for: {}
params: { note: { type: name, says: where it is noted, default: web-notes } }
escalation: Call the owner of the shop.
steps:
  - { id: look, diagnose: target }
  - id: again
    say: Restart it.
    change: { restart: "{{ target }}" }
    verify: { until: { all: [{ fact: workload, where: { top: true } }] }, every: 1s, limit: 20s }
    undo: restore
  - id: make
    say: Note it.
    change: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: "{{ note }}" }, data: { seen: "yes" } } }
    verify: { until: { all: [{ fact: workload, where: { top: true } }] }, every: 1s, limit: 20s }
    undo: restore
`;

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

type Faults = (request: ProxiedRequest) => Fault | undefined;

interface Shop {
  readonly serving: Serving;
  readonly folder: string;
  /** Runs the playbook, or goes on with a run, behind these faults. */
  readonly run: (faultOf: Faults, options?: Partial<RunbookRunOptions>, around?: Partial<WrittenContext>) => Promise<Ran>;
}

interface Ran {
  readonly code: number | undefined;
  readonly error: string;
  readonly out: string;
}

async function servedShop(): Promise<Shop> {
  const serving = await startServing({ cluster: shop(), speed: 1000 });
  ends.push(() => serving.close());
  let [faults, seen]: [Faults, ProxiedRequest[]] = [() => undefined, []];
  const proxy = await faultyProxy(serving.kubeconfig, (request) => {
    const one = { ...request, index: seen.length };
    seen.push(one);
    return faults(one);
  });
  ends.push(() => proxy.close());
  const folder = folderWith({ 'slow-shop.yaml': PLAYBOOK, kubeconfig: proxy.kubeconfig });
  addTrust(trustFolder({}, folder), { digest: digestOfText(PLAYBOOK), file: join(folder, 'slow-shop.yaml'), at: '2026-11-20T12:00:00Z' });
  return {
    serving,
    folder,
    run: async (faultOf, options = {}, around = {}) => {
      [faults, seen] = [faultOf, []];
      const yes = (): Promise<string> => Promise.resolve('y');
      const context = {
        ...writtenContext(folder),
        clock: () => Date.now(),
        typing: { line: yes, hidden: yes, block: () => Promise.resolve(undefined) },
        ...around,
      };
      try {
        const code = await runRunbookRun(
          options.resume === undefined ? [join(folder, 'slow-shop.yaml'), 'deploy/web'] : [],
          { kubeconfig: join(folder, 'kubeconfig'), namespace: 'shop', journal: join(folder, 'journal'), requestTimeout: '3s', ...options },
          context,
        );
        return { code, error: '', out: context.out() };
      } catch (caught) {
        return { code: undefined, error: String(caught), out: context.out() };
      }
    },
  };
}

/** So long its controllers may take on a slow machine. */
const CONTROLLER_MILLISECONDS = 20_000;

/** What is true of the cluster, whatever anybody says. */
async function truth({ serving }: Shop, note = 'web-notes'): Promise<{ readonly restarts: number; readonly notes: boolean }> {
  const reader = serving.cluster.reader();
  // A change is seen by its ReplicaSet, which the controller makes a moment after the write.
  await vi.waitUntil(async () => {
    const read = await reader.get(WEB);
    return !read.ok || dig(read.value, 'status', 'observedGeneration') === dig(read.value, 'metadata', 'generation');
  }, CONTROLLER_MILLISECONDS);
  const sets = await reader.list('ReplicaSet', { namespace: 'shop' });
  const notes = await reader.get({ kind: 'ConfigMap', namespace: 'shop', name: note });
  return {
    restarts: sets.ok
      ? sets.value.filter((set) => asList(dig(set, 'metadata', 'ownerReferences')).some((owner) => dig(owner, 'name') === WEB.name))
          .length - 1
      : -1,
    notes: notes.ok,
  };
}

interface KeptRun {
  readonly state: string;
  readonly run: string;
  readonly entries: readonly JournalEntry[];
}

/** Oldest first. */
function journalsOf({ folder }: Shop): readonly KeptRun[] {
  const runs = readdirSync(join(folder, 'journal'))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.replace('.jsonl', ''));
  const kept = runs.map((run) => ({ run, read: readJournal(join(folder, 'journal'), run) }));
  return kept
    .toSorted((a, b) => ((a.read.records[0]?.at ?? '') < (b.read.records[0]?.at ?? '') ? -1 : 1))
    .map(({ run, read }) => ({ state: journalState(read), run, entries: read.records.map(({ entry }) => entry) }));
}

function journalOf(world: Shop): KeptRun {
  const [only = { state: '', run: '', entries: [] }] = journalsOf(world);
  return only;
}

const isWrite = ({ method, isDryRun, path }: ProxiedRequest): boolean => method !== 'GET' && !isDryRun && !path.includes('selfsubject');

/** The first write of each kind goes wrong like this; what is tried after it does not. */
function onFirstWrites(fault: Fault): Faults {
  const methods = new Set<string>();
  return (request) => {
    if (!isWrite(request) || methods.has(request.method)) return undefined;
    methods.add(request.method);
    return fault;
  };
}

/** restartedAt is written in whole seconds: a second restart within one changes nothing. */
async function nextSecond(): Promise<void> {
  await delay(1000 - (Date.now() % 1000) + 20);
}

const HTML = { status: 502, body: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } };

describe('a write whose answer goes wrong', () => {
  it('is carried out once, and the run says so', async () => {
    const world = await servedShop();
    const faults: readonly [string, Fault][] = [
      ['reset before it arrives', { answer: 'reset' }],
      ['carried out, and the connection reset', { forwards: true, answer: 'reset' }],
      ['carried out, and its answer cut', { answer: 'cut' }],
      ['carried out, and never answered', { forwards: true, answer: 'hang' }],
      ['carried out, and answered by a proxy', { forwards: true, answer: HTML }],
      ['not carried out, and answered by a proxy', { answer: HTML }],
      ['carried out, and answered with what is no object', { forwards: true, answer: { status: 200, body: 'OK' } }],
      ['not carried out, and answered as if it were', { answer: { status: 200, body: 'OK' } }],
      [
        'too many requests',
        {
          answer: {
            status: 429,
            body: '{"kind":"Status","reason":"TooManyRequests","message":"slow down"}',
            headers: { 'retry-after': '86400' },
          },
        },
      ],
    ];
    for (const [index, [words, fault]] of faults.entries()) {
      await nextSecond();
      const { code, error, out } = await world.run(onFirstWrites(fault), { param: [`note=web-notes-${index}`] });
      expect(error + out, words).toContain('Fixed. The run is complete.');
      expect([words, code, await truth(world, `web-notes-${index}`), journalsOf(world).at(-1)?.state]).toEqual([
        words,
        0,
        { restarts: index + 1, notes: true },
        'complete',
      ]);
    }
  }, 300_000);

  it.each<[string, Fault]>([
    ['is refused', { answer: { status: 403, body: '{"kind":"Status","status":"Failure","reason":"Forbidden","message":"eve may not"}' } }],
    ['is sent elsewhere', { answer: { status: 302, headers: { location: 'https://login.example' } } }],
  ])('%s: the run says that it was not done', async (_, fault) => {
    const world = await servedShop();
    const { code, out } = await world.run((request) => (isWrite(request) ? fault : undefined));
    expect(out).toContain('is denied');
    expect([code, await truth(world)]).toEqual([1, { restarts: 0, notes: false }]);
    expect(journalOf(world).entries.some(({ type }) => type === 'changed')).toBe(false);
  });

  it('is said to be unknown when the cluster then says nothing more, and settled when the run is resumed', async () => {
    const world = await servedShop();
    let isSilent = false;
    const { code, out } = await world.run((request) => {
      if (isWrite(request)) {
        const first = !isSilent;
        isSilent = true;
        return { forwards: first, answer: 'reset' };
      }
      return isSilent ? { answer: 'reset' } : undefined;
    });
    expect(out).toContain('it is unknown whether Deployment/shop/web was changed');
    expect(code).not.toBe(0);
    expect(await truth(world)).toEqual({ restarts: 1, notes: false });
    const resumed = await world.run(() => undefined, { resume: journalOf(world).run });
    expect(resumed.error + resumed.out).toContain('Fixed. The run is complete.');
    expect(await truth(world)).toEqual({ restarts: 1, notes: true });
    expect(journalOf(world).entries.flatMap((entry) => (entry.type === 'changed' ? [entry.object] : []))).toEqual([
      'Deployment/shop/web',
      'ConfigMap/shop/web-notes',
    ]);
  });
});

describe('a cluster whose answers all go wrong', () => {
  it.each<[string, Fault]>([
    ['refused', { answer: { status: 403, body: '{"kind":"Status","reason":"Forbidden","message":"no"}' } }],
    ['server errors', { answer: { status: 500, body: '{"kind":"Status","reason":"InternalError","message":"etcd"}' } }],
    ['cut', { answer: 'cut' }],
    ['reset', { answer: 'reset' }],
  ])('%s: nothing is changed, and nothing is said to be fixed', async (_, fault) => {
    const world = await servedShop();
    // The first answers are as they should be: the run has begun when it goes wrong.
    const { code, out } = await world.run(({ index }) => (index > 12 ? fault : undefined));
    expect(out).not.toContain('Fixed.');
    expect(code).not.toBe(0);
    expect(await truth(world)).toEqual({ restarts: 0, notes: false });
  });
});

describe('an object that changes between what was shown and what is done', () => {
  it('is not written over: the version goes with the write', async () => {
    const world = await servedShop();
    let left = 1;
    const { code, out } = await world.run((request) => {
      // After the last look and before the write somebody else scales it.
      if (isWrite(request) && left-- > 0)
        world.serving.cluster.request({
          verb: 'patch',
          group: 'apps',
          version: 'v1',
          resource: 'deployments',
          namespace: 'shop',
          name: 'web',
          patch: { type: 'merge', body: { spec: { replicas: 4 } } },
        });
      return undefined;
    });
    expect(out).toMatch(/Deployment\/shop\/web has changed since it was shown: - spec\.replicas: 2; \+ spec\.replicas: 4/);
    expect([code, await truth(world)]).toEqual([1, { restarts: 0, notes: false }]);
  });
});

describe('Ctrl-C while the cluster does not answer', () => {
  it.each([
    ['a read', false],
    ['a write', true],
  ])('ends the run within two seconds during %s', async (_, duringWrite) => {
    const world = await servedShop();
    const interrupted = new AbortController();
    let pressed = 0;
    const { code, out, error } = await world.run(
      (request) => {
        if (pressed > 0 || (duringWrite ? !isWrite(request) : request.index < 20)) return pressed > 0 ? { answer: 'hang' } : undefined;
        pressed = Date.now() + 100;
        setTimeout(() => interrupted.abort(), 100);
        return { forwards: true, answer: 'hang' };
      },
      { requestTimeout: '600s' },
      { signal: interrupted.signal },
    );
    expect([code, error]).toEqual([130, '']);
    expect(Date.now() - pressed).toBeLessThan(10_000);
    expect(out).toMatch(/^Resume {4}podcheck runbook run --resume \S+$/m);
    const resumed = await world.run(() => undefined, { resume: journalOf(world).run });
    expect(resumed.error + resumed.out).toContain('Fixed. The run is complete.');
    expect(await truth(world)).toEqual({ restarts: 1, notes: true });
  });
});
