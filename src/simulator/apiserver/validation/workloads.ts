import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import { append } from '../../../base/lists.ts';
import { parseInteger } from '../../../base/number.ts';
import { parseSchedule } from '../../controllers/cronjob/schedule.ts';
import { zoneOffset } from '../../controllers/cronjob/time-zone.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { internalOf, internalTemplate } from './go-diff.ts';
import { IMMUTABLE, immutable, validateAnnotations, validateLabels } from './metadata.ts';
import { validateJobTemplate, validateSelectingJob } from './job-fields.ts';
import { selectorValue, validateLabelSelector, validateSelected } from './label-selector.ts';
import { checkLabelName } from './names.ts';
import { validateClaimSpec } from './storage.ts';
import { validatePodTemplate } from './templates.ts';

/** Workloads. Source: pkg/apis/apps/validation/validation.go, pkg/apis/batch/validation/validation.go. */

export function validateDeployment(deployment: JsonObject): readonly FieldError[] {
  const spec = asObject(deployment['spec']);
  const errors: FieldError[] = [];
  notNegative(spec['replicas'], 'spec.replicas', errors);
  if (validateSelector(spec, 'deployment', 'invalid label selector', errors)) validateTemplate(spec, 'spec.template', errors);
  validateStrategy(asObject(spec['strategy']), errors);
  notNegative(spec['minReadySeconds'], 'spec.minReadySeconds', errors);
  notNegative(spec['revisionHistoryLimit'], 'spec.revisionHistoryLimit', errors);
  const deadline = asNumber(spec['progressDeadlineSeconds']);
  notNegative(deadline, 'spec.progressDeadlineSeconds', errors);
  if (deadline !== undefined && deadline <= (asNumber(spec['minReadySeconds']) ?? 0))
    errors.push(invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
  return errors;
}

export function validateReplicaSet(object: JsonObject): readonly FieldError[] {
  const spec = asObject(object['spec']);
  const errors: FieldError[] = [];
  notNegative(spec['replicas'], 'spec.replicas', errors);
  notNegative(spec['minReadySeconds'], 'spec.minReadySeconds', errors);
  if (validateSelector(spec, 'deployment', 'invalid label selector', errors)) validateTemplate(spec, 'spec.template', errors);
  return errors;
}

/** The templates of claims and the name of its Service stay as they are: they are looked at when it is new. */
export function validateStatefulSet(object: JsonObject, isNew = false): readonly FieldError[] {
  const spec = asObject(object['spec']);
  const errors: FieldError[] = [];
  const policy = asText(spec['podManagementPolicy']) ?? '';
  if (policy === '') errors.push(required('spec.podManagementPolicy'));
  else if (!['OrderedReady', 'Parallel'].includes(policy))
    errors.push(invalidValue('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"));
  validateUpdateStrategy(asObject(spec['updateStrategy']), errors);
  for (const field of ['whenDeleted', 'whenScaled']) {
    const value = dig(spec, 'persistentVolumeClaimRetentionPolicy', field);
    if (value !== undefined && value !== 'Retain' && value !== 'Delete')
      errors.push(notSupported(`spec.persistentVolumeClaimRetentionPolicy.${field}`, value, ['Retain', 'Delete']));
  }
  if (isNew)
    for (const [index, claim] of asList(spec['volumeClaimTemplates']).entries())
      append(errors, validateClaimSpec(asObject(dig(claim, 'spec')), `spec.volumeClaimTemplates[${index}].spec`));
  notNegative(spec['replicas'], 'spec.replicas', errors);
  notNegative(spec['minReadySeconds'], 'spec.minReadySeconds', errors);
  notNegative(dig(spec, 'ordinals', 'start'), 'spec.ordinals.start', errors);
  const service = asText(spec['serviceName']) ?? '';
  if (isNew && service !== '') addWrong(errors, 'spec.serviceName', service, checkLabelName(service));
  const right = validateSelector(spec, 'statefulset', '', errors);
  if (right) validateTemplate(spec, 'spec.template', errors, { claims: claimVolumes(spec), kind: 'StatefulSet' });
  else validateLifetime(asObject(dig(spec, 'template', 'spec')), 'spec.template', 'StatefulSet', errors);
  return errors;
}

function validateUpdateStrategy(strategy: JsonObject, errors: FieldError[]): void {
  const type = asText(strategy['type']) ?? '';
  const rolling = 'spec.updateStrategy.rollingUpdate';
  if (type === '') errors.push(required('spec.updateStrategy'));
  else if (type === 'OnDelete' && strategy['rollingUpdate'] !== undefined)
    errors.push(invalidValue(rolling, internalRolling(strategy['rollingUpdate']), "only allowed for updateStrategy 'RollingUpdate'"));
  else if (type !== 'RollingUpdate' && type !== 'OnDelete')
    errors.push(
      invalidValue(
        'spec.updateStrategy',
        { Type: type, RollingUpdate: strategy['rollingUpdate'] === undefined ? null : internalRolling(strategy['rollingUpdate']) },
        "must be 'RollingUpdate' or 'OnDelete'",
      ),
    );
  if (type !== 'RollingUpdate') return;
  notNegative(dig(strategy, 'rollingUpdate', 'partition'), `${rolling}.partition`, errors);
  const unavailable = dig(strategy, 'rollingUpdate', 'maxUnavailable');
  intOrPercent(unavailable, `${rolling}.maxUnavailable`, errors);
  if (isZero(unavailable)) errors.push(invalidValue(`${rolling}.maxUnavailable`, unavailable, 'cannot be 0'));
}

function internalRolling(rolling: Json | undefined): Json {
  return { Partition: dig(rolling, 'partition') ?? 0, MaxUnavailable: dig(rolling, 'maxUnavailable') ?? null };
}

export function validateDaemonSet(object: JsonObject): readonly FieldError[] {
  const spec = asObject(object['spec']);
  const errors: FieldError[] = [];
  validateLabelSelector(spec['selector'], 'spec.selector', errors);
  validateSelected(spec['selector'], asObject(spec['template']), 'spec.template', errors);
  if (isEmptySelector(spec['selector'])) errors.push(emptySelector(spec['selector'], 'daemonset'));
  validatePods(spec, 'spec.template', errors, { kind: 'DaemonSet' });
  notNegative(spec['minReadySeconds'], 'spec.minReadySeconds', errors);
  const update = asObject(spec['updateStrategy']);
  const type = asText(update['type']) ?? '';
  if (type !== 'RollingUpdate' && type !== 'OnDelete') {
    errors.push(
      notSupported('spec.updateStrategy', internalStrategy(type, update['rollingUpdate'] ?? null), ['RollingUpdate', 'OnDelete']),
    );
  }
  if (type === 'RollingUpdate' && update['rollingUpdate'] !== undefined) validateRollingDaemons(update['rollingUpdate'], errors);
  notNegative(spec['revisionHistoryLimit'], 'spec.revisionHistoryLimit', errors);
  return errors;
}

/** As Go prints it. */
function internalStrategy(type: string, rolling: Json): Json {
  const internal = isJsonObject(rolling) ? { MaxUnavailable: rolling['maxUnavailable'] ?? 0, MaxSurge: rolling['maxSurge'] ?? 0 } : rolling;
  return { Type: type, RollingUpdate: internal };
}

function validateRollingDaemons(rolling: Json, errors: FieldError[]): void {
  const path = 'spec.updateStrategy.rollingUpdate';
  const [unavailable, surge] = [dig(rolling, 'maxUnavailable'), dig(rolling, 'maxSurge')];
  intOrPercent(unavailable, `${path}.maxUnavailable`, errors);
  intOrPercent(surge, `${path}.maxSurge`, errors);
  notOverWhole(unavailable, `${path}.maxUnavailable`, errors);
  notOverWhole(surge, `${path}.maxSurge`, errors);
  const without = (value: Json | undefined): boolean => value === undefined || isZero(value);
  if (!without(unavailable) && !without(surge))
    errors.push(invalidValue(`${path}.maxSurge`, surge, 'may not be set when maxUnavailable is non-zero'));
  if (without(unavailable) && without(surge)) errors.push(required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
}

export function validateCronJob(object: JsonObject): readonly FieldError[] {
  const spec = asObject(object['spec']);
  const errors: FieldError[] = [];
  const schedule = asText(spec['schedule']) ?? '';
  if (schedule === '') errors.push(required('spec.schedule'));
  else validateSchedule(schedule, errors);
  notNegative(spec['startingDeadlineSeconds'], 'spec.startingDeadlineSeconds', errors);
  const zone = asText(spec['timeZone']);
  if (zone === '') errors.push(invalidValue('spec.timeZone', zone, 'timeZone must be nil or non-empty string'));
  else if (zone?.toLowerCase() === 'local')
    errors.push(
      invalidValue('spec.timeZone', zone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'),
    );
  else if (zone !== undefined && zoneOffset(zone, 0) === undefined)
    errors.push(invalidValue('spec.timeZone', zone, `unknown time zone ${zone}`));
  const policy = asText(spec['concurrencyPolicy']) ?? '';
  if (policy === '') errors.push(required('spec.concurrencyPolicy'));
  else if (!['Allow', 'Forbid', 'Replace'].includes(policy))
    errors.push(notSupported('spec.concurrencyPolicy', policy, ['Allow', 'Forbid', 'Replace']));
  validateJobTemplate(asObject(spec['jobTemplate']), 'spec.jobTemplate', errors);
  notNegative(spec['successfulJobsHistoryLimit'], 'spec.successfulJobsHistoryLimit', errors);
  notNegative(spec['failedJobsHistoryLimit'], 'spec.failedJobsHistoryLimit', errors);
  const name = asText(dig(object, 'metadata', 'name')) ?? '';
  if (name.length > 52) errors.push(invalidValue('metadata.name', name, 'must be no more than 52 characters'));
  return errors;
}

/** The fields of a workload that stay as they are. */
export function validateWorkloadUpdate(resourceKey: string, object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, before] = [asObject(object['spec']), asObject(old['spec'])];
  if (resourceKey === 'statefulsets.apps') return validateStatefulSetUpdate(spec, before);
  if (resourceKey === 'jobs.batch') {
    const suspended = before['suspend'] === true && mayChangeTemplate(asObject(old['status']));
    return [
      // The registry looks at the whole twice.
      ...validateSelectingJob(spec),
      ...elasticCompletions(spec, before),
      ...immutable('spec.selector', selectorValue(spec['selector']), selectorValue(before['selector'])),
      ...(suspended
        ? suspendedTemplate(asObject(dig(spec, 'template', 'spec')), asObject(dig(before, 'template', 'spec')))
        : sameJson(spec['template'], before['template'])
          ? []
          : [invalidValue('spec.template', internalTemplate(spec['template']), IMMUTABLE)]),
      ...immutable('spec.completionMode', spec['completionMode'], before['completionMode']),
      ...['podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'].flatMap((field) =>
        sameJson(spec[field], before[field]) ? [] : [invalidValue(`spec.${field}`, internalPart(field, spec[field]), IMMUTABLE)],
      ),
    ];
  }
  return immutable('spec.selector', selectorValue(spec['selector']), selectorValue(before['selector']));
}

function internalPart(field: string, value: Json | undefined): Json {
  const type = { podFailurePolicy: 'PodFailurePolicy', successPolicy: 'SuccessPolicy' }[field];
  return type === undefined ? (value ?? null) : internalOf(type, value);
}

/** Source: pkg/registry/batch/job/strategy.go (shouldAllowMutablePodTemplate). */
function mayChangeTemplate(status: JsonObject): boolean {
  const isSuspended = asList(status['conditions']).some(
    (condition) => dig(condition, 'type') === 'Suspended' && dig(condition, 'status') === 'True',
  );
  return (status['startTime'] === undefined || isSuspended) && (asNumber(status['active']) ?? 0) === 0;
}

/**
 * Of a Job that waits, where its pods may run and what their containers ask for may change. Source:
 * pkg/apis/batch/validation/validation.go (validatePodTemplateUpdate, validatePodResourceUpdatesOnly).
 */
function suspendedTemplate(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const fixed = (of: JsonObject): JsonObject => {
    const { nodeAffinity: _, ...affinity } = asObject(of['affinity']);
    const plain = (field: string): readonly Json[] =>
      asList(of[field]).map((container) => withFields(asObject(container), { resources: undefined }));
    return withFields(of, {
      nodeSelector: undefined,
      tolerations: undefined,
      schedulingGates: undefined,
      affinity: Object.keys(affinity).length === 0 ? undefined : affinity,
      containers: plain('containers'),
      initContainers: plain('initContainers'),
    });
  };
  if (sameJson(fixed(spec), fixed(before))) return [];
  return [invalidValue('spec.template.spec', dig(internalTemplate({ spec }), 'Spec') ?? null, IMMUTABLE)];
}

/**
 * The completions of an Indexed job may change together with its parallelism. Source: pkg/apis/batch/validation/validation.go
 * (validateCompletions).
 */
function elasticCompletions(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const [mine, theirs] = [spec['completions'], before['completions']];
  if (mine === theirs) return [];
  if (spec['completionMode'] !== 'Indexed') return immutable('spec.completions', mine, theirs);
  return mine === undefined || mine === spec['parallelism']
    ? []
    : [invalidValue('spec.completions', mine, 'can only be modified in tandem with spec.parallelism')];
}

function validateStatefulSetUpdate(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const free = [
    'replicas',
    'ordinals',
    'template',
    'updateStrategy',
    'revisionHistoryLimit',
    'persistentVolumeClaimRetentionPolicy',
    'minReadySeconds',
  ];
  const fields = new Set([...Object.keys(spec), ...Object.keys(before)].filter((field) => !free.includes(field)));
  for (const field of fields) {
    if (sameJson(spec[field], before[field])) continue;
    return [
      forbiddenField(
        'spec',
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ),
    ];
  }
  return [];
}

/** Whether the template can be looked at: by a selector that is wrong it cannot. */
function validateSelector(spec: JsonObject, kind: string, wrong: string, errors: FieldError[]): boolean {
  const { selector } = spec;
  if (!isJsonObject(selector)) {
    errors.push(required('spec.selector'));
    return true;
  }
  const before = errors.length;
  validateLabelSelector(selector, 'spec.selector', errors);
  const isRight = errors.length === before;
  if (isEmptySelector(selector)) errors.push(emptySelector(selector, kind));
  if (!isRight) errors.push(invalidValue('spec.selector', selectorValue(selector), wrong));
  return isRight;
}

function isEmptySelector(selector: Json | undefined): boolean {
  const count = Object.keys(asTextMap(dig(selector, 'matchLabels'))).length + asList(dig(selector, 'matchExpressions')).length;
  return isJsonObject(selector) && count === 0;
}

function emptySelector(selector: Json | undefined, kind: string): FieldError {
  return invalidValue('spec.selector', selectorValue(selector), `empty selector is invalid for ${kind}`);
}

/** Volumes that are not in the template, and the word for the workload where its pods have a deadline. */
interface TemplateOf {
  readonly claims?: readonly Json[];
  readonly kind?: 'ReplicaSet' | 'StatefulSet' | 'DaemonSet';
}

function validateTemplate(spec: JsonObject, path: string, errors: FieldError[], of: TemplateOf = {}): void {
  validateSelected(spec['selector'], asObject(spec['template']), path, errors);
  validatePods(spec, path, errors, of);
}

function validatePods(spec: JsonObject, path: string, errors: FieldError[], { claims = [], kind = 'ReplicaSet' }: TemplateOf): void {
  const template = asObject(spec['template']);
  const podSpec = asObject(template['spec']);
  if (kind === 'StatefulSet') validateSetTemplate(template, claims, path, errors);
  else validatePodTemplate(template, path, errors);
  validateLifetime(podSpec, path, kind, errors);
}

/** Its pods get names of their own and the volumes of their claims, and what is in the metadata is looked at twice. */
function validateSetTemplate(template: JsonObject, claims: readonly Json[], path: string, errors: FieldError[]): void {
  const { hostname: _, subdomain: __, ...podSpec } = asObject(template['spec']);
  const volumes = claims.length === 0 ? {} : { volumes: withClaims(asList(podSpec['volumes']), claims) };
  validatePodTemplate(template, path, errors, { ...podSpec, ...volumes });
  append(errors, validateLabels(dig(template, 'metadata', 'labels'), `${path}.labels`));
  append(errors, validateAnnotations(dig(template, 'metadata', 'annotations'), `${path}.annotations`));
}

/** Pods of a workload run until they are deleted. */
function validateLifetime(podSpec: JsonObject, path: string, kind: string, errors: FieldError[]): void {
  if (podSpec['restartPolicy'] !== undefined && podSpec['restartPolicy'] !== 'Always')
    errors.push(notSupported(`${path}.spec.restartPolicy`, podSpec['restartPolicy'], ['Always']));
  if (podSpec['activeDeadlineSeconds'] !== undefined)
    errors.push(forbiddenField(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`));
}

/** Volumes that the claims of a StatefulSet will be. */
function claimVolumes(spec: JsonObject): readonly Json[] {
  const names = asList(spec['volumeClaimTemplates']).map((claim) => asText(dig(claim, 'metadata', 'name')) ?? '');
  return [...new Set(names)].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
}

/** They stand first, and in the place of the template's own of their names. */
function withClaims(own: readonly Json[], claims: readonly Json[]): readonly Json[] {
  const names = new Set(claims.map((claim) => dig(claim, 'name')));
  return [...claims, ...own.filter((volume) => !names.has(dig(volume, 'name')))];
}

function validateStrategy(strategy: JsonObject, errors: FieldError[]): void {
  const type = asText(strategy['type']) ?? '';
  const rolling = strategy['rollingUpdate'];
  if (type === 'Recreate') {
    if (rolling !== undefined)
      errors.push(forbiddenField('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'"));
    return;
  }
  if (type !== 'RollingUpdate') {
    errors.push(notSupported('spec.strategy', internalStrategy(type, rolling ?? null), ['Recreate', 'RollingUpdate']));
    return;
  }
  const path = 'spec.strategy.rollingUpdate';
  for (const field of ['maxUnavailable', 'maxSurge']) intOrPercent(dig(rolling, field), `${path}.${field}`, errors);
  const [unavailable, surge] = [dig(rolling, 'maxUnavailable'), dig(rolling, 'maxSurge')];
  if (isZero(unavailable) && isZero(surge))
    errors.push(invalidValue(`${path}.maxUnavailable`, unavailable, 'may not be 0 when `maxSurge` is 0'));
  notOverWhole(unavailable, `${path}.maxUnavailable`, errors);
}

/** Source: pkg/apis/apps/validation/validation.go (IsNotMoreThan100Percent). */
export function notOverWhole(value: Json | undefined, field: string, errors: FieldError[]): void {
  const percent = parseInteger(/^(\d+)%$/.exec(asText(value) ?? '')?.[1]) ?? 0;
  if (percent > 100) errors.push(invalidValue(field, value, 'must not be greater than 100%'));
}

export function intOrPercent(value: Json | undefined, path: string, errors: FieldError[]): void {
  if (typeof value === 'string' && !/^\d+%$/.test(value))
    errors.push(
      invalidValue(
        path,
        value,
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ),
    );
  if (typeof value === 'number' && value < 0) errors.push(invalidValue(path, value, 'must be greater than or equal to 0'));
}

export function notNegative(value: Json | undefined, path: string, errors: FieldError[]): void {
  if (typeof value === 'number' && value < 0) errors.push(invalidValue(path, value, 'must be greater than or equal to 0'));
}

/** What is no percentage counts as none. Source: the same (getIntOrPercentValue). */
function isZero(value: Json | undefined): boolean {
  return value === 0 || (typeof value === 'string' && !/^(?:0*[1-9]\d*%|[+-]?0*[1-9]\d*)$/.test(value));
}

function validateSchedule(schedule: string, errors: FieldError[]): void {
  const parsed = parseSchedule(schedule.replace(/^(?:CRON_)?TZ=\S+\s+/, ''));
  if (!parsed.ok) errors.push(invalidValue('spec.schedule', schedule, parsed.error));
  if (/^(?:CRON_)?TZ=/.test(schedule))
    errors.push(invalidValue('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
}
