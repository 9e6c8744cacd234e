import type { ClusterReader } from '../../model/cluster-reader.ts';
import type { Cluster } from '../../simulator/index.ts';
import { playScenario } from '../../simulator/index.ts';
import type { SourceOptions } from '../options.ts';
import { optionMilliseconds, optionSeed, scenarioNamed } from '../sim/scenario-named.ts';

/** A simulated cluster, after its scenario was played in it. */
export async function playNamedScenario(
  word: string,
  options: Pick<SourceOptions, 'at' | 'seed'>,
): Promise<{ readonly reader: ClusterReader; readonly simulated: Cluster }> {
  const at = optionMilliseconds('--at', options.at);
  const { cluster } = playScenario(await scenarioNamed(word), {
    seed: optionSeed(options.seed),
    ...(at === undefined ? {} : { atMilliseconds: at }),
  });
  return { reader: cluster.reader(), simulated: cluster };
}
