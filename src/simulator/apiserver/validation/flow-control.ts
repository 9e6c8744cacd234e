import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { checkLabelName, checkSubdomain } from './names.ts';

const HIGHEST_PRECEDENCE = 10_000;

/** Source: pkg/apis/flowcontrol/validation/validation.go (ValidateFlowSchemaSpec). */
export function validateFlowSchema(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const precedence = asNumber(spec['matchingPrecedence']) ?? 0;
  if (precedence <= 0) errors.push(invalidValue('spec.matchingPrecedence', precedence, 'must be a positive value'));
  if (precedence === 1 && dig(object, 'metadata', 'name') !== 'exempt')
    errors.push(invalidValue('spec.matchingPrecedence', precedence, "only the schema named 'exempt' may have matchingPrecedence 1"));
  if (precedence > HIGHEST_PRECEDENCE)
    errors.push(invalidValue('spec.matchingPrecedence', precedence, `must not be greater than ${HIGHEST_PRECEDENCE}`));
  const method = spec['distinguisherMethod'];
  if (isJsonObject(method) && !METHODS.includes(asText(method['type']) ?? ''))
    errors.push(notSupported('spec.distinguisherMethod.type', { Type: method['type'] ?? '' }, METHODS));
  const level = asText(dig(spec, 'priorityLevelConfiguration', 'name')) ?? '';
  if (level === '') errors.push(required('spec.priorityLevelConfiguration.name', 'must reference a priority level'));
  else addWrong(errors, 'spec.priorityLevelConfiguration.name', level, checkSubdomain(level));
  for (const [index, rule] of asList(spec['rules']).entries()) validateFlowRule(asObject(rule), `spec.rules[${index}]`, errors);
  return errors;
}

const METHODS: readonly string[] = ['ByNamespace', 'ByUser'];

function validateFlowRule(rule: JsonObject, path: string, errors: FieldError[]): void {
  const subjects = asList(rule['subjects']);
  if (subjects.length === 0) errors.push(required(`${path}.subjects`, 'subjects must contain at least one value'));
  for (const [index, subject] of subjects.entries()) validateFlowSubject(asObject(subject), `${path}.subjects[${index}]`, errors);
  const [resources, others] = [asList(rule['resourceRules']), asList(rule['nonResourceRules'])];
  if (resources.length === 0 && others.length === 0)
    errors.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  for (const [index, one] of resources.entries()) validateResourceRule(asObject(one), `${path}.resourceRules[${index}]`, errors);
  for (const [index, one] of others.entries()) validateUrlRule(asObject(one), `${path}.nonResourceRules[${index}]`, errors);
}

const SUBJECTS: Readonly<Record<string, string>> = { Group: 'group', ServiceAccount: 'serviceAccount', User: 'user' };

function validateFlowSubject(subject: JsonObject, path: string, errors: FieldError[]): void {
  const kind = asText(subject['kind']) ?? '';
  const own = SUBJECTS[kind];
  if (own === undefined) {
    errors.push(notSupported(`${path}.kind`, kind, Object.keys(SUBJECTS)));
    return;
  }
  if (!isJsonObject(subject[own])) errors.push(required(`${path}.${own}`, `${own} is required when subject kind is '${kind}'`));
  else if (own !== 'serviceAccount' && (asText(dig(subject, own, 'name')) ?? '') === '') errors.push(required(`${path}.${own}.name`));
  for (const [other, field] of Object.entries(SUBJECTS))
    if (field !== own && subject[field] !== undefined)
      errors.push(forbiddenField(`${path}.${field}`, `${field} is forbidden when subject kind is not '${other}'`));
}

