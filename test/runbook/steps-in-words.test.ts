import { describe, expect, it } from 'vitest';
import type { Prompt, RunPorts } from '../../src/runbook/ports.ts';
import type { Played } from '../support/runbook-runs.ts';
import { play, playbookOf } from '../support/runbook-runs.ts';
import { shop, steps, WEB } from './shop.ts';

const cluster = shop();
const pods = await cluster.reader().list('Pod', { namespace: 'shop' });
const POD = pods.ok ? (pods.value[0]?.metadata.name ?? '') : '';

/** The steps change nothing, so all runs share one cluster. */
async function run(text: string, more: Partial<Parameters<typeof play>[1]> = {}): Promise<Played> {
  return play(playbookOf(steps(text)), { cluster, target: WEB, ...more });
}

/** Result and words of the first step. */
async function words(text: string, more: Partial<Parameters<typeof play>[1]> = {}): Promise<string> {
  const { entries } = await run(text, more);
  const done = entries.find((entry) => entry.type === 'done');
  return done?.type === 'done' ? `${done.result}: ${done.words}` : 'nothing was done';
}

function show(text: string): string {
  return `- { say: Look., show: { ${text} } }`;
}

describe('a step that shows something', () => {
  it.each([
    ['list: Pod', /^done: kubectl -A get pods -o wide: 2 lines$/],
    ['list: po, namespace: "{{ namespace }}", selector: "app={{ name }}"', /^done: kubectl -n shop get po -l app=web -o wide: 2 lines$/],
    ['list: Pod, selector: app=till', /-l app=till -o wide: nothing$/],
    ['list: Node', /^done: kubectl get nodes -o wide: 3 lines$/],
    ['list: Pod, namespace: till', /^done: kubectl -n till get pods -o wide: nothing$/],
    ['get: "{{ target }}"', /^done: kubectl -n shop get deployment web -o yaml: \d+ lines$/],
    ['describe: "{{ target }}"', /^done: kubectl -n shop describe deployment web: \d+ lines$/],
    ['events: "{{ target }}"', /^done: kubectl -n shop events --for=deployment\/web: 1 line$/],
    ['logs: "{{ pod }}", container: web, tail: 5', /^done: kubectl -n shop logs \S+ -c web --tail=5: nothing$/],
    ['get: Deployment/cart', /^unknown: kubectl -n shop get deployment cart -o yaml: /],
    ['get: "Pod/{{ container }}"', /^not-evaluated: container has no value$/],
    ['get: "{{ objectKind }}/{{ container }}"', /^not-evaluated: objectKind, container have no value$/],
    ['get: "{{ namespace }}"', /^unknown: .*shop is not a valid object reference$/],
    ['logs: Pod/cart', /^unknown: kubectl -n shop logs cart/],
  ])('tells what it was and how much: %s', async (text, expected) => {
    const isOfPod = text.includes('{{ pod }}');
    expect(await words(show(text), isOfPod ? { target: { kind: 'Pod', namespace: 'shop', name: POD } } : {})).toMatch(expected);
  });

  it('has the events of what it describes, and not of what it gets', async () => {
    const shownBy = async (verb: string): Promise<readonly string[]> => (await run(show(`${verb}: "{{ target }}"`))).lines;
    expect((await shownBy('describe')).slice(-3, -1)).toEqual(['', 'Events:']);
    expect(await shownBy('get')).not.toContain('Events:');
  });

  it('shows forty lines at most: the first and the last', async () => {
    const { lines } = await run(show('get: "{{ target }}"'));
    const gap = lines.findIndex((line) => /^… \d+ lines …$/.test(line));
    expect([lines.length, gap]).toEqual([41, 20]);
    expect(lines[0]).toContain('apiVersion: apps/v1');
  });

  it('has the last lines of the container that it names, else of the first one', async () => {
    const asked: unknown[] = [];
    const reader: RunPorts['reader'] = {
      ...cluster.reader(),
      logs: (pod, container, options) => {
        asked.push([pod.name, container, options]);
        return Promise.resolve({ ok: true, value: { lines: ['one', 'two', 'x'.repeat(600)], filtered: false } });
      },
    };
    const { lines, entries } = await run(show(`logs: "Pod/${POD}", tail: 2`), { ports: { reader } });
    expect(lines).toEqual(['two', expect.stringMatching(/^x{400,500}[^x]*$/)]);
    expect(entries).toContainEqual(expect.objectContaining({ type: 'done', words: expect.stringMatching(/: 2 lines$/) as string }));
    await run(show('logs: "{{ name }}", container: "{{ namespace }}", previous: true'), {
      target: { kind: 'Pod', namespace: 'shop', name: POD },
      ports: { reader },
    });
    expect(asked).toEqual([
      [POD, 'web', { tailLines: 2, previous: false }],
      [POD, 'shop', { tailLines: 50, previous: true }],
    ]);
  });

  it('has the events of an object below what describes it, and of it alone', async () => {
    const events = (await run(show(`events: "Pod/${POD}"`))).lines;
    expect(events.join('\n')).toMatch(/Scheduled/);
    expect(events.join('\n')).not.toMatch(/ScalingReplicaSet/);
    const described = (await run(show(`describe: "Pod/${POD}"`))).lines;
    expect(described).toContain(events.at(-1));
    expect((await run(show(`get: "Pod/${POD}"`))).lines).not.toContain('Events:');
  });
});

