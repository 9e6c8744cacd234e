import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseInstant } from '../../src/base/instant.ts';
import { parseCommand } from './command-line.ts';
import { measureFidelity } from './fidelity.ts';
import { tableRows } from './get-tables.ts';
import { playRecording } from './play.ts';
import { parseSteps, readRecording, readRecordings } from './recording.ts';
import { readSetups } from './setups.ts';

const COMMANDS = `# 2026-11-20T19:17:25.000000Z
$ kubectl apply -f manifests/01-namespace.yaml
[stdout]
namespace/shop created
[exit code] 0

# 2026-11-20T19:17:27.000000Z
$ kubectl -n shop apply -f manifests/02-pod.yaml
[stdout]
pod/web created
[exit code] 0

# 2026-11-20T19:17:40.000000Z dump
# 2026-11-20T19:17:41.000000Z
$ kubectl -n shop get pods -o wide
[stdout]
NAME   READY   STATUS              RESTARTS   AGE   IP       NODE       NOMINATED NODE   READINESS GATES
web    0/1     ContainerCreating   0          14s   <none>   worker-1   <none>           <none>
[exit code] 0
`;

const SETUPS = `machines: [{ name: worker-1 }]
leftOut: [{ command: ' exec ', reason: no connect }]
captures:
  volumes/another: { outside: it needs a tape drive }
`;

describe('a recording', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'podcheck-recording-'));
    for (const name of ['missing-settings', 'another']) {
      const capture = join(folder, 'volumes', name);
      mkdirSync(join(capture, 'manifests'), { recursive: true });
      writeFileSync(join(capture, 'commands.txt'), COMMANDS);
      writeFileSync(join(capture, 'manifests/01-namespace.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n');
      writeFileSync(
        join(capture, 'manifests/02-pod.yaml'),
        'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers: [{ name: web, image: "shop/web:1.0", volumeMounts: [{ name: conf, mountPath: /conf }] }]\n  volumes: [{ name: conf, configMap: { name: settings } }]\n',
      );
      const web = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web', namespace: 'shop' },
        status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'True' }] },
      };
      writeFileSync(
        join(capture, 'objects.json'),
        JSON.stringify({ items: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, web] }),
      );
      writeFileSync(join(capture, 'events.json'), JSON.stringify({ items: [] }));
    }
    writeFileSync(join(folder, 'setups.yaml'), SETUPS);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is read as commands with their answers, and marks', () => {
    expect(parseSteps(COMMANDS).map((step) => (step.kind === 'mark' ? step.text : `${step.line} = ${step.exitCode}`))).toEqual([
      'kubectl apply -f manifests/01-namespace.yaml = 0',
      'kubectl -n shop apply -f manifests/02-pod.yaml = 0',
      'dump',
      'kubectl -n shop get pods -o wide = 0',
    ]);
  });

  it('is found in every folder below', () => {
    expect(readRecordings(folder).map(({ name, namespace }) => `${name} ${namespace}`)).toEqual([
      'volumes/another shop',
      'volumes/missing-settings shop',
    ]);
  });

  it('is played: what the simulator says as recorded is equal, and only what was not recorded differs', () => {
    const report = measureFidelity(folder, join(folder, 'setups.yaml'));
    expect(report.outside).toEqual([{ name: 'volumes/another', reason: 'it needs a tape drive' }]);
    const [capture] = report.captures;
    expect(capture?.differences.filter((item) => item.class === 'answer' || item.class === 'phase')).toEqual([]);
    expect(capture?.differences.map((item) => item.simulated)).toContainEqual(expect.stringContaining('configmap "settings" not found'));
    expect(report.equal).toBeGreaterThan(4);
    expect(report.score).toBeCloseTo(report.equal / report.compared);
  });

  it('is played on the cluster of the real recordings as well', () => {
    const report = measureFidelity(folder, 'test/fidelity/setups.yaml');
    expect(report.captures.flatMap((capture) => capture.differences.filter((item) => item.class === 'breakdown'))).toEqual([]);
  });

  it('comes out the same every time', () => {
    expect(measureFidelity(folder, join(folder, 'setups.yaml'))).toEqual(measureFidelity(folder, join(folder, 'setups.yaml')));
  });

  it('of a folder that is not there says so', () => {
    expect(() => measureFidelity(join(folder, 'nowhere'), join(folder, 'setups.yaml'))).toThrow('does not exist');
  });
});

