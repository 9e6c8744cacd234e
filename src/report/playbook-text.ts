import type { Playbook } from '../model/playbook.ts';
import { hanging } from './cause-lines.ts';
import type { Look } from './look.ts';
import { paint, shown } from './look.ts';

/** A playbook for a person: what it is for, each step with its command and what the answer tells, and when to call for help. */
export function playbookText({ name, title, use, steps, escalate }: Playbook, look: Look): string {
  const lines = [
    paint(look, 'bold', title),
    paint(look, 'dim', `playbook ${name}`),
    '',
    ...hanging('  ', use, look),
    ...steps.flatMap(({ say, run, tells }, index) => [
      '',
      ...hanging(`  ${String(index + 1)}. `, say, look),
      ...(run === undefined ? [] : run.split('; ').map((line) => `     ${paint(look, 'green', line)}`)),
      ...(tells === undefined ? [] : hanging('     ', tells, look)),
    ]),
    '',
    ...hanging('  Call for help  ', escalate, look),
  ];
  return shown(look, lines);
}
