import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { applySchemaDefaults } from './custom/structural.ts';
import type { ServedResource } from './resources.ts';
import { apiVersionOf } from './resources.ts';

/**
 * Kinds that are served in several shapes lie in the store in one of them: Events as core/v1, autoscalers as autoscaling/v2.
 * Source: pkg/apis/events/v1/conversion.go, pkg/apis/autoscaling/v1/conversion.go.
 */
export function toStored(resource: ServedResource, object: KubeObject): KubeObject {
  if (resource.group === 'events.k8s.io') return fromEventsGroup(object);
  if (resource.group === 'autoscaling' && resource.version === 'v1') return fromAutoscalingV1(object);
  return object;
}

export function fromStored(resource: ServedResource, object: KubeObject): KubeObject {
  if (resource.group === 'events.k8s.io') return toEventsGroup(object);
  if (resource.group === 'autoscaling' && resource.version === 'v1') return toAutoscalingV1(object);
  const apiVersion = apiVersionOf(resource);
  const versioned = object.apiVersion === apiVersion ? object : { ...object, apiVersion };
  // What the schema did not say when the object was written. Source: apiextensions-apiserver/pkg/apiserver/customresource_handler.go.
  return resource.custom === undefined ? versioned : (applySchemaDefaults(resource.custom.schema, versioned) as KubeObject);
}

/** Field of core/v1 and of events.k8s.io/v1. */
const EVENT_FIELDS: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

const TO_CORE: ReadonlyMap<string, string> = new Map(EVENT_FIELDS.map(([core, events]) => [events, core]));
const TO_EVENTS: ReadonlyMap<string, string> = new Map(EVENT_FIELDS);

function fromEventsGroup(event: KubeObject): KubeObject {
  return { source: {}, firstTimestamp: null, lastTimestamp: null, ...renamed(event, TO_CORE), apiVersion: 'v1' } as unknown as KubeObject;
}

function toEventsGroup(event: KubeObject): KubeObject {
  return { ...renamed(event, TO_EVENTS), apiVersion: 'events.k8s.io/v1' } as unknown as KubeObject;
}

function renamed(event: KubeObject, names: ReadonlyMap<string, string>): JsonObject {
  const other: Record<string, Json | undefined> = {};
  for (const field of Object.keys(event)) if (event[field] !== undefined) other[names.get(field) ?? field] = event[field];
  return other;
}

function fromAutoscalingV1(object: KubeObject): KubeObject {
  const { targetCPUUtilizationPercentage: percent, ...spec } = asObject(object['spec']);
  const target = { type: 'Utilization', averageUtilization: asNumber(percent) ?? 80 };
  return { ...object, apiVersion: 'autoscaling/v2', spec: { ...spec, metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] } };
}

function toAutoscalingV1(object: KubeObject): KubeObject {
  const { metrics, behavior, ...spec } = asObject(object['spec']);
  const cpu = asList(metrics).find((metric) => dig(metric, 'resource', 'name') === 'cpu');
  const percent = asNumber(dig(cpu, 'resource', 'target', 'averageUtilization'));
  const status: JsonObject = isJsonObject(object['status']) ? object['status'] : {};
  const { currentReplicas = 0, desiredReplicas = 0, lastScaleTime, observedGeneration } = status;
  const kept = Object.fromEntries(
    Object.entries({ currentReplicas, desiredReplicas, lastScaleTime, observedGeneration }).filter(([, value]) => value !== undefined),
  );
  void behavior;
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    spec: { ...spec, ...(percent === undefined ? {} : { targetCPUUtilizationPercentage: percent }) },
    status: kept,
  };
}
