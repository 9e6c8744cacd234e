import type { Json, JsonObject } from '../../../base/json.ts';
import { asNumber, asText, dig } from '../../../base/json.ts';
import { bigintOf } from '../../../base/number.ts';
import { formatQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { asItems } from '../../apiserver/lists.ts';
import type { Failure } from '../../apiserver/request.ts';
import type { ComponentHost } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { milli, replicasFor } from './replica-calculator.ts';

/** What one metric of an autoscaler came to. */
export type Proposal =
  | { readonly ok: true; readonly replicas: number; readonly metric: string; readonly status: JsonObject }
  | { readonly ok: false; readonly reason: string; readonly event: string; readonly error: string };

export interface MetricSurroundings {
  readonly host: ComponentHost;
  readonly namespace: string;
  readonly selector: string;
  readonly pods: readonly KubeObject[];
  readonly current: number;
}

/** Source: pkg/controller/podautoscaler/horizontal.go (computeReplicasForMetric), metrics/client.go. */
export function* proposalFor(metric: Json, around: MetricSurroundings): Routine<Proposal> {
  const type = asText(dig(metric, 'type')) ?? '';
  switch (type) {
    case 'Resource':
      return yield* resourceProposal(dig(metric, 'resource'), undefined, around);
    case 'ContainerResource':
      return yield* resourceProposal(dig(metric, 'containerResource'), asText(dig(metric, 'containerResource', 'container')), around);
    case 'Pods':
      return unserved(
        'FailedGetPodsMetric',
        'pods',
        nameOf(dig(metric, 'pods')),
        (name) => `unable to get metric ${name}: unable to fetch metrics from custom metrics API: ${NO_CUSTOM}`,
      );
    case 'Object':
      return unserved(
        'FailedGetObjectMetric',
        'object',
        nameOf(dig(metric, 'object')),
        (name) =>
          `unable to get metric ${name}: ${asText(dig(metric, 'object', 'describedObject', 'kind')) ?? ''} on ${around.namespace} ${asText(dig(metric, 'object', 'describedObject', 'name')) ?? ''}/unable to fetch metrics from custom metrics API: ${NO_CUSTOM}`,
      );
    case 'External':
      return unserved(
        'FailedGetExternalMetric',
        'external',
        nameOf(dig(metric, 'external')),
        (name) =>
          `unable to get external metric ${around.namespace}/${name}/${selectorWords(dig(metric, 'external', 'metric', 'selector'))}: unable to fetch metrics from external metrics API: ${NO_EXTERNAL}`,
      );
    default: {
      const error = `unknown metric source type ${JSON.stringify(type)}`;
      return { ok: false, reason: 'InvalidMetricSourceType', event: error, error };
    }
  }
}

const NO_CUSTOM = 'no custom metrics API (custom.metrics.k8s.io) registered';
const NO_EXTERNAL = 'no external metrics API (external.metrics.k8s.io) registered';

function nameOf(source: Json | undefined): string {
  return asText(dig(source, 'metric', 'name')) ?? '';
}

function selectorWords(selector: Json | undefined): string {
  return selector === undefined ? 'nil' : '&LabelSelector{}';
}

/** Nobody serves custom and external metrics here. */
function unserved(reason: string, kind: string, name: string, words: (name: string) => string): Proposal {
  const event = words(name);
  return { ok: false, reason, event, error: `failed to get ${kind} metric value: ${event}` };
}

function* resourceProposal(source: Json | undefined, container: string | undefined, around: MetricSurroundings): Routine<Proposal> {
  const { host, namespace, selector, pods, current } = around;
  const resource = asText(dig(source, 'name')) ?? '';
  const [utilization, value] = [asNumber(dig(source, 'target', 'averageUtilization')), dig(source, 'target', 'averageValue')];
  const where = container === undefined ? 'resource' : 'container resource';
  const reason = container === undefined ? 'FailedGetResourceMetric' : 'FailedGetContainerResourceMetric';
  const failed = (error: string): Proposal => {
    const event = `failed to get ${resource} ${value === undefined ? 'utilization' : 'usage'}: ${error}`;
    return { ok: false, reason, event, error: `failed to get ${resource} ${where} metric value: ${event}` };
  };
  const answer = yield* host.client.send({
    verb: 'list',
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    resource: 'pods',
    namespace,
    labelSelector: selector,
  });
  if (!answer.ok)
    return failed(
      `unable to get metrics for resource ${resource}: unable to fetch metrics from resource metrics API: ${clientWords(answer)}`,
    );
  const target = {
    resource,
    container,
    utilization: value === undefined ? utilization : undefined,
    average: value === undefined ? undefined : milli(value),
  };
  const result = replicasFor(target, current, pods, asItems(answer.object), host.now());
  if ('error' in result) return failed(result.error);
  const averageValue = formatQuantity(bigintOf(Math.round(result.average)) * 1_000_000n, 'decimal');
  const now = {
    name: resource,
    current: { ...(result.utilization === undefined ? {} : { averageUtilization: result.utilization }), averageValue },
  };
  const status: JsonObject =
    container === undefined ? { type: 'Resource', resource: now } : { type: 'ContainerResource', containerResource: { ...now, container } };
  return {
    ok: true,
    replicas: result.replicas,
    metric: `${resource} ${where}${value === undefined ? ' utilization (percentage of request)' : ''}`,
    status,
  };
}

/** client-go says what it asked for when the answer was none of the API's own. */
function clientWords({ code, message }: Failure): string {
  return code === 404 || code === 503 ? `${message} (get pods.metrics.k8s.io)` : message;
}
