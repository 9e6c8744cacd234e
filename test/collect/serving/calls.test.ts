import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, evidenceOf, factsIn, podWith } from '../../support/collected.ts';

function pod(
  name = 'web-1',
  more: {
    readonly ready?: string;
    readonly spec?: JsonObject;
    readonly status?: JsonObject;
  } = {},
): KubeObject {
  const { ready = 'True' } = more;
  return podWith(
    name,
    {},
    { ready: ready === 'True', state: { running: { startedAt: ago(600) } } },
    {
      spec: more.spec ?? {},
      status: { conditions: [{ type: 'Ready', status: ready, lastTransitionTime: ago(500) }], ...more.status },
    },
  );
}

describe('what a log says of a call', () => {
  const REFUSED = 'dial tcp: connect to 10.96.0.20:5432 failed: connection refused';
  const log = (
    name: string,
    lines: readonly string[],
    previous = false,
  ): NonNullable<NonNullable<Parameters<typeof evidenceOf>[1]>['logs']>[number] => ({
    pod: { kind: 'Pod', namespace: 'shop', name },
    container: 'web',
    previous,
    lines,
    filtered: false,
  });
  const calls = async (pods: readonly KubeObject[], ...logs: readonly ReturnType<typeof log>[]): Promise<ReturnType<typeof factsIn>> =>
    factsIn(await evidenceOf(pods, { logs }), 'call-failure');
  const LOOKUP = 'dial tcp: lookup cart on 10.96.0.10:53: no such host';

  it('is over where the program tells of another trouble ever since, or goes on in rounds without it', async () => {
    const classes = async (...lines: readonly string[]): Promise<unknown> =>
      (await calls([pod('web-1', { ready: 'False' })], log('web-1', lines))).map((fact) => fact['class']);
    const LATE = 'wget: download timed out';
    expect(await classes(REFUSED, LATE, LATE)).toEqual(['refused', 'timeout']);
    expect(await classes(REFUSED, LATE, LATE, LATE)).toEqual(['timeout']);
    expect(await classes(REFUSED, LATE, LATE, LATE, REFUSED)).toEqual(['refused', 'timeout']);
    const rounds = Array.from({ length: 7 }, () => 'waiting for the database');
    expect(await classes('waiting for the database', REFUSED, ...rounds)).toEqual([]);
    expect(await classes(REFUSED, ...rounds)).toEqual(['refused']);
  });

  it('is told once for each address, with how often and how long ago', async () => {
    expect(await calls([pod('web-1', { ready: 'False' })], log('web-1', [LOOKUP, 'well', LOOKUP, 'well', 'well']))).toEqual([
      {
        container: 'web',
        class: 'name-not-resolved',
        host: 'cart',
        service: 'cart',
        exists: false,
        lines: 2,
        linesSince: 2,
        previous: false,
        ready: false,
      },
    ]);
    const two = [LOOKUP, LOOKUP.replace('cart', 'till')];
    expect(await calls([pod()], log('web-1', two))).toMatchObject([
      { host: 'cart', lines: 1, linesSince: 1 },
      { host: 'till', linesSince: 0 },
    ]);
    expect((await calls([pod()], log('web-1', [REFUSED])))[0]).toMatchObject({ class: 'refused', ready: true });
    expect(await calls([pod()], log('web-1', ['all is well']))).toEqual([]);
  });

  it('of the run before matters where the pod is not ready', async () => {
    expect(await calls([pod()], log('web-1', [LOOKUP], true))).toEqual([]);
    const down = podWith(
      'web-1',
      {},
      { restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } },
      { status: { conditions: [{ type: 'Ready', status: 'False' }] } },
    );
    expect(await calls([down], log('web-1', [LOOKUP], true))).toMatchObject([{ previous: true, ready: false }]);
  });

  it('quotes the newest line, and how many tell the same', async () => {
    const proof = async (...written: readonly ReturnType<typeof log>[]): Promise<readonly unknown[]> =>
      (await evidenceOf([pod('web-1', { ready: 'False' })], { logs: written })).facts
        .filter(({ kind }) => kind === 'call-failure')
        .map(({ source, quote }) => [source, quote]);
    const later = `${LOOKUP} (again)`;
    expect(await proof(log('web-1', [LOOKUP, later]))).toEqual([['log of Pod/shop/web-1 container web', `${later} (2 such lines)`]]);
    expect(await proof(log('web-1', [LOOKUP]))).toEqual([['log of Pod/shop/web-1 container web', LOOKUP]]);
    expect(await proof(log('web-1', [LOOKUP], true))).toEqual([]);
  });

  it('of the run before matters where the container was just started again, ready or not', async () => {
    const again = podWith(
      'web-1',
      {},
      {
        ready: true,
        restartCount: 3,
        state: { running: { startedAt: ago(3) } },
        lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: ago(40), finishedAt: ago(30) } },
      },
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    );
    const both = [log('web-1', [LOOKUP], true), log('web-1', [LOOKUP.replace('cart', 'till')])];
    expect(await calls([again], ...both)).toMatchObject([
      { host: 'cart', previous: true, ready: false },
      { host: 'till', previous: false, ready: true },
    ]);
    const { facts } = await evidenceOf([again], { logs: both });
    expect(facts.find(({ kind }) => kind === 'call-failure')?.source).toBe('log of Pod/shop/web-1 container web (previous run)');
  });

  it('that was refused has the port, and no Service where it has no name', async () => {
    const [fact] = await calls([pod()], log('web-1', ['dial tcp: connect to db:5432 failed: connection refused']));
    expect(fact).toMatchObject({ class: 'refused', host: 'db', port: '5432', service: 'db' });
    expect((await calls([pod()], log('web-1', ['NOAUTH Authentication required'])))[0]).not.toHaveProperty('service');
  });

  const DENIED = "Access denied for user 'shop'@'10.0.0.12' (using password: YES)";

  it('by a server that refuses a caller is of the pod with that address', async () => {
    const two = {
      containers: [
        { name: 'app', image: 'a' },
        { name: 'side', image: 'a' },
      ],
      initContainers: [{ name: 'init', image: 'a' }],
    };
    const caller = pod('web-2', { spec: two, status: { podIP: '10.0.0.12' }, ready: 'False' });
    const refused = async (line: string, ...others: readonly KubeObject[]): Promise<readonly unknown[]> =>
      (await evidenceOf([pod(), ...others], { logs: [log('web-1', [line])] })).facts
        .filter(({ kind }) => kind === 'call-failure')
        .map(({ about, fields }) => [about.name, fields['container'], fields['ready']]);
    expect(await refused(DENIED, caller)).toEqual([['web-2', 'app', false]]);
    expect(await refused(DENIED)).toEqual([['web-1', 'web', true]]);
    expect(await refused(DENIED, pod('web-2', { spec: { ...two, hostNetwork: true }, status: { podIP: '10.0.0.12' } }))).toEqual([
      ['web-1', 'web', true],
    ]);
    expect(await refused(DENIED.replace('10.0.0.12', '10.0.0.9'), pod('a', { status: { podIP: '10.0.0.9' } }))).toEqual([
      ['web-1', 'web', true],
    ]);
    expect(await refused(DENIED.replace('10.0.0.12', 'localhost'), caller)).toEqual([['web-1', 'web', true]]);
  });

  it('is not of the server that writes whom it refuses, as PostgreSQL does', async () => {
    const words = 'FATAL:  password authentication failed for user "shop"';
    const server = '2026-01-14 08:59:00.123 UTC [1234] ';
    expect(await calls([pod()], log('web-1', [words]))).toMatchObject([{ class: 'credentials', container: 'web' }]);
    expect(await calls([pod()], log('web-1', [`${server}${words}`]))).toEqual([]);
    expect(await calls([pod()], log('web-1', [`${server}${words}`, LOOKUP]))).toMatchObject([{ host: 'cart' }]);
    expect(await calls([pod()], log('web-1', [`${server}${LOOKUP}`]))).toMatchObject([{ host: 'cart' }]);
    const named = `${server}FATAL:  no pg_hba.conf entry for host "10.0.0.12", user "shop"`;
    const caller = pod('web-2', { status: { podIP: '10.0.0.12' } });
    expect(await calls([pod(), caller], log('web-1', [named]))).toHaveLength(1);
    expect(await calls([pod()], log('web-1', [named]))).toEqual([]);
  });
});
