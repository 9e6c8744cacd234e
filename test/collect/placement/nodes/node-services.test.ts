import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago, collected, evidenceOf, factsIn, objectOf, podWith } from '../../../support/collected.ts';

function service(name: string, spec: JsonObject, node = 'worker-1'): KubeObject {
  return objectOf('NodeService', `${node}-${name}-${JSON.stringify(spec)}`, { spec: { node, service: name, ...spec } });
}

const services = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('node-service', objects);

describe('a service of a node', () => {
  it('runs where systemd says so', async () => {
    const states: readonly (readonly [JsonObject, unknown])[] = [
      [{ active: 'active', sub: 'running' }, true],
      [{ active: 'active' }, true],
      [{ active: 'active', sub: 'exited' }, false],
      [{ active: 'failed', sub: 'failed' }, false],
      [{ active: 'inactive', sub: 'dead' }, false],
      [{ active: 'unknown' }, undefined],
    ];
    for (const [spec, running] of states)
      expect((await services(service('kubelet.service', spec)))[0]?.['running'], JSON.stringify(spec)).toBe(running);
  });

  it('is told with its state, its log, and since when', async () => {
    expect(await services(service('kubelet.service', { active: 'failed', sub: 'failed', since: ago(90), lines: ['a', 'b'] }))).toEqual([
      { service: 'kubelet', active: 'failed', sub: 'failed', running: false, sinceSeconds: 90, log: 'a\nb' },
    ]);
    expect(await services(objectOf('NodeService', 'x', { spec: { service: 'kubelet', active: 'failed' } }))).toEqual([]);
  });

  it('that was looked at twice is as it was at last; the same service of another node is another', async () => {
    const [stopped, runs] = [service('kubelet', { active: 'inactive' }), service('kubelet', { active: 'active' })];
    expect(await services(stopped, runs)).toMatchObject([{ running: true }]);
    expect(await services(stopped, service('kubelet', { active: 'active' }, 'worker-2'))).toHaveLength(2);
  });

  it('that runs is told with its troubles alone', async () => {
    const lines = [
      'I0114 09:00:00 server.go:1] all is well',
      'E0114 09:00:00 server.go:1] no',
      'time="x" level=error msg=no',
      'time="x" level=info msg=yes',
      'the lease has expired',
      'kubelet started',
    ];
    const [running] = await services(service('kubelet', { active: 'active', lines }));
    expect(running?.['log']).toBe([lines[1], lines[2], lines[4]].join('\n'));
    const [stopped] = await services(service('kubelet', { active: 'inactive', lines }));
    expect(stopped?.['log']).toBe(lines.join('\n'));
    const many = Array.from({ length: 21 }, (_, index) => String(index));
    expect(String((await services(service('kubelet', { active: 'inactive', lines: many })))[0]?.['log']).split('\n')).toEqual(
      many.slice(1),
    );
  });

  it.each(['kubelet', 'containerd', 'crio', 'cri-o', 'docker', 'cri-docker', 'kube-proxy'])(
    '%s is one that pods suffer from',
    async (name) => {
      const around = [podWith('web-1', {}, {}), objectOf('Node', 'worker-1', { status: {} })];
      expect(await collected('node-use', [...around, service(name, { active: 'inactive' })])).toHaveLength(1);
      expect(await collected('node-use', [...around, service(name, { active: 'active' })])).toEqual([]);
      expect(await collected('node-use', [...around, service(name, { active: 'unknown' })])).toEqual([]);
      expect(await collected('node-use', [...around, service('sshd', { active: 'inactive' })])).toEqual([]);
      expect(await collected('node-use', [...around, service(name, { active: 'inactive' }, 'worker-2')])).toEqual([]);
    },
  );
});

