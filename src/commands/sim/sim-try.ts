import { PodcheckError } from '../../base/errors.ts';
import { ValueMasks } from '../../clusters/mask-values.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Cluster } from '../../simulator/index.ts';
import { isPresetName, PRESET_NAMES } from '../../model/preset.ts';
import { assumedStorage } from './assumed-storage.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { manifestTexts } from '../diagnose/manifest-files.ts';
import { manifestScenario, namespacesOf, readManifests } from './manifest-scenario.ts';
import { openEvidence } from '../diagnose/open-evidence.ts';
import type { TrialClone } from './trial-clone.ts';
import { trialClone } from './trial-clone.ts';
import type { SimRunOptions } from './play-scenario.ts';
import { playAndShow } from './play-scenario.ts';

export interface SimTryOptions extends SimRunOptions {
  readonly file?: readonly string[];
  /** What a real cluster was saved as: files, folders, archives. */
  readonly from?: readonly string[];
  /** A preset of nodes. */
  readonly cluster?: string;
}

/** What would happen if these manifests were applied: to a cluster of a preset, or to one as somebody saved it. */
export async function runSimTry(options: SimTryOptions, context: CommandContext): Promise<ExitCode> {
  const files = options.file ?? [];
  if (files.length === 0) throw new PodcheckError('usage', 'no manifest is given', 'for example podcheck sim try -f manifest.yaml');
  const { namespace, cluster } = options;
  if (cluster !== undefined && !isPresetName(cluster))
    throw new PodcheckError('usage', `--cluster: unknown preset ${JSON.stringify(cluster)}`, `one of: ${PRESET_NAMES.join(', ')}`);
  if (files.includes('-') && (options.from ?? []).includes('-'))
    throw new PodcheckError('usage', '-f and --from cannot both read stdin', 'save one of them to a file');
  const documents = readManifests(await manifestTexts(files, { stdin: context.stdin, recursive: options.recursive === true }));
  if ((options.from ?? []).length === 0) {
    const made = namespacesOf(documents, namespace).filter((name) => name !== 'default');
    const storage = assumedStorage(documents);
    const scenario = manifestScenario(documents, { preset: options.cluster ?? 'three-nodes', namespace, made, storage: storage.objects });
    return playAndShow(scenario, { options, context, documents, storage });
  }
  if (options.cluster !== undefined)
    throw new PodcheckError('usage', '--cluster and --from cannot be used together', 'leave out --cluster: --from brings the nodes');
  const lines: string[] = [];
  const opened = await openEvidence({ from: options.from ?? [] }, context);
  try {
    const cloned = (reader: ClusterReader, trace: (line: string) => void): Promise<TrialClone> =>
      trialClone(reader, documents, { namespace, seed: options.seed, ...(options.trace === undefined ? {} : { trace }) });
    const {
      cluster: clone,
      gaps,
      leftOut,
    } = await context.progress('reading the cluster', () => cloned(opened.reader, (line) => void lines.push(line)));
    const again = async (trace: (line: string) => void): Promise<Cluster> =>
      (await cloned(options.redact === true ? masking(opened.reader) : opened.reader, trace)).cluster;
    return await playAndShow(manifestScenario(documents, { preset: 'no-nodes', namespace, made: [] }), {
      options,
      context,
      documents,
      cluster: clone,
      trace: lines,
      again,
      gaps,
      leftOut,
    });
  } finally {
    opened.close();
  }
}

/** The reader of a cluster in which no value of an environment variable or a ConfigMap stands. */
function masking(reader: ClusterReader): ClusterReader {
  const masks = new ValueMasks({ plain: true });
  const masked = (object: KubeObject): KubeObject => ({ ...object, ...(masks.document(object) as KubeObject) });
  return {
    ...reader,
    get: async (ref) => {
      const read = await reader.get(ref);
      return read.ok ? { ...read, value: masked(read.value) } : read;
    },
    list: async (kind, scope) => {
      const list = await reader.list(kind, scope);
      return list.ok ? { ...list, value: list.value.map(masked) } : list;
    },
    logs: (pod, container, log) => reader.logs(pod, container, log),
    now: () => reader.now(),
  };
}
