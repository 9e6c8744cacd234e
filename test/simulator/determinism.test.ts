import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { isJsonObject } from '../../src/base/json.ts';
import { canonicalJson } from '../../src/base/json-edit.ts';
import { mixedCluster } from './mixed-cluster.ts';

const RUNS = Number(process.env['PODCHECK_DETERMINISM_RUNS'] ?? '6');

describe('a seed', () => {
  test('decides everything, however often it is played', () => {
    const digests = new Set(Array.from({ length: RUNS }, () => mixedCluster(11).digest()));
    expect(digests.size).toBe(1);
  });

  test('makes another trace than another seed', () => {
    const digests = [11, 12, '11b'].map((seed) => mixedCluster(seed).digest());
    expect(new Set(digests).size).toBe(3);
  });

  test('decides everything while other clusters are alive', () => {
    const alone = mixedCluster(13).digest();
    const other = mixedCluster(14);
    const beside = mixedCluster(13);
    other.advance(1000);
    expect(beside.digest()).toBe(alone);
  });

  test('makes a cluster in which something of everything happens', () => {
    const lines: string[] = [];
    mixedCluster(11, (line) => lines.push(line));
    for (const word of [
      'CrashLoopBackOff',
      'FailedMount',
      'FailedScheduling',
      'NodeNotReady',
      'Completed',
      'ScalingReplicaSet',
      'kubelet-worker-3',
    ])
      expect(
        lines.some((line) => line.includes(word)),
        word,
      ).toBe(true);
  });
});

describe('the order of the fields of a manifest', () => {
  test('changes nothing that happens', () => {
    const [straight, turned] = [played((object) => object), played(turnedAround)];
    const first = straight.findIndex((line, index) => line !== turned[index]);
    expect([straight[first], turned[first]]).toEqual([undefined, undefined]);
    expect(turned).toHaveLength(straight.length);
  });

  /** What happened, whatever the order of fields in it; what came from outside aside. */
  function played(arranged: (object: JsonObject) => JsonObject): readonly string[] {
    const lines: string[] = [];
    mixedCluster(11, (line) => void (line.includes('"is":"input"') || lines.push(canonicalJson(JSON.parse(line) as Json))), arranged);
    return lines;
  }

  function turnedAround(object: JsonObject): JsonObject {
    return turn(object) as JsonObject;
  }

  function turn(value: Json): Json {
    if (Array.isArray(value)) return (value as readonly Json[]).map(turn);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([field, member]) => [field, member === undefined ? undefined : turn(member)]),
    );
  }
});

describe('the sources of the simulator', () => {
  const folder = 'src/simulator';
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts'))
    .toSorted();

  test('are found', () => {
    expect(files.length).toBeGreaterThan(100);
  });

  test('go through no object with for…in: whose fields in which order is an accident', () => {
    expect(
      files.filter((file) => /\bfor \((?:const|let|var) \w+ in /.test(source(file))),
      'go through Object.keys, sorted where the order is seen',
    ).toEqual([]);
  });

  test('wait for virtual time only, never for a promise', () => {
    expect(
      files.filter((file) => file !== 'reader.ts' && /\basync \b|\bawait \b|\bPromise\b/.test(source(file))),
      'write a routine (time/routine.ts): what takes time is a task of the agenda',
    ).toEqual([]);
  });

  test('sort numbers as numbers', () => {
    expect(files.filter((file) => /\bmap\(Number\)\.(?:sort|toSorted)\(\)/.test(source(file)))).toEqual([]);
  });

  function source(file: string): string {
    return readFileSync(join(folder, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  }
});
