import { describe, expect, it } from 'vitest';
import { readTemplate } from '../../../src/base/wording/read-template.ts';
import type { Captured } from '../../../src/base/wording/read-template.ts';
import { parseTemplate } from '../../../src/base/wording/template.ts';

function read(source: string, text: string): Captured | undefined {
  const template = parseTemplate(source);
  if ('problem' in template) throw new Error(template.problem);
  return readTemplate(template, text, text);
}

function problem(source: string): string {
  const template = parseTemplate(source);
  return 'problem' in template ? template.problem : '';
}

describe('a template', () => {
  it.each([
    [
      'captures what stands between its literal pieces',
      'configmap "{{ name }}" not found',
      'volume "conf" : configmap "app" not found',
      { name: 'app' },
    ],
    [
      'takes the shortest text up to the next piece',
      'path {{ path }} is not a {{ what }}',
      'path /a is not a b is not a c',
      { path: '/a', what: 'b is not a c' },
    ],
    ['passes over text it gives no name', 'mount {{ ... }} failed: {{ why }}', 'mount /x on /y failed: busy', { why: 'busy' }],
    ['takes a number as one', 'exited with code {{ code: number }} after', 'exited with code 137 after 3s', { code: 137 }],
    ['takes the one word before its first literal', '{{ command: word }}: not found', 'sh: 1: curl: not found', { command: 'curl' }],
    [
      'takes a constant only where one is',
      '{{ a: constant }} is not set',
      'it is not set: Cart_URL is not set: CART_URL is not set',
      { a: 'CART_URL' },
    ],
    ['takes a path only where one is', 'open {{ path: path }}', 'open the file: open /etc/app.conf: denied', { path: '/etc/app.conf' }],
    ['tries the next place where its first piece stands', 'port {{ port: number }} in use', 'port is set; port 80 in use', { port: 80 }],
    ['takes what follows to the end', 'Output: {{ detail }}', 'mount\nOutput: no such device\n', { detail: 'no such device' }],
  ])('%s', (_, source, text, captured) => {
    expect(read(source, text)).toEqual(captured);
  });

  it.each([
    ['a piece is missing', 'configmap "{{ name }}" not found', 'secret "app" not found'],
    ['its pieces stand in another order', 'found {{ a }} lost', 'lost and found'],
    ['nothing is where a name should be', 'configmap "{{ name }}" not found', 'configmap "" not found'],
    ['a capture would be longer than any value', 'begin {{ a }} end', `begin ${'x'.repeat(1200)} end`],
    ['a number is none', 'code {{ code: number }} after', 'code ok after'],
  ])('does not fit where %s', (_, source, text) => {
    expect(read(source, text)).toBeUndefined();
  });

  it.each([
    ['two captures without text between them', 'from {{ a }}{{ b }}', /text between them/],
    ['a capture of no known form', 'port {{ port: int }}', /unknown form; one of text, line, word, name, constant, number, path/],
    ['something that is not a valid capture', 'port {{ 1 }} x', /is not a valid capture/],
    ['almost no literal text', '{{ a: word }} in', /at least 4 literal characters/],
    ['a capture of any text at its beginning', '{{ a }} was not found', /needs a form/],
    ['the same name twice', 'from {{ a }} to {{ a }}', /occurs twice/],
    ['a bracket without its counterpart', 'map {{ a }} with }}', /unmatched/],
    ['more than 4096 characters', 'x'.repeat(4097), /at most 4096 characters, this one has 4097/],
  ])('is refused for %s', (_, source, message) => {
    expect(problem(source)).toMatch(message);
  });
});
