import { describe, expect, it } from 'vitest';
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

  it('tells of what it adds', async () => {
    const text =
      '@@ -1,2 +1,2 @@\n NAME     READY   STATUS             RESTARTS   AGE\n-till-0   1/1     Running             0          2h\n+till-0   0/1     ErrImageNeverPull   0          2h\n';
    expect((await answerTo(text)).causes[0]?.rule).toBe('images/never-pull-and-absent');
  });
});
