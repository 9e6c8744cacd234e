import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { answerTo } from '../support/pasted-answer.ts';

const NO_ROOM = '0/3 nodes are available: 3 Insufficient cpu.';
const ASSIGNED = 'Successfully assigned shop/till-0 to worker-1';
const NO_HOST =
  'Failed to pull image "img.shop.example/till:4": rpc error: code = Unknown desc = dial tcp: lookup img.shop.example: no such host';
const PULLED = 'Successfully pulled image "img.shop.example/till:4" in 3.2s';

describe('messages of events without their times', () => {
  it.each([
    ['lines', (...messages: readonly string[]) => messages.join('\n')],
    [
      'CSV',
      (...messages: readonly string[]) =>
        [
          'time,pod,reason,message',
          ...messages.map((message) => `2026-03-04T08:00:00Z,till-0,Event,"${message.replaceAll('"', '""')}"`),
        ].join('\n'),
    ],
  ])('tell nothing that came about later: %s', async (_, text) => {
    expect((await answerTo(`${text(NO_HOST, PULLED)}\n`)).causes).toEqual([]);
  });

  it.each([
    ['no node, though some pod got one', `${NO_ROOM}\n${ASSIGNED}\n`, 'scheduling/insufficient-resource'],
    ['an image that fails again', `${PULLED}\n${NO_HOST}\n`, 'images/registry-name-not-resolved'],
    ['another image than the one that came', `${NO_HOST}\n${PULLED.replace('till:4', 'proxy:1')}\n`, 'images/registry-name-not-resolved'],
  ])('tell of %s', async (_, text, rule) => {
    expect((await answerTo(text)).causes[0]?.rule).toBe(rule);
  });
});

describe('what the scheduler says of a pod without a node', () => {
  it.each([
    ['the lines of a list', 'pod/till-0: ', 'pod/till-0: '],
    ['rows with a time and a name', '2026-03-04T08:00:00Z Pod/till-0 FailedScheduling ', '2026-03-04T08:05:00Z Pod/till-0 Scheduled '],
  ])('is over when that pod gets one: %s', async (_, before, later) => {
    const { out } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: `${before}${NO_ROOM}\n${later}${ASSIGNED}\n` });
    expect(out).not.toContain('scheduling/insufficient-resource');
    expect((await answerTo(`${before}${NO_ROOM}\n${later.replace('-0', '-1')}${ASSIGNED.replace('-0', '-1')}\n`)).causes[0]?.rule).toBe(
      'scheduling/insufficient-resource',
    );
  });
});

describe('a page that lists the newest first', () => {
  const PAGES: readonly (readonly [string, (minutes: number, message: string) => string])[] = [
    ['how long ago', (minutes, message) => `${String(minutes)} minutes ago\n${message}\n`],
    ['dates', (minutes, message) => `Mar 4, 2026, 8:${String(59 - minutes)} AM  Generated from kubelet on worker-1\n${message}\n`],
    ['times', (minutes, message) => `2026-03-04 08:${String(59 - minutes)}:00  ${message}\n`],
  ];

  it.each(PAGES)('tells nothing that came about later: %s', async (_, entry) => {
    expect((await answerTo(entry(1, PULLED) + entry(9, NO_HOST))).causes).toEqual([]);
  });

  it.each(PAGES)('tells what is last: %s', async (_, entry) => {
    expect((await answerTo(entry(1, NO_HOST) + entry(9, PULLED))).causes[0]?.rule).toBe('images/registry-name-not-resolved');
  });
});

describe('a connection that was refused', () => {
  const REFUSED = '$ kubectl logs till-0 -n shop\nError: connect ECONNREFUSED 10.8.3.4:27017\nretrying\n';

  it.each(['MongoDB connected', 'Connected to database', 'connection established'])('is over: %s', async (line) => {
    expect((await answerTo(`${REFUSED}${line}\n`)).causes).toEqual([]);
  });

  it.each(['Redis client connected', 'not connected', 'MongoDB disconnected', 'client connected from 10.8.0.1'])(
    'is not over: %s',
    async (line) => {
      expect((await answerTo(`${REFUSED}${line}\n`)).causes[0]?.rule).toBe('containers/dependency-refuses-connection');
    },
  );

  it('counts when it is refused again', async () => {
    const again = 'MongoDB connected\nError: connect ECONNREFUSED 10.8.3.4:27017\n';
    expect((await answerTo(`${REFUSED}${again}`)).causes[0]?.rule).toBe('containers/dependency-refuses-connection');
  });
});

describe('a diff', () => {
  it.each([
    ['two lists', '-till-0   0/1     ErrImageNeverPull   0          2h\n+till-0   1/1     Running             0          2h\n'],
    ['two logs', '-Error: configmap "till-prices" not found\n+prices are read\n'],
  ])('tells nothing of what it removes: %s', async (_, lines) => {
    expect(
      (await answerTo(`@@ -1,3 +1,3 @@\n NAME      READY   STATUS    RESTARTS   AGE\n stock-0   1/1     Running   0          2h\n${lines}`))
        .causes,
    ).toEqual([]);
  });

  it.each([
    ['marks', '-Error: configmap "till-prices" not found\n+prices are read\n'],
    ['signs', '1c1\n< Error: configmap "till-prices" not found\n---\n> prices are read\n'],
    ['files', '--- a.txt\n+++ b.txt\n-Error: configmap "till-prices" not found\n+prices are read\n'],
  ])('needs no heads of hunks: %s', async (_, text) => {
    const { out } = await podcheck(['diagnose', '--from', '-', '-o', 'json'], { stdin: text });
    expect(out).not.toContain('containers/configmap-not-found');
  });

  it('tells of what it adds', async () => {
    const text =
      '@@ -1,2 +1,2 @@\n NAME     READY   STATUS             RESTARTS   AGE\n-till-0   1/1     Running             0          2h\n+till-0   0/1     ErrImageNeverPull   0          2h\n';
    expect((await answerTo(text)).causes[0]?.rule).toBe('images/never-pull-and-absent');
  });
});
