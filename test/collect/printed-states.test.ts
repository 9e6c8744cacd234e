import { beforeAll, describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { collect } from '../../src/collect/collect.ts';
import { diagnose } from '../../src/engine/diagnose.ts';
import type { Diagnosis } from '../../src/model/diagnosis.ts';
import type { Rule } from '../../src/model/rule.ts';
import { gapTellings } from '../../src/report/diagnosis/gap-lines.ts';
import { fieldOf, read, refsIn } from '../support/transcripts.ts';

let rules: readonly Rule[] = [];
beforeAll(async () => {
  rules = await shippedRules();
});

async function diagnosed(text: string, target: { readonly kind: string; readonly name: string }): Promise<Diagnosis> {
  const ref = { ...target, namespace: 'shop' };
  return diagnose(await collect(read(text).reader, { target: ref, namespace: 'shop' }, rules), rules, ref);
}

describe('a pod that a table shows as started again and again', () => {
  const TABLE =
    '$ kubectl -n shop get pods\nNAME     READY   STATUS             RESTARTS      AGE\ntill-0   0/1     CrashLoopBackOff   5 (10s ago)   4m\n';

  it.each(['', ' --previous'])('is explained by its log: kubectl logs%s', async (flag) => {
    const text = `${TABLE}$ kubectl -n shop logs till-0${flag}\nnginx: [emerg] host not found in upstream "prices" in /etc/nginx/conf.d/till.conf:4\n`;
    const { outcome, causes } = await diagnosed(text, { kind: 'Pod', name: 'till-0' });
    expect(outcome).toBe('explained');
    expect(causes[0]).toMatchObject({ rule: 'containers/dependency-name-not-resolved', params: { host: 'prices' } });
  });

  it.each([
    ['exec /till: exec format error', 'containers/exec-format-error'],
    ["KeyError: 'PRICES'", 'containers/application-error-exit'],
  ])('has failed where its last words say so: %s', async (words, rule) => {
    const { causes } = await diagnosed(`${TABLE}$ kubectl -n shop logs till-0 --previous\nstarting\n${words}\n`, {
      kind: 'Pod',
      name: 'till-0',
    });
    expect(causes[0]?.rule).toBe(rule);
  });

  it('may have ended well where they say nothing', async () => {
    const { outcome } = await diagnosed(`${TABLE}$ kubectl -n shop logs till-0 --previous\nall prices are read\n`, {
      kind: 'Pod',
      name: 'till-0',
    });
    expect(outcome).toBe('inconclusive');
  });
});

describe('a pod of which only a row was seen', () => {
  const row = (name: string, status: string): string =>
    `$ kubectl -n shop get pods\nNAME     READY   STATUS                       RESTARTS   AGE\n${name.padEnd(8)} 0/1     ${status.padEnd(28)} 0          3m\n`;

  it.each([
    ['ImagePullBackOff', 'images', 'blocked'],
    ['Init:ErrImagePull', 'images', 'blocked'],
    ['CrashLoopBackOff', 'containers', 'blocked'],
    ['Init:Error', 'containers', 'blocked'],
    ['CreateContainerConfigError', 'containers', 'blocked'],
    ['ContainerCreating', 'volumes', 'waiting'],
  ] as const)('has come as far as the word %s says', async (status, stage, verdict) => {
    const { outcome, reason, stages } = await diagnosed(row('till-0', status), { kind: 'Pod', name: 'till-0' });
    expect([outcome, reason]).toEqual(['inconclusive', status]);
    const at = stages.findIndex(({ id }) => id === stage);
    expect(stages[at]).toMatchObject({ verdict, reason: status });
    expect(new Set(stages.slice(0, at).map((one) => one.verdict))).toEqual(new Set(['passed']));
    expect(new Set(stages.slice(at + 1).map((one) => one.verdict))).toEqual(new Set(['not-reached']));
  });

  it('was killed by its memory limit, which the word itself says', async () => {
    const { outcome, causes, stages } = await diagnosed(row('till-0', 'OOMKilled'), { kind: 'Pod', name: 'till-0' });
    expect([outcome, causes[0]?.rule]).toEqual(['explained', 'containers/oom-killed']);
    expect(stages.find(({ verdict }) => verdict === 'blocked')?.id).toBe('containers');
  });

  it('runs and is not ready, or may be anywhere among its init containers', async () => {
    const stagesOf = async (status: string): Promise<Diagnosis['stages']> =>
      (await diagnosed(row('till-0', status), { kind: 'Pod', name: 'till-0' })).stages;
    expect((await stagesOf('Running')).filter(({ verdict }) => verdict === 'waiting')).toMatchObject([
      { id: 'probes', reason: 'not ready' },
    ]);
    expect((await stagesOf('Init:0/1')).find(({ id }) => id === 'volumes')?.verdict).toBe('unknown');
  });

  it('is asked about before all others, first with the command that shows most', async () => {
    const { gaps } = await diagnosed(row('till-0', 'ImagePullBackOff'), { kind: 'Pod', name: 'till-0' });
    expect(gaps[0]?.about).toMatchObject({ kind: 'Pod', name: 'till-0' });
    const others = gaps.findIndex(({ about }) => about.kind !== 'Pod');
    expect(gaps.slice(others).every(({ about }) => about.kind !== 'Pod')).toBe(true);
    expect(gapTellings(gaps)[0]?.command).toBe('kubectl -n shop describe pod till-0');
  });

  it('is read though a name of another length has moved its cells', async () => {
    const moved =
      '$ kubectl -n shop get pods\nNAME                        READY   STATUS    RESTARTS   AGE\ntill-0   0/1     ImagePullBackOff   0          3m\n';
    const shifted =
      '$ kubectl -n shop get pods\nNAME     READY   STATUS             RESTARTS   AGE\ntill-0   0/1     Running   0          3m\n';
    const stateOf = (text: string): unknown => fieldOf(read(text), 'Pod/shop/till-0', 'status');
    expect(stateOf(moved)).toMatchObject({ reason: 'ImagePullBackOff' });
    expect(stateOf(shifted)).toMatchObject({ phase: 'Running' });
  });
});

describe('a pod of which only a log was seen', () => {
  async function ofLog(flag: string, words: string): Promise<Diagnosis> {
    return diagnosed(`$ kubectl -n shop logs till-0${flag}\nstarting the till\n${words}\n`, { kind: 'Pod', name: 'till-0' });
  }

  it('has ended for the module that its last words name', async () => {
    const { outcome, causes } = await ofLog(
      '',
      "Error: Cannot find module './prices'\n    at Function._load (node:internal)\n\nNode.js v22.4.0",
    );
    expect([outcome, causes[0]?.rule]).toEqual(['explained', 'containers/module-not-found']);
  });

  it.each([
    ['', 'panic: no prices\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/till.go:21 +0x1d', 'panic: no prices'],
    [
      '',
      'Error: the prices are of another shop\n    at Function._load (node:internal)\n\nNode.js v22.4.0',
      'the prices are of another shop',
    ],
    ['', 'nginx: [emerg] unknown directive "pries" in /etc/nginx/conf.d/till.conf:4', 'unknown directive "pries"'],
    [' --previous', 'Error: the price list is empty', 'the price list is empty'],
  ])('has ended where that is what its last words say: logs%s %j', async (flag, words, last) => {
    const { outcome, causes } = await ofLog(flag, words);
    expect([outcome, causes[0]?.rule]).toEqual(['explained', 'containers/application-error-exit']);
    expect(causes[0]?.what).toContain(last);
  });

  it.each([
    ['', 'Error: the price list is empty'],
    ['', 'FATAL: the clerk is ill; waiting for the next one'],
    [' --previous', 'all prices are read'],
  ])('may run, and is not said to: logs%s %j', async (flag, words) => {
    const { outcome, stages } = await ofLog(flag, words);
    expect(outcome).toBe('inconclusive');
    if (words.includes('Error')) expect(stages.find(({ id }) => id === 'containers')?.verdict).toBe('unknown');
  });
});

describe('a pod that a table shows as ready', () => {
  it.each([
    ['0', 'healthy'],
    ['1 (2m1s ago)', 'healthy'],
    ['57 (3h ago)', 'healthy'],
    ['57 (2m1s ago)', 'inconclusive'],
  ])('is well where it was not started again several times lately: %s', async (restarts, outcome) => {
    const text = `$ kubectl -n shop get pods\nNAME     READY   STATUS    RESTARTS         AGE\ntill-0   1/1     Running   ${restarts.padEnd(16)} 9h\n`;
    expect((await diagnosed(text, { kind: 'Pod', name: 'till-0' })).outcome).toBe(outcome);
  });
});

describe('a Service that a table shows', () => {
  it('is not well where its load balancer is not there', async () => {
    const text =
      '$ kubectl -n shop get svc\nNAME   TYPE           CLUSTER-IP   EXTERNAL-IP   PORT(S)        AGE\ntill   LoadBalancer   10.96.0.7    <pending>     80:30080/TCP   5d\n';
    const { outcome, reason } = await diagnosed(text, { kind: 'Service', name: 'till' });
    expect([outcome, reason]).toEqual(['explained', 'no external address']);
  });

  const TABLE =
    '$ kubectl -n shop get svc,ep\nNAME           TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)   AGE\nservice/till   ClusterIP   10.96.0.7    <none>        80/TCP    5d\n';
  const endpoints = (address: string): string => `\nNAME             ENDPOINTS   AGE\nendpoints/till   ${address.padEnd(11)} 5d\n`;

  it.each([
    ['nothing stands behind it', endpoints('<none>'), 'inconclusive'],
    ['nobody saw what stands behind it', '', 'inconclusive'],
    ['an address stands behind it', endpoints('10.1.0.4:80'), 'healthy'],
  ])('is no better than it is known to be: %s', async (_, more, outcome) => {
    expect((await diagnosed(TABLE + more, { kind: 'Service', name: 'till' })).outcome).toBe(outcome);
  });

  it('is asked for where its selector would tell why', async () => {
    const { gaps } = await diagnosed(TABLE + endpoints('<none>'), { kind: 'Service', name: 'till' });
    expect(gaps.map(({ needs }) => needs)).toContain('kubectl -n shop get services till -o yaml');
  });
});

describe('what a template or jq took out of an object', () => {
  it('is a state of the object that the command names', async () => {
    const conditions = [
      { type: 'DiskPressure', status: 'True', reason: 'KubeletHasDiskPressure' },
      { type: 'Ready', status: 'True', reason: 'KubeletReady' },
    ];
    const seen = read(`$ kubectl get node worker-2 -o json | jq .status.conditions\n${JSON.stringify(conditions, null, 2)}\n`);
    expect(refsIn(seen)).toEqual(['Node/worker-2']);
    expect(fieldOf(seen, 'Node/worker-2', 'status.conditions')).toEqual(conditions);
  });

  it('may be the status of a pod', async () => {
    const status = {
      phase: 'Pending',
      containerStatuses: [
        {
          name: 'till',
          image: 'shop/till:1',
          ready: false,
          restartCount: 0,
          state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "till-keys" not found' } },
        },
      ],
    };
    const text = `$ kubectl -n shop get pod till-0 -o jsonpath='{.status}'\n${JSON.stringify(status)}\n`;
    const { causes } = await diagnosed(text, { kind: 'Pod', name: 'till-0' });
    expect(causes[0]).toMatchObject({ rule: 'containers/secret-not-found', params: { secret: 'till-keys' } });
  });
});
