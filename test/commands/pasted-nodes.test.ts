import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { answerTo } from '../support/pasted-answer.ts';

const PODS = 'NAME     READY   STATUS              RESTARTS   AGE\ntill-0   0/1     ContainerCreating   0          5m\n';
const READY =
  '$ kubectl describe node worker-1 | grep Ready\n  Ready            False   Mon, 11 Sep 2026 10:00:00 +0000   Mon, 11 Sep 2026 09:55:00 +0000   KubeletNotReady              container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized\n';
const nodes = (...rows: readonly string[]): string =>
  `$ kubectl get nodes\nNAME       STATUS     ROLES    AGE   VERSION\n${rows.join('\n')}\n`;

describe('a pod of which only a list is shown', () => {
  it('waits for what is wrong with the only node beside it', async () => {
    const { causes } = await answerTo(`${PODS}${nodes('worker-1   NotReady   <none>   5m    v1.36.0')}${READY}`);
    expect(causes[0]).toMatchObject({ rule: 'sandbox/cni-config-missing', object: { kind: 'Node', name: 'worker-1' } });
  });

  it('may be on another node than the one in trouble', async () => {
    const both = nodes('worker-1   NotReady   <none>   5m    v1.36.0', 'worker-2   Ready      <none>   5m    v1.36.0');
    expect((await answerTo(`${PODS}${both}${READY}`)).outcome).toBe('inconclusive');
  });
});

describe('the journal of a kubelet beside a list of pods with their nodes', () => {
  const journal = (host: string): string =>
    `$ journalctl -u kubelet\nSep 11 10:00:00 ${host} kubelet[901]: E0911 10:00:00.000000     901 kubelet.go:2902] "Container runtime network not ready" networkReady="NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"\n`;
  const wide = `$ kubectl get pods -o wide\n${PODS.replace('AGE', 'AGE   IP       NODE').replace('5m', '5m    <none>   worker-1')}`;
  const both = nodes('worker-1   Ready      <none>   5m    v1.36.0', 'worker-2   NotReady   <none>   5m    v1.36.0');

  it.each([
    ['alone', ''],
    ['with all nodes', both],
  ])('tells why a pod on that node waits: %s', async (_, listed) => {
    const { causes } = await answerTo(`${wide}${listed}${journal('worker-1')}`);
    expect([causes[0]?.rule, causes[0]?.what]).toEqual(['sandbox/cni-config-missing', expect.stringContaining('Node worker-1 ')]);
  });

  it('tells nothing of a pod on another node', async () => {
    const { out } = await podcheck(['diagnose', 'till-0', '--from', '-'], { stdin: `${wide}${both}${journal('worker-2')}` });
    expect(out).toContain('Pod default/till-0 is inconclusive');
  });
});
