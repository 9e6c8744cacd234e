import { describe, expect, it } from 'vitest';
import { parsePlaybook } from '../../src/catalog/parse-playbook.ts';
import type { Problem } from '../../src/catalog/yaml-problem.ts';
import { problemText } from '../../src/catalog/yaml-problem.ts';
import type { Playbook } from '../../src/model/playbook.ts';

const HEAD = 'title: T\nuse: U\nfor: {}\nescalation: E\nsteps:\n';
const WELL = '{ outcome: healthy }';
const IS_WELL = { test: 'outcome', is: ['healthy'] };
const VERIFY = `verify: { until: ${WELL}, limit: 1m }`;

function read(steps: string): { readonly playbook: Playbook | undefined; readonly problems: string } {
  const problems: Problem[] = [];
  const playbook = parsePlaybook('shop.yaml', `${HEAD}${steps}\n`, 'shop', problems);
  return { playbook, problems: problems.map(problemText).join('\n') };
}

function change(text: string, more = ''): string {
  return `  - { say: S, change: { ${text} }, ${VERIFY}, undo: restore${more} }`;
}

describe('a step of a playbook', () => {
  it.each<readonly [string, object]>([
    ['{ note: All is well. }', { id: 'note-1', say: 'All is well.', action: { kind: 'note' } }],
    [
      '{ id: look, say: Look., tells: Whether it is well., within: 90s, then: end, diagnose: target }',
      { id: 'look', say: 'Look.', tells: 'Whether it is well.', withinMilliseconds: 90_000, next: 'end', action: { kind: 'diagnose' } },
    ],
    ['{ diagnose: target }', { say: 'Diagnose with podcheck.', action: { kind: 'diagnose', branches: [] } }],
    [
      `{ diagnose: "Pod/{{ namespace }}/till", branches: [{ when: ${WELL}, goto: end }], else: end }`,
      { action: { object: 'Pod/{{ namespace }}/till', branches: [{ when: IS_WELL, goto: 'end' }], else: 'end' } },
    ],
    [
      `{ say: S, check: ${WELL}, pass: end, fail: end, unknown: end }`,
      { action: { kind: 'check', condition: IS_WELL, pass: 'end', fail: 'end', unknown: 'end' } },
    ],
    ['{ say: S, show: { get: "{{ target }}" } }', { action: { kind: 'show', show: { show: 'get', object: '{{ target }}' } } }],
    ['{ say: S, show: { describe: Node/worker-1 } }', { action: { show: { show: 'describe', object: 'Node/worker-1' } } }],
    ['{ say: S, show: { events: Pod/shop/web } }', { action: { show: { show: 'events', object: 'Pod/shop/web' } } }],
    [
      '{ say: S, show: { list: Pod, namespace: shop, selector: app=web } }',
      { action: { show: { show: 'list', of: 'Pod', namespace: 'shop', selector: 'app=web' } } },
    ],
    [
      '{ say: S, show: { logs: Pod/shop/web, container: web, previous: true, tail: 1000 } }',
      { action: { show: { show: 'logs', object: 'Pod/shop/web', container: 'web', previous: true, tail: 1000 } } },
    ],
    ['{ say: S, show: { logs: Pod/shop/web } }', { action: { show: { previous: false, tail: 50 } } }],
    ['{ say: S, run: [kubectl, get, pods, 5] }', { action: { kind: 'run', argv: ['kubectl', 'get', 'pods', '5'], effect: 'read' } }],
    [
      '{ say: S, run: [rm, core], effect: destructive, on: worker-1 }',
      { action: { argv: ['rm', 'core'], effect: 'destructive', node: 'worker-1' } },
    ],
    [
      `{ decide: [{ when: ${WELL}, goto: end }], else: end }`,
      { say: 'Choose the next step.', action: { kind: 'decide', branches: [{ when: IS_WELL, goto: 'end' }], else: 'end' } },
    ],
    ['{ say: S, ask: { as: word } }', { action: { kind: 'ask', variable: 'word', question: { type: 'text', secret: false } } }],
    [
      '{ say: S, ask: { as: count, type: number, default: 5, pattern: "[0-9]+", oneOf: [5, 6], secret: true } }',
      { action: { variable: 'count', question: { type: 'number', default: '5', pattern: '[0-9]+', oneOf: [5, 6], secret: true } } },
    ],
    ['{ manual: Wake the owner. }', { say: 'Wake the owner.', action: { kind: 'manual', commands: [] } }],
    ['{ manual: M, say: Other words., commands: [a b, c] }', { say: 'Other words.', action: { commands: ['a b', 'c'] } }],
    [
      `{ say: S, wait: ${WELL}, limit: 30s }`,
      { action: { kind: 'wait', until: IS_WELL, everyMilliseconds: 5000, limitMilliseconds: 30_000 } },
    ],
    [
      `{ say: S, wait: ${WELL}, every: 10s, limit: 10s, timeout: end }`,
      { action: { everyMilliseconds: 10_000, limitMilliseconds: 10_000, timeout: 'end' } },
    ],
    [
      '{ include: first-response, params: { count: 5, word: tea } }',
      { say: 'Run another playbook.', action: { kind: 'include', playbook: 'first-response', params: { count: '5', word: 'tea' } } },
    ],
    ['{ escalate: Call. }', { say: 'Call.', action: { kind: 'escalate', escalation: { say: 'Call.', bring: [] } } }],
    [
      '{ escalate: Call., to: the owner, bring: [events, the log] }',
      { action: { escalation: { say: 'Call.', to: 'the owner', bring: ['events', 'the log'] } } },
    ],
  ])('is what it says: %s', (text, expected) => {
    const { playbook, problems } = read(`  - ${text}`);
    expect(problems).toBe('');
    expect(playbook?.steps).toMatchObject([expected]);
  });

  it('has no more than it says', () => {
    expect(read('  - note: N').playbook?.steps).toEqual([{ id: 'note-1', say: 'N', action: { kind: 'note' } }]);
    expect(read('  - diagnose: target').playbook?.steps[0]?.action).toEqual({ kind: 'diagnose', branches: [] });
    expect(read(`  - { say: S, check: ${WELL} }`).playbook?.steps[0]?.action).toEqual({ kind: 'check', condition: IS_WELL });
  });

  it.each<readonly [string, object] | readonly [string, object, string]>([
    ['restart: "{{ target }}"', { change: 'restart', object: '{{ target }}' }],
    ['scale: Deployment/shop/web, replicas: 3', { change: 'scale', object: 'Deployment/shop/web', replicas: '3' }],
    ['set-image: Deployment/shop/web, container: web, image: nginx:1.27', { change: 'set-image', container: 'web', image: 'nginx:1.27' }],
    ['delete: Pod/shop/web', { change: 'delete', object: 'Pod/shop/web' }, 'destructive'],
    ['delete: Pod/shop/web, propagation: Orphan, graceSeconds: 0', { propagation: 'Orphan', graceSeconds: 0 }, 'destructive'],
    ['evict: Pod/shop/web', { change: 'evict' }, 'destructive'],
    ['drain: Node/worker-1', { change: 'drain', object: 'Node/worker-1' }, 'destructive'],
    ['cordon: Node/worker-1', { change: 'cordon' }],
    ['approve: CertificateSigningRequest/till', { change: 'approve' }],
    ['fix: cause', { change: 'fix' }],
    ['patch: Pod/shop/web, body: { a: 1 }', { change: 'patch', object: 'Pod/shop/web', type: 'strategic', body: { a: 1 } }],
    ['patch: Pod/shop/web, type: merge, subresource: status, body: { a: 1 }', { type: 'merge', subresource: 'status' }],
    ['patch: Pod/shop/web, body: [{ op: remove, path: /a }]', { type: 'json', body: [{ op: 'remove', path: '/a' }] }],
    [
      'create: { apiVersion: v1, kind: ConfigMap, metadata: { name: prices } }',
      { change: 'create', manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'prices' } } },
    ],
  ])('changes what it says, with its effect: %s', (text, expected, ...[effect = 'write']) => {
    const { playbook, problems } = read(change(text));
    expect(problems).toBe('');
    expect(playbook?.steps[0]?.action).toMatchObject({
      kind: 'change',
      change: expected,
      effect,
      verify: { until: IS_WELL, everyMilliseconds: 5000, limitMilliseconds: 60_000 },
      undo: { undo: 'restore' },
    });
  });

  it('goes back as it says, and on where it fails', () => {
    const undoOf = (undo: string): unknown => {
      const step = `  - { say: S, change: { restart: "{{ target }}" }, ${VERIFY}, undo: ${undo}, fail: end, effect: destructive }`;
      expect(read(step).problems).toBe('');
      return read(step).playbook?.steps[0]?.action;
    };
    expect(undoOf('{ none: It is gone. }')).toMatchObject({
      undo: { undo: 'none', why: 'It is gone.' },
      fail: 'end',
      effect: 'destructive',
    });
    expect(undoOf('{ uncordon: Node/worker-1 }')).toMatchObject({
      undo: { undo: 'change', change: { change: 'uncordon', object: 'Node/worker-1' } },
    });
  });

  it.each([
    ['  - { id: Look, note: N }', '6:11: steps[0].id: "Look" is not a valid ID: use lowercase letters, digits and hyphens'],
    ['  - { id: end, note: N }', '6:11: steps[0].id: "end" is reserved for the end of the playbook'],
    ['  - { note: N, within: soon }', 'steps[0].within: "soon" is not a valid duration; write 30s, 2m or 1h30m'],
    ['  - { note: N, within: 0s }', 'steps[0].within: "0s" is not a valid duration'],
    ['  - { note: N, pass: end }', 'steps[0].pass: unknown field "pass"'],
    [`  - { say: S, check: ${WELL}, else: end }`, 'steps[0].else: unknown field "else"'],
    [
      '  - { diagnose: web }',
      '6:17: steps[0].diagnose: "web" is not a valid object reference; write Kind/namespace/name, Kind/name or one variable',
    ],
    ['  - { diagnose: target, branches: [{ goto: end }] }', 'steps[0].branches[0]: "when" is missing'],
    [`  - { diagnose: target, branches: [{ when: ${WELL} }] }`, 'steps[0].branches[0]: "goto" is missing'],
    ['  - { decide: [], else: end }', 'steps[0].decide: expected at least one branch: { when: …, goto: … }'],
    ['  - { say: S, show: { get: Pod/a/b, logs: Pod/a/b } }', 'steps[0].show: expected exactly one of: get, describe, events, list, logs'],
    ['  - { say: S, show: {} }', 'steps[0].show: expected exactly one of: get, describe, events, list, logs'],
    ['  - { say: S, show: { get: Pod/a/b, tail: 5 } }', 'steps[0].show.tail: "tail" is not allowed with get'],
    ['  - { say: S, show: { list: Pod, container: a } }', 'steps[0].show.container: "container" is not allowed with list'],
    ['  - { say: S, show: { logs: Pod/a/b, selector: a } }', 'steps[0].show.selector: "selector" is not allowed with logs'],
    ['  - { say: S, show: { logs: Pod/a/b, tail: 1001 } }', 'steps[0].show.tail: expected a number of lines up to 1000'],
    ['  - { say: S, show: { logs: Pod/a/b, tail: 0 } }', 'steps[0].show.tail: expected a number of lines up to 1000'],
    ['  - { say: S, show: { logs: Pod/a/b, tail: 1.5 } }', 'steps[0].show.tail: expected a number of lines up to 1000'],
    ['  - { say: S, show: { logs: Pod/a/b, previous: "yes" } }', 'steps[0].show.previous: expected true or false'],
    ['  - { say: S, run: [] }', 'steps[0].run: expected at least one word'],
    ['  - { say: S, run: ["kubectl get", pods] }', 'steps[0].run[0]: expected a program name only: write each argument as its own word'],
    ['  - { say: S, run: [a, b, ">", c] }', 'steps[0].run[2]: ">" is shell syntax, but commands never run in a shell'],
    ['  - { say: S, run: ["&&", b] }', 'steps[0].run[0]: "&&" is shell syntax'],
    ['  - { say: S, run: [a], effect: readwrite }', 'steps[0].effect: unknown value "readwrite"'],
    ['  - { say: S, ask: { type: text } }', 'steps[0].ask: "as" is missing'],
    ['  - { say: S, ask: { as: a b } }', '"a b" is not a valid variable name: use letters, digits and _'],
    ['  - { say: S, ask: { as: a, type: tekst } }', 'steps[0].ask.type: unknown value "tekst"; one of: text, number,'],
    ['  - { say: S, ask: { as: a, pattern: "(" } }', 'steps[0].ask.pattern: '],
    [`  - { say: S, wait: ${WELL}, every: 10s, limit: 9s }`, 'steps[0].limit: the limit is shorter than the interval'],
    [change('restart: "{{ target }}", body: {}'), 'steps[0].change.body: unknown field "body"'],
    [change('restart: A/b, cordon: Node/b'), 'steps[0].change: expected exactly one of: patch, scale, restart'],
    [change('scale: A/b'), 'steps[0].change: "replicas" is missing'],
    [change('set-image: A/b, image: c'), 'steps[0].change: "container" is missing'],
    [change('set-image: A/b, container: c'), 'steps[0].change: "image" is missing'],
    [change('delete: A/b, graceSeconds: -1'), 'steps[0].change.graceSeconds: expected a number of seconds'],
    [change('delete: A/b, graceSeconds: soon'), 'steps[0].change.graceSeconds: expected a number of seconds'],
    [change('delete: A/b, propagation: orphan'), 'steps[0].change.propagation: unknown value "orphan"; did you mean Orphan?'],
    [change('fix: it'), 'steps[0].change.fix: unknown value "it"'],
    [change('patch: A/b'), 'steps[0].change: "body" is missing'],
    [change('patch: A/b, type: json, body: {}'), 'steps[0].change.body: expected a list of operations'],
    [change('patch: A/b, type: merge, body: []'), 'steps[0].change.body: expected a map'],
    [change('patch: A/b, body: [5]'), 'steps[0].change.body: expected a list of operations'],
    [change('create: { kind: Pod, metadata: {} }'), 'steps[0].change.create: a manifest needs apiVersion and kind'],
    [change('create: { apiVersion: v1, metadata: {} }'), 'steps[0].change.create: a manifest needs apiVersion and kind'],
    [change('create: { apiVersion: v1, kind: Pod }'), 'steps[0].change.create: a manifest needs metadata'],
    [change('restart: A/b', ', effect: read'), 'steps[0].effect: the effect is larger: write write'],
    [change('restart: A/b').replace('undo: restore', 'undo: again'), 'steps[0].undo: unknown value "again"'],
    [change('restart: A/b').replace('undo: restore', 'undo: { none: N, restart: A/b }'), 'steps[0].undo.restart: unknown field "restart"'],
    [change('restart: A/b').replace(', limit: 1m', ''), 'steps[0].verify: "limit" is missing'],
  ])('is refused, with its line and field: %s', (text, problem) => {
    const { playbook, problems } = read(text);
    expect(playbook).toBeUndefined();
    expect(problems).toContain(problem);
    expect(problems).toMatch(/^shop\.yaml:6:/);
  });
});
