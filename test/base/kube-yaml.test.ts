import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Json } from '../../src/base/json.ts';
import { parseBlockYaml } from '../../src/base/yaml/block-yaml.ts';
import { parseFirstDocument, parseKubeYaml } from '../../src/base/yaml/kube-yaml.ts';
import { within } from '../support/time-limit.ts';

function value(text: string): Json | undefined {
  const { documents, errors } = parseKubeYaml(text, 'web.yaml');
  expect(errors).toEqual([]);
  return documents[0]?.value;
}

// Each pair was measured with kubectl annotate --local -o json.
const SCALARS: readonly (readonly [text: string, value: Json])[] = [
  ['0644', 420],
  ['1_000', 1000],
  ['yes', true],
  ['on', true],
  ['y', true],
  ['N', false],
  ['Off', false],
  ['tRue', 'tRue'],
  ['0b11', 3],
  ['1:30', '1:30'],
  ['2001-01-01', '2001-01-01'],
  ['0899', 899],
  ['0o17', 15],
  ['0x1F', 31],
  ['-0x10', -16],
  ['1e3', 1000],
  ['.5', 0.5],
  ['5.', 5],
  ['+5', 5],
  ['-0b11', -3],
  ['~', null],
  ['Null', null],
  ['00', 0],
  ['_1', '_1'],
  ['0x', '0x'],
  ['1_0.5', 10.5],
  ['1.2.3', '1.2.3'],
  ['08', 8],
  ['.e5', '.e5'],
  ['+', '+'],
  ['-0644', -420],
  ['18446744073709551616', 18446744073709552000],
  ['5e12345', '5e12345'],
  ['-1_0e400', '-1_0e400'],
  ['.5e400', '.5e400'],
  ['1e-400', 0],
];

describe('an unquoted scalar', () => {
  it.each(SCALARS)('%s is what kubectl makes of it, in block style and within a flow collection', (text, expected) => {
    expect(value(`a: ${text}\n`)).toEqual({ a: expected });
    expect(value(`a: [${text}]\n`)).toEqual({ a: [expected] });
    expect(value(`a: &here ${text}\nb: *here\n`)).toEqual({ a: expected, b: expected });
  });

  it('that JSON has not is an error with its line', () => {
    expect(parseKubeYaml('a: 1\nb: .inf\n', 'web.yaml').errors).toMatchObject([{ file: 'web.yaml', line: 2 }]);
  });

  it('as a key is text', () => {
    expect(value('0644: a\ny: b\n')).toEqual({ '420': 'a', true: 'b' });
  });
});

