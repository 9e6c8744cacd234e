import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { answerTo } from '../support/pasted-answer.ts';

const UNSCHEDULED = '  Warning  FailedScheduling  3m  default-scheduler  0/3 nodes are available: 3 Insufficient cpu.\n';
const UNPULLED =
  '  Warning  Failed   2m   kubelet  Failed to pull image "shop/stock:9": rpc error: code = NotFound desc = failed to resolve reference "docker.io/shop/stock:9": docker.io/shop/stock:9: not found\n';

/** Objects with their causes, as a scan tells them. */
async function found(text: string): Promise<readonly string[]> {
  const { out } = await podcheck(['scan', '--from', '-', '-o', 'json'], { stdin: text });
  const { causes } = JSON.parse(out) as { causes: readonly { rule: string; object: { name: string } }[] };
  return causes.map(({ rule, object }) => `${rule} ${object.name}`).toSorted();
}

describe('headings that a person wrote', () => {
  it.each([
    ['till pod:', 'stock pod:'],
    ['The till pod:', 'The stock pod:'],
    ['Pod till', 'Pod stock'],
    ['**pod till**', '**pod: stock**'],
  ])('tell the pods apart that events are about: %s', async (first, second) => {
    expect(await found(`Two pods do not start.\n\n${first}\n${UNSCHEDULED}\n${second}\n${UNPULLED}`)).toEqual([
      'images/image-not-found stock',
      'scheduling/insufficient-resource till',
    ]);
  });

  it('name the workload of a pod that a list shows', async () => {
    const list =
      'NAME                    READY   STATUS             RESTARTS   AGE\ntill-6d5f7c8b9-x4k2p    0/1     Pending            0          9m\nstock-5c9d8b7f4-q2wzx   0/1     ImagePullBackOff   0          9m\n';
    expect(await found(`$ kubectl get pods\n${list}\nThe till pod:\n${UNSCHEDULED}\nThe stock pod:\n${UNPULLED}`)).toEqual([
      'images/image-not-found stock',
      'scheduling/insufficient-resource till',
    ]);
  });

  it('tell the pods apart that states of containers are of', async () => {
    const text =
      '### till-0\n\nLast State:     Terminated\n  Reason:       OOMKilled\n  Exit Code:    137\n\n### stock-0\n\nState:          Waiting\n  Reason:       ImagePullBackOff\n';
    expect(await found(text)).toEqual(['containers/oom-killed till-0', 'images/image-pull-failing stock-0']);
  });

  it('are none where they name no pod', async () => {
    expect((await answerTo(`The failing pod:\n${UNSCHEDULED}`)).target.name).toBe('<pod>');
  });
});

describe('a sentence about a command', () => {
  const EVENT = 'Warning  Failed  3m  kubelet  Failed to pull image "registry.shop.example/till:1.4": 401 Unauthorized\n';

  it.each([
    ['kubectl describe pod shows:', '<pod>'],
    ['| kubectl describe pod on the till shows: |', '<pod>'],
    ['This is what kubectl describe pod gives', '<pod>'],
    ['I ran kubectl describe pod on-call-0', 'on-call-0'],
    ['I ran kubectl describe pod till-0', 'till-0'],
  ])('names only what is a name: %s', async (sentence, name) => {
    expect((await answerTo(`${sentence}\n\n${EVENT}`)).target.name).toBe(name);
  });
});

describe('names that a person has masked', () => {
  it('are names in a list', async () => {
    const text =
      'NAME              STATUS     ROLES    AGE   VERSION\n(node-1-ip)   Ready      worker   54d   v1.33.6\n(node-2-ip)   NotReady   worker   54d   v1.33.6\n';
    expect(await answerTo(text)).toMatchObject({
      target: { kind: 'Node', name: 'node-2-ip' },
      causes: [{ rule: 'kubelet/node-not-ready' }],
    });
  });
});

describe('what a console says of a node', () => {
  it('is its condition', async () => {
    expect((await answerTo('The console says `Kubelet stopped posting node status.` of one machine\n')).causes[0]?.rule).toBe(
      'kubelet/kubelet-down',
    );
  });
});

describe('a row of events with whole times', () => {
  it('begins with no namespace', async () => {
    const row =
      '2026-01-15 11:58:02 +0000 UTC   2026-01-15 11:59:02 +0000 UTC   5   till   Pod   Warning   FailedScheduling   {default-scheduler }   0/3 nodes are available: 3 Insufficient cpu.\n';
    expect((await answerTo(row)).target).toEqual({ kind: 'Pod', namespace: 'default', name: 'till' });
  });
});
