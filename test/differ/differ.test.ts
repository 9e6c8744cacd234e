import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { asObject, dig } from '../../src/base/json.ts';
import { withPath } from '../../src/base/json-edit.ts';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/index.ts';
import { sequenceOf } from './generate.ts';
import { readKinds } from './kinds.ts';
import { readReasons } from './known.ts';
import { lasting } from './lasting.ts';
import { main } from './main.ts';
import { maskOf } from './masks.ts';
import { readOptions } from './options.ts';
import type { Played } from './play.ts';
import { playSequence } from './play.ts';
import { differenceLines } from './report.ts';
import { shrunk } from './shrink.ts';
import type { Side } from './side.ts';
import { SideGone, sideOf } from './side.ts';
import { count, emptyTally, mechanismsOf } from './tally.ts';
import { readValues } from './values.ts';

const FOLDER = join(import.meta.dirname);
const KINDS = readKinds(join(FOLDER, 'manifests.yaml'));
const VALUES = readValues(join(FOLDER, 'values.yaml'));

describe('the generator', () => {
  it('makes the same sequence again for a seed, and another one for another', () => {
    const make = (seed: string): string => JSON.stringify(sequenceOf({ kinds: KINDS, values: VALUES }, seed));
    expect(make('7/3')).toBe(make('7/3'));
    expect(make('7/3')).not.toBe(make('7/4'));
  });

  it('comes to every kind, method and form of a patch', () => {
    const sequences = Array.from({ length: 400 }, (_, index) => sequenceOf({ kinds: KINDS, values: VALUES }, `1/${index}`));
    const operations = sequences.flatMap(({ operations }) => operations);
    expect(new Set(sequences.map(({ kind }) => kind))).toEqual(new Set(KINDS.map(({ kind }) => kind)));
    expect(new Set(operations.map(({ method }) => method))).toEqual(new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']));
    expect(new Set(operations.map(({ contentType }) => contentType)).size).toBe(5);
    expect(operations.some(({ path }) => path.includes('dryRun=All'))).toBe(true);
  });

  it('begins with valid manifests of kinds that the schema has', () => {
    expect(KINDS.length).toBeGreaterThan(40);
    for (const { objects } of KINDS) expect(objects.length).toBeGreaterThan(0);
  });
});

describe('a run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podcheck-differ-test-'));
  const servings: Serving[] = [];
  const sides: Side[] = [];
  const files = ['real', 'simulated'].map((name) => join(folder, name));

  beforeAll(async () => {
    for (const file of files) {
      // What controllers do is done before the next request: how far they are must not depend on how fast this machine is.
      const serving = await startServing({ cluster: createCluster({ seed: 1, preset: 'no-nodes' }), speed: 'max' });
      servings.push(serving);
      writeFileSync(file, serving.kubeconfig);
      sides.push(sideOf(file, file));
    }
  });

  afterAll(async () => {
    for (const side of sides) side.close();
    for (const serving of servings) await serving.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const [configMaps] = [KINDS.filter(({ kind }) => kind === 'ConfigMap' || kind === 'Role')];
  const generator = { kinds: configMaps ?? [], values: VALUES };

  it('finds nothing where both clusters are alike', async () => {
    const output: string[] = [];
    const code = await main(['--seed', '3', '--count', '60', '--kinds', 'ConfigMap,Role'], {
      folder: FOLDER,
      kubeconfigs: { real: files[0] ?? '', simulated: files[1] ?? '' },
      write: (text) => output.push(text),
    });
    expect(output.join('')).toMatch(/answers equal: +1\.0000/);
    expect(output.join('')).toMatch(/fields equal: +1\.0000/);
    expect(code).toBe(0);
  });

  it('finds a planted difference and shrinks it to what shows it', async () => {
    const planted = plantedIn(sides[1] as Side);
    const pair = { real: sides[0] as Side, simulated: planted };
    const tally = emptyTally();
    const none = (): undefined => undefined;
    let names = 0;
    const play = (sequence: Parameters<typeof playSequence>[1]): ReturnType<typeof playSequence> =>
      playSequence(pair, sequence, { run: `planted-${String(names++)}`, settleMilliseconds: 0 });
    for (let index = 0; index < 8; index++) {
      const sequence = sequenceOf(generator, `5/${index}`);
      count(tally, sequence, await play(sequence), none);
    }
    const found = mechanismsOf(tally).find(({ name }) => name.includes('field data.'));
    expect(found?.name).toMatch(/^ConfigMap: field data\./);
    expect(tally.fieldsEqual).toBeLessThan(tally.fields);
    const shows = async (sequence: Parameters<typeof playSequence>[1]): Promise<boolean> =>
      (await play(sequence)).some(({ differences }) => differences.some(({ mechanism }) => mechanism === found?.name));
    if (found === undefined) throw new Error('nothing was found');
    const smallest = await shrunk(found.first, shows, 200);
    expect(smallest.operations).toHaveLength(1);
    expect(Object.keys(asObject(dig(smallest.operations[0]?.body, 'data')))).toHaveLength(1);
    const lines = differenceLines(found, smallest).join('\n');
    expect(lines).toContain(`npm run differ -- --seed ${found.first.seed}`);
    expect(lines).toContain('simulated: "planted"');
  });

  it('plays a sequence again whose connection breaks, and goes on', async () => {
    const { file, proxy } = await breakingOnce(files[0] ?? '', join(folder, 'breaking'));
    const output: string[] = [];
    const code = await main(['--seed', '3', '--count', '60', '--kinds', 'ConfigMap,Role'], {
      folder: FOLDER,
      kubeconfigs: { real: file, simulated: files[1] ?? '' },
      write: (text) => output.push(text),
    });
    await new Promise((closed) => proxy.close(closed));
    expect(output.join('')).toMatch(/broken connections: +[1-9]/);
    expect(output.join('')).toMatch(/answers equal: +1\.0000/);
    expect(code).toBe(0);
  });

  it('says which cluster has stopped answering, and ends', async () => {
    const serving = await startServing({ cluster: createCluster({ seed: 1, preset: 'no-nodes' }) });
    const file = join(folder, 'gone');
    writeFileSync(file, serving.kubeconfig);
    await serving.close();
    const output: string[] = [];
    const code = await main(['--count', '5', '--kinds', 'ConfigMap'], {
      folder: FOLDER,
      kubeconfigs: { real: file, simulated: files[1] ?? '' },
      write: (text) => output.push(text),
    });
    expect(code).toBe(2);
    expect(output.join('')).toContain('stopped after 0 operations: the real cluster has stopped answering');
    const gone = sideOf('the real cluster', file);
    await expect(gone.ask({ method: 'GET', path: '/api' })).rejects.toThrow(SideGone);
    gone.close();
  });
});

