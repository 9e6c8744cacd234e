import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { createCluster } from '../../src/simulator/index.ts';
import type { Bench } from './kubectl.ts';
import { openBench } from './kubectl.ts';
import { row, works } from './row.ts';

/** What a real cluster of 1.36 held, and what its kubectl said of it. */
interface Recording {
  /** When its pods were listed. */
  readonly at: string;
  readonly namespace: string;
  readonly table: string;
  /** By resource. */
  readonly describe: Readonly<Record<string, string>>;
  readonly objects: readonly KubeObject[];
  readonly events: readonly KubeObject[];
}

const FOLDER = 'test/conformance/recorded';
const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length));

describe('a namespace recorded on a real cluster', () => {
  for (const name of NAMES) {
    const recording = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Recording;
    const resources = Object.keys(recording.describe);

    row('get', `is listed as there: ${name}`, async () => {
      const bench = await holding(recording);
      expect(await works(bench, `-n ${recording.namespace} get pods -o wide`)).toBe(recording.table);
      await bench.close();
    });

    row('describe', `is described as there: ${name} (${resources.join(', ')})`, async () => {
      const bench = await holding(recording);
      for (const resource of resources) {
        const recorded = recording.describe[resource] ?? '';
        const events = recorded.includes('\nEvents:');
        expect(comparable(await works(bench, `-n ${recording.namespace} describe ${resource}`), events), resource).toEqual(
          comparable(recorded, events),
        );
      }
      await bench.close();
    });
  }
});

/** A cluster that holds what was recorded, at the very moment, in which nothing moves. */
async function holding({ at, namespace, objects, events }: Recording): Promise<Bench> {
  const cluster = createCluster(
    {
      seed: 1,
      preset: 'no-nodes',
      start: Date.parse(at),
      objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }],
    },
    { components: [] },
  );
  for (const object of [...objects, ...events]) {
    const resource = cluster.server.resources.ofKind(object.apiVersion, object.kind);
    if (resource !== undefined) cluster.store.create(resource.key, object);
  }
  const bench = await openBench({ cluster });
  bench.serving.clock.pause();
  return bench;
}

/** Lines without what depends on when kubectl runs and of which release it is; events only where the recording tells of them. */
function comparable(text: string, events: boolean): readonly string[] {
  const told = events ? text : text.replaceAll(/^Events:.*\n(?: .*\n)*/gm, '');
  return told
    .split('\n')
    .filter((line) => !/^ +(?:ConfigMapOptional|Optional): /.test(line))
    .map((line) =>
      line
        .replaceAll(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'DATE')
        .replace(/^( +(?:Host )?Ports?: .*) \(\w+\)$/, '$1')
        .replace(/^( {2}(?:Normal|Warning) +\S+ +)(?:<invalid>|\d\w*)(?: \((x\d+) over [^)]*\))? +/, '$1AGE $2 ')
        .replace(/^( {2}Type +Reason +Age) +/, '$1 ')
        .replace(/^( {2}-+ +-+ +-+) +/, '$1 ')
        .replace(/spec\.\w+\{[^}]+\}: /, '')
        .trimEnd(),
    )
    .join('\n')
    .trim()
    .replaceAll(/\n{2,}/g, '\n')
    .split('\n');
}
