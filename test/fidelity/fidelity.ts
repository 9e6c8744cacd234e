import { reasonOf } from '../../src/base/errors.ts';
import { playRecording } from './play.ts';
import { readRecordings } from './recording.ts';
import type { FidelityReport } from './report.ts';
import { reportOf } from './report.ts';
import type { CaptureScore } from './score.ts';
import { scoreRecording } from './score.ts';
import { readSetups } from './setups.ts';

/**
 * Plays every recording below a folder on a simulated cluster and compares what came of it. A recording on which the simulator
 * breaks down scores nothing: everything it holds is a difference.
 */
export function measureFidelity(folder: string, setupsFile: string, only: readonly string[] = [], seed = 1): FidelityReport {
  const setups = readSetups(setupsFile);
  const captures: CaptureScore[] = [];
  const outside: { name: string; reason: string }[] = [];
  for (const recording of readRecordings(folder)) {
    if (only.length > 0 && !only.some((word) => recording.name.includes(word))) continue;
    const reason = setups.captures.get(recording.name)?.outside;
    if (reason !== undefined) {
      outside.push({ name: recording.name, reason });
      continue;
    }
    try {
      captures.push(scoreRecording(recording, playRecording(recording, setups, seed), setups));
    } catch (error) {
      const nothing = scoreRecording(
        recording,
        {
          answers: recording.steps.flatMap((step) => (step.kind === 'command' ? [{ step, answer: undefined }] : [])),
          objects: [],
          events: [],
        },
        setups,
      );
      const words = error instanceof Error ? (error.stack ?? error.message) : reasonOf(error);
      captures.push({
        ...nothing,
        differences: [
          { class: 'breakdown', about: 'the simulator', recorded: undefined, simulated: words.split('\n').slice(0, 4).join(' ') },
          ...nothing.differences,
        ],
      });
    }
  }
  return reportOf(captures, outside);
}
