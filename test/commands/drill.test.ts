import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runDrillAnswer, runDrillCheck, runDrillHint, runDrillStatus, runDrillStop } from '../../src/commands/drill/drill-ask.ts';
import { runDrillBoard, runDrillReview } from '../../src/commands/drill/drill-review.ts';
import { runDrillStart } from '../../src/commands/drill/drill-start.ts';
import type { RunRecord } from '../../src/drill/run-record.ts';
import { liveRuns, runsFolder } from '../../src/server/run-folder.ts';
import { podcheck } from '../support/command-line.ts';
import { closeShell, opened, startDrill, surroundings } from '../support/drill-shell.ts';
import { folderWith } from '../support/folder.ts';

const TIMEOUT = 60_000;

it(
  'lists the drills by stage and difficulty, without telling what is wrong',
  async () => {
    const { out } = await podcheck(['drill', 'list', '--difficulty', 'hard']);
    expect(out).toContain('drills/gatekeeper-asleep');
    expect(out).not.toContain('A webhook whose own server cannot start');
    expect((await podcheck(['drill', 'list', '--stage', 'volumes'])).out).not.toContain('images/');
    expect(await podcheck(['drill', 'list', '--stage', 'volume'])).toMatchObject({ code: 2 });
  },
  TIMEOUT,
);

it(
  'names a drill that is near, and says what to do when none is going on',
  async () => {
    const context = surroundings(folderWith());
    await expect(runDrillStart('drills/closed-door', {}, context)).rejects.toThrow('unknown drill "drills/closed-door"');
    await expect(runDrillStart('closed-dor', {}, context)).rejects.toMatchObject({ hint: 'did you mean drills/closed-doors?' });
    await expect(runDrillStart('healthy/deployment', {}, context)).rejects.toThrow('cannot be used as a drill: it has no fault');
    await expect(runDrillStart('closed-doors', { difficulty: 'easy' }, context)).rejects.toThrow('only work for a random drill');
    await expect(runDrillHint({}, context)).rejects.toThrow('no drill is running');
    await expect(runDrillReview(undefined, {}, context)).rejects.toThrow('no drill has been run yet');
  },
  TIMEOUT,
);

it(
  'goes from the alert to a review, and leaves no run behind',
  async () => {
    const folder = folderWith();
    const { context, running } = startDrill('volumes/configmap-not-found', folder);
    const { run } = await opened(context);
    const during = surroundings(folder);
    await runDrillStatus({}, during);
    expect(during.out()).toContain('KubeDeploymentReplicasMismatch');
    expect(during.out()).not.toContain('ConfigMap');
    expect(await runDrillAnswer(['images/image-not-found'], {}, during)).toBe(1);
    expect(await runDrillAnswer(['the', 'configmap', 'is', 'missing'], {}, during)).toBe(0);
    expect(await runDrillCheck({}, during)).toBe(1);
    await runDrillHint({ run: run.slice(0, 4) }, during);
    await runDrillStop({}, during);
    // Its shell is closed with it.
    await running;
    expect(context.out()).toContain('ALERT');
    expect(await liveRuns(runsFolder(context.env, context.homeFolder))).toEqual([]);
    for (const [format, part] of [
      ['text', 'What was wrong'],
      ['json', '"schema": "podcheck.drill/v1"'],
      ['markdown', '## What happened'],
      ['html', '<h2>Score</h2>'],
      ['html', '<h2>Timeline</h2>'],
      ['text', 'Your way to it'],
      ['playbook', 'rules:\n    - volumes/configmap-not-found'],
    ] as const) {
      const review = surroundings(folder);
      await runDrillReview(run.slice(0, 4), { output: format }, review);
      expect(review.out()).toContain(part);
    }
    const records = join(folder, 'state/podcheck/drills');
    const files = readdirSync(records).toSorted();
    expect(files.map((file) => file.replace(run, 'RUN'))).toEqual(['RUN.json', 'RUN.trace.jsonl']);
    expect(JSON.parse(readFileSync(join(records, `${run}.json`), 'utf8')) as RunRecord).toMatchObject({
      drill: 'volumes/configmap-not-found',
      ending: 'stopped',
      wrongAnswers: 1,
      hints: { given: 1 },
    });
    const board = surroundings(folder);
    await runDrillBoard(records, {}, board);
    expect(board.out()).toMatch(/pat\s+\d+\s/);
    const page = surroundings(folder);
    await runDrillBoard(records, { output: 'html' }, page);
    expect(page.out()).toMatch(/<h2>volumes\/configmap-not-found<\/h2>[^]*<td>pat<\/td>/);
    expect(page.out()).toContain("default-src 'none'; style-src 'sha256-");
  },
  TIMEOUT,
);

it(
  'goes on where the record of the run cannot be written, and says so',
  async () => {
    const folder = folderWith();
    const { context, running } = startDrill('volumes/configmap-not-found', folder);
    const { run } = await opened(context);
    // No record can be written to a file in the place of the folder, whoever the test is run by.
    const records = join(folder, 'state/podcheck/drills');
    rmSync(records, { recursive: true, force: true });
    writeFileSync(records, '');
    const during = surroundings(folder);
    try {
      expect(await runDrillAnswer(['the', 'configmap', 'is', 'missing'], {}, during)).toBe(0);
      expect(during.notes()).toMatch(/^warning: cannot write the record of the run to .*: (?:not a directory|file exists)\n$/);
      await expect(runDrillStop({}, during)).rejects.toThrow(`drill ${run} is complete, but cannot write the record`);
    } finally {
      closeShell(folder);
    }
    await expect(running).rejects.toThrow('cannot write the record of the run');
    expect(await liveRuns(runsFolder(context.env, context.homeFolder))).toEqual([]);
  },
  TIMEOUT,
);
