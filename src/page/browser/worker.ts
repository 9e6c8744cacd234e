/** The Worker: the simulated cluster and the diagnosis. Nothing but the files beside it is ever asked for. */
import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, asText, dig } from '../../base/json.ts';
import type { Drill } from '../../model/drill.ts';
import type { Rule } from '../../model/rule.ts';
import type { Scenario } from '../../model/scenario.ts';
import { drillOfScenario } from '../../drill/drill-of-scenario.ts';
import { EMPTY_CLUSTERS } from '../empty-clusters.ts';
import { Host } from '../host.ts';
import type { Asked, Told } from '../messages.ts';
import { unpackedRules } from '../page-data.ts';
import { unpackedScenario } from '../packed-scenarios.ts';

interface Scope {
  addEventListener(type: 'message', heard: (event: { readonly data: Asked }) => void): void;
  postMessage(told: Told): void;
}

const scope = globalThis as unknown as Scope;
const waiting: Asked[] = [];
let hear = (asked: Asked): void => void waiting.push(asked);
scope.addEventListener('message', ({ data }) => hear(data));

const [rules, scenarios, drills, about] = await Promise.all(['rules', 'scenarios', 'drills', 'about'].map(read));
const played = [
  ...EMPTY_CLUSTERS,
  ...((asList(scenarios) as readonly JsonObject[]).map(unpackedScenario) as unknown as readonly Scenario[]),
];
const written = (asList(drills) as readonly JsonObject[]).map((drill) => ({
  ...drill,
  scenario: unpackedScenario(asObject(drill['scenario'])),
})) as unknown as readonly Drill[];
const host = new Host({
  rules: unpackedRules(asObject(rules)) as unknown as readonly Rule[],
  scenarios: played,
  drills: written,
  version: asText(dig(about, 'version')) ?? '',
  look: { width: 80, color: true, unicode: true },
  tell: (told) => scope.postMessage(told),
  clock: () => performance.now(),
});
scope.postMessage({
  tell: 'ready',
  choices: [
    ...written.map(({ id, story }) => ({ id, title: story ?? '', drill: true })),
    ...played.map((one) => ({ id: one.id, title: one.title, drill: drillOfScenario(one) !== undefined })),
  ],
});
hear = (asked) => void host.ask(asked);
for (const asked of waiting) void host.ask(asked);

let before = performance.now();
setInterval(() => {
  const now = performance.now();
  // A tab in the background gets few ticks: what it missed is not caught up.
  host.tick(Math.min(now - before, 100));
  before = now;
}, 16);

async function read(name: string): Promise<Json> {
  const answer = await fetch(new URL(`../data/${name}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`data/${name}.json: ${String(answer.status)}`);
  return (await answer.json()) as Json;
}
