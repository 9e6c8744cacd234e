import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../src/catalog/parse-scenario.ts';
import type { Problem } from '../../src/catalog/yaml-problem.ts';
import type { ScenarioStep } from '../../src/model/scenario.ts';

const MAP = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: prices }, data: { tea: "1" } }';
const PRICES = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'prices' }, data: { tea: '1' } };

function read(step: string): { readonly step: ScenarioStep | undefined; readonly problems: readonly string[] } {
  const problems: Problem[] = [];
  const scenario = parseScenario('shop.yaml', `title: A shop\nsteps:\n  - ${step}\n`, 'shop', problems);
  return { step: scenario?.steps[0], problems: problems.map(({ line, field, message }) => `${String(line)} ${field}: ${message}`) };
}

describe('a step of a scenario', () => {
  it.each<readonly [string, object]>([
    [`apply: [${MAP}]`, { do: 'apply', documents: [PRICES], create: false, namespace: undefined }],
    [`{ at: 1m30s, create: [${MAP}], namespace: shop }`, { atMilliseconds: 90_000, create: true, namespace: 'shop' }],
    [`{ apply: [${MAP}], file: prices.yaml }`, { documents: [PRICES], manifest: { file: 'prices.yaml' } }],
    [`{ apply: "kind: [", file: prices.yaml }`, { documents: [], manifest: { file: 'prices.yaml', text: 'kind: [' } }],
    [`apply: "kind: ["`, { documents: [], manifest: { file: 'manifest.yaml', text: 'kind: [' } }],
    [`apply: { missing: true }`, { documents: [], manifest: { file: 'manifest.yaml', missing: true } }],
    [`{ apply: [${MAP}], fill: { at: data.tea, bytes: 5 } }`, { documents: [{ ...PRICES, data: { tea: 'xxxxx' } }] }],
    [`{ apply: [${MAP}], as: anna }`, { as: { kind: 'user', name: 'anna', groups: [] } }],
    [`{ apply: [${MAP}], as: { user: anna, groups: [tills, shops] } }`, { as: { kind: 'user', name: 'anna', groups: ['tills', 'shops'] } }],
    [
      `{ apply: [${MAP}], as: { user: anna, certificate: { beginsIn: 60, endsIn: -5, issuer: another } } }`,
      { as: { kind: 'user', name: 'anna', groups: [], certificate: { beginsInSeconds: 60, endsInSeconds: -5, issuer: 'another' } } },
    ],
    [`{ apply: [${MAP}], as: { token: abc } }`, { as: { kind: 'token', token: 'abc' } }],
    [`{ apply: [${MAP}], as: { serviceAccount: shop/robot } }`, { as: { kind: 'account', account: { namespace: 'shop', name: 'robot' } } }],
    [`{ apply: [${MAP}], as: { anonymous: true } }`, { as: { kind: 'anonymous' } }],
    [`{ apply: [${MAP}], kubeconfig: anna.yaml }`, { kubeconfig: { file: 'anna.yaml' } }],
    [
      `{ apply: [${MAP}], kubeconfig: { file: anna.yaml, context: shop, content: { users: [] } } }`,
      { kubeconfig: { file: 'anna.yaml', context: 'shop', content: '{"users":[]}' } },
    ],
    [
      `{ apply: [${MAP}], kubeconfig: { file: anna.yaml, content: "users: [" } }`,
      { kubeconfig: { file: 'anna.yaml', content: 'users: [' } },
    ],
    [`{ apply: [${MAP}], kubeconfig: { file: anna.yaml, missing: true } }`, { kubeconfig: { file: 'anna.yaml', missing: true } }],
    [
      `delete: [Pod/shop/web, Node/worker-1]`,
      {
        do: 'delete',
        objects: [
          { kind: 'Pod', namespace: 'shop', name: 'web' },
          { kind: 'Node', name: 'worker-1' },
        ],
        force: false,
      },
    ],
    [
      `{ delete: [Pod/shop/web], force: true, cascade: orphan, grace: 0, waits: false, as: anna, kubeconfig: anna.yaml }`,
      { force: true, cascade: 'orphan', graceSeconds: 0, waits: false, as: { name: 'anna' }, kubeconfig: { file: 'anna.yaml' } },
    ],
    [
      `{ patch: Deployment/shop/web, body: { spec: { replicas: 2 } } }`,
      {
        do: 'patch',
        object: { kind: 'Deployment', namespace: 'shop', name: 'web' },
        body: { spec: { replicas: 2 } },
        subresource: undefined,
      },
    ],
    [
      `{ patch: Pod/shop/web, body: [{ op: remove, path: /spec/x }], subresource: status }`,
      { body: [{ op: 'remove', path: '/spec/x' }], subresource: 'status' },
    ],
    [`drain: Node/worker-1`, { do: 'drain', node: 'worker-1' }],
    [`{ exec: Pod/shop/web, command: [sleep, 5] }`, { do: 'exec', pod: { name: 'web' }, command: ['sleep', '5'] }],
    [`{ token: shop/robot, seconds: 600 }`, { do: 'token', account: { namespace: 'shop', name: 'robot' }, seconds: 600 }],
    [`look: { node: worker-1, service: kubelet }`, { do: 'look', node: 'worker-1', service: 'kubelet' }],
    [`fault: { fault: stop, process: kubelet }`, { do: 'fault', fault: { fault: 'stop', process: 'kubelet' } }],
    [`{ at: 0s, wait: settled }`, { atMilliseconds: 0, do: 'wait' }],
    [`wait: 2m`, { do: 'wait', milliseconds: 120_000 }],
  ])('is what it says: %s', (text, expected) => {
    const { step, problems } = read(text);
    expect(problems).toEqual([]);
    expect(step).toMatchObject({ place: 'shop.yaml:3', ...expected });
  });

  it('has nothing of a client that it does not name, and waits for a deletion', () => {
    expect(Object.keys(read('delete: [Pod/shop/web]').step ?? {}).toSorted()).toEqual([
      'atMilliseconds',
      'do',
      'force',
      'objects',
      'place',
    ]);
    expect(read('wait: settled').step).not.toHaveProperty('milliseconds');
    expect(read(`apply: [${MAP}]`).step).not.toHaveProperty('manifest');
    expect(read(`{ apply: [${MAP}], as: { user: anna } }`).step).toMatchObject({ as: { name: 'anna', groups: [] } });
  });

  it.each([
    [`{ wait: 1m, drain: Node/worker-1 }`, '3 steps[0]: a step needs exactly one of: apply, create, delete, patch, drain'],
    [`{ at: 1m }`, '3 steps[0]: a step needs exactly one of'],
    [`{ wait: 1m, namespace: shop }`, '3 steps[0].namespace: "namespace" is not allowed in a wait step; allowed: at'],
    [
      `{ delete: [Pod/shop/web], file: a.yaml }`,
      '3 steps[0].file: "file" is not allowed in a delete step; allowed: at, as, kubeconfig, force, cascade, grace, waits',
    ],
    [`{ apply: [${MAP}], whoever: anna }`, '3 steps[0].whoever: unknown field "whoever"'],
    [`{ apply: [${MAP}], as: { usr: anna } }`, '3 steps[0].as.usr: unknown field "usr"; did you mean user?'],
    [`{ apply: [${MAP}], as: { groups: [a] } }`, '3 steps[0].as: "as" is one of user, token, serviceAccount, anonymous'],
    [`{ apply: [${MAP}], as: { token: a, groups: [b] } }`, '3 steps[0].as.groups: "groups" is only allowed together with "user"'],
    [`{ apply: [${MAP}], as: { token: a, certificate: {} } }`, '3 steps[0].as.certificate: "certificate" is only allowed together'],
    [`{ apply: [${MAP}], as: { anonymous: no } }`, '3 steps[0].as.anonymous: write anonymous: true, or leave it out'],
    [`{ apply: [${MAP}], as: { user: anna, certificate: { endsIn: soon } } }`, '3 steps[0].as.certificate.endsIn: expected a number'],
    [`{ apply: [${MAP}], as: { user: anna, certificate: { ends: 5 } } }`, '3 steps[0].as.certificate.ends: unknown field "ends"'],
    [`{ apply: [${MAP}], as: { serviceAccount: a/b/c } }`, '3 steps[0].as.serviceAccount: "a/b/c" is not a valid ServiceAccount reference'],
    [`{ apply: [${MAP}], as: { serviceAccount: /b } }`, '3 steps[0].as.serviceAccount: "/b" is not a valid ServiceAccount reference'],
    [`{ apply: [${MAP}], as: { serviceAccount: b/ } }`, '3 steps[0].as.serviceAccount: "b/" is not a valid ServiceAccount reference'],
    [`{ apply: [${MAP}], kubeconfig: { context: shop } }`, '3 steps[0].kubeconfig: "file" is missing'],
    [`{ apply: [${MAP}], kubeconfig: { file: a.yaml, user: b } }`, '3 steps[0].kubeconfig.user: unknown field "user"'],
    [`{ apply: [${MAP}], fill: { at: data.tea } }`, '3 steps[0].fill: "bytes" is missing'],
    [`{ apply: [${MAP}], fill: { at: data.tea, bytes: 4194305 } }`, '3 steps[0].fill: 4194305 bytes, but the limit is 4194304'],
    [`apply: { missing: false }`, '3 steps[0].apply: write a list of documents, the text of the manifest, or { missing: true }'],
    [`apply: [prices]`, '3 steps[0].apply[0]: expected a map'],
    [`{ delete: [web] }`, '3 steps[0].delete[0]: "web" is not a valid object reference; write Kind/namespace/name or Kind/name'],
    [`{ delete: [Pod/shop/web], cascade: all }`, '3 steps[0].cascade: unknown value "all"'],
    [`{ delete: [Pod/shop/web], grace: soon }`, '3 steps[0].grace: expected a number'],
    [`drain: Pod/shop/web`, '3 steps[0].drain: only a node can be drained; write Node/name'],
    [`{ patch: Pod/shop/web }`, '3 steps[0].patch: "body" is missing: the change'],
    [`{ patch: Pod/shop/web, body: 5 }`, '3 steps[0].body: expected a map'],
    [`{ exec: Pod/shop/web }`, '3 steps[0].exec: "command" is missing: the command to run in the pod'],
    [`{ look: { node: worker-1 } }`, '3 steps[0].look: "service" is missing'],
    [`{ look: { service: kubelet, node: worker-1, pod: web } }`, '3 steps[0].look.pod: unknown field "pod"'],
    [`fault: { process: kubelet }`, '3 steps[0].fault: "fault" is missing: the kind of fault'],
    [`wait: -1s`, '3 steps[0].wait: "-1s" is not a valid duration'],
    [`{ at: -1s, wait: settled }`, '3 steps[0].at: "-1s" is not a valid duration; write 30s, 2m or 1h30m'],
    [`{ token: shop/robot, seconds: many }`, '3 steps[0].seconds: expected a number'],
  ])('is refused, with its line and field: %s', (text, problem) => {
    const { step, problems } = read(text);
    expect(step).toBeUndefined();
    expect(problems.join('\n')).toContain(problem);
  });

  it('may put up to 4 MiB into its documents', () => {
    const { step, problems } = read(`{ apply: [${MAP}], fill: { at: data.tea, bytes: 4194304 } }`);
    expect(problems).toEqual([]);
    expect(JSON.stringify(step).length).toBeGreaterThan(4_194_304);
  });
});