function answering(...answers: readonly (string | undefined)[]): { readonly prompt: Partial<Prompt> } {
  const left = [...answers];
  return { prompt: { value: () => Promise.resolve(left.shift()) } };
}

function ask(more: string): string {
  return `- { say: How many?, ask: { as: count, ${more} } }\n- { note: "It is {{ count }}." }`;
}

describe('a step that asks', () => {
  it('takes what fits, at the third try at the latest', async () => {
    expect(await words(ask('type: number'), answering('5'))).toBe('done: count is 5');
    expect(await words(ask('type: number'), answering('many', 'more', '7'))).toBe('done: count is 7');
    const { lines } = await run(ask('type: number'), answering('many', 'more', '7'));
    expect(lines).toHaveLength(2);
    expect(await words(ask('type: number'), answering('many', 'more', 'most', '7'))).toBe(
      'not-evaluated: count has no value: no valid answer',
    );
  });

  it('takes its default, or what was given for it, where nobody answers', async () => {
    expect(await words(ask('type: text, default: "{{ name }}"'), answering())).toBe('done: count is web');
    expect(await words(ask('type: text'), answering())).toBe('not-evaluated: no answer (not interactive): count has no value');
    expect(await words(ask('type: text'), { mode: 'dry-run' })).toBe('not-evaluated: would ask: count');
    expect(await words(ask('type: text, default: five'), { mode: 'dry-run' })).toBe('done: count is five');
  });

  it('never shows a secret', async () => {
    const { entries, lines } = await run(ask('type: text, secret: true'), answering('sesame'));
    expect(await words(ask('type: text, secret: true'), answering('sesame'))).toBe('done: count is ***');
    expect(JSON.stringify([entries, lines])).not.toContain('sesame');
    expect(entries).toContainEqual(expect.objectContaining({ type: 'decision', answer: '***' }));
  });
});

const MANUAL = '- { id: call, manual: Call the owner., commands: ["kubectl -n {{ namespace }} get pods"] }\n- { note: Done. }';

describe('a step that is done by hand', () => {
  it.each<readonly [string, string | undefined, string, string]>([
    ['done', undefined, 'done: done manually', 'completed'],
    ['done', 'by phone', 'done: done manually: by phone', 'completed'],
    ['not-done', '', 'declined: not done', 'completed'],
    ['not-done', 'no answer', 'declined: not done: no answer', 'completed'],
    ['stop', undefined, 'declined: stopped', 'aborted'],
    ['nobody', undefined, 'skipped: manual step, skipped (not interactive)', 'completed'],
  ])('and said to be %s (%s)', async (word, note, told, status) => {
    const tasks: unknown[] = [];
    const manual = ((task: unknown) => {
      tasks.push(task);
      return Promise.resolve({ word, ...(note === undefined ? {} : { note }) });
    }) as Prompt['manual'];
    const { end, entries } = await run(MANUAL, { prompt: { manual } });
    expect(tasks).toEqual([{ step: 'call', say: 'Call the owner.', commands: ['kubectl -n shop get pods'] }]);
    const done = entries.find((entry) => entry.type === 'done');
    expect([done?.type === 'done' ? `${done.result}: ${done.words}` : '', end.status]).toEqual([told, status]);
    expect(entries.some((entry) => entry.type === 'decision')).toBe(word !== 'nobody');
  });

  it('is only told in a dry run', async () => {
    const { lines } = await run(MANUAL, { mode: 'dry-run' });
    expect(lines).toEqual(['kubectl -n shop get pods']);
    expect(await words(MANUAL, { mode: 'dry-run' })).toBe('skipped: manual step');
  });
});

