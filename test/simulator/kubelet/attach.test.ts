import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { createCluster, loadCluster } from '../../../src/simulator/cluster.ts';

/** A cluster with a pod whose container runs this, and what somebody who is attached to it hears. */
class Attached {
  readonly cluster: Cluster;
  heard = '';
  ended: number | undefined;
  refused: string | undefined;

  constructor(container: JsonObject) {
    this.cluster = createCluster({
      seed: 1,
      preset: 'one-node',
      objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }],
    });
    this.cluster.apply([
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'till', namespace: 'shop' },
        spec: { restartPolicy: 'Never', containers: [{ name: 'till', image: 'busybox:1.36', ...container }] },
      },
    ]);
    this.cluster.advance(20_000);
  }

  begin(session = 1, pod = 'till'): void {
    const request = { credential: this.cluster.userCredential('jane', ['system:masters']), namespace: 'shop', pod, container: undefined };
    const sink = {
      output: (text: string) => void (this.heard += text),
      errors: (text: string) => void (this.heard += text),
      ended: (code: number) => void (this.ended = code),
    };
    const refusal = this.cluster.exec(
      { session, does: 'begin', request, wish: { command: [], attach: true, stdin: true, tty: true } },
      sink,
    );
    this.refused = refusal?.kind === 'refused' ? refusal.failure.message : refusal?.message;
  }

  type(text: string, session = 1): void {
    this.cluster.exec({ session, does: 'send', text });
    this.cluster.advance(2000);
  }

  get exitCode(): unknown {
    const answer = this.cluster.request({ verb: 'get', group: '', version: 'v1', resource: 'pods', namespace: 'shop', name: 'till' });
    return answer.ok ? dig(answer.object, 'status', 'containerStatuses', 0, 'state', 'terminated', 'exitCode') : answer.message;
  }
}

const SHELL = { command: ['sh'], stdin: true, tty: true };

describe('attaching to a container', () => {
  it('types into its shell, whose end is the end of the container', () => {
    const attached = new Attached(SHELL);
    attached.begin();
    attached.type('echo "$((1 + 1)) boxes"\n');
    expect(attached.heard).toContain('2 boxes\n');
    attached.type('exit 3\n');
    expect([attached.exitCode, attached.ended]).toEqual([3, 0]);
    const logged = attached.cluster.request({
      verb: 'get',
      group: '',
      version: 'v1',
      resource: 'pods',
      namespace: 'shop',
      name: 'till',
      subresource: 'log',
    });
    expect(logged.ok && logged.lines?.some((line) => line.endsWith('2 boxes'))).toBe(true);
  });

  it('ends the shell with its input where only one may type', () => {
    const attached = new Attached({ ...SHELL, stdinOnce: true });
    attached.begin();
    attached.cluster.exec({ session: 1, does: 'kill' });
    attached.cluster.advance(2000);
    expect([attached.exitCode, attached.ended]).toEqual([0, 0]);
  });

  it('leaves the shell to who comes next where more may', () => {
    const attached = new Attached(SHELL);
    attached.begin();
    attached.cluster.exec({ session: 1, does: 'kill' });
    attached.begin(2);
    attached.type('echo back\n', 2);
    expect([attached.heard, attached.exitCode]).toEqual([expect.stringContaining('back\n') as string, undefined]);
  });

  it('interrupts what the shell waits for', () => {
    const attached = new Attached(SHELL);
    attached.begin();
    attached.type('sleep 1000\n');
    attached.cluster.exec({ session: 1, does: 'interrupt' });
    attached.type('echo after\n');
    expect(attached.heard).toContain('after\n');
  });

  it('hears what another program says from then on', () => {
    const attached = new Attached({ command: ['sh', '-c', 'echo before; sleep 60; echo now; exit 4'] });
    attached.begin();
    attached.type('nobody listens\n');
    attached.cluster.advance(60_000);
    expect([attached.heard, attached.exitCode]).toEqual(['now\n', 4]);
  });

  it('is refused where nothing runs, or nobody may', () => {
    const attached = new Attached({ command: ['true'] });
    attached.begin();
    expect(attached.refused).toBe('container not found ("till")');
    attached.begin(2, 'nothing');
    expect(attached.refused).toBe('pods "nothing" not found');
  });

  it('comes out the same when it is played again', () => {
    const attached = new Attached(SHELL);
    attached.begin();
    attached.type('echo once\n');
    const saved = attached.cluster.save();
    expect(loadCluster(saved).digest()).toBe(saved.digest);
  });
});
