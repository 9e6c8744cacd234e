import type { Fix } from '../../src/model/rule.ts';

/**
 * What a printed fix is worth: `cures`: run as printed it makes the object healthy; `person`: the rule says who must do it; the others need
 * work: `looks`: no command changes anything; `placeholder`: a value is left to the reader; `edit`: it opens an editor; `elsewhere`: it
 * runs
 * on a node or in another system.
 */
export type Worth = 'cures' | 'fails' | 'person' | 'looks' | 'placeholder' | 'edit' | 'elsewhere';

export type Step = Pick<Fix, 'say' | 'run' | 'by'>;

/**
 * The steps of the first alternative: up to the first that begins another ("Or …"), holds on a condition ("If …"), or is left to somebody.
 */
export function firstAlternative(fix: readonly Step[]): readonly Step[] {
  const end = fix.findIndex(({ say, by }, index) => index > 0 && (by !== undefined || /^(?:Or|If|Otherwise)\b/.test(say)));
  return end < 0 ? fix : fix.slice(0, end);
}

/** What the words of the first alternative are worth before it is tried; undefined where it can be. */
export function worthUntried(steps: readonly Step[]): Worth | undefined {
  if (steps.some(({ by }) => by !== undefined)) return 'person';
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
  if (commands.some((command) => ELSEWHERE.test(command))) return 'elsewhere';
  if (!commands.some((command) => CHANGES.test(command) && !TRIES.test(command)))
    return commands.some((command) => EDITS.test(command)) ? 'edit' : 'looks';
  if (commands.some((command) => PLACEHOLDER.test(command))) return 'placeholder';
  return commands.some((command) => EDITS.test(command)) ? 'edit' : undefined;
}

/** Words in angle brackets are for the reader to replace. */
const PLACEHOLDER = /<[A-Za-z][\w. -]*>/;
const EDITS = /\bkubectl(?: -n \S+)? edit\b|EDITOR/;
const CHANGES =
  /\bkubectl(?: -n \S+)? (?:annotate|apply|autoscale|certificate|cordon|create|delete|drain|expose|label|patch|replace|rollout (?!status|history)|run|scale|set (?!env --list)|taint|uncordon)\b/;
/** It changes nothing that stays. */
const TRIES = /--dry-run(?!=client -o yaml)|--rm\b/;
const ELSEWHERE = /^(?:sudo|ssh|aws|gcloud|az|docker|systemctl|showmount|podcheck|crictl)\b/;
