import { describe, expect, it } from 'vitest';
import { forCluster } from '../../src/commands/diagnose/cluster-commands.ts';
import type { SourceOptions } from '../../src/commands/options.ts';
import type { Cause } from '../../src/model/diagnosis.ts';
import type { Gap } from '../../src/model/fact.ts';

const STAGING: SourceOptions = { kubeconfig: '/home/pat/my config', context: 'staging' };
const FLAGS = "--kubeconfig '/home/pat/my config' --context staging";

function runOf(run: string, options: SourceOptions): string | undefined {
  const cause = { fix: [{ say: 'Do it.', run }] } as unknown as Cause;
  return forCluster({ causes: [cause], gaps: [] }, options).causes[0]?.fix[0]?.run;
}

describe('the commands of a diagnosis', () => {
  it.each([
    ['kubectl uncordon worker-1', `kubectl ${FLAGS} uncordon worker-1`],
    [
      'kubectl -n shop get pvc db -o yaml | kubectl replace --force -f -',
      `kubectl ${FLAGS} -n shop get pvc db -o yaml | kubectl ${FLAGS} replace --force -f -`,
    ],
    ['kubectl get csr; kubectl top nodes', `kubectl ${FLAGS} get csr; kubectl ${FLAGS} top nodes`],
    ["ssh worker-1 'kubectl get nodes'", "ssh worker-1 'kubectl get nodes'"],
    ['kubectl config get-contexts', 'kubectl config get-contexts'],
    ['kubectl --kubeconfig=<file> get pods', 'kubectl --kubeconfig=<file> get pods'],
    ['kubeadm certs renew all', 'kubeadm certs renew all'],
  ])('go to the cluster that the flags chose: %s', (run, wanted) => {
    expect(runOf(run, STAGING)).toBe(wanted);
  });

  it('have no flags where none chose the cluster, or where there is none', () => {
    expect(runOf('kubectl uncordon worker-1', { namespace: 'shop' })).toBe('kubectl uncordon worker-1');
    expect(runOf('kubectl uncordon worker-1', { ...STAGING, from: ['saved.yaml'] })).toBe('kubectl uncordon worker-1');
    expect(runOf('kubectl uncordon worker-1', { ...STAGING, scenario: 'scheduling/node-cordoned' })).toBe('kubectl uncordon worker-1');
  });

  it('that show what was not seen go there, too', () => {
    const gap: Gap = { kind: 'pod', about: { kind: 'Pod', name: 'web-1' }, reason: 'not read' };
    const gaps: readonly Gap[] = [{ ...gap, needs: 'kubectl describe pod web-1' }, { ...gap, needs: 'get pods in shop' }, gap];
    expect(forCluster({ causes: [], gaps }, STAGING).gaps.map(({ needs }) => needs)).toEqual([
      `kubectl ${FLAGS} describe pod web-1`,
      'get pods in shop',
      undefined,
    ]);
  });
});
