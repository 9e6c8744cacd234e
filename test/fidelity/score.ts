import { isJsonObject } from '../../src/base/json.ts';
import { canonicalJson } from '../../src/base/json-edit.ts';
import { append } from '../../src/base/lists.ts';
import { parseKubeYaml } from '../../src/base/yaml/kube-yaml.ts';
import { compareEvents } from './compare-events.ts';
import { compareObjects } from './compare-objects.ts';
import type { Item } from './item.ts';
import { isEqual } from './item.ts';
import { maskFor } from './mask.ts';
import type { Played } from './play.ts';
import { tableRows } from './get-tables.ts';
import type { Recording } from './recording.ts';
import type { Setups } from './setups.ts';

/** How near a simulated cluster came to a recorded one. */
export interface CaptureScore {
  readonly name: string;
  readonly compared: number;
  readonly equal: number;
  /** equal / compared; 1 when there was nothing to compare. */
  readonly score: number;
  readonly differences: readonly Item[];
  /** Commands that are not compared, and why. */
  readonly leftOut: readonly { readonly command: string; readonly reason: string }[];
}

export function scoreRecording(recording: Recording, played: Played, setups: Setups): CaptureScore {
  const masks = { recorded: maskFor(recording.objects, setups.places), simulated: maskFor(played.objects) };
  const leftOut: { command: string; reason: string }[] = [];
  const items: Item[] = [];
  for (const { step, answer } of played.answers) {
    const listed = setups.leftOut.find(({ command }) => step.line.includes(command));
    if (listed !== undefined) leftOut.push({ command: step.line, reason: listed.reason });
    else
      items.push({
        class: 'answer',
        about: masks.recorded(step.line),
        recorded: wordsOf(step.line, step.exitCode, [step.stdout, step.stderr].filter((text) => text !== '').join('\n'), masks.recorded),
        simulated: answer === undefined ? undefined : wordsOf(step.line, answer.exitCode, answer.output, masks.simulated),
      });
  }
  append(items, compareObjects({ objects: recording.objects, mask: masks.recorded }, { objects: played.objects, mask: masks.simulated }));
  append(items, compareEvents({ objects: recording.events, mask: masks.recorded }, { objects: played.events, mask: masks.simulated }));
  const differences = items.filter((item) => !isEqual(item));
  const equal = items.length - differences.length;
  return {
    name: recording.name,
    compared: items.length,
    equal,
    score: items.length === 0 ? 1 : equal / items.length,
    differences,
    leftOut,
  };
}

/** Exit status and words. Tables are compared in all columns but those of the moment, whatever the order of rows. */
function wordsOf(line: string, exitCode: number, output: string, mask: (text: string) => string): string {
  if (/ -o ?(?:yaml|json)\b/.test(line)) return `[${exitCode}] ${mask(asJson(output))}`;
  const rows = / get /.test(line) ? tableRows(output) : [];
  const words = rows.length > 0 ? rows.map(mask).sort().join('\n') : mask(linesInOrder(output).join('\n').trim());
  return `[${exitCode}] ${words}`;
}

/** An object printed as YAML or JSON, the same whichever it was; other words as they are. */
function asJson(output: string): string {
  const [document, more] = parseKubeYaml(output, '').documents;
  return document === undefined || more !== undefined || !isJsonObject(document.value) ? output.trim() : canonicalJson(document.value);
}

/** Warnings go to standard error, which is recorded apart: they come first, wherever they stood. */
function linesInOrder(output: string): readonly string[] {
  const lines = output.split('\n').map((line) => line.trimEnd());
  const isWarning = (line: string): boolean => line.startsWith('Warning: ');
  return [...lines.filter(isWarning), ...lines.filter((line) => !isWarning(line))];
}
