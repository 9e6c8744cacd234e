import type { Json } from '../../../base/json.ts';
import { asList, asObject, asText, asWritten, dig } from '../../../base/json.ts';
import type { Nano } from '../../../base/quantity.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf, shows } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { templateOf } from '../../objects/workloads.ts';
import { knownRefusals } from '../refusals/known-refusals.ts';
import { refusalFact } from '../refusals/refusal-fact.ts';
import { workloadsShortOfPods } from './shortage.ts';

/**
 * A `refusal` for each container of a workload without pods that a LimitRange forbids, by arithmetic: events about it may have expired.
 * Source: plugin/pkg/admission/limitranger/admission.go (PodValidateLimitFunc, mergeContainerResources).
 */
export async function collectLimitRanges(scene: Scene, sink: FactSink): Promise<void> {
  const known = knownRefusals(sink);
  for (const workload of workloadsShortOfPods(scene)) {
    const { namespace } = workload.metadata;
    if (
      namespace === undefined ||
      known(refOf(workload), 'limit-range-violated') ||
      !shows(workload, 'spec.template.spec.containers.resources')
    )
      continue;
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
      await refusalFact({
        words: { reason: 'limit-range-violated', where: 'Container', ...violation },
        about,
        via: 'derived',
        message: quote,
        blocking: true,
        scene,
        sink,
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

type Side = 'requests' | 'limits';

/** Source: plugin/pkg/admission/limitranger/admission.go (minConstraint, maxConstraint). */
const BOUNDS = [
  { bound: 'max', side: 'limits', breaks: (value: Nano, most: Nano) => value > most, words: ['maximum', 'limit'] },
  { bound: 'min', side: 'requests', breaks: (value: Nano, least: Nano) => value < least, words: ['minimum', 'request'] },
] as const;

function violations(container: Json, limit: Json): readonly Violation[] {
  return BOUNDS.flatMap(({ bound, side, breaks, words: [extreme, what] }) =>
    Object.entries(asObject(dig(limit, bound))).flatMap(([resource, edge]) => {
      const [wanted, value] = [asWritten(edge), amountOf(container, limit, side, resource)];
      const [most, amount] = [parseQuantity(wanted), parseQuantity(value)];
      if (wanted === undefined || most === undefined || (value !== undefined && (amount === undefined || !breaks(amount, most)))) return [];
      const detail = `${extreme} ${resource} usage per Container is ${wanted}${value === undefined ? `.  No ${what} is specified` : `, but ${what} is ${value}`}`;
      return [{ resource, wanted, ...(value === undefined ? {} : { value }), detail }];
    }),
  );
}

/** A container's own amount comes first, then the LimitRange's default; a request that neither gives is the limit. */
function amountOf(container: Json, limit: Json, side: Side, resource: string): string | undefined {
  const own = (which: Side): string | undefined => asWritten(dig(container, 'resources', which, resource));
  if (side === 'limits') return own('limits') ?? asWritten(dig(limit, 'default', resource));
  return own('requests') ?? own('limits') ?? asWritten(dig(limit, 'defaultRequest', resource));
}
