import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { convertReview } from '../../../src/simulator/shell/agnhost/conversion.ts';

const V1 = 'stable.example.com/v1';
const V2 = 'stable.example.com/v2';
const asked = (object: JsonObject, desiredAPIVersion: string): JsonObject =>
  convertReview({ uid: 'a', desiredAPIVersion, objects: [object] });

test.each<[from: JsonObject, wanted: string, made: Json]>([
  [{ apiVersion: V1, hostPort: 'localhost:8080' }, V2, { apiVersion: V2, host: 'localhost', port: '8080' }],
  [{ apiVersion: V2, host: 'localhost', port: '8080' }, V1, { apiVersion: V1, hostPort: 'localhost:8080' }],
  [{ apiVersion: V2, host: 'localhost' }, V1, { apiVersion: V1, hostPort: 'localhost:' }],
  [{ apiVersion: V1 }, V2, { apiVersion: V2 }],
  [{ apiVersion: V2 }, V1, { apiVersion: V1 }],
])('%j becomes %s', (from, wanted, made) => {
  expect(asked(from, wanted)).toEqual({ uid: 'a', convertedObjects: [made], result: { status: 'Success' } });
});

test.each<[from: JsonObject, wanted: string, message: string]>([
  [{ apiVersion: V1, hostPort: 'localhost' }, V2, 'invalid hostPort value `localhost`'],
  [{ apiVersion: V1 }, V1, `conversion from a version to itself should not call the webhook: ${V1}`],
  [{ apiVersion: V1 }, 'v9', 'unexpected conversion version "v9"'],
  [{ apiVersion: 'v9' }, V1, 'unexpected conversion version "v9"'],
])('%j is not converted to %s', (from, wanted, message) => {
  expect(asked(from, wanted)).toEqual({ uid: 'a', result: { status: 'Failure', message } });
});
