import { counted } from '../../base/counted.ts';
import { formatInstant } from '../../base/instant.ts';
import type { Diagnosis, StageVerdict } from '../../model/diagnosis.ts';
import { isUnread } from '../../model/fact.ts';
import type { StageId } from '../../model/stage.ts';
import { stageOrder } from '../../model/stage.ts';
import { hanging } from './cause-lines.ts';
import { clusterLine } from '../format/cluster-text.ts';
import type { Look, Paint } from '../format/text-style.ts';
import { paint } from '../format/text-style.ts';
import { objectWords } from '../format/object-words.ts';
import { ago, clockTime } from '../format/time-words.ts';

/** The first two lines of an answer: the object, its state and the cause; then what its status counts, and when that was. */
export function headline(diagnosis: Diagnosis, look: Look, standing?: string): readonly string[] {
  const { others = [] } = diagnosis;
  const object = subjectWords(diagnosis);
  const { words, color } = standing === undefined ? stateWords(diagnosis) : { words: standing, color: 'yellow' as const };
  const lines = hanging('', `${object} ${words}`, look);
  return [
    ...lines.map((line, index) =>
      index === 0 && line.startsWith(object)
        ? `${paint(look, 'bold', object)}${paint(look, color, line.slice(object.length))}`
        : paint(look, color, line),
    ),
    ...(others.length === 0 ? [] : hanging('', healthyWords(diagnosis, NAMED), look)),
    paint(look, 'dim', headlineWords(diagnosis).counts),
  ];
}

/** The same as words: the object and its state, and what its status counts. */
export function headlineWords(diagnosis: Diagnosis): { readonly title: string; readonly counts: string } {
  return {
    title: clusterLine(`${subjectWords(diagnosis)} ${stateWords(diagnosis).words}`),
    counts: [...countWords(diagnosis), `as of ${formatInstant(diagnosis.at)}`].join(', '),
  };
}

/** Objects named under a headline that is about several. */
const NAMED = 12;

/** The object an answer is about, or how many there are where nobody said which. */
export function subjectWords({ target, others = [] }: Diagnosis): string {
  return others.length === 0 ? objectWords(target) : counted(others.length + 1, 'object');
}

/** Several healthy objects, with why some have no running pods; empty for one. */
export function healthyWords({ target, reason, others = [] }: Diagnosis, limit: number): string {
  if (others.length === 0) return '';
  const named = [{ ref: target, reason }, ...others].map(({ ref, reason: why }) =>
    why === undefined ? objectWords(ref) : `${objectWords(ref)} (${clusterLine(why, 80)})`,
  );
  const more = named.length - limit;
  return `${named.slice(0, limit).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}

interface StateWords {
  readonly words: string;
  readonly color: Paint;
}

function stateWords(diagnosis: Diagnosis): StateWords {
  const { outcome, causes, stages, at } = diagnosis;
  const [cause] = causes;
  const waiting = stages.find(({ verdict }) => verdict === 'waiting');
  switch (outcome) {
    case 'healthy':
      return { words: diagnosis.others === undefined ? 'is healthy' : 'are healthy', color: 'green' };
    case 'explained':
      return { words: `is ${troubleWords(diagnosis)}: ${cause?.title ?? 'cause found'}`, color: 'red' };
    case 'waiting':
      return { words: `is waiting${waiting === undefined ? '' : ` at ${waiting.id}${sinceWords(waiting, at)}`}`, color: 'yellow' };
    case 'unexplained':
      return { words: 'is unhealthy: no rule matches', color: 'yellow' };
    case 'inconclusive':
      if (diagnosis.state === 'healthy' && diagnosis.gaps.some(isUnread))
        return {
          words: `${diagnosis.others === undefined ? 'looks' : 'look'} healthy, but not everything could be read`,
          color: 'yellow',
        };
      return { words: 'is inconclusive: required evidence is missing', color: 'yellow' };
  }
}

/**
 * How badly the target does, by what was counted: `blocked at images`, `partly ready (2 of 3), blocked at images`, `degraded at traffic`.
 */
function troubleWords({ state, pods, causes, stages, target }: Diagnosis): string {
  const stage = stages.find(({ verdict }) => verdict === 'blocked')?.id ?? causes[0]?.stage ?? 'apply';
  const stored = stages.some(({ id, verdict }) => id === 'persistence' && verdict === 'passed');
  if (!stored && stageOrder(stage) < stageOrder('persistence')) return `rejected at ${stage}`;
  if (target.kind === 'Node') return state === 'healthy' ? 'degraded' : 'unhealthy';
  return `${badlyWords(state, pods, stage)} at ${stage}`;
}

function badlyWords(state: Diagnosis['state'], pods: Diagnosis['pods'], stage: StageId): string {
  const ready = pods?.ready ?? 0;
  if (state !== 'healthy') return `${readyWords(ready, pods?.desired ?? 0)}blocked`;
  // What its own spec keeps from running has no pod that could be degraded.
  return ready === 0 && stageOrder(stage) <= stageOrder('scheduling') ? 'blocked' : 'degraded';
}

function readyWords(ready: number, desired: number): string {
  if (ready === 0) return '';
  return ready < desired ? `partly ready (${ready} of ${desired}), ` : 'ready, but ';
}

function sinceWords({ at, reason }: StageVerdict, now: Diagnosis['at']): string {
  const since = at === undefined ? '' : ` since ${clockTime(at, now)} (${ago(at, now)})`;
  return `${since}${reason === undefined ? '' : `: ${clusterLine(reason, 120)}`}`;
}

function countWords({ pods, reason, state, outcome, others }: Diagnosis): readonly string[] {
  if (others !== undefined) return [];
  if (pods !== undefined) return [`${pods.ready} of ${pods.desired} ${pods.desired === 1 ? 'pod' : 'pods'} ready`];
  return reason === undefined || (state === 'healthy' && outcome !== 'healthy') ? [] : [clusterLine(reason, 80)];
}
