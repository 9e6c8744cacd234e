import { PodcheckError } from '../../base/errors.ts';
import { assumedStorage } from './assumed-storage.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { manifestTexts } from '../diagnose/manifest-files.ts';
import { isManifest, manifestScenario, namespacesOf, readManifests } from './manifest-scenario.ts';
import type { SimRunOptions } from './play-scenario.ts';
import { playAndShow } from './play-scenario.ts';
import { scenarioNamed } from './scenario-named.ts';

/** Plays a scenario, or applies manifests to a new cluster, and shows the way of what was asked for through the stages. */
export async function runSimRun(words: readonly string[], options: SimRunOptions, context: CommandContext): Promise<ExitCode> {
  const [word, ...more] = words;
  if (word === undefined) throw new PodcheckError('usage', 'no scenario is given', '`podcheck sim list` lists all scenarios');
  if (more.length === 0 && !(await isManifest(word))) return playAndShow(await scenarioNamed(word), { options, context });
  const documents = readManifests(await manifestTexts(words, { stdin: context.stdin, recursive: options.recursive === true }));
  const { namespace } = options;
  const made = namespacesOf(documents, namespace).filter((name) => name !== 'default');
  const storage = assumedStorage(documents);
  const scenario = manifestScenario(documents, { preset: 'three-nodes', namespace, made, storage: storage.objects });
  return playAndShow(scenario, { options, context, documents, storage });
}