describe('the credentials of a kubelet', () => {
  const EXPIRED = 'E0114 bootstrap.go:266] part of the existing bootstrap client certificate in /etc/kubernetes/kubelet.conf is expired';
  const credentials = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('kubelet-credentials', objects);
  const silent = (name: string, status = 'Unknown'): KubeObject =>
    objectOf('Node', name, { status: { conditions: [{ type: 'Ready', status }] } });

  it('do not serve any more where its journal says so, in its last words', async () => {
    const lines = [`${EXPIRED}: first`, `${EXPIRED}: last`, 'E0114 other trouble'];
    expect(await credentials(service('kubelet', { active: 'failed', lines }))).toEqual([
      { node: 'worker-1', via: 'journal', message: `${EXPIRED}: last` },
    ]);
    expect(await credentials(service('containerd', { active: 'failed', lines }))).toEqual([]);
    expect(await credentials(service('kubelet', { active: 'failed', lines: ['E0114 other trouble'] }))).toEqual([]);
  });

  it('wait for approval where a silent node has asked for new ones', async () => {
    const request = (more: JsonObject = {}, status: JsonObject = {}): KubeObject =>
      objectOf('CertificateSigningRequest', 'csr-1', {
        spec: { username: 'system:node:worker-1', signerName: 'kubernetes.io/kube-apiserver-client-kubelet', ...more },
        status,
      });
    expect(await credentials(silent('worker-1'), request())).toEqual([
      { node: 'worker-1', via: 'request', message: 'certificate request csr-1 of node worker-1 waits for approval' },
    ]);
    expect(await credentials(silent('worker-2'), request())).toEqual([]);
    expect(await credentials(silent('worker-1', 'True'), request())).toEqual([]);
    for (const more of [{ signerName: 'kubernetes.io/kubelet-serving' }, { username: 'worker-1' }, { username: 'system:node:worker-2' }])
      expect(await credentials(silent('worker-1'), request(more))).toEqual([]);
    for (const status of [{ conditions: [{ type: 'Approved' }] }, { conditions: [{ type: 'Denied' }] }, { certificate: 'LS0t' }])
      expect(await credentials(silent('worker-1'), request({}, status))).toEqual([]);
  });

  it('are told by what a silent kubelet answers when a log is asked for', async () => {
    const pod = podWith('web-1', {}, { ready: true, state: { running: {} } });
    const answered = (detail: string): Parameters<typeof evidenceOf>[1] => ({
      logs: [
        {
          pod: { kind: 'Pod', namespace: 'shop', name: 'web-1' },
          container: 'web',
          previous: false,
          lines: [],
          filtered: false,
          unread: { ok: false, why: 'failed', detail },
        },
      ],
    });
    const WORDS = 'Authorization error (user=kube-apiserver-kubelet-client, verb=get, resource=nodes, subresource=[proxy])';
    const via = async (detail: string, node: KubeObject): Promise<readonly unknown[]> =>
      factsIn(await evidenceOf([node, pod], answered(detail)), 'kubelet-credentials').map((fields) => fields['via']);
    expect(await via(WORDS, silent('worker-1'))).toEqual(['answer']);
    expect(await via('connection refused', silent('worker-1'))).toEqual([]);
    expect(await via(WORDS, silent('worker-1', 'False'))).toEqual([]);
    expect(await via(WORDS, silent('worker-2'))).toEqual([]);
  });
});

describe('a runtime class', () => {
  const pod = (ready: string): KubeObject =>
    objectOf('Pod', 'web-1', {
      spec: { runtimeClassName: 'gvisor' },
      status: { phase: 'Pending', conditions: [{ type: 'Ready', status: ready }] },
    });
  const sandbox = objectOf('RuntimeClass', 'gvisor', { handler: 'runsc' });

  it('is told for pods that are not ready', async () => {
    expect(await collected('runtime-class', [pod('False'), sandbox])).toEqual([{ class: 'gvisor', handler: 'runsc', exists: true }]);
    expect(await collected('runtime-class', [pod('True'), sandbox])).toEqual([]);
    expect(factsIn(await evidenceOf([pod('False')], { none: ['RuntimeClass'] }), 'runtime-class')).toEqual([
      { class: 'gvisor', exists: false },
    ]);
    const { facts, gaps } = await evidenceOf([pod('False')], { refused: ['RuntimeClass'] });
    expect(facts.some(({ kind }) => kind === 'runtime-class')).toBe(false);
    expect(gaps.some(({ kind }) => kind === 'runtime-class')).toBe(true);
  });
});
