import type {
  Branch,
  Escalation,
  PlaybookStep,
  ShowAction,
  StepAction,
  StepKind,
  StepTarget,
  Undo,
  Verification,
} from '../model/playbook.ts';
import { STEP_KINDS } from '../model/playbook.ts';
import type { Effect } from '../model/playbook-change.ts';
import { effectOf, EFFECTS } from '../model/playbook-change.ts';
import { parseChange } from './parse-change.ts';
import { parseCondition } from './parse-condition.ts';
import type { Fields } from './parse-playbook-values.ts';
import {
  optional,
  parseFlag,
  parseMilliseconds,
  parseObjectTemplate,
  parsePattern,
  parseScalars,
  parseTexts,
  parseType,
} from './parse-playbook-values.ts';
import type { YamlCursor } from './yaml-cursor.ts';

/** The step says what the text of its kind's field is. */
const OWN = '';
const COMMON = ['id', 'say', 'tells', 'within', 'then'];

/** What may and must stand beside the field that names the kind; OWN means that the field's own text is what the step says. */
const BESIDES: Readonly<Record<StepKind, { readonly may?: readonly string[]; readonly must?: readonly string[]; readonly say?: string }>> =
  {
    diagnose: { may: ['branches', 'else'], say: 'Diagnose with podcheck.' },
    check: { may: ['pass', 'fail', 'unknown'] },
    show: {},
    run: { may: ['effect', 'on'] },
    decide: { must: ['else'], say: 'Choose the next step.' },
    ask: {},
    manual: { may: ['commands'], say: OWN },
    wait: { may: ['every', 'timeout'], must: ['limit'] },
    change: { may: ['effect', 'fail'], must: ['verify', 'undo'] },
    include: { may: ['params'], say: 'Run another playbook.' },
    note: { say: OWN },
    escalate: { may: ['to', 'bring'], say: OWN },
  };

/** One step; undefined when its kind cannot be told. `index` counts from 0 and names a step without an id. */
export function parseStep(cursor: YamlCursor, index: number): PlaybookStep | undefined {
  const kinds = STEP_KINDS.filter((kind) => cursor.isMap() && cursor.entries().has(kind));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return cursor.problem(`a step needs exactly one of: ${STEP_KINDS.join(', ')}`);
  const { may = [], must = [], say } = BESIDES[kind];
  const fields = cursor.fields([...COMMON, kind, ...may, ...must], [kind, ...must, ...(say === undefined ? ['say'] : [])]);
  const action = parseAction(kind, fields);
  const id = parseId(fields.get('id')) ?? `${kind}-${index + 1}`;
  if (action === undefined) return undefined;
  return {
    id,
    say: fields.get('say')?.text() ?? (say === OWN ? fields.get(kind)?.text() : say) ?? '',
    ...optional('tells', fields.get('tells')?.text()),
    ...optional('withinMilliseconds', parseMilliseconds(fields.get('within'))),
    ...optional('next', fields.get('then')?.text()),
    action,
  };
}

function parseId(cursor: YamlCursor | undefined): string | undefined {
  const id = cursor?.text();
  if (id === undefined) return undefined;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id))
    cursor?.problem(`${JSON.stringify(id)} is not a valid ID: use lowercase letters, digits and hyphens`);
  if (id === 'end') cursor?.problem('"end" is reserved for the end of the playbook');
  return id;
}

