import { describe, expect, it } from 'vitest';
import { NODE_SERVICE } from '../../../src/model/record-kinds.ts';
import { read, recordsIn, refsIn } from '../../support/transcripts.ts';

const STATUS = `● kubelet.service - kubelet: The Kubernetes Node Agent
     Loaded: loaded (/lib/systemd/system/kubelet.service; enabled; vendor preset: enabled)
     Active: inactive (dead) since Fri 2026-11-20 11:58:00 UTC; 2min ago
       Docs: https://kubernetes.io/docs/
   Main PID: 914 (code=exited, status=0/SUCCESS)
     CGroup: /system.slice/kubelet.service

Nov 20 11:57:59 worker-2 kubelet[914]: I1120 11:57:59.100000     914 server.go:1] "Stopping"
Nov 20 11:58:00 worker-2 systemd[1]: kubelet.service: Deactivated successfully.
`;
const LINES = STATUS.trimEnd().split('\n').slice(-2);

describe('the state of a service of a node', () => {
  it.each([
    ['through ssh', '$ ssh worker-2 systemctl status kubelet'],
    ['through ssh as a user, quoted', '$ ssh ops@worker-2 "sudo systemctl status kubelet.service"'],
    ['on the node itself', '[root@worker-2 ~]# systemctl status kubelet'],
    ['where only the journal names the node', '$ systemctl status kubelet'],
  ])('%s', (_, command) => {
    expect(recordsIn(read(`${command}\n${STATUS}`), NODE_SERVICE)).toEqual([
      { node: 'worker-2', service: 'kubelet', active: 'inactive', sub: 'dead', since: '2026-11-20T11:58:00Z', lines: LINES },
    ]);
  });

  it('may be of several services at once', () => {
    const text =
      '$ ssh worker-2 systemctl status kubelet containerd\n● kubelet.service - Kubelet\n     Active: active (running) since Fri 2026-11-20 11:00:00 UTC; 1h ago\n\n× containerd.service - containerd\n     Active: failed (Result: exit-code) since Fri 2026-11-20 11:30:00 UTC; 30min ago\n';
    expect(recordsIn(read(text), NODE_SERVICE)).toMatchObject([
      { service: 'kubelet', active: 'active', sub: 'running' },
      { service: 'containerd', active: 'failed', sub: 'Result: exit-code' },
    ]);
  });

  it('may be that there is no such service, or one word', () => {
    expect(recordsIn(read('$ ssh worker-2 systemctl status kubelet\nUnit kubelet.service could not be found.\n'), NODE_SERVICE)).toEqual([
      { node: 'worker-2', service: 'kubelet', active: 'not-found', lines: [] },
    ]);
    expect(recordsIn(read('$ ssh worker-2 systemctl is-active kubelet\ninactive\n'), NODE_SERVICE)).toEqual([
      { node: 'worker-2', service: 'kubelet', active: 'inactive', lines: [] },
    ]);
  });

  it('has a time in the zone that kubectl printed in where its name could mean several', () => {
    const text = `$ kubectl describe deploy web -n shop\nName:  web\nNamespace:  shop\nCreationTimestamp:  Fri, 20 Nov 2026 19:00:00 +0800\nStrategyType:  Recreate\n$ ssh worker-2 systemctl status kubelet\n● kubelet.service - Kubelet\n     Active: active (running) since Fri 2026-11-20 19:30:00 CST; 30min ago\n`;
    expect(recordsIn(read(text), NODE_SERVICE)).toMatchObject([{ since: '2026-11-20T11:30:00Z' }]);
    expect(
      recordsIn(
        read(
          '$ ssh worker-2 systemctl status kubelet\n● kubelet.service - Kubelet\n     Active: active (running) since Fri 2026-11-20 19:30:00 CST; 30min ago\n',
        ),
        NODE_SERVICE,
      )[0],
    ).not.toHaveProperty('since');
  });

  it('gets the lines of its journal', () => {
    const more = 'Nov 20 11:59:00 worker-2 kubelet[1001]: E1120 11:59:00.000000 no disk';
    const both = read(
      `$ ssh worker-2 systemctl status kubelet\n${STATUS}$ ssh worker-2 journalctl -u kubelet --no-pager\n-- Journal begins at Fri 2026-11-20 --\n${LINES.join('\n')}\n${more}\n`,
    );
    expect(recordsIn(both, NODE_SERVICE)).toMatchObject([{ active: 'inactive', lines: [...LINES, more] }]);
    expect(recordsIn(read(`[root@worker-2 ~]# journalctl -xeu kubelet\n${more}\n`), NODE_SERVICE)).toEqual([
      { node: 'worker-2', service: 'kubelet', active: 'unknown', lines: [more] },
    ]);
  });

  it('tells of the pods as well, and a container that fails to start is no end of the service', () => {
    const line =
      'Nov 20 11:59:00 worker-2 kubelet[1001]: E1120 11:59:00.643553    1001 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"till\\" with CreateContainerConfigError: \\"secret \\\\\\"keys\\\\\\" not found\\"" pod="shop/till-0"';
    const start =
      'Nov 20 11:59:00 worker-2 kubelet[1001]: E1120 11:59:00.642553    1001 kuberuntime_manager.go:1256] "Failed to start container" err="no"';
    const whole = read(`[root@worker-2 ~]# journalctl -u kubelet\n${start}\n${line}\n`);
    expect(recordsIn(whole, NODE_SERVICE)).toEqual([{ node: 'worker-2', service: 'kubelet', active: 'unknown', lines: [start, line] }]);
    expect(refsIn(whole)).toContain('Pod/shop/till-0');
    const ended = 'Nov 20 11:59:00 worker-2 systemd[1]: Failed to start kubelet: The Kubernetes Node Agent.';
    expect(recordsIn(read(`[root@worker-2 ~]# journalctl -u kubelet\n${ended}\n`), NODE_SERVICE)).toMatchObject([{ active: 'failed' }]);
  });

  it('is of the host with its whole name, of which a prompt shows the first part', () => {
    const line = 'Nov 20 11:59:00 worker-2.shop.example kubelet[1001]: E1120 11:59:00.000000 no disk';
    for (const command of ['journalctl -u kubelet', 'systemctl status kubelet\n● kubelet.service - Kubelet\n   Active: active (running)\n'])
      expect(recordsIn(read(`[root@worker-2 ~]# ${command}\n${line}\n`), NODE_SERVICE)).toMatchObject([{ node: 'worker-2.shop.example' }]);
    expect(recordsIn(read(`[root@worker-22 ~]# journalctl -u kubelet\n${line}\n`), NODE_SERVICE)).toMatchObject([{ node: 'worker-22' }]);
  });

  it('is read from a journal in another language, and of all services', () => {
    for (const month of ['11月', '11월', 'nov.', 'нояб'])
      expect(
        recordsIn(
          read(`$ journalctl -xe\n${month} 20 11:57:59 worker-2 kubelet[914]: E1120 11:57:59.1     914 kubelet.go:1] no such node\n`),
          NODE_SERVICE,
        ),
      ).toMatchObject([{ node: 'worker-2', service: 'kubelet' }]);
    expect(recordsIn(read(`$ systemctl status kubelet\n${STATUS.replaceAll('Nov 20', '11月 20')}`), NODE_SERVICE)).toMatchObject([
      { node: 'worker-2' },
    ]);
  });

  it('is not what no status is', () => {
    expect(recordsIn(read('$ ssh worker-2 sudo systemctl restart kubelet\n'), NODE_SERVICE)).toEqual([]);
  });

  it('is served as a list that has only what somebody looked at', async () => {
    const list = await read(`$ ssh worker-2 systemctl status kubelet\n${STATUS}`).reader.list(NODE_SERVICE, {});
    expect(list).toMatchObject({ ok: true, value: [{ metadata: { name: 'worker-2/kubelet' } }], partial: expect.any(String) as string });
    expect(await read('').reader.list(NODE_SERVICE, {})).toMatchObject({ ok: false, why: 'not-collected' });
  });
});
