import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../../src/catalog/bundled-data.ts';
import { diagnose, readerFromText } from '../../../src/index.ts';

const rules = await shippedRules();
const PULL =
  'Failed to pull image "shop.example.com/till:9": rpc error: code = NotFound desc = failed to resolve reference "shop.example.com/till:9": shop.example.com/till:9: not found';
const EVENTS = [
  ['10:00:00', 'Normal', 'Pulling', 'Pulling image "shop.example.com/till:9"'],
  ['10:00:01', 'Warning', 'Failed', PULL],
  ['10:00:02', 'Normal', 'BackOff', 'Back-off pulling image "shop.example.com/till:9"'],
  ['10:00:03', 'Warning', 'Failed', 'Error: ImagePullBackOff'],
] as const;

async function causeOf(lines: readonly string[]): Promise<string | undefined> {
  const reader = await readerFromText(`${lines.join('\n')}\n`);
  const pods = await reader.list('Pod', {});
  const [pod] = pods.ok ? pods.value : [];
  if (pod === undefined) return undefined;
  const { namespace = 'default', name } = pod.metadata;
  return (await diagnose(reader, rules, { kind: 'Pod', namespace, name })).causes[0]?.rule;
}

describe('events of which somebody picked some fields', () => {
  it.each([
    [
      'objects with names of their own, one a line',
      EVENTS.map(([at, , why, what]) => JSON.stringify({ at: `2026-11-20T${at}Z`, why, what })),
    ],
    ['a pod beside the words', EVENTS.map(([, , , event]) => JSON.stringify({ pod: 'till-0', event }))],
    ['texts as jq prints them', EVENTS.map(([, , , message]) => JSON.stringify(message))],
    [
      'a table of Markdown',
      ['| at | type | message |', '|---|---|---|', ...EVENTS.map(([at, type, , text]) => `| ${at} | ${type} | ${text} |`)],
    ],
    ['lines of a chat', EVENTS.map(([, type, why, text]) => `[${type}] ${why} on Pod shop/till-0: ${text}`)],
    ['a time, the type and the reason', EVENTS.map(([at, type, why, text]) => `2026-11-20T${at}Z  ${type}  ${why}  ${text}`)],
  ])('names the cause in %s', async (_, lines) => {
    expect(await causeOf(lines)).toBe('images/image-not-found');
  });

  it('takes no entry of a program for an event of its pod', async () => {
    const lines = ['{"shop":"till","text":"order 4711 not found"}', '{"shop":"till","text":"image of order 12 not found"}'];
    expect(await causeOf(lines)).toBeUndefined();
  });

  it('reads pods out of a table of Markdown', async () => {
    const reader = await readerFromText(
      '| NAME | READY | STATUS | RESTARTS | AGE |\n|---|---|---|---|---|\n| till-0 | 0/1 | ImagePullBackOff | 0 | 5m |\n',
    );
    const pods = await reader.list('Pod', {});
    expect(pods.ok ? pods.value.map(({ metadata }) => metadata.name) : []).toEqual(['till-0']);
  });
});

describe('a container that crashes', () => {
  it.each([
    ['a page that tells its events, with what came from whom', 'Generated from kubelet on worker-1\n9 times in the last 5 minutes\n'],
    ['two messages, one behind the other', ''],
  ])('is not told as one without an image: %s', async (_, between) => {
    const text = `Back-off restarting failed container till in pod till-0_shop(1-2)\n${between}Container image "shop.example.com/till:9" already present on machine\n`;
    expect(await causeOf([text])).toBeUndefined();
  });

  it('is read by the labels of a stream of Loki', async () => {
    const line = (words: string): string => `2026-11-20T10:00:00Z {app="till", container="till", namespace="shop", pod="till-0"} ${words}`;
    const reader = await readerFromText(`${line('opening the books')}\n${line('no books')}\n`);
    const log = await reader.logs({ kind: 'Pod', namespace: 'shop', name: 'till-0' }, 'till', { tailLines: 5 });
    expect(log).toMatchObject({ ok: true, value: { lines: ['opening the books', 'no books'] } });
    const other = await readerFromText('{"pod": "till-0", "container": "till"} {pod="till-0"} words\n').catch(() => undefined);
    expect(await other?.logs({ kind: 'Pod', namespace: 'shop', name: 'till-0' }, 'till', { tailLines: 5 })).not.toMatchObject({ ok: true });
  });
});
