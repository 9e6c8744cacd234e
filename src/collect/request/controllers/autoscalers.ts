import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { isUnreadable } from '../../../model/cluster-reader.ts';
import type { Fact } from '../../../model/fact.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { formatRef, inNamespace, refOf, sameObject, shows } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { templateOf } from '../../objects/workloads.ts';
import { conditionOf } from '../../objects/pods.ts';

const SCALED: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController']);

/** An `autoscaler` fact for every HorizontalPodAutoscaler of the scope, or of the target; one that cannot work is a target itself. */
export async function collectAutoscalers(scene: Scene, sink: FactSink): Promise<void> {
  const autoscalers = await autoscalersOf(scene, sink);
  for (const autoscaler of autoscalers) await autoscalerFact(autoscaler, scene, sink);
  for (const fact of sink.facts.filter(isFailedRead)) {
    const seen = autoscalers.find((one) => sameObject(refOf(one), fact.about));
    // A list shows no conditions.
    const isTold = seen !== undefined && (shows(seen, 'status.conditions') || dig(seen, 'status', 'conditions') !== undefined);
    if (!isTold) unseenAutoscaler(fact, targetOf(seen), sink);
  }
}

function isFailedRead({ kind, about, fields }: Fact): boolean {
  return (
    kind === 'event' &&
    about.kind === 'HorizontalPodAutoscaler' &&
    fields['type'] === 'Warning' &&
    /^FailedGet(?:\w*Metric|Scale)/.test(String(fields['reason']))
  );
}

/** An autoscaler whose conditions were not seen, but a warning. */
function unseenAutoscaler({ about, fields, source, quote, at }: Fact, target: string | undefined, sink: FactSink): void {
  const reason = String(fields['reason']);
  sink.fact(
    'autoscaler',
    about,
    { target, ...(reason.endsWith('Scale') ? { able: false } : { active: false }), reason, message: String(fields['message'] ?? '') },
    { source, quote, at },
  );
  sink.target({ ref: about, state: 'unhealthy', reason, members: [] });
}

async function autoscalersOf(scene: Scene, sink: FactSink): Promise<readonly KubeObject[]> {
  const { target, namespace } = scene.request;
  if (target !== undefined && target.kind !== 'HorizontalPodAutoscaler' && !SCALED.has(target.kind)) return [];
  const where = target?.namespace ?? namespace;
  const list = await scene.survey.list('HorizontalPodAutoscaler', inNamespace(where));
  // No pod waits for its autoscaler: that it could not be read only matters to who asks for it.
  if (!list.ok && target?.kind === 'HorizontalPodAutoscaler') sink.gap('autoscaler', target, list);
  if (!list.ok) return [];
  if (target === undefined) return list.value;
  return list.value.filter((autoscaler) => {
    const { kind, name } = asObject(dig(autoscaler, 'spec', 'scaleTargetRef'));
    return target.kind === autoscaler.kind ? autoscaler.metadata.name === target.name : kind === target.kind && name === target.name;
  });
}

