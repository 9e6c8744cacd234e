import { existsSync } from 'node:fs';
import { PodcheckError } from '../../base/errors.ts';
import { nearest } from '../../base/text.ts';
import { readText } from '../../files/read-bounded.ts';
import { parseDrill } from '../../catalog/load-drills.ts';
import { scenarioError } from '../../catalog/load-scenarios.ts';
import { shippedDrills, shippedScenarios } from '../../catalog/bundled-data.ts';
import type { Problem } from '../../catalog/yaml-problem.ts';
import { drillOfScenario, noDrillBecause } from '../../drill/drill-of-scenario.ts';
import type { Drill } from '../../model/drill.ts';

/** All drills: the written ones first, then every scenario in which something goes wrong. */
export async function allDrills(): Promise<readonly Drill[]> {
  const [written, scenarios] = [await shippedDrills(), await shippedScenarios()];
  return [...written, ...scenarios.flatMap((scenario) => drillOfScenario(scenario) ?? [])];
}

/** Ids like a word; people leave out what stands before the slash. */
function nearIds(word: string, ids: readonly string[]): readonly string[] {
  const near = nearest(word, ids);
  if (near.length > 0) return near;
  const lastOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1);
  const names = nearest(word.slice(word.lastIndexOf('/') + 1), ids.map(lastOf));
  return names.flatMap((name) => ids.filter((id) => lastOf(id) === name)).slice(0, 3);
}

/** How many scenarios are no drills, by the reason. */
export async function noDrills(): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const scenario of await shippedScenarios()) {
    const reason = noDrillBecause(scenario);
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}

/** A drill by its id, or the end of it, or a file of one's own. */
export async function drillNamed(word: string): Promise<Drill> {
  if (/\.ya?ml$/.test(word) && existsSync(word)) {
    const problems: Problem[] = [];
    const drill = parseDrill(word, await readText(word, 'the drill', '`podcheck drill list` lists the bundled drills'), word, problems);
    if (drill === undefined) throw scenarioError(problems);
    return drill;
  }
  const drills = await allDrills();
  const exact = drills.find(({ id }) => id === word);
  if (exact !== undefined) return exact;
  const ending = drills.filter(({ id }) => id.endsWith(`/${word}`));
  const [only] = ending;
  if (only !== undefined && ending.length === 1) return only;
  const scenarios = await shippedScenarios();
  const other = scenarios.find(({ id }) => id === word);
  const reason = other === undefined ? undefined : noDrillBecause(other);
  if (reason !== undefined)
    throw new PodcheckError(
      'usage',
      `scenario ${word} cannot be used as a drill: ${reason}`,
      `serve it with \`podcheck sim serve ${word}\`; \`podcheck drill list\` lists the drills`,
    );
  const near =
    ending.length > 1
      ? ending.map(({ id }) => id)
      : nearIds(
          word,
          drills.map(({ id }) => id),
        );
  throw new PodcheckError(
    'usage',
    `unknown drill "${word}"`,
    near.length === 0 ? '`podcheck drill list` lists all drills' : `did you mean ${near.join(' or ')}?`,
  );
}