describe('what a recording does not command', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'podcheck-recording-'));
    writeFileSync(
      join(folder, 'setups.yaml'),
      `machines: [{ name: worker-1 }]
unmanned: [{ name: worker-2, labels: {}, taints: [], capacity: { cpu: '1', memory: 1Gi, pods: '9' } }]
published: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: shop-ca }, data: { ca: '' } }]
`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const POD = (name: string, more = ''): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec:\n${more}  containers: [{ name: web, image: "shop/web:1.0" }]\n`;
  const line = (time: string, managers: readonly (readonly string[])[], object: object, type = 'MODIFIED'): string =>
    JSON.stringify({ t: `2026-11-20T${time}Z`, watch: 'pods', type, managers, object });
  const command = (time: string, words: string): string => `# 2026-11-20T${time}Z\n$ ${words}\n[stdout]\n[exit code] 0\n`;
  const record = (
    name: string,
    manifests: Readonly<Record<string, string>>,
    steps: readonly string[],
    watch: readonly string[],
  ): string => {
    const capture = join(folder, name);
    mkdirSync(join(capture, 'manifests'), { recursive: true });
    writeFileSync(join(capture, 'manifests/namespace.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n');
    for (const [file, text] of Object.entries(manifests)) writeFileSync(join(capture, 'manifests', file), text);
    writeFileSync(
      join(capture, 'commands.txt'),
      [command('10:00:00.000', 'kubectl apply -f manifests/namespace.yaml'), ...steps].join('\n'),
    );
    writeFileSync(join(capture, 'watch.jsonl'), watch.join('\n'));
    const items = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-2', creationTimestamp: '2026-11-20T09:00:00Z' } },
    ];
    writeFileSync(join(capture, 'objects.json'), JSON.stringify({ items }));
    return capture;
  };
  const play = (capture: string) => playRecording(readRecording(folder, capture), readSetups(join(folder, 'setups.yaml')), 1);

  it('is done as well: a status that was written by hand, and what the build puts into every namespace', () => {
    const written = { kind: 'Pod', metadata: { name: 'web', namespace: 'shop' }, status: { phase: 'Running' } };
    const played = play(
      record(
        'written',
        { 'pod.yaml': POD('web', '  nodeName: worker-2\n') },
        [
          command('10:00:01.000', 'kubectl -n shop apply -f manifests/pod.yaml'),
          '# 2026-11-20T10:00:09.000000Z dump\n',
          command('10:00:10.000', 'kubectl -n shop get configmaps'),
        ],
        [line('10:00:03.000', [['kubectl-patch', 'Update', 'status', '']], written)],
      ),
    );
    expect(played.objects.find(({ kind }) => kind === 'Pod')?.['status']).toMatchObject({ phase: 'Running' });
    expect(tableRows(played.answers.at(-1)?.answer?.output ?? '').map((row) => row.split(' ')[0])).toEqual(['kube-root-ca.crt', 'shop-ca']);
  });

  it('was done when the watch told of it first, not when the command was typed', () => {
    const made = (name: string, generation: number): object => ({
      kind: 'Pod',
      metadata: { name, namespace: 'shop', uid: name, generation },
    });
    const byHand = [['kubectl-client-side-apply', 'Update', '', '']];
    const capture = record(
      'slow',
      { 'pod.yaml': POD('web') },
      [
        command('10:00:01.000', 'kubectl -n shop apply -f manifests/pod.yaml'),
        command('10:00:02.000', 'kubectl -n shop get pods'),
        command('10:00:03.000', 'kubectl -n shop delete pod web'),
        command('10:00:04.000', 'kubectl -n shop apply -f manifests/pod.yaml'),
        command('10:00:30.000', 'kubectl -n shop apply -f manifests/pod.yaml'),
      ],
      [
        line('10:00:01.100', byHand, made('other', 1), 'ADDED'),
        line('10:00:01.300', byHand, made('web', 1), 'ADDED'),
        line('10:00:01.400', byHand, made('web', 1)),
        line('10:00:02.500', byHand, made('web', 2)),
        line('10:00:03.080', byHand, made('web', 3)),
        // Nothing in five seconds: what is told then was told late.
        line('10:00:12.000', byHand, made('web', 4)),
      ],
    );
    const start = parseInstant('2026-11-20T10:00:00Z') ?? 0;
    expect(readRecording(folder, capture).steps.map(({ at }) => at - start)).toEqual([0, 1300, 2000, 3080, 4000, 30_000]);
  });

  it('was listed when the last change was seen that a list shows', () => {
    const made = (resourceVersion: string): object => ({ kind: 'Pod', metadata: { name: 'web', namespace: 'shop', resourceVersion } });
    const capture = record('listed', {}, [], [line('10:00:05.100', [], made('7')), line('10:00:05.300', [], made('9'))]);
    writeFileSync(join(capture, 'events.json'), JSON.stringify({ items: [made('9'), made('7')] }));
    expect(readRecording(folder, capture).listed).toEqual({ objects: 0, events: parseInstant('2026-11-20T10:00:05.300Z') });
  });

  it('is asked after a fix when the pods are ready, as who recorded did, and not by the clock', () => {
    const ready = (status: string): object => ({
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'shop', uid: '1' },
      status: { conditions: [{ type: 'Ready', status }] },
    });
    const steps = (pause: string): readonly string[] => [
      '# 2026-11-20T10:00:05.000000Z FIX create it\n',
      command('10:00:05.000', 'kubectl -n shop apply -f manifests/pod.yaml'),
      command(pause, 'kubectl -n shop get pods'),
    ];
    const watch = [line('10:00:05.050', [], ready('False'), 'ADDED'), line('10:00:05.200', [], ready('True'))];
    const asked = (name: string, pause: string): string | undefined =>
      tableRows(play(record(name, { 'pod.yaml': POD('web') }, steps(pause), watch)).answers.at(-1)?.answer?.output ?? '')[0];
    expect(asked('waited', '10:00:05.300')).toBe('web 1/1 Running 0');
    expect(asked('paused', '10:00:09.000'), 'a pause is not waiting').toBe('web 1/1 Running 0');
    expect(asked('early', '10:00:05.150'), 'nothing was ready then').toBe('web 0/1 ContainerCreating 0');
  });
});

describe('a command line', () => {
  it('is split as a shell does, and options keep their values', () => {
    const { words, options } = parseCommand(`kubectl -n shop patch pod web --type=json -p '[{"op":"remove","path":"/spec/x"}]'`);
    expect(words).toEqual(['kubectl', 'patch', 'pod', 'web']);
    expect(Object.fromEntries(options)).toEqual({ n: 'shop', type: 'json', p: '[{"op":"remove","path":"/spec/x"}]' });
  });
});

describe('a printed table', () => {
  it('is read by its columns, without ages', () => {
    expect(
      tableRows('NAME   READY   STATUS   RESTARTS      AGE   NOMINATED NODE\nweb    0/1     Error    2 (35s ago)   48s   <none>'),
    ).toEqual(['web 0/1 Error 2 <none>']);
  });

  it('may be one of several', () => {
    expect(
      tableRows(
        'NAME                  READY   AGE\ndeployment.apps/web   0/1     4s\n\nNAME          AGE   READY\npod/web-xyz   4s    1/1',
      ),
    ).toEqual(['deployment.apps/web 0/1', 'pod/web-xyz 1/1']);
  });

  it('is none when it has no heading', () => {
    expect(tableRows('No resources found in shop namespace.')).toEqual([]);
  });
});
