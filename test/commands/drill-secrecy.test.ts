import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { loadDrills } from '../../src/catalog/load-drills.ts';
import type { Json } from '../../src/base/json.ts';
import { asList, asText, dig } from '../../src/base/json.ts';
import { runDrillAnswer, runDrillStop } from '../../src/commands/drill/drill-ask.ts';
import { runDrillReview } from '../../src/commands/drill/drill-review.ts';
import type { RunRecord } from '../../src/drill/run-record.ts';
import { askControl } from '../../src/server/control.ts';
import { liveRuns, runsFolder } from '../../src/server/run-folder.ts';
import { WireClient } from '../server/client.ts';
import { closeShell, opened, startDrill, surroundings } from '../support/drill-shell.ts';
import { folderWith } from '../support/folder.ts';

const { drills } = await loadDrills('playbooks/drills');
const TIMEOUT = 120_000;

let folder = '';
let running: Promise<unknown> = Promise.resolve();

afterEach(async () => {
  closeShell(folder);
  await running;
});

const PLAIN_PAGES = [
  '/',
  '/metrics',
  '/healthz?verbose',
  '/readyz?verbose',
  '/livez?verbose',
  '/version',
  '/logs',
  '/configz',
  '/debug/pprof',
  '/.well-known/openid-configuration',
  '/podcheck/v1/drill/keep',
];
/** What Kubernetes itself says of a paused Deployment. */
const OWN_WORDS = '"message":"Deployment is paused"';
const NODE_PAGES = ['configz', 'metrics', 'metrics/resource', 'logs/', 'pods', 'healthz', 'stats/summary'];

it.each(['volumes/configmap-not-found', ...drills.map(({ id }) => id)])(
  'no request to the cluster of %s gives its cause, and nothing is written beside its folders',
  async (word) => {
    folder = folderWith();
    const { context, running: going } = startDrill(word, folder);
    running = going;
    await opened(context);
    const [run] = await liveRuns(runsFolder(context.env, context.homeFolder));
    if (run === undefined) throw new Error('no drill is running');
    const client = new WireClient(readFileSync(run.kubeconfig, 'utf8'));
    const pages = [...PLAIN_PAGES, ...(await listPages(client)), ...(await podPages(client))];
    expect(pages.length).toBeGreaterThan(60);
    const said: string[] = [];
    for (const page of pages) said.push((await client.ask(page)).text);
    for (const route of ['drill/status', 'drill/keep', 'drill/record', 'time'])
      said.push(JSON.stringify(await askControl(run.control, route).catch(String)));
    const during = surroundings(folder);
    await runDrillAnswer(['images/registry-rate-limited'], {}, during);
    await expect(runDrillReview(undefined, {}, during)).rejects.toThrow(`drill ${run.id} is still running`);
    await runDrillStop({}, during);
    await going;
    const { faults } = JSON.parse(readFileSync(join(folder, 'state/podcheck/drills', `${run.id}.json`), 'utf8')) as RunRecord;
    expect(faults.length).toBeGreaterThan(0);
    // Who chose the drill by the name of its cause knows it.
    const text = said.join('\n').replaceAll(word, '').replaceAll(OWN_WORDS, '');
    for (const { cause, title, what } of faults) expect([cause, title, what].filter((words) => text.includes(words))).toEqual([]);
    expect(/podcheck\.dev|scenario|rehears(?!al)|injected fault/i.exec(text)?.[0]).toBeUndefined();
    expect(readdirSync(folder).toSorted()).toEqual(['shell', 'state']);
    expect(readdirSync(join(folder, 'state/podcheck')).toSorted()).toEqual(['drills', 'runs']);
  },
  TIMEOUT,
);

async function listPages(client: WireClient): Promise<readonly string[]> {
  const groups = asList(dig((await client.ask('/apis')).json, 'groups')).flatMap((group) =>
    asList(dig(group, 'versions')).map((version) => `/apis/${asText(dig(version, 'groupVersion')) ?? ''}`),
  );
  const lists: string[] = [];
  for (const root of ['/api/v1', ...groups])
    for (const resource of asList(dig((await client.ask(root)).json, 'resources')))
      if (asList(dig(resource, 'verbs')).includes('list')) lists.push(`${root}/${asText(dig(resource, 'name')) ?? ''}`);
  return lists;
}

async function podPages(client: WireClient): Promise<readonly string[]> {
  const named = async (kind: string): Promise<readonly Json[]> =>
    asList(dig((await client.ask(`/api/v1/${kind}`)).json, 'items')).map((item) => dig(item, 'metadata') ?? null);
  const logs = (await named('pods')).map(
    (pod) => `/api/v1/namespaces/${asText(dig(pod, 'namespace')) ?? ''}/pods/${asText(dig(pod, 'name')) ?? ''}/log`,
  );
  return [
    ...logs,
    ...(await named('nodes')).flatMap((node) => NODE_PAGES.map((page) => `/api/v1/nodes/${asText(dig(node, 'name')) ?? ''}/proxy/${page}`)),
  ];
}
