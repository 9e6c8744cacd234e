import type { JsonObject } from '../base/json.ts';
import { asText } from '../base/json.ts';
import type { Shape } from '../base/json-shape.ts';
import { fitsShape } from '../base/json-shape.ts';
import type { JournalEntry } from '../model/journal.ts';
import { STEP_RESULTS } from '../model/playbook-condition.ts';

/** An entry of a journal that somebody may have written: undefined where a field is missing or of another type than podcheck writes. */
export function asJournalEntry(value: JsonObject): JournalEntry | undefined {
  const type = asText(value['type']) ?? '';
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type as JournalEntry['type']] : undefined;
  return shape !== undefined && fitsShape(value, shape) ? (value as unknown as JournalEntry) : undefined;
}

const WRITE: Shape = {
  verb: ['create', 'update', 'patch', 'delete'],
  '?apiVersion': 'text',
  kind: 'text',
  '?namespace': 'text',
  name: 'text',
  '?subresource': 'text',
  '?patch': { type: 'text', body: 'any' },
  '?body': { map: 'any' },
  '?uid': 'text',
  '?propagation': 'text',
  '?graceSeconds': 'number',
};

const SHAPES: Readonly<Record<JournalEntry['type'], Shape>> = {
  run: {
    run: 'text',
    playbook: 'text',
    word: 'text',
    digest: 'text',
    copy: 'any',
    params: { map: 'scalar' },
    target: 'text',
    known: { map: 'scalar' },
    mode: ['run', 'dry-run', 'simulate', 'auto-read'],
    who: 'text',
    context: 'text',
    versions: { map: 'text' },
    alerts: { list: 'text' },
  },
  resumed: { who: 'text', step: 'text', note: 'text' },
  before: { outcome: 'text', cause: 'text', words: 'text' },
  precondition: { say: 'text', is: 'text', why: 'text' },
  step: { step: 'text', kind: 'text', say: 'text' },
  output: { step: 'text', of: 'text', text: 'text', digest: 'text', cut: 'flag' },
  decision: { step: 'text', by: 'text', question: 'text', answer: 'text' },
  change: { step: 'text', command: 'text', objects: { list: 'text' }, diff: { list: 'text' } },
  writing: { step: 'text', object: 'text', uid: 'text', '?request': WRITE, '?undo': { list: WRITE }, '?made': { map: 'any' }, why: 'text' },
  changed: {
    step: 'text',
    object: 'text',
    uid: 'text',
    '?undo': { list: WRITE },
    '?back': { map: 'any' },
    '?made': { map: 'any' },
    why: 'text',
  },
  undone: { step: 'text', object: 'text', ok: 'flag', words: 'text' },
  done: { step: 'text', result: STEP_RESULTS, words: 'text', next: 'text', bound: { map: 'scalar' }, milliseconds: 'number' },
  end: {
    status: ['completed', 'failed', 'aborted', 'interrupted'],
    result: ['fixed', 'not fixed', 'unknown'],
    outcome: 'text',
    cause: 'text',
    words: 'text',
    '?escalated': { map: 'any' },
  },
};
