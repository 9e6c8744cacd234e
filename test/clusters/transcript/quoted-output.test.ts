import { expect, it } from 'vitest';
import { withoutQuoting } from '../../../src/clusters/transcript/quoted-output.ts';

const PODS =
  'NAME     READY   STATUS    RESTARTS   AGE\ntill-0   0/1     Pending   0          "5m"\ntill-1   1/1     Running   0          6m\n';
const MANIFEST = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: till\n';

it.each([
  ['the result of a tool', { result: { content: [{ type: 'text', text: PODS }] } }],
  ['a string alone', PODS],
  ['a text within a text', { message: JSON.stringify({ stdout: PODS, rc: 0 }) }],
])('reads what was printed out of %s', (_, value) => {
  expect(withoutQuoting(JSON.stringify(value))).toContain(PODS);
});

it('keeps the command and what went to the other stream beside it', () => {
  const text = withoutQuoting(JSON.stringify([{ cmd: 'kubectl get pods', stdout: PODS, stderr: 'Warning: a\twarning' }]));
  expect(text.split('\n')).toEqual(['kubectl get pods', ...PODS.split('\n'), 'Warning: a\twarning']);
});

it('reads it line by line, and where the text breaks off', () => {
  const text = JSON.stringify({ rc: 0, stdout: PODS }, undefined, 2);
  expect(withoutQuoting(text).split('\n')).toEqual(['{', '  "rc": 0,', ...PODS.split('\n'), '}']);
  expect(withoutQuoting(text.slice(0, -20))).toContain('till-0   0/1     Pending   0          "5m"\ntill-1   1/1     Runni');
});

it('reads an object out of a string, and marks by their numbers', () => {
  expect(withoutQuoting(JSON.stringify({ text: MANIFEST }))).toBe(MANIFEST);
  expect(withoutQuoting(JSON.stringify({ text: `${PODS}\u00e4` }).replace('\u00e4', '\\u00e4'))).toContain('\u00e4');
});

it.each([
  ['a stack in a log', '{"level":"error","msg":"boom\\n\\tat a\\n\\tat b\\n\\tat c"}'],
  ['few lines', '{"msg":"NAME   READY\\ntill-0   1/1"}'],
  ['a ConfigMap that holds a manifest', JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', data: { 'pod.yaml': MANIFEST } })],
  ['the same in YAML', `apiVersion: v1\nkind: ConfigMap\ndata:\n  pod.yaml: ${JSON.stringify(MANIFEST)}\n`],
  ['a plain text', PODS],
])('leaves %s as it is', (_, text) => {
  expect(withoutQuoting(text)).toBe(text);
});

it('reads a line of a million quotation marks in one go', () => {
  for (const text of ['"\\n\\n\\n\\"'.repeat(100_000), '"\\n'.repeat(300_000), '\\'.repeat(500_000) + 'n'])
    expect(withoutQuoting(text).length).toBeGreaterThan(0);
});
