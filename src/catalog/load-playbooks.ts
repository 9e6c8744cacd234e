import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { nearest } from '../base/text.ts';
import { readText } from '../files/read-bounded.ts';
import type { Playbook, PlaybookStep } from '../model/playbook.ts';
import { parsePlaybook } from './parse-playbook.ts';
import type { Problem } from './yaml-problem.ts';

export interface LoadedPlaybooks {
  /** In order of their names; only those without a problem. */
  readonly playbooks: readonly Playbook[];
  readonly problems: readonly Problem[];
  /** What each file held when it was read, by its path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Reads all playbooks of a folder: `<name>.yaml`. */
export async function loadPlaybooks(directory: string): Promise<LoadedPlaybooks> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.yaml')).toSorted();
  return readPlaybooks(
    files.map((file) => join(directory, file)),
    [],
  );
}

/** Reads these files; what they include may be among `others`, too. */
export async function readPlaybooks(files: readonly string[], others: readonly Playbook[]): Promise<LoadedPlaybooks> {
  const problems: Problem[] = [];
  const texts = new Map<string, string>();
  const read: { readonly file: string; readonly source: string; readonly playbook: Playbook }[] = [];
  for (const file of files) {
    const source = await readText(file, 'the playbook', '`podcheck runbook list` lists the bundled playbooks', MOST_BYTES);
    texts.set(file, source);
    const playbook = parsePlaybook(file, source, basename(file).replace(/\.ya?ml$/, ''), problems);
    if (playbook !== undefined) read.push({ file, source, playbook });
  }
  const known = new Map([...others, ...read.map(({ playbook }) => playbook)].map((playbook) => [playbook.name, playbook]));
  for (const { file, source, playbook } of read) checkIncludes(playbook, known, { file, source }, problems);
  return { playbooks: read.map(({ playbook }) => playbook), problems, texts };
}

const MOST_BYTES = 512 * 1024;

/** What it includes must be there, take those parameters, and not include it again. */
function checkIncludes(
  playbook: Playbook,
  known: ReadonlyMap<string, Playbook>,
  { file, source }: { readonly file: string; readonly source: string },
  problems: Problem[],
): void {
  for (const [index, step] of playbook.steps.entries()) {
    if (step.action.kind !== 'include') continue;
    const { playbook: name, params } = step.action;
    const line = source.split('\n').findIndex((text) => text.includes('include:') && text.includes(name)) + 1;
    const say = (message: string): void => void problems.push({ file, line: Math.max(1, line), field: `steps[${index}].include`, message });
    const included = known.get(name);
    if (included === undefined) {
      const names = nearest(name, known.keys());
      say(`unknown playbook ${JSON.stringify(name)}${names.length === 0 ? '' : `; did you mean ${names.join(' or ')}?`}`);
      continue;
    }
    for (const param of Object.keys(params))
      if (!included.params.some((one) => one.name === param)) say(`playbook ${name} has no parameter ${JSON.stringify(param)}`);
    const circle = circleOf(playbook.name, included, known, [playbook.name]);
    if (circle !== undefined) say(`it includes itself: ${circle.join(' → ')}`);
  }
  if (stepsWithIncluded(playbook, known) > MOST_STEPS)
    problems.push({ file, line: 1, field: 'steps', message: `more than ${MOST_STEPS} steps, with the included playbooks` });
}

const MOST_STEPS = 1000;

/** Counted no further than to the limit: playbooks that include each other in circles would have no number. */
function stepsWithIncluded(playbook: Playbook, known: ReadonlyMap<string, Playbook>): number {
  let count = 0;
  const open = [playbook];
  for (let one = open.pop(); one !== undefined && count <= MOST_STEPS; one = open.pop()) {
    count += one.steps.length;
    for (const name of includesOf(one.steps)) {
      const included = known.get(name);
      if (included !== undefined) open.push(included);
    }
  }
  return count;
}

function circleOf(
  start: string,
  playbook: Playbook,
  known: ReadonlyMap<string, Playbook>,
  way: readonly string[],
): readonly string[] | undefined {
  if (playbook.name === start) return [...way, playbook.name];
  if (way.includes(playbook.name)) return undefined;
  for (const name of includesOf(playbook.steps)) {
    const included = known.get(name);
    const circle = included === undefined ? undefined : circleOf(start, included, known, [...way, playbook.name]);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

function includesOf(steps: readonly PlaybookStep[]): readonly string[] {
  return steps.flatMap(({ action }) => (action.kind === 'include' ? [action.playbook] : []));
}
