import { isWorkloadKind } from '../../../model/workload-kinds.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { answersOf } from './answers.ts';
import { kindOf } from '../kind-of.ts';

/**
 * Targets for workloads and pods that a command made or changed and of which nothing more was seen: they may well be what is asked about.
 */
export async function collectMadeObjects(scene: Scene, sink: FactSink): Promise<void> {
  if (scene.request.target !== undefined) return;
  const known = new Set(sink.targets.map(({ ref }) => `${ref.kind} ${ref.namespace ?? ''} ${ref.name}`));
  for (const { command, blocks } of await answersOf(scene)) {
    const namespace = command.namespace ?? scene.request.namespace ?? 'default';
    for (const block of blocks) {
      if (block.kind !== 'done' || block.dryRun || block.how === 'deleted') continue;
      const { name } = block;
      const kind = kindOf(block.resource);
      const key = `${kind} ${namespace} ${name}`;
      if (!(kind === 'Pod' || isWorkloadKind(kind)) || known.has(key)) continue;
      known.add(key);
      const read = await scene.survey.get({ kind, namespace, name });
      if (!read.ok && read.why !== 'absent')
        sink.target({ ref: { kind, namespace, name }, state: 'unknown', reason: 'only that it was made was seen', members: [] });
    }
  }
}