function program(ended: 'exit' | 'killed' | 'time' | 'output' | 'interrupted' | 'not-started', code?: number): Partial<RunPorts> {
  return {
    programs: {
      words: (argv) => ['with', ...argv],
      run: () => Promise.resolve({ ended, code, output: ended === 'not-started' ? 'no such file' : 'a line\n' }),
    },
  };
}

const RUN = '- { say: Count them., run: [wc, -l, "{{ name }}"] }';

describe('a step that runs a command', () => {
  it.each<readonly [Parameters<typeof program>[0], number | undefined, string]>([
    ['exit', 0, 'passed: with wc -l web: exit code 0'],
    ['exit', 3, 'failed: with wc -l web: exit code 3'],
    ['killed', undefined, 'unknown: with wc -l web: terminated by a signal'],
    ['time', undefined, 'unknown: with wc -l web: stopped, it took too long'],
    ['output', undefined, 'unknown: with wc -l web: stopped, it printed too much'],
    ['interrupted', undefined, 'unknown: with wc -l web: interrupted'],
    ['not-started', undefined, 'unknown: with wc -l web: could not be started: no such file'],
  ])('says how it ended: %s %s', async (ended, code, told) => {
    const { lines, entries } = await run(RUN, { ports: program(ended, code) });
    const done = entries.find((entry) => entry.type === 'done');
    expect(done?.type === 'done' ? `${done.result}: ${done.words}` : '').toBe(told);
    expect(lines.includes('a line')).toBe(ended !== 'not-started');
  });

  it('is confirmed first, by its name where it destroys something, unless it is known to read only', async () => {
    const asked: unknown[] = [];
    const confirm = ((question: unknown) => {
      asked.push(question);
      return Promise.resolve('yes');
    }) as Prompt['confirm'];
    await run(RUN, { ports: program('exit', 0), prompt: { confirm } });
    await run(RUN.replace(/ }$/, ', effect: destructive }'), { ports: program('exit', 0), prompt: { confirm } });
    await run('- { say: S, run: [kubectl, get, pods] }', { ports: program('exit', 0), prompt: { confirm } });
    expect(asked[0]).toMatchObject({
      question: 'Run this command?',
      lines: ['with wc -l web', expect.stringContaining('with your rights') as string],
    });
    expect(asked[0]).not.toHaveProperty('typed');
    expect(asked[1]).toMatchObject({ typed: 'wc' });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['no', 'declined: the user declined'],
    ['stop', 'declined: stopped'],
    ['nobody', 'not-evaluated: not run, not confirmed (not interactive): with wc -l web'],
  ] as const)('is not run when the answer is %s', async (answer, told) => {
    expect(await words(RUN, { ports: program('exit', 0), prompt: { confirm: () => Promise.resolve(answer) } })).toBe(told);
  });

  it('is not run in a dry run, nor where no program can be', async () => {
    expect(await words(RUN)).toBe('not-evaluated: programs cannot be run here: wc -l web');
    expect(await words(RUN, { mode: 'dry-run', ports: program('exit', 0) })).toBe(
      'skipped: not run in a dry run; it would run after you confirm it',
    );
    const read = await run('- { say: S, run: [kubectl, get, pods] }', { mode: 'dry-run', ports: program('exit', 0) });
    expect(read.lines).toEqual(['with kubectl get pods']);
    expect(await words(RUN.replace('name', 'container'), { ports: program('exit', 0) })).toBe('not-evaluated: container has no value');
  });
});

