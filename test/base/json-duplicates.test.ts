import { describe, expect, it } from 'vitest';
import { duplicateFields } from '../../src/base/json-duplicates.ts';

describe('fields that a JSON text names twice', () => {
  it.each([
    ['none', '{"spec":{"replicas":1},"status":{"replicas":1}}', []],
    ['one at the top', '{"kind":"Pod","kind":"Pod"}', ['kind']],
    ['one in an item', '{"spec":{"containers":[{"name":"web"},{"image":"a","image":"b"}]}}', ['spec.containers[1].image']],
    ['a field that is there three times', '{"metadata":{"name":"a","name":"b","name":"c"}}', ['metadata.name']],
    ['names that are written differently', String.raw`{"name":1,"n\u0061me":2}`, ['name']],
    ['text that looks like fields', String.raw`{"data":{"a":"{\"b\":1,\"b\":2}","c":"\\","d":["x","x"]}}`, []],
    ['the same name in two objects of a list', '[{"name":"web"},{"name":"web"}]', []],
    ['several', '{"a":{"b":1,"b":2},"a":3}', ['a.b', 'a']],
  ])('%s', (_, text, paths) => {
    expect(duplicateFields(text)).toEqual(paths);
  });

  it('stops at a hundred', () => {
    expect(duplicateFields(`{${Array.from({ length: 300 }, (_, index) => `"f${index % 150}":1`).join(',')}}`)).toHaveLength(100);
  });
});
