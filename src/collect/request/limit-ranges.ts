import type { Json } from '../../base/json.ts';
import { asList, asObject, asText, dig } from '../../base/json.ts';
import type { Nano } from '../../base/quantity.ts';
import { parseQuantity } from '../../base/quantity.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { refOf, shows } from '../../model/kube-object.ts';
import type { FactSink } from '../fact-sink.ts';
import type { Scene } from '../scene.ts';
import { templateOf } from '../workloads.ts';
import { refusalFact } from './refusal-fact.ts';
import { workloadsShortOfPods } from './shortage.ts';

/**
 * A `refusal` for each container of a workload without pods that a LimitRange forbids, by arithmetic: events about it may have expired.
 * Source: plugin/pkg/admission/limitranger/admission.go (PodValidateLimitFunc, mergeContainerResources).
 */
export async function collectLimitRanges(scene: Scene, sink: FactSink): Promise<void> {
  for (const workload of workloadsShortOfPods(scene)) {
    const { namespace } = workload.metadata;
    if (namespace === undefined || !shows(workload, 'spec.template.spec.containers.resources')) continue;
    const list = await scene.survey.list('LimitRange', { namespace });
    if (!list.ok) {
      sink.gap('refusal', refOf(workload), list);
      continue;
    }
    for (const range of list.value) await judge(workload, range, scene, sink);
  }
}

async function judge(workload: KubeObject, range: KubeObject, scene: Scene, sink: FactSink): Promise<void> {
  const about = refOf(workload);
  const limits = asList(dig(range, 'spec', 'limits')).filter((limit) => dig(limit, 'type') === 'Container');
  for (const container of asList(dig(templateOf(workload), 'spec', 'containers'))) {
    for (const violation of limits.flatMap((limit) => violations(container, limit))) {
      const quote = `container ${asText(dig(container, 'name')) ?? ''}: ${violation.detail}`;
      const known = sink.facts.some(({ kind, about: other, fields }) => kind === 'refusal' && other.name === about.name && fields['reason'] === 'limit-range-violated' && fields['via'] !== 'derived');
      if (known) return;
      await refusalFact({
        words: { reason: 'limit-range-violated', where: 'Container', ...violation },
        about, via: 'derived', message: quote, blocking: true, scene, sink,
        proof: { source: `LimitRange ${range.metadata.namespace ?? ''}/${range.metadata.name}`, quote },
      });
    }
  }
}

interface Violation {
  readonly resource: string;
  readonly wanted: string;
  readonly value?: string;
  readonly detail: string;
}

/** A container's own amounts come first, then the LimitRange's defaults. */
function violations(container: Json, limit: Json): readonly Violation[] {
  const found: Violation[] = [];
  const amount = (side: 'requests' | 'limits', resource: string): Json | undefined => {
    const [own, fallback] = [dig(container, 'resources', side, resource), dig(limit, side === 'limits' ? 'default' : 'defaultRequest', resource)];
    return own ?? (side === 'requests' ? (dig(container, 'resources', 'limits', resource) ?? fallback) : fallback);
  };
  for (const [resource, most] of Object.entries(asObject(dig(limit, 'max')))) {
    const [text, max] = [amount('limits', resource), parseQuantity(most)];
    const value = parseQuantity(text);
    if (max === undefined) continue;
    if (text === undefined) found.push({ resource, wanted: String(most), detail: `maximum ${resource} usage per Container is ${String(most)}.  No limit is specified` });
    else if (value !== undefined && value > max) found.push({ resource, wanted: String(most), value: shown(text), detail: `maximum ${resource} usage per Container is ${String(most)}, but limit is ${shown(text)}` });
  }
  for (const [resource, least] of Object.entries(asObject(dig(limit, 'min')))) {
    const [text, min] = [amount('requests', resource), parseQuantity(least)];
    const value: Nano | undefined = parseQuantity(text);
    if (min === undefined) continue;
    if (text === undefined) found.push({ resource, wanted: String(least), detail: `minimum ${resource} usage per Container is ${String(least)}.  No request is specified` });
    else if (value !== undefined && value < min) found.push({ resource, wanted: String(least), value: shown(text), detail: `minimum ${resource} usage per Container is ${String(least)}, but request is ${shown(text)}` });
  }
  return found;
}

function shown(value: Json): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}
