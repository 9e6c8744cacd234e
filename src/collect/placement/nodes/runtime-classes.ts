import { asText, dig } from '../../../base/json.ts';
import { formatRef, refOf } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import { isReady } from '../../objects/pods.ts';
import type { Scene } from '../../survey/scene.ts';

/** `runtime-class` facts about the classes that pods ask for which are not ready. */
export async function collectRuntimeClasses(scene: Scene, sink: FactSink): Promise<void> {
  const names = new Set(
    scene.judged.filter((pod) => isReady(pod) !== true).flatMap((pod) => asText(dig(pod, 'spec', 'runtimeClassName')) ?? []),
  );
  for (const name of names) {
    const ref = { kind: 'RuntimeClass', name };
    const read = await scene.survey.get(ref);
    if (read.ok) {
      const handler = asText(dig(read.value, 'handler'));
      sink.fact(
        'runtime-class',
        refOf(read.value),
        { class: name, handler, exists: true },
        { source: formatRef(ref), quote: `handler: ${handler ?? '?'}` },
      );
    } else if (read.why === 'absent')
      sink.fact('runtime-class', ref, { class: name, exists: false }, { source: formatRef(ref), quote: read.detail });
    else sink.gap('runtime-class', ref, read);
  }
}
