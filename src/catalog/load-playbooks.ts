import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Playbook, PlaybookStep } from '../model/playbook.ts';
import type { Problem, YamlCursor } from './yaml-cursor.ts';
import { openYaml } from './yaml-cursor.ts';

export interface LoadedPlaybooks {
  /** In order of their names; only those without a problem. */
  readonly playbooks: readonly Playbook[];
  readonly problems: readonly Problem[];
}

/** Reads all playbooks of a folder: `<name>.yaml`. */
export async function loadPlaybooks(directory: string): Promise<LoadedPlaybooks> {
  const problems: Problem[] = [];
  const files = (await readdir(directory)).filter((file) => file.endsWith('.yaml')).toSorted();
  const read = await Promise.all(files.map(async (file) => parsePlaybook(join(directory, file), await readFile(join(directory, file), 'utf8'), file.slice(0, -'.yaml'.length), problems)));
  return { playbooks: read.filter((playbook) => playbook !== undefined), problems };
}

/** Reads one playbook; undefined when anything is wrong, with a problem for each thing that is. */
export function parsePlaybook(file: string, source: string, name: string, problems: Problem[]): Playbook | undefined {
  const before = problems.length;
  const root = openYaml(file, source, problems);
  if (problems.length > before) return undefined;
  const names = ['title', 'use', 'steps', 'escalate'];
  const fields = root.fields(names, names);
  const steps = fields.get('steps')?.items().map(parseStep) ?? [];
  if (steps.length === 0) fields.get('steps')?.problem('at least one step is needed');
  const playbook = { name, title: fields.get('title')?.text() ?? '', use: fields.get('use')?.text() ?? '', steps, escalate: fields.get('escalate')?.text() ?? '' };
  return problems.length > before ? undefined : playbook;
}

function parseStep(cursor: YamlCursor): PlaybookStep {
  const fields = cursor.fields(['say', 'run', 'tells'], ['say']);
  const [run, tells] = [fields.get('run')?.text(), fields.get('tells')?.text()];
  return { say: fields.get('say')?.text() ?? '', ...(run === undefined ? {} : { run }), ...(tells === undefined ? {} : { tells }) };
}
