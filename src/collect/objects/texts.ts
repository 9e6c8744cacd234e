import { asText, dig } from '../../base/json.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import { LOOSE_TEXT } from '../../model/record-kinds.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { isReady } from './pods.ts';
import type { Scene } from '../survey/scene.ts';

/** `text` facts: lines that somebody pasted by themselves. Where just one pod was seen, and is not ready, they are about that one. */
export async function collectTexts(scene: Scene, sink: FactSink): Promise<void> {
  const texts = await scene.survey.list(LOOSE_TEXT, {});
  if (!texts.ok || texts.value.length === 0) return;
  const seen = await scene.survey.seen('Pod', {});
  const [only] = seen;
  const about: ObjectRef | undefined = only !== undefined && seen.length === 1 && isReady(only) !== true ? refOf(only) : undefined;
  const alone = sink.targets.length === 0;
  for (const record of texts.value) {
    const text = (asText(dig(record, 'spec', 'text')) ?? '').replace(CODE, '$1');
    sink.fact(
      'text',
      about ?? { kind: 'Text', name: record.metadata.name },
      { text, alone },
      { source: record.metadata.name, quote: text },
    );
  }
}

/** A line that its author marked as code. */
const CODE = /^`([^`]+)`$/;
