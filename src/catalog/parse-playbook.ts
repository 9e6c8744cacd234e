import type { Playbook, PlaybookLimits, PlaybookPurpose, PlaybookStep, Precondition } from '../model/playbook.ts';
import { STAGE_IDS } from '../model/stage.ts';
import { checkSteps } from './playbook-graph.ts';
import { checkPlaybookVariables } from './playbook-variables.ts';
import { parseCondition } from './parse-condition.ts';
import type { Fields } from './parse-playbook-values.ts';
import { optional, parseParams, parseTexts, parseWords } from './parse-playbook-values.ts';
import { parseEscalation, parseStep } from './parse-playbook-step.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import type { Problem } from './yaml-problem.ts';
import { openYaml } from './yaml-cursor.ts';

const FIELDS = ['title', 'use', 'for', 'owner', 'reviewed', 'params', 'preconditions', 'limits', 'steps', 'rollback', 'escalation'];
const REQUIRED = ['title', 'use', 'for', 'steps', 'escalation'];

/** Reads one playbook; undefined when anything is wrong, with a problem for each thing that is. What it includes is not looked at. */
export function parsePlaybook(file: string, source: string, name: string, problems: Problem[]): Playbook | undefined {
  const before = problems.length;
  const root = openYaml(file, source, problems);
  if (problems.length > before) return undefined;
  const fields = root.fields(FIELDS, REQUIRED);
  const steps = parseSteps(fields.get('steps'));
  if (steps.length === 0 && problems.length === before) fields.get('steps')?.problem('expected at least one step');
  const playbook: Playbook = {
    name,
    title: fields.get('title')?.text() ?? '',
    use: fields.get('use')?.text() ?? '',
    for: parsePurpose(fields.get('for')),
    ...optional('owner', fields.get('owner')?.text()),
    ...optional('reviewed', fields.get('reviewed')?.text()),
    params: parseParams(fields.get('params')),
    preconditions: (fields.get('preconditions')?.items() ?? []).map(parsePrecondition),
    limits: parseLimits(fields.get('limits')),
    steps,
    rollback: parseRollback(fields.get('rollback')),
    escalation: parseEscalation(fields.get('escalation')),
  };
  // What hangs together is looked at only where each part is right by itself.
  if (problems.length > before) return undefined;
  checkSteps(playbook, fields);
  checkPlaybookVariables(playbook, fields);
  return problems.length > before ? undefined : playbook;
}

/** Nobody goes through more of them in an emergency. */
const MOST_STEPS = 200;

function parseSteps(cursor: YamlCursor | undefined): readonly PlaybookStep[] {
  const items = cursor?.items() ?? [];
  if (items.length > MOST_STEPS) {
    cursor?.problem(`${items.length} steps, but the limit is ${MOST_STEPS}`);
    return [];
  }
  return items.map(parseStep).filter((step) => step !== undefined);
}

/** Going back is done without questions of which way: only steps that do or say something. */
const GOING_BACK = new Set(['change', 'manual', 'note', 'show', 'wait']);

function parseRollback(cursor: YamlCursor | undefined): readonly PlaybookStep[] {
  const steps = parseSteps(cursor);
  for (const [index, step] of steps.entries()) {
    if (!GOING_BACK.has(step.action.kind))
      cursor?.items()[index]?.problem(`a rollback step needs exactly one of: ${[...GOING_BACK].join(', ')}`);
  }
  return steps;
}

function parsePurpose(cursor: YamlCursor | undefined): PlaybookPurpose {
  const fields: Fields = cursor?.fields(['alerts', 'rules', 'stages']) ?? new Map();
  return {
    alerts: parseTexts(fields.get('alerts')),
    rules: parseTexts(fields.get('rules')),
    stages: parseWords(fields.get('stages'), STAGE_IDS),
  };
}

function parsePrecondition(cursor: YamlCursor): Precondition {
  const fields = cursor.fields(['say', 'when'], ['say', 'when']);
  return { say: fields.get('say')?.text() ?? '', when: parseCondition(fields.get('when')) };
}

const OBJECTS = 5;
const MOST_OBJECTS = 500;

function parseLimits(cursor: YamlCursor | undefined): PlaybookLimits {
  const objects = cursor?.fields(['objects']).get('objects');
  const value = objects?.scalar() ?? OBJECTS;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_OBJECTS) return { objects: value };
  objects?.problem(`expected a number of objects up to ${MOST_OBJECTS}`);
  return { objects: OBJECTS };
}
