import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { didYouMean } from '../base/text.ts';
import { readText } from '../files/read-bounded.ts';
import type { Playbook, PlaybookStep, StepAction } from '../model/playbook.ts';
import { parsePlaybook } from './parse-playbook.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import { openYaml } from './yaml-cursor.ts';
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
  // Its own steps alone are far from the limit.
  if (includesOf(playbook.steps).length === 0) return;
  const cursor = openYaml(file, source, problems).entries().get('steps');
  for (const [index, { action }] of playbook.steps.entries()) {
    const step = cursor?.items()[index];
    if (action.kind === 'include' && step !== undefined) checkInclude(playbook.name, action, known, step.entries());
  }
  if (stepsWithIncluded(playbook, known) > MOST_STEPS) cursor?.problem(`more than ${MOST_STEPS} steps, with the included playbooks`);
}

const MOST_STEPS = 1000;

type Include = Extract<StepAction, { readonly kind: 'include' }>;

function checkInclude(
  start: string,
  { playbook: name, params }: Include,
  known: ReadonlyMap<string, Playbook>,
  fields: ReadonlyMap<string, YamlCursor>,
): void {
  const included = known.get(name);
  if (included === undefined) {
    fields.get('include')?.problem(`unknown playbook ${JSON.stringify(name)}${didYouMean(name, known.keys())}`);
    return;
  }
  for (const param of Object.keys(params))
    if (!included.params.some((one) => one.name === param))
      fields.get('params')?.problem(`playbook ${name} has no parameter ${JSON.stringify(param)}`);
  const circle = circleOf(start, included, known, [start]);
  if (circle !== undefined) fields.get('include')?.problem(`it includes itself: ${circle.join(' → ')}`);
}

/** Counted no further than to the limit. Playbooks that include each other in circles have no number, and are told so: none. */
function stepsWithIncluded(playbook: Playbook, known: ReadonlyMap<string, Playbook>): number {
  let count = 0;
  const open: { readonly playbook: Playbook; readonly way: readonly string[] }[] = [{ playbook, way: [] }];
  for (let one = open.pop(); one !== undefined && count <= MOST_STEPS; one = open.pop()) {
    const { playbook: here, way } = one;
    if (way.includes(here.name)) return 0;
    count += here.steps.length;
    for (const name of includesOf(here.steps)) {
      const included = known.get(name);
      if (included !== undefined) open.push({ playbook: included, way: [...way, here.name] });
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
