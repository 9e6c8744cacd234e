import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import { sameJson } from '../../../base/json-edit.ts';
import { readRequest } from '../../x509/certificate-request.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, duplicate, forbiddenField, invalidValue, notSupported, required } from './field-error.ts';
import { repeatsIn } from './field-lists.ts';
import { endpointTrouble } from './endpoint-address.ts';
import { checkAddress, validateSelected } from './label-selector.ts';
import { checkLabelName, checkPort, checkQualifiedName, checkSubdomain } from './names.ts';
import { validateChoice } from './request-rules.ts';
import { newMembersCheck } from './right-lists.ts';
import { validatePodTemplate } from './templates.ts';

const USAGES: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

const SHORTEST_SECONDS = 600;

/** Source: pkg/apis/certificates/validation/validation.go (validateCertificateSigningRequest). */
export function validateSigningRequest(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const [usages, signer, seconds] = [asList(spec['usages']), asText(spec['signerName']) ?? '', asNumber(spec['expirationSeconds'])];
  if (readRequest(spec['request']) === undefined)
    errors.push(invalidValue('spec.request', spec['request'] ?? null, 'PEM block type must be CERTIFICATE REQUEST'));
  if (usages.length === 0) errors.push(required('spec.usages'));
  for (const [index, usage] of usages.entries()) validateChoice(usage, `spec.usages[${index}]`, USAGES, errors);
  for (const index of repeatsIn(usages)) errors.push(duplicate(`spec.usages[${index}]`, usages[index]));
  validateSigner(signer, errors);
  if (seconds !== undefined && seconds < SHORTEST_SECONDS)
    errors.push(invalidValue('spec.expirationSeconds', seconds, 'may not specify a duration less than 600 seconds (10 minutes)'));
  return errors;
}

function validateSigner(signer: string, errors: FieldError[]): void {
  const [domain = '', ...rest] = signer.split('/');
  if (signer === 'kubernetes.io/legacy-unknown')
    errors.push(invalidValue('spec.signerName', signer, 'the legacy signerName is not allowed via this API version'));
  else if (signer === '') errors.push(required('spec.signerName'));
  else if (rest.length !== 1)
    errors.push(invalidValue('spec.signerName', signer, "must be a fully qualified domain and path of the form 'example.com/signer-name'"));
  else {
    if (!domain.includes('.'))
      errors.push(invalidValue('spec.signerName', domain, 'should be a domain with at least two segments separated by dots'));
    for (const part of [domain, rest[0] ?? '']) {
      for (const label of part.split('.'))
        for (const words of checkLabelName(label))
          errors.push(invalidValue('spec.signerName', part, `validating label ${JSON.stringify(label)}: ${words}`));
    }
  }
}

/** Source: pkg/apis/core/validation/validation.go (ValidateReplicationControllerSpec). */
export function validateReplicationController(object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = asObject(object['spec']);
  const selector = asTextMap(spec['selector']);
  for (const field of ['minReadySeconds', 'replicas']) {
    if (field === 'replicas' && Object.keys(selector).length === 0) errors.push(required('spec.selector'));
    const count = asNumber(spec[field]) ?? 0;
    if (count < 0) errors.push(invalidValue(`spec.${field}`, count, 'must be greater than or equal to 0'));
  }
  const template = spec['template'];
  if (!isJsonObject(template)) return [...errors, required('spec.template')];
  if (Object.keys(selector).length > 0) validateSelected({ matchLabels: selector }, template, 'spec.template', errors, true);
  validatePodTemplate(template, 'spec.template', errors);
  const restart = dig(template, 'spec', 'restartPolicy');
  if (restart !== undefined && restart !== 'Always') errors.push(notSupported('spec.template.spec.restartPolicy', restart, ['Always']));
  if (dig(template, 'spec', 'activeDeadlineSeconds') !== undefined)
    errors.push(
      forbiddenField('spec.template.spec.activeDeadlineSeconds', 'activeDeadlineSeconds in ReplicationController is not Supported'),
    );
  return errors;
}

/** Source: the same (validateEndpointSubsets). */
export function validateEndpoints(object: JsonObject, old?: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, subset] of asList(object['subsets']).entries()) {
    const field = `subsets[${index}]`;
    const [ready, waiting, ports] = [
      asList(dig(subset, 'addresses')),
      asList(dig(subset, 'notReadyAddresses')),
      asList(dig(subset, 'ports')),
    ];
    if (ready.length + waiting.length === 0) errors.push(required(field, 'must specify `addresses` or `notReadyAddresses`'));
    for (const name of ['addresses', 'notReadyAddresses'])
      checkNewMembers(asList(dig(subset, name)), asList(dig(old, 'subsets', index, name)), (address, place) =>
        validateEndpointAddress(address, `${field}.${name}[${place}]`, errors),
      );
    for (const [place, port] of ports.entries()) validatePort(port, ports.length > 1, `${field}.ports[${place}]`, errors);
  }
  return errors;
}

/** Subsets that were wrong before may stay as they are. Source: the same (ValidateEndpointsUpdate). */
export function validateEndpointsUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return object['subsets'] === old['subsets'] || sameJson(object['subsets'], old['subsets']) ? [] : validateEndpoints(object, old);
}

const checkNewMembers = newMembersCheck();

/** Whether it is right. */
function validateEndpointAddress(address: Json, field: string, errors: FieldError[]): boolean {
  const before = errors.length;
  const [ip, host, node] = [asText(dig(address, 'ip')) ?? '', asText(dig(address, 'hostname')) ?? '', asText(dig(address, 'nodeName'))];
  const wrong = checkAddress(ip);
  addWrong(errors, `${field}.ip`, ip, wrong);
  if (host !== '') addWrong(errors, `${field}.hostname`, host, checkLabelName(host));
  if (node !== undefined) addWrong(errors, `${field}.nodeName`, node, checkSubdomain(node));
  addWrong(errors, `${field}.ip`, ip, wrong.length > 0 ? ['must be a valid IP address'] : endpointTrouble(ip));
  return errors.length === before;
}

function validatePort(port: Json, several: boolean, field: string, errors: FieldError[]): void {
  const [name, number, protocol] = [asText(dig(port, 'name')) ?? '', asNumber(dig(port, 'port')) ?? 0, asText(dig(port, 'protocol')) ?? ''];
  if (several && name === '') errors.push(required(`${field}.name`));
  else if (name !== '') addWrong(errors, `${field}.name`, name, checkLabelName(name));
  addWrong(errors, `${field}.port`, number, checkPort(number));
  if (protocol === '') errors.push(required(`${field}.protocol`));
  else validateChoice(protocol, `${field}.protocol`, ['SCTP', 'TCP', 'UDP'], errors);
  const application = asText(dig(port, 'appProtocol'));
  if (application !== undefined) addWrong(errors, `${field}.appProtocol`, application, checkQualifiedName(application));
}
