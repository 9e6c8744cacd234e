import { describe, expect, it } from 'vitest';
import type { Line } from '../../../src/clusters/transcript/clean-lines.ts';
import { withoutPython } from '../../../src/clusters/transcript/loose/python-object.ts';

function linesOf(text: string): readonly Line[] {
  return text.split('\n').map((line, index) => ({ number: index + 1, text: line }));
}

function read(text: string): string {
  return withoutPython(linesOf(text))
    .map((line) => line.text)
    .join('\n');
}

const POD = `[10:00:00] INFO - remote_pod: {'api_version': 'v1',
 'kind': 'Pod',
 'metadata': {'creation_timestamp': datetime.datetime(2026, 11, 20, 10, 0, 5, tzinfo=tzlocal()),
              'deletion_timestamp': None,
              'labels': {'dag_id': 'stock', 'run_id': "it's"},
              'name': 'load-stock'},
 'spec': {'containers': [{'command': ['sh', '-c', 'echo \\'a\\'\\n'], 'name': 'base'}]},
 'status': {'container_statuses': [{'image_id': '',
                                    'ready': False,
                                    'restart_count': 2,
                                    'state': {'running': None,
                                              'terminated': {'exit_code': 1,
                                                             'message': ('no '
                                                                         'books'),
                                                             'reason': 'Error'}}}],
            'pod_ip': '10.0.0.4'}}
and no more`;

describe('an object as Python prints it', () => {
  it('has the names of the API, times and texts as they are, and nothing that is None', () => {
    const [first, ...rest] = withoutPython(linesOf(POD));
    expect(first?.number).toBe(1);
    expect(rest.at(-1)).toEqual({ number: 17, text: 'and no more' });
    expect(JSON.parse([first, ...rest.slice(0, -1)].map((line) => line?.text).join('\n'))).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { creationTimestamp: '2026-11-20T10:00:05Z', labels: { dag_id: 'stock', run_id: "it's" }, name: 'load-stock' },
      spec: { containers: [{ command: ['sh', '-c', "echo 'a'\n"], name: 'base' }] },
      status: {
        containerStatuses: [
          { imageID: '', ready: false, restartCount: 2, state: { terminated: { exitCode: 1, message: 'no books', reason: 'Error' } } },
        ],
        podIP: '10.0.0.4',
      },
    });
  });

  it.each([
    ['one that breaks off', POD.slice(0, 400)],
    ['another dictionary', "config: {'name': 'till', 'items': [1, 2]}"],
    ['what is no value', "{'kind': Pod, 'metadata': <object at 0x7f>}"],
    ['JSON', '{"kind": "Pod", "status": {"containerStatuses": []}}'],
    ['a sentence', "the field {'kind': of the 'Pod'"],
  ])('is not %s: it stays as it is', (_, text) => {
    expect(read(text)).toBe(text);
  });

  it('is read in one go, however deep and often it begins', () => {
    for (const text of [
      "{'kind': ".repeat(30_000),
      "{'kind': [".repeat(30_000),
      `{'kind': '${'\\'.repeat(50_001)}`,
      "{'kind':\n".repeat(30_000),
    ])
      expect(read(text)).toBe(text);
  });
});
