import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../../../src/catalog/bundled-data.ts';
import { subjectIn } from '../../../../src/collect/request/refusals/error-subject.ts';
import { readRefusals } from '../../../../src/collect/request/refusals/read-refusals.ts';
import { vocabularyOf } from '../../../../src/collect/survey/vocabulary.ts';

const vocabulary = vocabularyOf(await shippedRules());

const HOOK = 'Internal error occurred: failed calling webhook "pods.shop.example": ';
const CALL = 'failed to call webhook: Post "https://hook.shop.svc:443/check?timeout=5s": ';

describe('readRefusals', () => {
  it.each([
    [
      'pods "db-" is forbidden: error looking up service account shop/robot: serviceaccount "robot" not found',
      { reason: 'service-account-not-found', by: 'robot', where: 'shop' },
    ],
    ['pods "db-" is forbidden: no PriorityClass with name gold was found', { reason: 'priority-class-not-found', by: 'gold' }],
    ['pods "db-" is forbidden: pod rejected: RuntimeClass "sandboxed" not found', { reason: 'runtime-class-not-found', by: 'sandboxed' }],
    [
      'pods "db-0" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2',
      { reason: 'quota-exceeded', by: 'team' },
    ],
    [
      'pods "db-0" is forbidden: failed quota: team: must specify limits.cpu for: db; limits.memory for: db',
      { reason: 'quota-requires-resources', by: 'team' },
    ],
    [
      'pods "db-0" is forbidden: failed quota: team: must specify limits.cpu,limits.memory',
      { reason: 'quota-requires-resources', wanted: 'limits.cpu,limits.memory' },
    ],
    [
      'pods "db-0" is forbidden: minimum cpu usage per Container is 100m, but request is 50m',
      { reason: 'limit-range-violated', resource: 'cpu', wanted: '100m', value: '50m', where: 'Container' },
    ],
    [
      'pods "db-0" is forbidden: maximum memory usage per Pod is 16Mi.  No limit is specified',
      { reason: 'limit-range-violated', resource: 'memory', wanted: '16Mi', where: 'Pod' },
    ],
    [
      'pods "db-0" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi, but limit is 2Gi]',
      { reason: 'limit-range-violated', resource: 'cpu', value: '2' },
    ],
    [
      'pods "db-0" is forbidden: cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000',
      { reason: 'limit-range-violated', resource: 'cpu', wanted: '2' },
    ],
    [
      'persistentvolumeclaims "data" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 10Gi',
      { reason: 'limit-range-violated', where: 'PersistentVolumeClaim' },
    ],
    [
      'pods "db-0" is forbidden: violates PodSecurity "restricted:v1.30": runAsNonRoot != true (pod or container "db" must set securityContext.runAsNonRoot=true)',
      { reason: 'pod-security-violated', by: 'restricted', where: 'v1.30' },
    ],
    ['admission webhook "pods.shop.example" denied the request: no', { reason: 'webhook-denied', by: 'pods.shop.example', detail: 'no' }],
    ['admission webhook "pods.shop.example" denied the request without explanation', { reason: 'webhook-denied', by: 'pods.shop.example' }],
    [`${HOOK}${CALL}service "hook" not found`, { reason: 'webhook-service-not-found', value: 'hook' }],
    [
      `${HOOK}Post "https://hook.shop.svc:443/check?timeout=5s": service "hook" not found`,
      { reason: 'webhook-service-not-found', value: 'hook', service: 'https://hook.shop.svc:443/check?timeout=5s' },
    ],
    [`${HOOK}${CALL}no endpoints available for service "hook"`, { reason: 'webhook-no-endpoints', value: 'hook' }],
    [`${HOOK}${CALL}context deadline exceeded (Client.Timeout exceeded while awaiting headers)`, { reason: 'webhook-timeout' }],
    [`${HOOK}${CALL}dial tcp 10.96.0.9:443: i/o timeout`, { reason: 'webhook-timeout' }],
    [
      `${HOOK}${CALL}x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure")`,
      { reason: 'webhook-certificate-untrusted' },
    ],
    [
      `${HOOK}${CALL}x509: certificate has expired or is not yet valid: current time 2026-01-15T12:00:00Z is after 2026-01-14T12:00:00Z`,
      { reason: 'webhook-certificate-expired' },
    ],
    [
      `${HOOK}${CALL}tls: failed to verify certificate: x509: certificate is not valid for any names, but wanted to match hook.shop.svc`,
      { reason: 'webhook-certificate-name-mismatch' },
    ],
    [`${HOOK}${CALL}EOF`, { reason: 'webhook-unreachable', detail: 'EOF' }],
    [`${HOOK}failed to call webhook: the server could not find the requested resource`, { reason: 'webhook-error-response' }],
    [`${HOOK}expected response.uid="a", got ""`, { reason: 'webhook-error-response' }],
    [
      "pods \"db-0\" is forbidden: ValidatingAdmissionPolicy 'registry' with binding 'shop' denied request: images must be ours",
      { reason: 'policy-denied', by: 'registry', where: 'shop', detail: 'images must be ours' },
    ],
    [
      'pods is forbidden: User "anna" cannot list resource "pods" in API group "" at the cluster scope',
      { reason: 'forbidden', user: 'anna', verb: 'list', resource: 'pods', value: 'at the cluster scope' },
    ],
    [
      'pods "web" is forbidden: unable to create new content in namespace shop because it is being terminated',
      { reason: 'namespace-terminating', by: 'shop' },
    ],
    [
      'Error from server (AlreadyExists): error when creating "web.yaml": deployments.apps "web" already exists',
      { reason: 'already-exists', resource: 'deployments.apps', value: 'web' },
    ],
    ['error: Apply failed with 2 conflicts: conflict with "hpa" using apps/v1:\n- .spec.replicas', { reason: 'conflict', value: '2' }],
    ['etcdserver: leader changed', { reason: 'etcd-down' }],
    ['Request entity too large: limit is 3145728', { reason: 'object-too-large' }],
  ])('reads %s', (text, expected) => {
    expect(readRefusals(text, 'answer', vocabulary)).toEqual([expect.objectContaining(expected)]);
  });

  it('does not take words it does not know for anything', () => {
    expect(
      readRefusals('pods "db-0" is forbidden: image policy webhook backend denied one or more images: shop/db:2', 'answer', vocabulary),
    ).toEqual([]);
  });

  it.each([
    [
      'The Pod "web" is invalid: spec.containers[0].image: Required value',
      [{ reason: 'required-field', field: 'spec.containers[0].image' }],
    ],
    [
      'The Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
      [{ reason: 'invalid-value', value: '30080' }],
    ],
    [
      'The Pod "web" is invalid: \n* spec.containers[0].name: Required value\n* spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
      [{ reason: 'required-field' }, { reason: 'invalid-value', field: 'spec.restartPolicy', value: 'Sometimes' }],
    ],
    [
      'Deployment.apps "web" is invalid: [spec.template.spec.containers[0].name: Required value, spec.template.spec.containers[0].image: Required value]',
      [{ field: 'spec.template.spec.containers[0].name' }, { field: 'spec.template.spec.containers[0].image' }],
    ],
    [
      'The StatefulSet "db" is invalid: spec: Forbidden: updates to statefulset spec for fields other than \'replicas\' are forbidden',
      [{ reason: 'immutable-field', field: 'spec' }],
    ],
    [
      'The PersistentVolumeClaim "data" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than previous value',
      [{ reason: 'immutable-field' }],
    ],
    [
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.contaners", unknown field "spec.tolerance"',
      [
        { reason: 'unknown-field', field: 'spec.contaners' },
        { reason: 'unknown-field', field: 'spec.tolerance' },
      ],
    ],
    [
      'error validating data: ValidationError(Pod.spec.containers[0]): missing required field "name" in io.k8s.api.core.v1.Container',
      [{ reason: 'required-field', field: 'spec.containers[0].name' }],
    ],
    [
      'error validating data: ValidationError(Pod.spec.containers[1].ports[0].containerPort): invalid type for io.k8s.api.core.v1.ContainerPort.containerPort: got "string", expected "integer"',
      [{ reason: 'wrong-type', field: 'Pod.spec.containers[1].ports[0].containerPort', value: 'string', wanted: 'integer' }],
    ],
    [
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal bool into Go struct field EnvVar.spec.containers.env.value of type string',
      [{ reason: 'wrong-type', field: 'spec.containers.env.value', value: 'bool', wanted: 'string' }],
    ],
  ])('takes %s apart', (text, expected) => {
    expect(readRefusals(text, 'answer', vocabulary)).toEqual(expected.map((one) => expect.objectContaining(one) as unknown));
  });

  it('reads a hostile text in a moment', () => {
    const text = `The Pod "web" is invalid: ${'spec.a: '.repeat(20_000)}`.slice(0, 8000);
    const hook = `failed calling webhook "${'a'.repeat(200)}": ${'failed to call webhook: Post '.repeat(300)}`.slice(0, 8000);
    expect(readRefusals(text, 'answer', vocabulary)).toHaveLength(0);
    expect(readRefusals(hook, 'answer', vocabulary)[0]?.reason).toBe('webhook-error-response');
  });
});

