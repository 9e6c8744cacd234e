import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { validateMatchConditions } from './policies.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, invalidValue, required } from './field-error.ts';
import { repeatsIn } from './field-lists.ts';
import { checkPort, checkServiceName, checkSubdomain } from './names.ts';
import { validateLabelSelector } from './label-selector.ts';
import { validateChoice, validateRule } from './request-rules.ts';

/**
 * Source: pkg/apis/admissionregistration/validation/validation.go (validateMutatingWebhookConfiguration,
 * validateValidatingWebhookConfiguration).
 */
export function validateWebhooks(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, webhook] of asList(object['webhooks']).entries()) {
    const field = `webhooks[${index}]`;
    validateWebhook(asObject(webhook), field, errors);
    validateReviewVersions(asList(dig(webhook, 'admissionReviewVersions')), `${field}.admissionReviewVersions`, errors);
    const name = asText(dig(webhook, 'name')) ?? '';
    if (name !== '' && names.has(name)) errors.push(duplicate(`${field}.name`, name));
    names.add(name);
  }
  return errors;
}

function validateWebhook(webhook: JsonObject, field: string, errors: FieldError[]): void {
  validateFullName(asText(webhook['name']) ?? '', `${field}.name`, errors);
  for (const [index, rule] of asList(webhook['rules']).entries()) validateRule(asObject(rule), `${field}.rules[${index}]`, errors);
  validateChoice(webhook['failurePolicy'], `${field}.failurePolicy`, ['Fail', 'Ignore'], errors);
  validateChoice(webhook['matchPolicy'], `${field}.matchPolicy`, ['Equivalent', 'Exact'], errors);
  const effects = ['None', 'NoneOnDryRun'];
  if (webhook['sideEffects'] === undefined) errors.push(required(`${field}.sideEffects`, `must specify one of ${effects.join(', ')}`));
  else validateChoice(webhook['sideEffects'], `${field}.sideEffects`, effects, errors);
  const timeout = asNumber(webhook['timeoutSeconds']);
  if (timeout !== undefined && (timeout > 30 || timeout < 1))
    errors.push(invalidValue(`${field}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'));
  for (const selector of ['namespaceSelector', 'objectSelector']) validateLabelSelector(webhook[selector], `${field}.${selector}`, errors);
  validateChoice(webhook['reinvocationPolicy'], `${field}.reinvocationPolicy`, ['IfNeeded', 'Never'], errors);
  validateClientConfig(asObject(webhook['clientConfig']), `${field}.clientConfig`, errors);
  validateMatchConditions(webhook['matchConditions'], false, `${field}.matchConditions`, errors);
}

function validateFullName(name: string, field: string, errors: FieldError[]): void {
  const wrong = checkSubdomain(name);
  if (name === '') errors.push(required(field));
  else if (wrong.length > 0) errors.push(invalidValue(field, name, wrong.join(',')));
  else if (name.split('.').length < 3)
    errors.push(invalidValue(field, name, 'should be a domain with at least three segments separated by dots'));
}

const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];

function validateReviewVersions(versions: readonly Json[], field: string, errors: FieldError[]): void {
  if (versions.length === 0) return void errors.push(required(field, `must specify one of ${REVIEW_VERSIONS.join(', ')}`));
  const repeats = repeatsIn(versions);
  for (const [index, version] of versions.entries()) {
    if (repeats.has(index)) errors.push(invalidValue(`${field}[${index}]`, version, 'duplicate version'));
    addWrong(errors, `${field}[${index}]`, version, checkServiceName(textOf(version)));
  }
  if (!versions.some((version) => REVIEW_VERSIONS.includes(textOf(version))))
    errors.push(invalidValue(field, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
}

/** Source: staging/src/k8s.io/apiserver/pkg/util/webhook/validation.go. */
export function validateClientConfig(config: JsonObject, field: string, errors: FieldError[]): void {
  const [url, service] = [asText(config['url']), config['service']];
  if ((url === undefined) === (service === undefined)) errors.push(required(field, 'exactly one of url or service is required'));
  else if (url === undefined) validateService(asObject(service), `${field}.service`, errors);
  else validateUrl(url, `${field}.url`, errors);
}

const FORM = '; desired format: https://host[/path]';

function validateUrl(url: string, field: string, errors: FieldError[]): void {
  const [, scheme = '', , host = '', , query, , fragment] =
    /^(?:([A-Za-z][-A-Za-z0-9+.]*):)?(\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(#(.*))?/s.exec(url) ?? [];
  const at = host.lastIndexOf('@');
  if (scheme.toLowerCase() !== 'https')
    errors.push(invalidValue(field, scheme.toLowerCase(), `'https' is the only allowed URL scheme${FORM}`));
  if (host.slice(at + 1) === '') errors.push(invalidValue(field, '', `host must be specified${FORM}`));
  if (at !== -1) errors.push(invalidValue(field, host.slice(0, at), 'user information is not permitted in the URL'));
  if ((fragment ?? '') !== '') errors.push(invalidValue(field, fragment, 'fragments are not permitted in the URL'));
  if ((query ?? '') !== '') errors.push(invalidValue(field, query, 'query parameters are not permitted in the URL'));
}

function validateService(service: JsonObject, field: string, errors: FieldError[]): void {
  // Upstream takes one for the other. Source: pkg/apis/admissionregistration/validation/validation.go (validateValidatingWebhook).
  for (const [name, told] of [
    ['namespace', 'name'],
    ['name', 'namespace'],
  ] as const)
    if ((asText(service[name]) ?? '') === '') errors.push(required(`${field}.${told}`));
  const wrong = service['port'] === undefined ? [] : checkPort(asNumber(service['port']) ?? 0);
  if (wrong.length > 0) errors.push(invalidValue(`${field}.port`, service['port'], `port is not valid: ${wrong.join(',')}`));
  const path = asText(service['path']);
  if (path === undefined || path === '' || path === '/') return;
  if (!path.startsWith('/')) errors.push(invalidValue(`${field}.path`, path, "must start with a '/'"));
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  for (const [index, step] of steps.entries()) {
    const words = step === '' ? [] : checkSubdomain(step);
    if (step === '') errors.push(invalidValue(`${field}.path`, path, `segment[${index}] may not be empty`));
    if (words.length > 0)
      append(
        errors,
        words.map((one) => invalidValue(`${field}.path`, path, `segment[${index}]: ${one}`)),
      );
  }
}
