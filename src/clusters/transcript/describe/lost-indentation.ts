import type { Line } from '../clean-lines.ts';
import { CONTAINER_KEYS, STATE_KEYS } from './containers.ts';

const LIST = /^(?:Init |Ephemeral )?Containers:\s*$/;
const NAME = /^[a-z0-9][a-z0-9-]{0,62}:\s*$/;
const FIRST_KEY = /^(?:Container ID|Image):/;
const KEY = /^([A-Z][A-Za-z ]{1,40}):(?:\s|$)/;
/** What comes behind the containers of a pod. */
const BEHIND = /^(?:Conditions|Volumes|QoS Class|Node-Selectors|Tolerations|Events|Readiness Gates):/;

/**
 * The describe of a pod whose lines all begin at the left margin, as pages and trackers show it: its containers get back the indentation
 * that tells whose a state is. Other describes stay as they are.
 */
export function withIndentation(lines: readonly Line[]): readonly Line[] {
  if (!lines.some(({ text }, index) => LIST.test(text) && beginsContainer(lines, index + 1))) return lines;
  let within = false;
  return lines.map((line, index) => {
    if (LIST.test(line.text)) within = true;
    else if (BEHIND.test(line.text)) within = false;
    else if (within) return { ...line, text: `${beginsContainer(lines, index) ? '  ' : marginOf(line.text)}${line.text}` };
    return line;
  });
}

function beginsContainer(lines: readonly Line[], index: number): boolean {
  return NAME.test(lines[index]?.text ?? '') && FIRST_KEY.test(lines[index + 1]?.text ?? '');
}

function marginOf(text: string): string {
  const key = KEY.exec(text)?.[1] ?? '';
  return CONTAINER_KEYS.has(key) && !STATE_KEYS.has(key) ? '    ' : '      ';
}