function parseAction(kind: StepKind, fields: Fields): StepAction | undefined {
  const cursor = fields.get(kind);
  switch (kind) {
    case 'diagnose': {
      const word = cursor?.text();
      return {
        kind,
        ...(word === 'target' ? {} : { object: parseObjectTemplate(cursor) }),
        branches: parseBranches(fields.get('branches')),
        ...optional('else', fields.get('else')?.text()),
      };
    }
    case 'check':
      return { kind, condition: parseCondition(cursor), ...gotos(fields, ['pass', 'fail', 'unknown']) };
    case 'show':
      return wrapped(parseShow(cursor), (show) => ({ kind, show }));
    case 'run':
      return {
        kind,
        argv: parseArgv(cursor),
        effect: parseEffect(fields.get('effect'), 'read'),
        ...optional('node', fields.get('on')?.text()),
      };
    case 'decide': {
      const branches = parseBranches(cursor);
      if (branches.length === 0) cursor?.problem('expected at least one branch: { when: …, goto: … }');
      return { kind, branches, else: fields.get('else')?.text() ?? 'end' };
    }
    case 'ask':
      return wrapped(cursor, parseAsk);
    case 'manual':
      return { kind, commands: parseTexts(fields.get('commands')) };
    case 'wait':
      return { kind, ...waiting(cursor, fields), ...gotos(fields, ['timeout']) };
    case 'change':
      return wrapped(parseChange(cursor), (change) => ({
        kind,
        change,
        effect: parseEffect(fields.get('effect'), effectOf(change)),
        verify: parseVerification(fields.get('verify')),
        undo: parseUndo(fields.get('undo')),
        ...gotos(fields, ['fail']),
      }));
    case 'include':
      return { kind, playbook: cursor?.text() ?? '', params: parseMapping(fields.get('params')) };
    case 'note':
      return { kind };
    case 'escalate':
      return { kind, escalation: escalationOf(cursor?.text() ?? '', fields) };
  }
}

/** `escalation` of a playbook: a text, or a map with `say`, `to` and `bring`. */
export function parseEscalation(cursor: YamlCursor | undefined): Escalation {
  if (cursor === undefined) return { say: '', bring: [] };
  if (!cursor.isMap()) return { say: cursor.text() ?? '', bring: [] };
  const fields = cursor.fields(['say', 'to', 'bring'], ['say']);
  return escalationOf(fields.get('say')?.text() ?? '', fields);
}

function escalationOf(say: string, fields: Fields): Escalation {
  return { say, ...optional('to', fields.get('to')?.text()), bring: parseTexts(fields.get('bring')) };
}

function parseBranches(cursor: YamlCursor | undefined): readonly Branch[] {
  return (cursor?.items() ?? []).map((item) => {
    const fields = item.fields(['when', 'goto'], ['when', 'goto']);
    return { when: parseCondition(fields.get('when')), goto: fields.get('goto')?.text() ?? 'end' };
  });
}

function gotos<K extends string>(fields: Fields, names: readonly K[]): { readonly [key in K]?: StepTarget } {
  return Object.fromEntries(names.flatMap((name) => Object.entries(optional(name, fields.get(name)?.text())))) as {
    readonly [key in K]?: StepTarget;
  };
}

const SHOWS = ['get', 'describe', 'events', 'list', 'logs'] as const;

function parseShow(cursor: YamlCursor | undefined): ShowAction | undefined {
  const fields = cursor?.fields([...SHOWS, 'namespace', 'selector', 'container', 'previous', 'tail']);
  const shows = SHOWS.filter((name) => fields?.has(name) === true);
  const [show] = shows;
  if (show === undefined || fields === undefined || shows.length > 1)
    return cursor?.problem(`expected exactly one of: ${SHOWS.join(', ')}`);
  for (const [name, field] of fields)
    if (name !== show && BESIDES_SHOW[show]?.includes(name) !== true) field.problem(`${JSON.stringify(name)} is not allowed with ${show}`);
  if (show === 'list') return parseList(fields);
  const object = parseObjectTemplate(fields.get(show));
  if (show !== 'logs') return { show, object };
  return {
    show,
    object,
    ...optional('container', fields.get('container')?.text()),
    previous: parseFlag(fields.get('previous')) ?? false,
    tail: parseTail(fields.get('tail')),
  };
}

const BESIDES_SHOW: Readonly<Partial<Record<(typeof SHOWS)[number], readonly string[]>>> = {
  list: ['namespace', 'selector'],
  logs: ['container', 'previous', 'tail'],
};

function parseList(fields: ReadonlyMap<string, YamlCursor>): ShowAction {
  return {
    show: 'list',
    of: fields.get('list')?.text() ?? '',
    ...optional('namespace', fields.get('namespace')?.text()),
    ...optional('selector', fields.get('selector')?.text()),
  };
}

