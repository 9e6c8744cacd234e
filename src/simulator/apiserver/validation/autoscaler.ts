import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, addWrongOrMissing, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { checkLabelName, checkPathSegment } from './names.ts';
import { validateContainerResourceName } from './resources.ts';
import { validateChoice } from './request-rules.ts';

/** Source: pkg/apis/autoscaling/validation/validation.go (validateHorizontalPodAutoscalerSpec). */
export function validateAutoscaler(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const [min, max] = [asNumber(spec['minReplicas']), asNumber(spec['maxReplicas']) ?? 0];
  if (min !== undefined && min < 1) errors.push(invalidValue('spec.minReplicas', min, 'must be greater than or equal to 1'));
  if (max === 0) errors.push(required('spec.maxReplicas', 'must be set and greater than 0'));
  else if (max < 0) errors.push(invalidValue('spec.maxReplicas', max, 'must be greater than or equal to 1'));
  if (min !== undefined && max < min) errors.push(invalidValue('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`'));
  validateTargetRef(spec['scaleTargetRef'], 'spec.scaleTargetRef', errors);
  const version = asText(dig(spec, 'scaleTargetRef', 'apiVersion')) ?? '';
  if (version.split('/').length > 2)
    errors.push(invalidValue('spec.scaleTargetRef.apiVersion', version, `unexpected GroupVersion string: ${version}`));
  else if ((!version.includes('/') || version.startsWith('/')) && dig(spec, 'scaleTargetRef', 'kind') !== 'ReplicationController')
    errors.push(invalidValue('spec.scaleTargetRef.apiVersion', version, 'apiVersion must specify API group'));
  for (const [index, metric] of asList(spec['metrics']).entries()) validateMetric(asObject(metric), `spec.metrics[${index}]`, errors);
  validateZero(min, asList(spec['metrics']), errors);
  for (const direction of ['scaleUp', 'scaleDown']) validateRules(dig(spec, 'behavior', direction), `spec.behavior.${direction}`, errors);
  return errors;
}

/** Of no pods nothing can be measured. */
function validateZero(min: number | undefined, metrics: readonly Json[], errors: FieldError[]): void {
  if (min === 0 && !metrics.some((metric) => isJsonObject(dig(metric, 'object')) || isJsonObject(dig(metric, 'external'))))
    errors.push(forbiddenField('spec.metrics', 'must specify at least one Object or External metric to support scaling to zero replicas'));
}

function validateTargetRef(ref: Json | undefined, field: string, errors: FieldError[]): void {
  for (const part of ['kind', 'name']) {
    const value = asText(dig(ref, part)) ?? '';
    addWrongOrMissing(errors, `${field}.${part}`, value, checkPathSegment);
  }
}

const WINDOW = 3600;
const PERIOD = 1800;

function validateRules(rules: Json | undefined, field: string, errors: FieldError[]): void {
  if (!isJsonObject(rules)) return;
  const window = asNumber(rules['stabilizationWindowSeconds']);
  if (window !== undefined && window < 0)
    errors.push(invalidValue(`${field}.stabilizationWindowSeconds`, window, 'must be greater than or equal to zero'));
  if (window !== undefined && window > WINDOW)
    errors.push(invalidValue(`${field}.stabilizationWindowSeconds`, window, `must be less than or equal to ${WINDOW}`));
  validateChoice(rules['selectPolicy'], `${field}.selectPolicy`, ['Disabled', 'Max', 'Min'], errors);
  const policies = asList(rules['policies']);
  if (policies.length === 0) errors.push(required(`${field}.policies`, 'must specify at least one Policy'));
  for (const [index, policy] of policies.entries()) validatePolicy(policy, `${field}.policies[${index}]`, errors);
  const tolerance = asText(rules['tolerance']) ?? '';
  if (tolerance.startsWith('-')) errors.push(invalidValue(`${field}.tolerance`, tolerance, 'must be greater than or equal to 0'));
}

function validatePolicy(policy: Json, place: string, errors: FieldError[]): void {
  const [type, value, period] = [
    asText(dig(policy, 'type')) ?? '',
    asNumber(dig(policy, 'value')) ?? 0,
    asNumber(dig(policy, 'periodSeconds')) ?? 0,
  ];
  validateChoice(type, `${place}.type`, ['Percent', 'Pods'], errors);
  if (value <= 0) errors.push(invalidValue(`${place}.value`, value, 'must be greater than zero'));
  if (period <= 0) errors.push(invalidValue(`${place}.periodSeconds`, period, 'must be greater than zero'));
  if (period > PERIOD) errors.push(invalidValue(`${place}.periodSeconds`, period, `must be less than or equal to ${PERIOD}`));
}

