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
