import { formatDuration } from '../base/duration.ts';
import { repeated } from '../base/text.ts';
import { counted } from './counted.ts';
import { formatRef } from '../model/kube-object.ts';
import { clusterLine } from '../report/cluster-text.ts';
import { wrap } from '../report/display-width.ts';
import type { Look, Paint } from '../report/look.ts';
import { paint, shown } from '../report/look.ts';
import type { CheckResult, FaultState } from './check.ts';
import type { Hint } from './hints.ts';
import { COMMAND } from './hints.ts';
import type { RunRecord } from './run-record.ts';
import type { AnswerResult, SessionStatus } from './session.ts';

/** What the trainee is told at the start: what an alert would say. */
export function beginText(status: SessionStatus, look: Look, ends: 'exit' | 'podcheck drill stop' = 'exit'): string {
  return shown(look, [
    ...alertLines(status, look),
    ...fileLines(status, look),
    '',
    ...filled(`${status.faults === 1 ? 'Find out what is wrong, and mend it.' : `There are ${status.faults} things to find and to mend.`} kubectl talks to the cluster. Besides:`, look),
    '',
    ...commandLines('podcheck drill answer WORDS', 'name a cause, by its rule or in your words', look),
    ...commandLines('podcheck drill check', 'is it mended?', look),
    ...commandLines('podcheck drill hint', 'costs points', look),
    ...commandLines('podcheck drill give-up', 'tells all', look),
    ...commandLines(ends, 'ends it', look),
  ]);
}

export function statusText(status: SessionStatus, look: Look): string {
  const { wallMilliseconds, virtualMilliseconds, named, faults, requests, hints, ending } = status;
  return shown(look, [
    ...alertLines(status, look),
    '',
    `${formatDuration(wallMilliseconds / 1000)} by the clock, ${formatDuration(virtualMilliseconds / 1000)} in the cluster, ${counted(requests, 'request')}, ${counted(hints, 'hint')}`,
    ...(status.folder === undefined ? [] : [`files: ${status.folder}`]),
    `${named} of ${faults} causes named${ending === 'open' ? '' : `; the run has ended: ${ending}`}`,
  ]);
}

export function hintText(hint: Hint | undefined, look: Look): string {
  if (hint === undefined) return shown(look, ['There is nothing left to say.']);
  return shown(look, [...hint.says.split('\n').flatMap((line) => (line.startsWith(COMMAND) ? [COMMAND + clusterLine(line.slice(COMMAND.length), 1200)] : filled(clusterLine(line, 1200), look))), paint(look, 'dim', `(${counted(hint.cost, 'point')})`)]);
}

export function checkText({ fixed, faults, shortcuts, damage, unnamed = 0 }: CheckResult, look: Look): string {
  return shown(look, [
    ...faults.flatMap(({ target, state, says }) => hanging(paint(look, COLORS[state], WORDS[state].padEnd(8)), `${formatRef(target)}: ${clusterLine(says)}`, look)),
    ...shortcuts.filter(({ says }) => !faults.some((fault) => fault.says === says)).flatMap(({ says }) => hanging(paint(look, 'yellow', 'no fix'.padEnd(8)), clusterLine(says), look)),
    ...damage.flatMap((line) => hanging(paint(look, 'red', 'damage'.padEnd(8)), clusterLine(line), look)),
    '',
    fixed ? paint(look, 'green', 'All of it works again.') : 'Not yet.',
    ...(fixed && unnamed > 0 ? filled('What was it? `podcheck drill answer WORDS` still counts.', look) : []),
  ]);
}

const WORDS: Readonly<Record<FaultState['state'], string>> = { mended: 'mended', coming: 'mended', symptom: 'no fix', failing: 'failing' };
const COLORS: Readonly<Record<FaultState['state'], Paint>> = { mended: 'green', coming: 'green', symptom: 'yellow', failing: 'red' };

export function answerText({ answered, cause, handedOver }: AnswerResult, look: Look): string {
  switch (answered.verdict) {
    case 'right':
      return shown(look, [paint(look, 'green', `Right: ${answered.rule}`), ...(cause === undefined ? [] : filled(clusterLine(cause.what, 1200), look)), ...(handedOver === undefined ? [] : filled(handedOver, look))]);
    case 'symptom':
      return shown(look, filled(`${answered.rule} is what one sees, and not why. What is behind it?`, look));
    case 'wrong':
      return shown(look, filled(`${answered.rule} is not what is wrong here.`, look));
    case 'unclear':
      return shown(look, filled(answered.near.length === 0 ? 'That is no cause podcheck knows. Say it in other words, or by its rule (`podcheck rules list`).' : `Which of these do you mean? ${answered.near.join(', ')}`, look));
  }
}

/** What is said when the shell is closed. */
export function endText({ run, ending, score, practise }: RunRecord, look: Look): string {
  const how = ending === 'fixed' ? 'Mended' : ending === 'gave-up' ? 'Given up' : 'Stopped';
  return shown(look, [...filled(`${how}: ${score.points} of 100 points.${practise.length === 0 ? '' : ` Practise next: ${practise.join(', ')}.`}`, look), `podcheck drill review ${run} tells how it went.`]);
}

function alertLines({ alerts, story, difficulty }: SessionStatus, look: Look): readonly string[] {
  return [
    ...alerts.flatMap(({ name, summary }) => hanging(paint(look, 'red', 'ALERT   '), `${name}: ${clusterLine(summary)}`, look)),
    ...(story === undefined ? [] : ['', ...filled(clusterLine(story, 1200), look)]),
    '',
    paint(look, 'dim', `difficulty: ${difficulty}`),
  ];
}

function commandLines(command: string, says: string, look: Look): readonly string[] {
  return wrap(says, look.width - 32).map((line, index) => `  ${(index === 0 ? command : '').padEnd(30)}${line}`);
}

/** What lies ready beside the cluster. */
function fileLines({ files = [] }: SessionStatus, look: Look): readonly string[] {
  if (files.length === 0) return [];
  const width = Math.min(24, Math.max(...files.map(({ path }) => path.length)));
  return ['', 'In this folder:', ...files.flatMap(({ path, about }) => wrap(about, look.width - width - 4).map((line, index) => `  ${(index === 0 ? clusterLine(path) : '').padEnd(width)}  ${line}`))];
}

function filled(text: string, look: Look): readonly string[] {
  return wrap(text, look.width);
}

function hanging(lead: string, text: string, look: Look): readonly string[] {
  return wrap(text, look.width - 8).map((line, index) => (index === 0 ? lead : repeated(' ', 8)) + line);
}