const VERBS: readonly string[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function validateVerbs(verbs: readonly Json[], path: string, errors: FieldError[]): void {
  if (verbs.length === 0) errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
  else if (verbs.includes('*')) validateAlone(verbs, `${path}.verbs`, 'verbs', errors);
  else if (!verbs.every((verb) => VERBS.includes(asText(verb) ?? ''))) errors.push(notSupported(`${path}.verbs`, verbs, VERBS));
}

function validateAlone(values: readonly Json[], field: string, what: string, errors: FieldError[]): void {
  if (values.includes('*') && values.length > 1)
    errors.push(invalidValue(field, values, `if '*' is present, must not specify other ${what}`));
}

function validateResourceRule(rule: JsonObject, path: string, errors: FieldError[]): void {
  validateVerbs(asList(rule['verbs']), path, errors);
  for (const [field, one, many] of [
    ['apiGroups', 'api group', 'api groups'],
    ['resources', 'resource', 'resources'],
  ] as const) {
    const values = asList(rule[field]);
    if (values.length === 0) errors.push(required(`${path}.${field}`, `resource rules must supply at least one ${one}`));
    validateAlone(values, `${path}.${field}`, many, errors);
  }
  const namespaces = asList(rule['namespaces']);
  if (namespaces.length === 0 && rule['clusterScope'] !== true)
    errors.push(required(`${path}.namespaces`, 'resource rules that are not cluster scoped must supply at least one namespace'));
  if (namespaces.includes('*')) validateAlone(namespaces, `${path}.namespaces`, 'namespaces', errors);
  else
    for (const [index, name] of namespaces.entries())
      addWrong(
        errors,
        `${path}.namespaces[${index}]`,
        name,
        checkLabelName(asText(name) ?? '').map((words) => `each member of this list must be '*' or a DNS-1123 label; ${words}`),
      );
}

function validateUrlRule(rule: JsonObject, path: string, errors: FieldError[]): void {
  validateVerbs(asList(rule['verbs']), path, errors);
  const urls = asList(rule['nonResourceURLs']);
  if (urls.length === 0) errors.push(required(`${path}.nonResourceURLs`, 'nonResourceURLs must contain at least one value'));
  else if (urls.includes('*')) validateAlone(urls, `${path}.nonResourceURLs`, 'non-resource URLs', errors);
  else for (const [index, url] of urls.entries()) addWrong(errors, `${path}.nonResourceURLs[${index}]`, url, wrongUrl(asText(url) ?? ''));
}

function wrongUrl(url: string): readonly string[] {
  if (url === '') return ['must not be empty'];
  if (url === '/') return [];
  if (!url.startsWith('/')) return ['must start with slash'];
  if (url.includes(' ')) return ['must not contain white-space'];
  if (url.includes('//')) return ['must not contain double slash'];
  return url.slice(0, -1).includes('*') ? ['wildcard can only do suffix matching'] : [];
}

/** Source: the same (ValidatePriorityLevelConfigurationSpec). */
export function validatePriorityLevel(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const type = asText(spec['type']) ?? '';
  const { limited, exempt } = spec;
  if (type === '') return [required('spec.type')];
  if (type !== 'Exempt' && type !== 'Limited') return [notSupported('spec.type', type, ['Exempt', 'Limited'])];
  if (type === 'Exempt') {
    if (limited !== undefined) errors.push(forbiddenField('spec.limited', 'must be nil if the type is Exempt'));
    return errors;
  }
  if (exempt !== undefined) errors.push(forbiddenField('spec.exempt', 'must be nil if the type is Limited'));
  if (isJsonObject(limited)) validateLimited(limited, 'spec.limited', errors);
  else errors.push(required('spec.limited', 'must not be empty when type is Limited'));
  return errors;
}

function validateLimited(limited: JsonObject, path: string, errors: FieldError[]): void {
  const shares = asNumber(limited['nominalConcurrencyShares']) ?? 0;
  if (shares < 0) errors.push(invalidValue(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer'));
  validateResponse(asObject(limited['limitResponse']), `${path}.limitResponse`, errors);
  const lendable = asNumber(limited['lendablePercent']) ?? 0;
  if (lendable < 0 || lendable > 100)
    errors.push(invalidValue(`${path}.lendablePercent`, lendable, 'must be between 0 and 100, inclusive'));
  const borrowing = asNumber(limited['borrowingLimitPercent']) ?? 0;
  if (borrowing < 0) errors.push(invalidValue(`${path}.borrowingLimitPercent`, borrowing, 'if specified, must be a non-negative integer'));
}

const MOST_QUEUES = 10_000_000;
/** That shuffle sharding may use. Source: staging/src/k8s.io/apiserver/pkg/util/shufflesharding/shufflesharding.go. */
const HASH_BITS = 60;

function validateResponse(response: JsonObject, path: string, errors: FieldError[]): void {
  const type = asText(response['type']) ?? '';
  const { queuing } = response;
  if (type === '') errors.push(required(`${path}.type`));
  else if (type !== 'Queue' && type !== 'Reject') errors.push(notSupported(`${path}.type`, type, ['Queue', 'Reject']));
  else if (type === 'Reject' && queuing !== undefined)
    errors.push(forbiddenField(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited'));
  else if (type === 'Queue' && queuing === undefined)
    errors.push(required(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited'));
  if (type === 'Queue' && queuing !== undefined) validateQueuing(queuing, `${path}.queuing`, errors);
}

/** Source: the same (ValidatePriorityLevelQueuingConfiguration). */
function validateQueuing(queuing: Json, path: string, errors: FieldError[]): void {
  const [length, queues, hand] = ['queueLengthLimit', 'queues', 'handSize'].map((name) => asNumber(dig(queuing, name)) ?? 0) as [
    number,
    number,
    number,
  ];
  if (length <= 0) errors.push(invalidValue(`${path}.queueLengthLimit`, length, 'must be positive'));
  if (queues <= 0) errors.push(invalidValue(`${path}.queues`, queues, 'must be positive'));
  else if (queues > MOST_QUEUES) errors.push(invalidValue(`${path}.queues`, queues, `must not be greater than ${MOST_QUEUES}`));
  const [field, bits] = [`${path}.handSize`, Math.ceil(Math.log2(queues) * hand)];
  if (hand <= 0) errors.push(invalidValue(field, hand, 'must be positive'));
  else if (hand > queues) errors.push(invalidValue(field, hand, `should not be greater than queues (${queues})`));
  else if (bits > HASH_BITS)
    errors.push(
      invalidValue(field, hand, `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${HASH_BITS}`),
    );
}