describe('a sequence that differed twice', () => {
  const played = (...reals: readonly string[]): Played => ({
    operation: { does: 'get', method: 'GET', path: '/api/v1/pods', settles: false },
    differences: reals.map((real) => ({ mechanism: 'Pod: field spec.nodeName', about: 'field', real, simulated: 'x' })),
    fields: 10,
    fieldsEqual: 10 - reals.length,
  });

  it('keeps what the real cluster said alike both times', () => {
    const [first, second, third] = lasting([played('a'), played('b')], [played('a', 'c'), played(), played('d')]);
    expect(first).toMatchObject({ differences: [{ real: 'a' }], fieldsEqual: 9 });
    expect(second).toMatchObject({ differences: [], fieldsEqual: 10 });
    expect(third).toMatchObject({ differences: [{ real: 'd' }], fieldsEqual: 9 });
  });
});

describe('a mask', () => {
  it('hides what is generated and keeps what was given', () => {
    const mask = maskOf('d1', Date.parse('2030-05-01T12:00:00Z'));
    expect(mask('"2030-05-01T12:00:01Z"')).toBe('"<time>"');
    expect(mask('"2020-01-01T00:00:00Z"')).toBe('"2020-01-01T00:00:00Z"');
    expect(mask('till-d1 of 6a1f6d3e-12ab-4cde-9f00-0123456789ab')).toBe('till-<run> of <uid>');
    expect(mask('30123', 'spec.ports[0].nodePort')).toBe('<port>');
    expect(mask('30123', 'spec.ports[0].port')).toBe('30123');
    expect(mask('"17"', 'metadata.resourceVersion')).toBe('<resourceVersion>');
  });
});

describe('the file of reasons', () => {
  it('knows a mechanism by its pattern', () => {
    const folder = mkdtempSync(join(tmpdir(), 'podcheck-differ-reasons-'));
    const file = join(folder, 'known.yaml');
    writeFileSync(file, '- mechanism: "Pod: field status.*"\n  because: it is of another size\n');
    const reasons = readReasons(file);
    rmSync(folder, { recursive: true, force: true });
    expect(reasons('Pod: field status.phase')).toBe('it is of another size');
    expect(reasons('Pod: field spec.phase')).toBeUndefined();
  });

  it('can be read as it is', () => {
    expect(readReasons(join(FOLDER, 'known.yaml'))('nothing of this kind')).toBeUndefined();
  });
});

describe('the options', () => {
  it.each([
    [['--kinds', 'Till'], /there is no kind Till; one or more of: Pod, /],
    [['--seed', 'x'], /^--seed: neither a number nor NUMBER\/SEQUENCE/],
    [['--count', '-1'], /^--count: not a whole number/],
    [['--fast'], /^--fast is not an option: npm run differ/],
  ])('say what is wrong with %j', (words, expected) => {
    expect(readOptions(words, KINDS)).toMatch(expected);
  });
});

/** A kubeconfig for the same cluster, reached by a way on which all connections break once. */
async function breakingOnce(kubeconfig: string, file: string): Promise<{ readonly file: string; readonly proxy: Server }> {
  const text = readFileSync(kubeconfig, 'utf8');
  const port = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
  const open = new Set<Socket>();
  let passed = 0;
  const proxy = createServer((socket) => {
    const behind = connect(port, '127.0.0.1');
    for (const one of [socket, behind]) {
      open.add(one);
      one.on('error', () => one.destroy()).on('close', () => open.delete(one));
    }
    behind.pipe(socket).pipe(behind);
    socket.on('data', ({ length }) => {
      const before = passed;
      passed += length;
      if (before < BREAKS_AFTER && passed >= BREAKS_AFTER) for (const one of open) one.destroy();
    });
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const own = (proxy.address() as AddressInfo).port;
  writeFileSync(file, text.replace(`:${port}`, `:${own}`));
  return { file, proxy };
}

/** Bytes: some requests. */
const BREAKS_AFTER = 8000;

/** A cluster that answers something else for one field. */
function plantedIn(side: Side): Side {
  return {
    ...side,
    ask: async (asked) => {
      const reply = await side.ask(asked);
      const data = asObject(dig(reply.body, 'data'));
      const [name] = Object.keys(data);
      return name === undefined ? reply : { ...reply, body: withPath(reply.body as JsonObject, ['data', name], 'planted') };
    },
  };
}