describe('a step for a node', () => {
  const step = (more = ''): string => `- { id: disk, say: S, run: [df, "{{ name }}"], on: worker-1${more} }`;
  const pasting = (text: string | undefined, more: Partial<RunPorts> = {}): Partial<Parameters<typeof play>[1]> => ({
    prompt: { paste: () => Promise.resolve(text) },
    ports: { onNode: () => Promise.resolve(undefined), ...more },
  });

  it('shows what the node itself says, where it can be asked', async () => {
    const asked: unknown[] = [];
    const { lines, entries } = await run(step(), {
      ports: {
        onNode: (node, argv) => {
          asked.push([node, argv]);
          return Promise.resolve('full\nof carts');
        },
      },
    });
    expect(asked).toEqual([['worker-1', ['df', 'web']]]);
    expect(lines).toEqual(['full', 'of carts']);
    expect(entries).toContainEqual(expect.objectContaining({ type: 'output', step: 'disk', of: 'worker-1: df web' }));
    expect(entries).toContainEqual(expect.objectContaining({ type: 'done', words: 'worker-1: full' }));
  });

  it('takes what somebody pastes, and says whether anything in it is known', async () => {
    const read: string[] = [];
    const nothing = { readPasted: (text: string) => Promise.resolve(read.push(text)).then(() => undefined) };
    expect(await words(step(), pasting('df: 5 carts', nothing))).toBe('done: the output contains nothing that podcheck recognizes');
    expect(read).toEqual(['root@worker-1:~# df web\ndf: 5 carts\n']);
    expect(await words(step(', effect: write'), pasting('df: 5 carts', nothing))).toBe(
      'done: the output contains nothing that podcheck recognizes; the command was run',
    );
    const { entries } = await run(step(), pasting('df: 5 carts', nothing));
    expect(entries).toContainEqual(
      expect.objectContaining({ type: 'decision', question: 'run on worker-1: df web', answer: '11 characters pasted' }),
    );
    const some = pasting('any', { readPasted: () => Promise.resolve(cluster.reader()) });
    expect(await words(step(), some)).toMatch(/^done: \d+ facts: [^;]+; [^;]+; [^;]+$/);
  });

  it('is not evaluated without its output, nor in a dry run', async () => {
    const missing = 'not-evaluated: the output of df web on worker-1 is missing';
    expect([await words(step(), pasting(undefined)), await words(step(), pasting(' \n'))]).toEqual([missing, missing]);
    expect(await words(step(), { mode: 'dry-run' })).toBe('not-evaluated: would run on worker-1: df web');
    expect(await words(step().replace('worker-1', '"{{ container }}"'))).toBe('not-evaluated: container has no value');
    expect(await words(step().replace('worker-1', '"{{ container }} {{ objectKind }}"'))).toBe(
      'not-evaluated: container, objectKind have no value',
    );
  });

  it('is answered by a simulated machine for its services, and for nothing else', async () => {
    const answered = async (text: string): Promise<boolean> =>
      (await words(`- { say: S, run: [${text}], on: worker-1 }`)).startsWith('done: worker-1: ');
    expect([await answered('systemctl, status, kubelet'), await answered('systemctl, status, --no-pager, kubelet.service')]).toEqual([
      true,
      true,
    ]);
    expect([
      await answered('systemctl, stop, kubelet'),
      await answered('systemctl, status'),
      await answered('service, status, kubelet'),
    ]).toEqual([false, false, false]);
    expect(await words('- { say: S, run: [systemctl, status, kubelet], on: worker-9 }')).toMatch(/^not-evaluated: .*is missing$/);
  });
});

describe('a step that hands the run on', () => {
  it('says whom to call and what to bring', async () => {
    const { end, lines } = await run(
      '- { id: help, escalate: "Nobody knows {{ name }}.", to: "the owner of {{ workload }}", bring: [the log, events] }',
    );
    expect(end.escalated).toEqual({ step: 'help', say: 'Nobody knows web.', to: 'the owner of Deployment/web' });
    expect(lines).toEqual(['Bring:', '  the log', '  events']);
    expect(await words('- { escalate: Nobody knows. }')).toBe('done: Nobody knows.');
    expect(await words('- { escalate: Nobody knows., to: the owner }')).toBe('done: Nobody knows. Call the owner.');
    expect((await run('- { escalate: Nobody knows. }')).lines).toEqual([]);
  });
});
