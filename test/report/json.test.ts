import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { jsonText } from '../../src/report/diagnosis/cause-json.ts';
import { diagnosisJson } from '../../src/report/diagnosis/diagnosis-json.ts';
import { scanJson } from '../../src/report/diagnosis/scan-json.ts';
import { STAGE_IDS } from '../../src/model/stage.ts';
import { ENDED, HEALTHY, SCAN, STOPPED } from '../support/diagnoses.ts';

describe('the JSON of a diagnosis', () => {
  const validate = validator('diagnosis.v1.json');

  it.each([
    ['stopped', STOPPED],
    ['healthy', HEALTHY],
  ])('of a %s pod is what its schema says', (_, diagnosis) => {
    expect(validate(diagnosisJson(diagnosis))).toEqual([]);
  });

  it('has the fields programs rely on', () => {
    expect(diagnosisJson(STOPPED)).toMatchObject({
      schema: 'podcheck.diagnosis/v1',
      target: { kind: 'Deployment', namespace: 'shop', name: 'web' },
      at: '2026-01-14T09:16:15Z',
      outcome: 'explained',
      causes: [
        {
          rank: 1,
          rule: 'volumes/configmap-not-found',
          object: { kind: 'ConfigMap', namespace: 'shop', name: 'web-settings' },
          params: { pods: 2 },
        },
        { rank: 2 },
      ],
      gaps: [{ about: { kind: 'Event', namespace: 'shop', name: '*' }, needs: 'list events in shop' }],
    });
  });

  it('has all stages in their order', () => {
    expect((diagnosisJson(STOPPED)['stages'] as { id: string }[]).map(({ id }) => id)).toEqual(STAGE_IDS);
  });

  it('is refused by its schema when a field is of another name', () => {
    expect(validate({ ...diagnosisJson(STOPPED), result: 'explained' })).not.toEqual([]);
    expect(validate({ ...diagnosisJson(STOPPED), outcome: 'fine' })).not.toEqual([]);
  });
});

describe('the JSON of a scan', () => {
  it('is what its schema says', () => {
    expect(validator('scan.v1.json')(scanJson(SCAN))).toEqual([]);
    expect(validator('scan.v1.json')(scanJson({ ...SCAN, certificates: [ENDED] }))).toEqual([]);
  });
});

describe('the text of JSON', () => {
  it('has no character that a terminal would obey, and still says the same', () => {
    const value = { quote: 'a\u001B[2J\u009B\u202E\u200B\u2028상점' };
    const text = jsonText(value);
    expect(text).toMatch(/^[\n -~상점]*$/);
    expect(JSON.parse(text)).toEqual(value);
  });
});

describe('every published schema', () => {
  it('knows exactly the stages there are', () => {
    const schema = JSON.parse(readFileSync('src/report/schemas/diagnosis.v1.json', 'utf8')) as { $defs: { stageId: { enum: string[] } } };
    expect(schema.$defs.stageId.enum).toEqual(STAGE_IDS);
  });
});

function validator(file: string): (value: Json) => readonly string[] {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ } });
  const validate = ajv.compile(JSON.parse(readFileSync(`src/report/schemas/${file}`, 'utf8')) as object);
  return (value) => {
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  };
}
