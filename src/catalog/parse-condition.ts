import { OUTCOMES } from '../model/diagnosis.ts';
import type { Condition } from '../model/playbook-condition.ts';
import { STEP_RESULTS } from '../model/playbook-condition.ts';
import type { Verdict } from '../model/stage.ts';
import { STAGE_IDS } from '../model/stage.ts';
import { parseAlternatives, parsePatterns } from './parse-pattern.ts';
import { parseScalars, parseTexts, parseWords } from './parse-playbook-values.ts';
import type { YamlCursor } from './yaml-cursor.ts';

const VERDICTS: readonly Verdict[] = ['passed', 'blocked', 'waiting', 'unknown', 'not-reached'];
const TESTS = ['outcome', 'cause', 'stage', 'step', 'variable', 'known', 'not'] as const;
const PATTERNS = ['all', 'any', 'none'];
const CONDITION_FIELDS = [...PATTERNS, ...TESTS, 'is'];

/** Patterns over facts as in a rule (`all`, `any`, `none`), or one question: about outcome, cause, stage, step or variable. */
export function parseCondition(cursor: YamlCursor | undefined): Condition {
  if (cursor === undefined) return NEVER;
  const fields = cursor.fields(CONDITION_FIELDS);
  const patterns = PATTERNS.filter((name) => fields.has(name));
  const tests = TESTS.filter((name) => fields.has(name));
  const [test] = tests;
  if (tests.length + (patterns.length > 0 ? 1 : 0) !== 1) {
    cursor.problem(`expected patterns over facts (${PATTERNS.join(', ')}), or exactly one of ${TESTS.join(', ')}`);
    return NEVER;
  }
  if (test !== 'stage' && test !== 'step' && test !== 'variable') fields.get('is')?.problem('`is` needs stage, step or variable');
  else if (!fields.has('is')) cursor.problem('"is" is missing: the expected value');
  if (test === undefined)
    return {
      test: 'facts',
      when: {
        all: parsePatterns(fields.get('all')),
        any: parseAlternatives(fields.get('any')),
        none: parsePatterns(fields.get('none')),
        optional: [],
        unless: [],
      },
    };
  return parseTest(test, fields.get(test), fields.get('is'));
}

const NEVER: Condition = { test: 'outcome', is: [] };

function parseTest(test: (typeof TESTS)[number], cursor: YamlCursor | undefined, is: YamlCursor | undefined): Condition {
  switch (test) {
    case 'outcome':
      return { test, is: parseWords(cursor, OUTCOMES) };
    case 'cause':
      return { test, is: parseTexts(cursor) };
    case 'stage':
      return { test, stage: cursor?.oneOf(STAGE_IDS) ?? 'apply', is: parseWords(is, VERDICTS) };
    case 'step':
      return { test, step: cursor?.text() ?? '', is: parseWords(is, STEP_RESULTS) };
    case 'variable':
      return { test, name: cursor?.text() ?? '', is: parseScalars(is) };
    case 'known':
      return { test, name: cursor?.text() ?? '' };
    case 'not':
      return { test, condition: parseCondition(cursor) };
  }
}
