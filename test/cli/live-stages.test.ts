import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { showLive } from '../../src/cli/live-stages.ts';
import { STAGE_IDS } from '../../src/model/stage.ts';
import type { WayStage } from '../../src/report/simulation/stage-story.ts';

function terminal(): { readonly stream: NodeJS.WriteStream; readonly written: () => string } {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 40 });
  let text = '';
  stream.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => text };
}

function wayTo(stage: WayStage): readonly WayStage[] {
  const at = STAGE_IDS.indexOf(stage.id);
  return STAGE_IDS.map((id, index): WayStage =>
    index < at ? { id, verdict: 'passed', sinceMilliseconds: 60 } : index === at ? stage : { id, verdict: 'not-reached' },
  );
}

it('shows each stage as it is reached, gives back what the work gives, and ends what is not over', async () => {
  const { stream, written } = terminal();
  const given = await showLive(stream, async (show) => {
    await show(wayTo({ id: 'scheduling', verdict: 'waiting', sinceMilliseconds: 80, reason: 'no node has enough cpu' }));
    await show(wayTo({ id: 'volumes', verdict: 'blocked', sinceMilliseconds: 470, reason: 'configmap "prices" not found' }));
    return 'done';
  });
  expect(given).toBe('done');
  expect(written()).toContain('scheduling             waiting +0.08s: no node has enough cpu');
  expect(written()).toContain('volumes                blocked +0.47s: configmap "prices" not found');
});

it('takes its lines away and fails when the work fails', async () => {
  const { stream } = terminal();
  await expect(showLive(stream, () => Promise.reject(new Error('no such scenario')))).rejects.toThrow('no such scenario');
});
