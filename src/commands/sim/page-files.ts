import { existsSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PodcheckError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { shippedDrills, shippedRules, shippedScenarios } from '../../catalog/bundled-data.ts';
import { readText } from '../../files/read-bounded.ts';
import { isNearMiss } from '../../model/scenario.ts';
import { packedRules } from '../../page/page-data.ts';
import { packedScenario } from '../../page/packed-scenarios.ts';
import { PAGE_CSS, PAGE_HTML } from '../../page/page-html.ts';

/** All files of the page by their paths: its own, the files of the program that it needs, and the data. */
export async function pageFiles(version: string): Promise<ReadonlyMap<string, string>> {
  const dist = builtFolder();
  const files = new Map([
    ['index.html', PAGE_HTML],
    ['page.css', PAGE_CSS],
    ['data/about.json', JSON.stringify({ version })],
    ['data/scenarios.json', JSON.stringify(await packedScenarios())],
    [
      'data/drills.json',
      JSON.stringify(
        (await shippedDrills()).map((drill) => ({ ...drill, scenario: packedScenario(drill.scenario as unknown as JsonObject) })),
      ),
    ],
  ]);
  const replaced = JSON.parse(await part(join(dist, 'page/replaced.json'))) as Readonly<Record<string, string>>;
  const waiting = ['page/ui.js', 'page/worker.js'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    const code = (await part(join(dist, replaced[path] ?? path))).replace(NODE_ONLY, '');
    // What stands in for another file lies in its place: its own imports start from there.
    const other = replaced[path];
    files.set(path, other === undefined ? code : fromFolder(code, posix.dirname(other), posix.dirname(path)));
    for (const [, imported = ''] of (files.get(path) ?? '').matchAll(IMPORT)) waiting.push(posix.join(posix.dirname(path), imported));
  }
  const rules = (await shippedRules()) as unknown as readonly JsonObject[];
  files.set('data/rules.json', JSON.stringify(packedRules(rules, [...files.values()].join('\n'))));
  return files;
}

/** Failures, and workloads that are well: near-misses are what rules are tested with, and the page has a bound. */
async function packedScenarios(): Promise<readonly JsonObject[]> {
  const shown = (await shippedScenarios()).filter(({ id }) => !isNearMiss(id));
  return (shown as unknown as readonly JsonObject[]).map(packedScenario);
}

function part(path: string): Promise<string> {
  return readText(path, 'a part of the page', 'install podcheck again');
}

/** What the build puts before files that name `require`. */
const NODE_ONLY = /^import\{createRequire as podcheckRequire\}[^\n]*\n/;
const IMPORT = /\b(?:from|import)[\s(]{0,8}"(\.{1,2}\/[\w./-]{1,200}\.js)"/g;

function fromFolder(code: string, from: string, to: string): string {
  return code.replaceAll(IMPORT, (whole, imported: string) =>
    whole.replace(imported, `./${posix.relative(to, posix.join(from, imported))}`),
  );
}

function builtFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const dist = basename(here) === 'chunks' ? dirname(here) : here;
  if (!existsSync(join(dist, 'page/worker.js')))
    throw new PodcheckError('usage', 'the page is part of the built program', 'build it with `npm run build`, and start dist/podcheck.js');
  return dist;
}
