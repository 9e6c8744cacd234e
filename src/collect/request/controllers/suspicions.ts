import type { KubeObject } from '../../../model/kube-object.ts';
import { resourceNamed } from '../../../model/resources.ts';
import type { Scene } from '../../survey/scene.ts';
import { answersOf } from '../answers/answers.ts';

/** Why what an object's own spec keeps from running is perhaps not meant to wait: a person asks. */
export const ASKED_ABOUT = 'it is the object asked about';

/** A person applied or changed it in the same session. */
export async function touched(object: KubeObject, scene: Scene): Promise<string | undefined> {
  for (const { blocks, line, command } of await answersOf(scene)) {
    for (const block of blocks) {
      if (block.kind !== 'done' || block.dryRun || block.how === 'deleted' || block.name !== object.metadata.name) continue;
      const sameNamespace = command.namespace === undefined || command.namespace === object.metadata.namespace;
      if (resourceNamed(block.resource)?.kind === object.kind && sameNamespace) return `it was ${block.how} by ${line}`;
    }
  }
  return undefined;
}
