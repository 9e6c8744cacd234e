import { describe, expect, it } from 'vitest';
import { answerTo } from '../support/pasted-answer.ts';

/** Whom a text is about, and what it says of it first. */
async function told(text: string): Promise<readonly [target: string, cause: string | undefined]> {
  const { target, causes } = await answerTo(text);
  return [`${target.kind} ${target.namespace ?? ''}/${target.name}`, causes[0]?.rule];
}

const PULL = 'Failed to pull image "shop/till:3": rpc error: code = NotFound desc = docker.io/shop/till:3: not found';
const EVENT = {
  type: 'Warning',
  reason: 'Failed',
  message: PULL,
  source: { component: 'kubelet', host: 'worker-1' },
  involvedObject: { kind: 'Pod', namespace: 'shop', name: 'till-0', fieldPath: 'spec.containers{app}' },
};

describe('an event that a program wrote into its log', () => {
  const inner = JSON.stringify(EVENT);

  it.each([
    [
      'a nested object',
      { kubernetes: { namespace: 'watch', pod: { name: 'exporter-1' }, container: { name: 'exporter' } }, message: inner },
    ],
    ['fields with dots', { 'kubernetes.pod_name': 'exporter-1', 'kubernetes.namespace_name': 'watch', log: inner }],
    ['nothing', { log: inner }],
  ])('is about its own pod, where an agent added that of the program as %s', async (_, line) => {
    expect(await told(`${JSON.stringify(line)}\n`)).toEqual(['Pod shop/till-0', 'images/image-not-found']);
  });

  it('keeps the node that its kubelet names', async () => {
    const event = { ...EVENT, reason: 'Evicted', message: 'The node was low on resource: ephemeral-storage. ' };
    const { causes } = await answerTo(`${JSON.stringify({ verb: 'ADDED', event })}\n`);
    expect(causes[0]?.what).toContain('Node worker-1 ');
  });
});

describe('a line of a container that an agent exported', () => {
  const kubernetes = { pod_name: 'till-0', namespace_name: 'shop', container_name: 'app' };
  const message = 'FATAL dial tcp: lookup ledger on 10.0.0.10:53: no such host';

  it.each([
    ['as it is', { log: message, kubernetes }],
    ['as a search gives it', { _index: 'logs', _source: { message, kubernetes } }],
    ['in a list', [{ content: { message, attributes: { kubernetes } } }]],
  ])('is a line of its log: %s', async (_, line) => {
    expect(await told(`${JSON.stringify(line)}\n`)).toEqual(['Pod shop/till-0', 'containers/dependency-name-not-resolved']);
  });

  it('says nothing of a namespace where containers of several wrote lines', async () => {
    const other = { log: 'listening', kubernetes: { ...kubernetes, pod_name: 'web-0', namespace_name: 'office' } };
    const [target] = await told(`${JSON.stringify({ log: message, kubernetes })}\n${JSON.stringify(other)}\n`);
    expect(target).toBe('Pod default/till-0');
  });
});

describe('columns of events that a person chose', () => {
  const row = 'shop  2026-02-03T10:00:00Z  Pod  till-0  FailedScheduling  0/3 nodes are available: 3 Insufficient cpu.';

  it('are known by their fields', async () => {
    const spec =
      'WHERE:.metadata.namespace,AT:.lastTimestamp,WHAT:.involvedObject.kind,WHO:{.involvedObject.name},WHY:.reason,TEXT:.message';
    const { target, causes } = await answerTo(
      `$ kubectl get events -A -o custom-columns=${spec}\nWHERE  AT                    WHAT  WHO     WHY               TEXT\n${row}\n`,
    );
    expect([target, causes[0]?.rule]).toMatchObject([{ namespace: 'shop', name: 'till-0' }, 'scheduling/insufficient-resource']);
  });

  it('say by their titles what they are without a command', async () => {
    const text = `NAMESPACE  KIND  NAME    REASON            MESSAGE\n${row.replace(/2026\S+ +/, '')}\n`;
    expect(await told(text)).toEqual(['Pod shop/till-0', 'scheduling/insufficient-resource']);
  });

  it('are read beside a list of pods', async () => {
    const text = [
      '$ kubectl get pods,events -n shop',
      'NAME         READY   STATUS              RESTARTS   AGE',
      'pod/till-0   0/1     ErrImageNeverPull   0          1m',
      '',
      'LAST SEEN   TYPE      REASON              OBJECT       MESSAGE',
      '5s          Warning   ErrImageNeverPull   pod/till-0   Container image "till:ci" is not present with pull policy of Never',
      '3s          Warning   Failed              pod/till-0   Error: ErrImageNeverPull',
    ].join('\n');
    expect(await told(text)).toEqual(['Pod shop/till-0', 'images/never-pull-and-absent']);
  });
});

describe('fields with labels around a message', () => {
  it.each([
    ['of a console', 'P  till-0\nNS  shop\nGenerated from kubelet on worker-1', 'till-0'],
    ['of an alert', '• *namespace:* shop\n• *pod:* till-0', 'till-0'],
    ['of a workload', 'till\nNamespace: shop\nType: Deployment', '<pod>'],
  ])('tell its object: %s', async (_, fields, pod) => {
    expect(await told(`${fields}\n${PULL}\n`)).toEqual([`Pod shop/${pod}`, 'images/image-not-found']);
  });

  it('tell nothing where they do not agree, or where the message names its pod', async () => {
    expect(await told(`Namespace: shop\nNamespace: office\n${PULL}\n`)).toEqual(['Pod default/<pod>', 'images/image-not-found']);
    const other =
      'CreatePodSandbox for pod "web-0_office(0a6d1c4e)" failed: failed to get sandbox runtime: no runtime for "kata" is configured';
    expect(await told(`Namespace: shop\n${other}\n`)).toEqual(['Pod office/web-0', 'sandbox/runtime-handler-not-configured']);
  });
});

describe('what tools tell of objects', () => {
  it.each([
    ['Summary: Container app in pod shop/till-0 has been OOMKilled twice', 'Pod shop/till-0', 'containers/oom-killed'],
    [
      ' └─✖ count   count   nightly-count-2919213309   3m   OOMKilled (exit code 137)',
      'Pod default/nightly-count-2919213309',
      'containers/oom-killed',
    ],
    ['worker-1 has been unready for more than 15 minutes.', 'Node /worker-1', undefined],
    [
      'Deployment/shop/till dry-run failed (Invalid): Deployment.apps "till" is invalid: spec.selector: Invalid value: "x": field is immutable',
      'Deployment shop/till',
      'schema-validation/immutable-field',
    ],
  ])('%s', async (text, target, cause) => {
    expect(await told(`${text}\n`)).toEqual([target, cause]);
  });

  it('is about the pod whose sandbox cannot be taken down', async () => {
    const line =
      'E0203 10:00:00.000000    434 pod_workers.go:182] Error syncing pod 9a5 ("till-0_shop(9a5)"), skipping: failed to "KillPodSandbox" for "9a5" with KillPodSandboxError: "rpc error: code = Unknown desc = NetworkPlugin cni failed to teardown pod \\"till-0_shop\\" network: netns is gone"';
    expect(await told(`${line}\n`)).toEqual(['Pod shop/till-0', 'sandbox/sandbox-not-removed']);
  });
});

describe('a program that must be root', () => {
  it('lacks no permission for a file', async () => {
    const log = 'iptables-restore: Permission denied (you must be root)';
    expect((await answerTo(`$ kubectl logs -n shop till-0 -c init -p\n${log}\n`)).causes.map(({ rule }) => rule)).not.toContain(
      'containers/permission-denied',
    );
  });
});