const METRICS: readonly string[] = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

/** Source: the same (validateMetricSpec). */
function validateMetric(metric: JsonObject, path: string, errors: FieldError[]): void {
  const type = asText(metric['type']) ?? '';
  const source = type.charAt(0).toLowerCase() + type.slice(1);
  const given = ['object', 'external', 'pods', 'resource', 'containerResource'].filter((one) => metric[one] !== undefined);
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric source type'));
  if (!METRICS.includes(type)) errors.push(notSupported(`${path}.type`, type, METRICS));
  const [first] = given;
  if (first !== undefined) validateSource(first, asObject(metric[first]), `${path}.${first}`, errors);
  if (!METRICS.includes(type)) errors.push(notSupported(`${path}.type`, type, METRICS));
  else if (metric[source] === undefined)
    errors.push(required(`${path}.${source}`, 'must populate information for the given metric source'));
  if (given.length === 1) return;
  for (const other of given)
    if (other !== source) errors.push(forbiddenField(`${path}.${other}`, 'must populate the given metric source only'));
}

function validateSource(source: string, value: JsonObject, path: string, errors: FieldError[]): void {
  const target = asObject(value['target']);
  if (source === 'object') {
    validateTargetRef(value['describedObject'], `${path}.describedObject`, errors);
    validateIdentifier(value['metric'], `${path}.metric`, errors);
    validateTarget(target, `${path}.target`, errors);
    if (target['value'] === undefined && target['averageValue'] === undefined)
      errors.push(required(`${path}.target.averageValue`, 'must set either a target value or averageValue'));
  } else if (source === 'external') {
    validateIdentifier(value['metric'], `${path}.metric`, errors);
    validateTarget(target, `${path}.target`, errors);
    if (target['value'] === undefined && target['averageValue'] === undefined)
      errors.push(required(`${path}.target.averageValue`, 'must set either a target value for metric or a per-pod target'));
    if (target['value'] !== undefined && target['averageValue'] !== undefined)
      errors.push(forbiddenField(`${path}.target.value`, 'may not set both a target value for metric and a per-pod target'));
  } else if (source === 'pods') {
    validateIdentifier(value['metric'], `${path}.metric`, errors);
    validateTarget(target, `${path}.target`, errors);
    if (target['averageValue'] === undefined)
      errors.push(required(`${path}.target.averageValue`, 'must specify a positive target averageValue'));
  } else validateResource(source, value, path, errors);
}

function validateResource(source: string, value: JsonObject, path: string, errors: FieldError[]): void {
  const target = asObject(value['target']);
  const [name, container] = [asText(value['name']) ?? '', asText(value['container']) ?? ''];
  if (name === '') errors.push(required(`${path}.name`, 'must specify a resource name'));
  else if (source === 'containerResource') validateContainerResourceName(name, `${path}.name`, errors);
  if (source === 'containerResource' && container === '') errors.push(required(`${path}.container`, 'must specify a container'));
  else if (source === 'containerResource') addWrong(errors, `${path}.container`, container, checkLabelName(container));
  validateTarget(target, `${path}.target`, errors);
  const [utilization, average] = [target['averageUtilization'], target['averageValue']];
  if (utilization === undefined && average === undefined)
    errors.push(required(`${path}.target.averageUtilization`, 'must set either a target raw value or a target utilization'));
  if (utilization !== undefined && average !== undefined)
    errors.push(forbiddenField(`${path}.target.averageValue`, 'may not set both a target raw value and a target utilization'));
}

function validateIdentifier(metric: Json | undefined, path: string, errors: FieldError[]): void {
  const name = asText(dig(metric, 'name')) ?? '';
  if (name === '') errors.push(required(`${path}.name`, 'must specify a metric name'));
  else addWrong(errors, `${path}.name`, name, checkPathSegment(name));
}

function validateTarget(target: JsonObject, path: string, errors: FieldError[]): void {
  const type = asText(target['type']) ?? '';
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    errors.push(invalidValue(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  for (const field of ['value', 'averageValue'])
    if (target[field] !== undefined && (parseQuantity(target[field]) ?? 1n) <= 0n)
      errors.push(invalidValue(`${path}.${field}`, target[field], 'must be positive'));
  const utilization = asNumber(target['averageUtilization']);
  if (utilization !== undefined && utilization < 1)
    errors.push(invalidValue(`${path}.averageUtilization`, utilization, 'must be greater than 0'));
}
