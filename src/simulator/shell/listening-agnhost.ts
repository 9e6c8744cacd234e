import { programOf } from '../programs/behaviour.ts';
import type { CommandRun } from './shell-state.ts';

/**
 * Stands in the page for agnhost/agnhost.ts, the programs of Kubernetes' own test image: there each only listens on the ports of its
 * container.
 */
export function agnhostCommands(): readonly (readonly [string, CommandRun])[] {
  return [
    ['agnhost', listen],
    ['agnhost-2', listen],
  ];
}

function* listen(...[, shell]: Parameters<CommandRun>): ReturnType<CommandRun> {
  return { code: yield* programOf({}, shell.surroundings.ports)(shell.process) };
}