async function autoscalerFact(autoscaler: KubeObject, scene: Scene, sink: FactSink): Promise<void> {
  const ref = refOf(autoscaler);
  const active = conditionOf(autoscaler, 'ScalingActive');
  const able = isAble(conditionOf(autoscaler, 'AbleToScale'));
  // Whose target cannot be read has no other condition. Source: pkg/controller/podautoscaler/horizontal.go (reconcileAutoscaler).
  const type = able === false ? 'AbleToScale' : 'ScalingActive';
  const condition = conditionOf(autoscaler, type);
  const status = asText(dig(condition, 'status'));
  const [reason, message] = [asText(dig(condition, 'reason')), asText(dig(condition, 'message'))];
  const metrics = asList(dig(autoscaler, 'spec', 'metrics')).map(
    (metric) => asText(dig(metric, 'resource', 'name')) ?? asText(dig(metric, 'type'))?.toLowerCase() ?? '',
  );
  const workload = await workloadOf(autoscaler, scene, sink);
  const ready = readyPods(workload);
  sink.fact(
    'autoscaler',
    ref,
    {
      target: targetOf(autoscaler),
      active: isTrue(active),
      able,
      reason,
      message,
      metrics: metrics.length === 0 ? undefined : metrics.join(', '),
      unrequested: unrequested(autoscaler, workload, metrics),
      ready,
    },
    {
      source: `${formatRef(ref)} condition ${type}`,
      quote: status === undefined ? `no condition ${type}` : `${type}=${status} ${reason ?? ''} ${message ?? ''}`.trim(),
    },
  );
  const isAsked = scene.request.target?.kind === ref.kind;
  // That there is nothing to be measured is the trouble of the pods.
  if (status === 'False' && reason !== 'ScalingDisabled' && (ready !== 0 || isAsked))
    sink.target({ ref, state: 'unhealthy', reason: whyNot(reason, targetOf(autoscaler), ready), members: [] });
  else if (isAsked && status !== undefined) sink.target({ ref, state: 'healthy', members: [] });
}

function whyNot(reason: string | undefined, target: string | undefined, ready: number | undefined): string {
  return ready === 0 && target !== undefined ? `no pod of ${target} is ready` : (reason ?? 'it cannot scale');
}

function targetOf(autoscaler: KubeObject | undefined): string | undefined {
  const [kind, name] = ['kind', 'name'].map((field) => asText(dig(autoscaler, 'spec', 'scaleTargetRef', field)));
  return kind === undefined || name === undefined ? undefined : `${kind}/${name}`;
}

/** Before 1.12 the condition was also False for a while after scaling, which is normal. */
function isAble(condition: Json | undefined): boolean | undefined {
  return asText(dig(condition, 'reason'))?.startsWith('Backoff') === true || isTrue(condition);
}

function isTrue(condition: Json | undefined): boolean | undefined {
  const status = asText(dig(condition, 'status'));
  return status === undefined ? undefined : status === 'True';
}

/** What it scales, where that is among the workloads that are looked at or can be read. Whether that is ready decides what its words mean. */
async function workloadOf(autoscaler: KubeObject, { survey, workloads }: Scene, sink: FactSink): Promise<KubeObject | undefined> {
  const [kind, name] = ['kind', 'name'].map((field) => asText(dig(autoscaler, 'spec', 'scaleTargetRef', field)));
  if (kind === undefined || name === undefined || !SCALED.has(kind)) return undefined;
  const ref = { kind, name, ...inNamespace(autoscaler.metadata.namespace) };
  const known = workloads.find((one) => sameObject(refOf(one), ref));
  if (known !== undefined) return known;
  const read = await survey.get(ref);
  if (!read.ok && isUnreadable(read)) sink.gap('autoscaler', refOf(autoscaler), read);
  return read.ok ? read.value : undefined;
}

/** The API leaves out a count of 0. */
function readyPods(workload: KubeObject | undefined): number | undefined {
  if (workload === undefined || !shows(workload, 'status.readyReplicas') || dig(workload, 'status') === undefined) return undefined;
  return asNumber(dig(workload, 'status', 'readyReplicas')) ?? 0;
}

/** Utilization is a share of the request: a container without one leaves the autoscaler without a number. */
function unrequested(autoscaler: KubeObject, target: KubeObject | undefined, metrics: readonly string[]): string | undefined {
  const utilized = asList(dig(autoscaler, 'spec', 'metrics')).some((metric) => dig(metric, 'resource', 'target', 'type') === 'Utilization');
  if (target === undefined || !utilized) return undefined;
  const names = asList(dig(templateOf(target), 'spec', 'containers')).flatMap((container) => {
    const resources = { ...asObject(dig(container, 'resources', 'limits')), ...asObject(dig(container, 'resources', 'requests')) };
    return metrics.some((metric) => (metric === 'cpu' || metric === 'memory') && resources[metric] === undefined)
      ? [asText(dig(container, 'name')) ?? '']
      : [];
  });
  return names.length === 0 ? undefined : names.join(', ');
}
