import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCases, parseExpected } from '../../../src/commands/eval/cases.ts';
import { parseLabels } from '../../../src/commands/eval/labels.ts';
import { folderWith } from '../../support/folder.ts';

const LABELS = `labels:
  # one rule, several rules, parameters
  configmap-not-found: { rule: [volumes/configmap-not-found, containers/configmap-not-found] }
  quota-exceeded: { rule: validating-admission/quota-exceeded, params: { resource: cpu, count: 4 } }
  none: { none: true }
  node-slow: { outside: true }
`;

describe('a labels file', () => {
  it('says what counts as right', () => {
    expect([...parseLabels('labels.yaml', LABELS)]).toEqual([
      ['configmap-not-found', { kind: 'rule', rules: ['volumes/configmap-not-found', 'containers/configmap-not-found'], params: {} }],
      ['quota-exceeded', { kind: 'rule', rules: ['validating-admission/quota-exceeded'], params: { resource: 'cpu', count: '4' } }],
      ['none', { kind: 'none' }],
      ['node-slow', { kind: 'outside' }],
    ]);
  });

  it.each([
    ['a: 1\n', 'labels.yaml:1: a: unknown field "a"; known here: labels'],
    ['labels: 3\n', 'labels.yaml:1: labels: expected a map'],
    ['labels:\n  web: yes\n', 'labels.yaml:2: labels.web: expected a map'],
    ['labels:\n  web: {}\n', 'labels.yaml:2: labels.web: expected exactly one of rule, none and outside'],
    ['labels:\n  web: {rule: a/b, none: true}\n', 'labels.yaml:2: labels.web: expected exactly one of'],
    ['labels:\n  web: {none: false}\n', 'labels.yaml:2: labels.web.none: the only valid value is true'],
    ['labels:\n  web: {rule: []}\n', 'labels.yaml:2: labels.web.rule: expected at least one'],
    ['labels:\n  web:\n    rule: nonsense\n', 'labels.yaml:3: labels.web.rule: "nonsense" is not a valid rule ID'],
    ['labels:\n  web: {none: true, params: {a: b}}\n', 'labels.yaml:2: labels.web.params: params needs a rule'],
    ['labels:\n  web: {rule: a/b, parms: {a: b}}\n', 'labels.yaml:2: labels.web.parms: unknown field "parms"'],
    ['labels: [\n', 'labels.yaml:'],
  ])('%j is refused with its place', (source, message) => {
    expect(() => parseLabels('labels.yaml', source)).toThrow(
      expect.objectContaining({ code: 'bad-input', message: expect.stringContaining(message) as string }) as Error,
    );
  });
});

describe('an expected.json', () => {
  it('may leave out all but the root cause', () => {
    expect(parseExpected('expected.json', '{"rootCause": "none"}')).toEqual({ rootCause: 'none' });
    expect(parseExpected('expected.json', '{"namespace": null, "object": null, "rootCause": "x", "category": "apply"}')).toEqual({
      rootCause: 'x',
      category: 'apply',
    });
    expect(parseExpected('expected.json', '{"namespace": "shop", "object": "app/web", "rootCause": "x"}')).toEqual({
      namespace: 'shop',
      object: 'app/web',
      rootCause: 'x',
    });
  });

  it.each([
    ['{', /expected\.json: not valid JSON/],
    ['[]', /expected an object/],
    ['{}', /rootCause is missing/],
    ['{"rootCause": 3}', /rootCause: expected a text/],
    ['{"rootCause": "x", "objekt": "app/web"}', /unknown field "objekt"/],
    ['{"rootCause": "x", "object": "web"}', /object: "web" is not of the form/],
  ])('like %j is refused', (source, message) => expect(() => parseExpected('expected.json', source)).toThrow(message));
});

describe('a folder of cases', () => {
  const files = {
    'labels.yaml': LABELS,
    'volumes/missing/expected.json': '{"rootCause": "configmap-not-found"}',
    'volumes/missing/manifests/expected.json': '{"rootCause": "not a case of its own"}',
    'quiet/expected.json': '{"rootCause": "none", "category": "healthy"}',
    'quiet/transcript.txt': '',
    'empty/notes.txt': '',
  };

  it('has a case in each folder with an expected.json, at any depth', async () => {
    const folder = folderWith(files);
    expect(await loadCases(folder)).toEqual([
      { name: 'quiet', folder: join(folder, 'quiet'), expected: { rootCause: 'none', category: 'healthy' }, label: { kind: 'none' } },
      {
        name: 'volumes/missing',
        folder: join(folder, 'volumes/missing'),
        expected: { rootCause: 'configmap-not-found' },
        label: expect.objectContaining({ kind: 'rule' }) as object,
      },
    ]);
  });

  it('may be a single case, with labels from elsewhere', async () => {
    const folder = folderWith(files);
    expect((await loadCases(join(folder, 'quiet'), join(folder, 'labels.yaml'))).map(({ name }) => name)).toEqual(['.']);
  });

  it('is refused for a root cause without a label, with near ones', async () => {
    const folder = folderWith({ 'labels.yaml': LABELS, 'a/expected.json': '{"rootCause": "configmap-notfound"}' });
    await expect(loadCases(folder)).rejects.toMatchObject({
      code: 'bad-input',
      message: `${join(folder, 'a/expected.json')}: rootCause "configmap-notfound" has no label; near: configmap-not-found`,
    });
  });

  it('is refused without cases, without labels and when it is not there', async () => {
    const folder = folderWith({ 'a/notes.txt': '', 'b/expected.json': '{"rootCause": "none"}' });
    await expect(loadCases(join(folder, 'a'))).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('no folder in it contains expected.json') as string,
    });
    await expect(loadCases(folder)).rejects.toMatchObject({ code: 'bad-input', hint: expect.stringContaining('--labels') as string });
    await expect(loadCases(folder, join(folder, 'nowhere.yaml'))).rejects.toMatchObject({ code: 'bad-input' });
    await expect(loadCases(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'bad-input' });
  });
});