describe('a document', () => {
  it('may use merge keys, of which its own keys go first', () => {
    expect(value('base: &base\n  a: 1\n  b: 2\nweb:\n  <<: *base\n  b: 3\n')).toEqual({ base: { a: 1, b: 2 }, web: { a: 1, b: 3 } });
  });

  it('keeps the last of equal keys', () => {
    expect(value('a: 1\na: 2\n')).toEqual({ a: 2 });
  });

  it('may be JSON', () => {
    expect(value('{"kind": "Pod", "spec": {"a": [1, "0644"]}}')).toEqual({ kind: 'Pod', spec: { a: [1, '0644'] } });
  });

  it('has literal and folded texts with their line breaks', () => {
    expect(value('a: |\n  one\n   two\n\n  three\nb: |-\n  one\nc: >-\n  one\n  two\n')).toEqual({
      a: 'one\n two\n\nthree\n',
      b: 'one',
      c: 'one two',
    });
  });

  it('has quoted texts over several lines folded', () => {
    expect(value("a: \"one\n  two\\\n  \\ three\\n\"\nb: 'it''s\n\n  here'\nc: plain\n  text\n")).toEqual({
      a: 'one two three\n',
      b: "it's\nhere",
      c: 'plain text',
    });
  });

  it('may have comments anywhere', () => {
    expect(value('# head\na: 1 # one\n# between\nb:\n  # within\n  - 2\n')).toEqual({ a: 1, b: [2] });
  });

  it('keeps __proto__ from being more than a key', () => {
    const read = value('__proto__:\n  polluted: true\na: 1\n');
    expect(Object.hasOwn(read as object, '__proto__')).toBe(true);
    expect((read as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('with a billion laughs is refused', () => {
    const laughs = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...'bcdefgh'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefg'.charAt(index)}`).join(', ')}]`),
    ];
    expect(parseKubeYaml(laughs.join('\n'), 'web.yaml').errors).toHaveLength(1);
  });
});

describe('several documents', () => {
  it('are parted by lines of dashes, and know the lines they begin on', () => {
    const { documents, errors } = parseKubeYaml(
      '# shop\nkind: Service\n---\n\nkind: Deployment\n--- # last\nkind: Pod\n---\n',
      'shop.yaml',
    );
    expect(errors).toEqual([]);
    expect(documents).toEqual([
      { value: { kind: 'Service' }, line: 2 },
      { value: { kind: 'Deployment' }, line: 5 },
      { value: { kind: 'Pod' }, line: 7 },
    ]);
  });

  it('do not spoil one another: an error leaves the others, and says its line in the file', () => {
    const { documents, errors } = parseKubeYaml('kind: Service\n---\nkind: Pod\nspec:\n\tcontainers: []\n---\nkind: Secret\n', 'shop.yaml');
    expect(documents).toEqual([{ value: { kind: 'Service' }, line: 1 }, { line: 3 }, { value: { kind: 'Secret' }, line: 7 }]);
    expect(errors).toMatchObject([{ file: 'shop.yaml', line: 5 }]);
  });

  it('may have Windows line ends', () => {
    expect(parseKubeYaml('a: 1\r\nb:\r\n- x\r\n---\r\nc: 2\r\n', 'shop.yaml').documents.map((document) => document.value)).toEqual([
      { a: 1, b: ['x'] },
      { c: 2 },
    ]);
  });
});

describe('the fast parser', () => {
  it('agrees with the full one on all texts that the full one writes', () => {
    const keys = fc.stringMatching(/^[a-zA-Z][\w./-]{0,12}$/);
    const texts = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom('yes', '0644', 'a: b', '- x', '#c', 'line\nbreak\n', ' lead', 'x'.repeat(120), 'two words '.repeat(12)),
    );
    const { json } = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        texts,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('json'), { maxLength: 4 }),
        fc.dictionary(keys, tie('json'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(keys, json, { minKeys: 1, maxKeys: 4, noNullPrototype: true }), (document) => {
        const text = stringify(document, { version: '1.1' });
        const read = parseBlockYaml(text);
        if ('value' in read) expect(read.value).toEqual(document);
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it.each([
    ['a: |+\n  x\n\n\nb: 1\n', { a: 'x\n\n\n', b: 1 }],
    ['a: |+\n  x\n', { a: 'x\n' }],
    ['a: |2\n\n   x\n  y\nb: 1\n', { a: '\n x\ny\n', b: 1 }],
    ['a:\n- b: |2-\n\n       x\n    y\n  c: 1\n', { a: [{ b: '\n   x\ny', c: 1 }] }],
    ['- |2\n     x\n  y\n', ['   x\ny\n']],
  ])('reads a literal that says how deep it stands or how it ends: %j', (text, expected) => {
    expect(parseBlockYaml(text)).toEqual({ value: expected });
    expect(parse(text)).toEqual(expected);
  });

  it('leaves to the full one what is beyond it', () => {
    for (const text of ['a: &x 1\n', 'a: !!str 1\n', 'a: [1,\n  2]\n', 'a:\n   b: 1\n  c: 2\n', '\ta: 1\n', '? a\n: b\n', 'a: "open\n'])
      expect(parseBlockYaml(text), text).toHaveProperty('beyond');
  });
});

describe('a long document', () => {
  it('beyond the plain style is an error and no endless work', () => {
    const { errors } = parseKubeYaml(`a: &x 1\n${'\\\n'.repeat(200_000)}`, 'web.yaml');
    expect(errors).toMatchObject([{ line: 1, message: expect.stringContaining('too long') as string }]);
  });

  it('in the plain style is read', () => {
    const read = value(
      `items:\n${Array.from({ length: 50_000 }, (_, index) => `- kind: Pod\n  metadata:\n    name: web-${String(index)}\n`).join('')}`,
    );
    expect((read as { items: unknown[] }).items).toHaveLength(50_000);
  });
});

describe('a document that cannot be parsed', () => {
  /** What it seems to declare; this took minutes once, so it is ended after a time that every machine has. */
  function seems(text: string): unknown {
    return within(20_000, () => parseKubeYaml(text, 'web.yaml').errors[0]?.seems)?.given;
  }

  it('is known by its kind and name, from a template of Helm that was not rendered, too', () => {
    const labels = Array.from({ length: 40 }, (_, index) => `    app.kubernetes.io/label-${String(index)}: {{ .Values.label }}`).join('\n');
    expect(seems(`apiVersion: v1\nkind: Service\nmetadata:\n  labels:\n${labels}\n  name: web\nspec: {{ .Values.spec }\n`)).toEqual({
      kind: 'Service',
      name: 'web',
    });
    expect(seems(`apiVersion: v1\nkind: Service\nmetadata:\n  labels:\n${labels}\nspec: {{ .Values.spec }\n`)).toBeUndefined();
    expect(seems(`kind: Service\nmetadata:\n${'      \n'.repeat(600)}x: [`)).toBeUndefined();
  });

  it.each([
    [
      'merges that copy a large mapping again and again',
      `a: &x {${Array.from({ length: 5000 }, (_, index) => `k${String(index)}: 1`).join(', ')}}\n${Array.from({ length: 10_000 }, (_, index) => `m${String(index)}: {<<: *x}`).join('\n')}`,
      'excessive aliasing',
    ],
    ['a mistake in each line', `a: {}\nb: [\n]\n${'@\n'.repeat(120_000)}`, 'Plain value cannot start with reserved character @'],
    ['a quoted text of many lines that does not end', `a: "${'x\n '.repeat(100_000)}`, 'too long'],
  ])('is refused in bounded time: %s', (_, text, message) => {
    expect(within(40_000, () => parseKubeYaml(text, 'web.yaml').errors[0]?.message)?.given).toContain(message);
  });

  it('leaves those behind it that are plain, however many there are', () => {
    const { documents, errors } = parseKubeYaml(`${'---\na: @\n'.repeat(2000)}---\nkind: Pod\n`, 'web.yaml');
    expect(errors).toHaveLength(2000);
    expect(errors.at(-1)?.message).toContain('1000 earlier documents have errors');
    expect(documents.at(-1)?.value).toEqual({ kind: 'Pod' });
  });
});

describe('the first document of a body', () => {
  it('is read alone, and any further one is not looked at', () => {
    expect(parseFirstDocument('kind: Pod\n---\na: @\n', 1000)).toEqual({ value: { kind: 'Pod' } });
    expect(parseFirstDocument('# nothing\n', 1000)).toEqual({ value: null });
    expect(parseFirstDocument('\n', 1000)).toBeUndefined();
  });

  it('may be long as JSON and in plain block style only', () => {
    const items = Array.from({ length: 1000 }, (_, index) => `web-${String(index)}`);
    expect(parseFirstDocument(JSON.stringify({ items }), 1000)).toEqual({ value: { items } });
    expect(parseFirstDocument(stringify({ items }), 1000)).toEqual({ value: { items } });
    expect(parseFirstDocument(`items: &all\n${stringify(items)}`, 1000)).toMatchObject({
      error: expect.stringContaining('too long') as string,
    });
  });
});
