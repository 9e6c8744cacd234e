import { formatDuration } from '../base/duration.ts';
import { repeated } from '../base/text.ts';
import { counted } from '../base/counted.ts';
import { largest } from '../base/lists.ts';
import { formatRef } from '../model/kube-object.ts';
import { clusterLine } from '../report/format/cluster-text.ts';
import { wrap } from '../report/format/display-width.ts';
import type { Look, Paint } from '../report/format/text-style.ts';
import { paint, shown } from '../report/format/text-style.ts';
import type { CheckResult, FaultState } from './check.ts';
import type { Hint } from './hints.ts';
import { COMMAND } from './hints.ts';
import type { RunRecord } from './run-record.ts';
import type { AnswerResult, SessionStatus } from './session.ts';

/** The text at the start: the alerts, the story and the commands. */
export function beginText(status: SessionStatus, look: Look, ends: 'exit' | 'podcheck drill stop' = 'exit'): string {
  return shown(look, [
    ...alertLines(status, look),
    ...fileLines(status, look),
    '',
    ...filled(`Find and fix ${counted(status.faults, 'fault')}. kubectl is connected to the cluster. Other commands:`, look),
    '',
    ...commandLines('podcheck drill answer WORDS', 'name a cause: its rule, or in your words', look),
    ...commandLines('podcheck drill check', 'check whether the faults are fixed', look),
    ...commandLines('podcheck drill hint', 'show a hint; costs points', look),
    ...commandLines('podcheck drill give-up', 'end the drill and show the solution', look),
    ...commandLines(ends, 'end the drill', look),
  ]);
}

export function statusText(status: SessionStatus, look: Look): string {
  const { wallMilliseconds, virtualMilliseconds, named, faults, requests, hints, ending } = status;
  return shown(look, [
    ...alertLines(status, look),
    '',
    `${formatDuration(wallMilliseconds / 1000)} of real time, ${formatDuration(virtualMilliseconds / 1000)} of cluster time, ${counted(requests, 'request')}, ${counted(hints, 'hint')}`,
    ...(status.folder === undefined ? [] : [`files: ${status.folder}`]),
    `${named} of ${faults} causes named${ending === 'open' ? '' : `; the run is over: ${ending}`}`,
  ]);
}

export function hintText(hint: Hint | undefined, look: Look): string {
  if (hint === undefined) return shown(look, ['There are no more hints.']);
  return shown(look, [
    ...hint.says
      .split('\n')
      .flatMap((line) =>
        line.startsWith(COMMAND) ? [COMMAND + clusterLine(line.slice(COMMAND.length), 1200)] : filled(clusterLine(line, 1200), look),
      ),
    paint(look, 'dim', `(${counted(hint.cost, 'point')})`),
  ]);
}

export function checkText({ fixed, faults, shortcuts, damage, unnamed = 0 }: CheckResult, look: Look): string {
  return shown(look, [
    ...faults.flatMap(({ target, state, says }) =>
      hanging(paint(look, COLORS[state], WORDS[state].padEnd(8)), `${formatRef(target)}: ${clusterLine(says)}`, look),
    ),
    ...shortcuts
      .filter(({ says }) => !faults.some((fault) => fault.says === says))
      .flatMap(({ says }) => hanging(paint(look, 'yellow', 'no fix'.padEnd(8)), clusterLine(says), look)),
    ...damage.flatMap((line) => hanging(paint(look, 'red', 'damage'.padEnd(8)), clusterLine(line), look)),
    '',
    fixed ? paint(look, 'green', 'All faults are fixed.') : 'Not fixed yet.',
    ...(fixed && unnamed > 0 ? filled('You can still name the cause: `podcheck drill answer WORDS` counts.', look) : []),
  ]);
}

const WORDS: Readonly<Record<FaultState['state'], string>> = { mended: 'fixed', coming: 'fixed', symptom: 'no fix', failing: 'failing' };
const COLORS: Readonly<Record<FaultState['state'], Paint>> = { mended: 'green', coming: 'green', symptom: 'yellow', failing: 'red' };

export function answerText({ answered, cause, handedOver }: AnswerResult, look: Look): string {
  switch (answered.verdict) {
    case 'right':
      return shown(look, [
        paint(look, 'green', `Right: ${answered.rule}`),
        ...(cause === undefined ? [] : filled(clusterLine(cause.what, 1200), look)),
        ...(handedOver === undefined ? [] : filled(handedOver, look)),
      ]);
    case 'symptom':
      return shown(look, filled(`${answered.rule} is a symptom. Find its cause.`, look));
    case 'wrong':
      return shown(look, filled(`${answered.rule} is not the cause here.`, look));
    case 'unclear':
      return shown(
        look,
        filled(
          answered.near.length === 0
            ? 'podcheck does not know this cause. Use other words, or a rule from `podcheck rules list`.'
            : `Which of these do you mean? ${answered.near.join(', ')}`,
          look,
        ),
      );
  }
}

/** The text when the shell is closed. */
export function endText({ run, ending, score, practise }: RunRecord, look: Look): string {
  const how = ending === 'fixed' ? 'Fixed' : ending === 'gave-up' ? 'Given up' : 'Stopped';
  return shown(look, [
    ...filled(`${how}: ${score.points} of 100 points.${practise.length === 0 ? '' : ` Practise next: ${practise.join(', ')}.`}`, look),
    `podcheck drill review ${run} shows the review.`,
  ]);
}

function alertLines({ alerts, story, difficulty, now }: SessionStatus, look: Look): readonly string[] {
  return [
    ...alerts.flatMap(({ name, summary, since }) =>
      hanging(
        paint(look, 'red', 'ALERT   '),
        `${name}: ${clusterLine(summary)}${since === undefined ? '' : ` Firing for ${formatDuration(Math.max(0, now - since) / 1000)}.`}`,
        look,
      ),
    ),
    ...(story === undefined ? [] : ['', ...filled(clusterLine(story, 1200), look)]),
    '',
    paint(look, 'dim', `difficulty: ${difficulty}`),
  ];
}

function commandLines(command: string, says: string, look: Look): readonly string[] {
  return wrap(says, look.width - 32).map((line, index) => `  ${(index === 0 ? command : '').padEnd(30)}${line}`);
}

/** The files in the folder of the drill. */
function fileLines({ files = [] }: SessionStatus, look: Look): readonly string[] {
  if (files.length === 0) return [];
  const width = Math.min(24, largest(files.map(({ path }) => path.length)));
  return [
    '',
    'In this folder:',
    ...files.flatMap(({ path, about }) =>
      wrap(about, look.width - width - 4).map((line, index) => `  ${(index === 0 ? clusterLine(path) : '').padEnd(width)}  ${line}`),
    ),
  ];
}

function filled(text: string, look: Look): readonly string[] {
  return wrap(text, look.width);
}

function hanging(lead: string, text: string, look: Look): readonly string[] {
  return wrap(text, look.width - 8).map((line, index) => (index === 0 ? lead : repeated(' ', 8)) + line);
}