const TAIL = 50;
const LONGEST_TAIL = 1000;

function parseTail(cursor: YamlCursor | undefined): number {
  const value = cursor?.scalar() ?? TAIL;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= LONGEST_TAIL) return value;
  cursor?.problem(`expected a number of lines up to ${LONGEST_TAIL}`);
  return TAIL;
}

/** A command as a list of its words: nothing here is ever given to a shell. */
function parseArgv(cursor: YamlCursor | undefined): readonly string[] {
  if (cursor === undefined) return [];
  if (!cursor.isList()) {
    cursor.problem('expected a list of words: [kubectl, get, pods]; commands never run in a shell');
    return [];
  }
  const argv = cursor.items().map((item) => String(item.scalar() ?? ''));
  if (argv.length === 0) cursor.problem('expected at least one word');
  else if (/\s/.test(argv[0] ?? '')) cursor.items()[0]?.problem('expected a program name only: write each argument as its own word');
  const shell = argv.findIndex((word) => /^(\||\|\||&&|;|>|>>|<|2>&1|&)$/.test(word));
  if (shell >= 0) cursor.items()[shell]?.problem(`${JSON.stringify(argv[shell])} is shell syntax, but commands never run in a shell`);
  return argv;
}

function parseEffect(cursor: YamlCursor | undefined, least: Effect): Effect {
  const given = cursor?.oneOf(EFFECTS) ?? least;
  if (EFFECTS.indexOf(given) < EFFECTS.indexOf(least)) cursor?.problem(`the effect is larger: write ${least}`);
  return given;
}

function parseAsk(cursor: YamlCursor): StepAction {
  const fields = cursor.fields(['as', 'type', 'default', 'pattern', 'oneOf', 'secret'], ['as']);
  const oneOf = fields.has('oneOf') ? parseScalars(fields.get('oneOf')) : undefined;
  const given = fields.get('default')?.scalar();
  return {
    kind: 'ask',
    variable: fields.get('as')?.text() ?? '',
    question: {
      type: parseType(fields.get('type')),
      ...optional('default', given === undefined ? undefined : String(given)),
      ...optional('pattern', parsePattern(fields.get('pattern'))),
      ...optional('oneOf', oneOf),
      secret: parseFlag(fields.get('secret')) ?? false,
    },
  };
}

const EVERY_MILLISECONDS = 5000;

function waiting(condition: YamlCursor | undefined, fields: Fields): Verification {
  const everyMilliseconds = parseMilliseconds(fields.get('every')) ?? EVERY_MILLISECONDS;
  const limitMilliseconds = parseMilliseconds(fields.get('limit')) ?? EVERY_MILLISECONDS;
  if (limitMilliseconds < everyMilliseconds) fields.get('limit')?.problem('the limit is shorter than the interval');
  return { until: parseCondition(condition), everyMilliseconds, limitMilliseconds };
}

function parseVerification(cursor: YamlCursor | undefined): Verification {
  const fields: Fields = cursor?.fields(['until', 'every', 'limit'], ['until', 'limit']) ?? new Map();
  return waiting(fields.get('until'), fields);
}

function parseUndo(cursor: YamlCursor | undefined): Undo {
  if (cursor === undefined) return { undo: 'none', why: '' };
  if (!cursor.isMap()) {
    cursor.oneOf(['restore']);
    return { undo: 'restore' };
  }
  const none = cursor.entries().get('none');
  if (none !== undefined) {
    cursor.fields(['none']);
    return { undo: 'none', why: none.text() ?? '' };
  }
  const change = parseChange(cursor);
  return change === undefined ? { undo: 'restore' } : { undo: 'change', change };
}

function parseMapping(cursor: YamlCursor | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries([...(cursor?.entries() ?? [])].map(([name, value]) => [name, String(value.scalar() ?? '')]));
}

function wrapped<T>(value: T | undefined, wrap: (value: T) => StepAction): StepAction | undefined {
  return value === undefined ? undefined : wrap(value);
}
