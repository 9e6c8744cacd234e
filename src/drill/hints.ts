import type { AuditEntry } from '../model/audit.ts';
import type { Cause, Diagnosis } from '../model/diagnosis.ts';
import { formatRef } from '../model/kube-object.ts';
import { STAGES, stageOrder } from '../model/stage.ts';
import type { Clue } from './clues.ts';
import { cluesOf, looksAtObject, showsClue, TERMINAL } from './clues.ts';

/** From gentle to explicit; each costs more points than the one before. */
export const HINT_COSTS = { start: 1, stage: 2, place: 4, evidence: 8, cause: 12, fix: 16 } as const;
export type HintLevel = keyof typeof HINT_COSTS;

export interface Hint {
  readonly level: HintLevel;
  readonly says: string;
  readonly cost: number;
}

/** What the trainee knows already, and so need not be told. */
export interface HintState {
  readonly diagnosis: Diagnosis;
  readonly cause: Cause;
  /** What they have looked at since the start. */
  readonly looked: readonly AuditEntry[];
  readonly named: boolean;
  readonly given: readonly HintLevel[];
}

/** The next hint: the gentlest that was not given and that what they have looked at has not told them already. */
export function nextHint(state: HintState): Hint | undefined {
  for (const level of Object.keys(HINT_COSTS) as HintLevel[]) {
    if (state.given.includes(level) || isKnown(level, state)) continue;
    return { level, says: WORDS[level](state), cost: HINT_COSTS[level] };
  }
  return undefined;
}

function isKnown(level: HintLevel, { diagnosis, cause, looked, named, given }: HintState): boolean {
  if (level === 'fix') return false;
  if (named) return true;
  if (level === 'start' && toldInTerminal(cause)) return false;
  if (level === 'start') return looked.some((entry) => looksAtObject(entry, diagnosis.target)) || looked.some(({ resource }) => resource === 'pods' || resource === 'events');
  if (level === 'stage') return false;
  if (level === 'place') return given.length > 0 && openClues(cause, looked).length === 0;
  return false;
}

/** The command that failed said it, before there was anything to look at in the cluster. */
function toldInTerminal(cause: Cause): boolean {
  return cluesOf(cause)[0]?.resource === TERMINAL;
}

function openClues(cause: Cause, looked: readonly AuditEntry[]): readonly Clue[] {
  return cluesOf(cause).filter((clue) => clue.resource !== TERMINAL && !looked.some((entry) => showsClue(entry, clue)));
}

/** Begins a line of a hint that is to be copied as it is. */
export const COMMAND = '  ';

const WORDS: Readonly<Record<HintLevel, (state: HintState) => string>> = {
  start: ({ diagnosis: { target }, cause }) => toldInTerminal(cause) ? 'Begin with terminal.txt: what did the command say, word by word, and who said it: kubectl itself, the connection, or the API server?' : `Begin with what the alert names, ${formatRef(target)}: what does it say of itself, what does it own, and what are the newest events about these?`,
  stage: ({ cause }) => stageWords(cause),
  place: ({ cause, looked }) => {
    const [clue] = openClues(cause, looked);
    return clue === undefined ? 'You have looked at all that shows it. Read it once more, slowly: the answer is in what you have seen.' : `Something you have not looked at shows it:\n${COMMAND}${clue.command}`;
  },
  evidence: ({ cause }) => {
    const [clue] = cluesOf(cause);
    return clue === undefined ? cause.title : `This is what tells: ${clue.quote}`;
  },
  cause: ({ cause }) => `${cause.what} ${cause.why}`,
  fix: ({ cause }) => cause.fix.map(({ say, run }) => (run === undefined ? say : `${say}\n${COMMAND}${run}`)).join('\n'),
};

/** The question of the stage that is blocked, and what lies behind it already. */
function stageWords({ stage }: Cause): string {
  const at = stageOrder(stage);
  const [here, before] = [STAGES[at], STAGES[at - 1]];
  const passed = before === undefined ? '' : `Everything up to ${before.id} went well. `;
  return `${passed}The question to ask now is: ${here?.question ?? ''}`;
}