describe('subjectIn', () => {
  it.each([
    ['pods "web" is forbidden: no', { resource: 'pods', name: 'web' }],
    ['The Deployment "web" is invalid: no', { resource: 'Deployment', name: 'web' }],
    [
      'Resource: "apps/v1, Resource=deployments", GroupVersionKind: "apps/v1, Kind=Deployment"\nName: "web", Namespace: "shop"',
      { resource: 'Deployment', name: 'web', namespace: 'shop' },
    ],
    ['error when evicting pods/"web-1" -n "shop" (will retry after 5s): no', { resource: 'pods', name: 'web-1', namespace: 'shop' }],
    ['pods is forbidden: User "anna" cannot create', { resource: 'pods', name: undefined }],
    ['Deployment in version "v1" cannot be handled as a Deployment: no', { resource: 'Deployment', name: undefined }],
  ])('finds the object of %s', (text, expected) => {
    expect(subjectIn(text, vocabulary)).toEqual(expected);
  });
});

describe('a field that is invalid', () => {
  const reads = (text: string, parts = 4): readonly unknown[] =>
    readRefusals(text, 'answer', vocabulary).map(({ reason, field, value, detail }) => [reason, field, value, detail].slice(0, parts));

  it('is told with its value, one by one', () => {
    const several =
      'The Pod "web" is invalid: \n* spec.containers[0].name: Required value\n* spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always"';
    expect(reads(several, 2)).toEqual([
      ['required-field', 'spec.containers[0].name'],
      [expect.any(String), 'spec.restartPolicy'],
    ]);
    const bracketed = 'Pod "web" is invalid: [spec.containers[0].name: Required value, spec.containers[0].image: Required value]';
    expect(reads(bracketed, 2)).toEqual([
      ['required-field', 'spec.containers[0].name'],
      ['required-field', 'spec.containers[0].image'],
    ]);
  });

  it('is the name where that is required', () => {
    expect(reads('Pod "" is invalid: metadata.name: Required value: name or generateName is required', 2)).toEqual([
      ['name-missing', 'metadata.name'],
    ]);
    expect(reads('Pod "web" is invalid: []: Required value', 2)).toEqual([['required-field', 'the document']]);
  });

  it('that only follows from a selector that is missing is left out', () => {
    const required = 'spec.selector: Required value';
    const follows = 'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`';
    const both = `The Deployment "web" is invalid: \n* ${required}\n* ${follows}`;
    expect(reads(both, 2)).toEqual([['required-field', 'spec.selector']]);
    expect(reads(`The Deployment "web" is invalid: ${follows}`, 2)).toEqual([['selector-mismatch', 'spec.template.metadata.labels']]);
    const other = `The Deployment "web" is invalid: \n* spec.replicas: Required value\n* ${follows}`;
    expect(reads(other)).toHaveLength(2);
  });

  it.each([
    ['"2Gi": must be less', '2Gi', 'must be less'],
    ['80800: must be between 1 and 65535', '80800', 'must be between 1 and 65535'],
    ['true: must be false', 'true', 'must be false'],
    ['{"a":"b"}: must be other', '{"a":"b"}', 'must be other'],
    ['["a"]: must be other', '["a"]', 'must be other'],
    ['"2Gi"', '2Gi', 'Invalid value'],
    ['must be other', undefined, 'must be other'],
  ])('has a value before its detail: %s', (rest, value, detail) => {
    expect(reads(`The Pod "web" is invalid: spec.odd: Invalid value: ${rest}`)).toEqual([[expect.any(String), 'spec.odd', value, detail]]);
  });

  it('of unknown words is none', () => {
    expect(reads('The Pod "web" is invalid: spec.odd: Strange: no')).toEqual([]);
    expect(reads('The Pod "web" is invalid: no')).toEqual([]);
    expect(reads('all is well')).toEqual([]);
  });
});
