import type { Json } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import { DIFFICULTIES } from '../model/drill.ts';
import { STAGE_IDS } from '../model/stage.ts';
import type { RunRecord } from './run-record.ts';

/** A record that somebody may have sent: undefined where a field is missing or of another type than podcheck writes. */
export function asRunRecord(value: Json): RunRecord | undefined {
  return fits(value, RECORD) ? (value as unknown as RunRecord) : undefined;
}

/** `?` before a field's name: it may be absent. */
type Shape = 'text' | 'count' | 'instant' | 'seed' | readonly string[] | { readonly list: Shape } | { readonly [field: string]: Shape };

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
  seed: 'seed',
  started: MOMENT,
  '?ended': MOMENT,
  ending: ['fixed', 'gave-up', 'stopped', 'open'],
  broke: { list: { at: 'instant', what: 'text' } },
  faults: { list: FAULT },
  timeline: { list: { ...MOMENT, kind: ['look', 'write', 'destroy', 'hint', 'answer', 'check', 'end'], what: 'text' } },
  requests: { reads: 'count', writes: 'count', destructive: 'count' },
  hints: { given: 'count', cost: 'count' },
  wrongAnswers: 'count',
  shortcuts: { list: 'text' },
  damage: { list: 'text' },
  score: { points: 'count', parts: { list: { what: 'text', points: 'count', of: 'count' } } },
  practise: { list: 'text' },
};

/** Source: ECMAScript's time values, which end there. */
const LATEST = 8.64e15;

function fits(value: Json | undefined, shape: Shape): boolean {
  switch (shape) {
    case 'text':
      return typeof value === 'string';
    case 'count':
      return typeof value === 'number' && Number.isFinite(value);
    case 'instant':
      return typeof value === 'number' && Math.abs(value) <= LATEST;
    case 'seed':
      return typeof value === 'string' || typeof value === 'number';
  }
  if (isWords(shape)) return typeof value === 'string' && shape.includes(value);
  if (isList(shape)) return Array.isArray(value) && (value as readonly Json[]).every((member) => fits(member, shape.list));
  if (!isJsonObject(value)) return false;
  return Object.entries(shape).every(([name, inner]) => {
    const [field, optional] = name.startsWith('?') ? [name.slice(1), true] : [name, false];
    return (optional && (value[field] === undefined || value[field] === null)) || fits(value[field], inner);
  });
}

function isWords(shape: Shape): shape is readonly string[] {
  return Array.isArray(shape);
}

function isList(shape: Exclude<Shape, string>): shape is { readonly list: Shape } {
  return !Array.isArray(shape) && Object.keys(shape).length === 1 && 'list' in shape;
}
