import type { AuditEntry } from '../model/audit.ts';
import type { Cause, Diagnosis } from '../model/diagnosis.ts';
import { formatRef } from '../model/kube-object.ts';
import { STAGES, stageOrder } from '../model/stage.ts';
import type { Clue } from './clues.ts';
import { cluesOf, looksAtObject, showsClue, TERMINAL } from './clues.ts';

/** From general to explicit; each hint costs more points than the one before. */
export const HINT_COSTS = { start: 1, stage: 2, place: 4, evidence: 8, cause: 12, fix: 16 } as const;
export type HintLevel = keyof typeof HINT_COSTS;

export interface Hint {
  readonly level: HintLevel;
  readonly says: string;
  readonly cost: number;
}

/** What the trainee already knows; a hint does not repeat it. */
export interface HintState {
  readonly diagnosis: Diagnosis;
  readonly cause: Cause;
  /** The requests since the start. */
  readonly looked: readonly AuditEntry[];
  readonly named: boolean;
  readonly given: readonly HintLevel[];
}

/** The next hint: the most general one that was not given and does not repeat what the trainee has seen. */
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
  if (level === 'start')
    return (
      looked.some((entry) => looksAtObject(entry, diagnosis.target)) ||
      looked.some(({ resource }) => resource === 'pods' || resource === 'events')
    );
  if (level === 'stage') return false;
  if (level === 'place') return given.length > 0 && openClues(cause, looked).length === 0;
  return false;
}

/** The failed command shows the cause; the cluster has nothing to look at. */
function toldInTerminal(cause: Cause): boolean {
  return cluesOf(cause)[0]?.resource === TERMINAL;
}

function openClues(cause: Cause, looked: readonly AuditEntry[]): readonly Clue[] {
  return cluesOf(cause).filter((clue) => clue.resource !== TERMINAL && !looked.some((entry) => showsClue(entry, clue)));
}

/** Starts a line of a hint that is a command to copy. */
export const COMMAND = '  ';

const WORDS: Readonly<Record<HintLevel, (state: HintState) => string>> = {
  start: ({ diagnosis: { target }, cause }) =>
    toldInTerminal(cause)
      ? 'Start with terminal.txt: read the exact error, and find out whether kubectl, the connection or the API server reports it.'
      : `Start with the object in the alert, ${formatRef(target)}: check its status, the objects that it owns, and their latest events.`,
  stage: ({ cause }) => stageWords(cause),
  place: ({ cause, looked }) => {
    const [clue] = openClues(cause, looked);
    return clue === undefined
      ? 'You have already seen all the evidence. Read it again: it shows the cause.'
      : `You have not looked at this yet, and it shows the cause:\n${COMMAND}${clue.command}`;
  },
  evidence: ({ cause }) => {
    const [clue] = cluesOf(cause);
    return clue === undefined ? cause.title : `The evidence is: ${clue.quote}`;
  },
  cause: ({ cause }) => `${cause.what} ${cause.why}`,
  fix: ({ cause }) => cause.fix.map(({ say, run }) => (run === undefined ? say : `${say}\n${COMMAND}${run}`)).join('\n'),
};

/** The question of the blocked stage, and which stages have passed. */
function stageWords({ stage }: Cause): string {
  const at = stageOrder(stage);
  const [here, before] = [STAGES[at], STAGES[at - 1]];
  const passed = before === undefined ? '' : `All stages up to ${before.id} have passed. `;
  return `${passed}The question now is: ${here?.question ?? ''}`;
}
