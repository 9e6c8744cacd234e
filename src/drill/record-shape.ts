import type { Json } from '../base/json.ts';
import type { Shape } from '../base/json-shape.ts';
import { fitsShape } from '../base/json-shape.ts';
import { DIFFICULTIES } from '../model/drill.ts';
import { STAGE_IDS } from '../model/stage.ts';
import type { RunRecord } from './run-record.ts';

/** A record that somebody may have sent: undefined where a field is missing or of another type than podcheck writes. */
export function asRunRecord(value: Json): RunRecord | undefined {
  return fitsShape(value, RECORD) ? (value as unknown as RunRecord) : undefined;
}

const MOMENT = { at: 'instant', wall: 'instant' } as const;
const REF = { kind: 'text', '?namespace': 'text', name: 'text' } as const;
const FAULT: Shape = {
  cause: 'text',
  stage: STAGE_IDS,
  title: 'text',
  target: REF,
  '?object': REF,
  what: 'text',
  evidence: { list: { source: 'text', quote: 'text' } },
  path: { list: 'text' },
  fix: { list: { say: 'text', '?run': 'text' } },
  '?looked': MOMENT,
  '?named': MOMENT,
  '?mended': MOMENT,
  state: ['mended', 'coming', 'symptom', 'failing'],
};
const RECORD: Shape = {
  schema: ['podcheck.drill/v1'],
  run: 'text',
  trainee: 'text',
  drill: 'text',
  title: 'text',
  difficulty: DIFFICULTIES,
  seed: 'scalar',
  started: MOMENT,
  '?ended': MOMENT,
  ending: ['fixed', 'gave-up', 'stopped', 'open'],
  broke: { list: { at: 'instant', what: 'text' } },
  faults: { list: FAULT },
  timeline: { list: { ...MOMENT, kind: ['look', 'write', 'destroy', 'hint', 'answer', 'check', 'end'], what: 'text' } },
  requests: { reads: 'number', writes: 'number', destructive: 'number' },
  hints: { given: 'number', cost: 'number' },
  wrongAnswers: 'number',
  shortcuts: { list: 'text' },
  damage: { list: 'text' },
  score: { points: 'number', parts: { list: { what: 'text', points: 'number', of: 'number' } } },
  practise: { list: 'text' },
};
