import { readInvalid } from './invalid-words.ts';
import type { WordOf } from '../survey/fact-sink.ts';
import type { RefusalWords } from './refusal-reading.ts';

interface Words {
  readonly reason: WordOf<'refusal', 'reason'>;
  /** Named groups are fields of `RefusalWords`. No pattern can take more than linear time. */
  readonly find: RegExp;
}

/** Each webhook failure begins so (before 1.13 with `admission`); what follows says how. Source: apiserver/pkg/admission/plugin/webhook/errors/statuserror.go, …/{mutating,validating}/dispatcher.go. */
const WEBHOOK = 'failed calling (?:admission )?webhook "(?<by>[^"]{1,300})": ';
/** The address of the call, where the words have it. */
const CALL = '(?:[^\\n]{0,80}?Post "?(?<service>https?://[^"\\s]{1,500}?)"?: )?';

/** Sources: plugin/pkg/admission/{serviceaccount,priority,runtimeclass,limitranger,resourcequota}, apiserver/pkg/admission/plugin/{webhook,policy,resourcequota,namespace/lifecycle}, pod-security-admission/admission. */
const ADMISSION: readonly Words[] = [
  { reason: 'service-account-not-found', find: /error looking up service account (?<where>[^\s/]{1,253})\/(?<by>[^\s:]{1,253}): serviceaccount "[^"]*" not found/ },
  { reason: 'service-account-not-found', find: /service account (?<where>[^\s/]{1,253})\/(?<by>[^\s:]{1,253}) was not found, retry after the service account is created/ },
  { reason: 'pod-security-violated', find: /unable to validate against any (?<value>pod security policy|security context constraint): (?<detail>[^\n]{1,4000})/ },
  { reason: 'priority-class-not-found', find: /no PriorityClass with name (?<by>\S{1,253}) was found/ },
  { reason: 'runtime-class-not-found', find: /RuntimeClass "(?<by>[^"]{1,253})" not found/ },
  { reason: 'namespace-terminating', find: /unable to create new content in namespace (?<by>\S{1,253}) because it is being terminated/ },
  { reason: 'quota-exceeded', find: /exceeded quota: (?<by>[^\s,]{1,253}), requested: (?<detail>[^\n]{1,2000})/ },
  { reason: 'quota-requires-resources', find: /failed quota: (?<by>[^\s:]{1,253}): must specify (?<wanted>[^\n]{1,1000})/ },
  { reason: 'limit-range-violated', find: /(?<detail>(?:minimum|maximum) (?<resource>\S{1,100}) usage per (?<where>\S{1,50}) is (?<wanted>[^\s,]{1,50}?)(?:, but (?:request|limit) is (?<value>[^\s,\]]{1,50})|\. {1,2}No (?:request|limit) is specified))/ },
  { reason: 'limit-range-violated', find: /(?<detail>(?<!\S)(?<resource>\S{1,100}) max limit to request ratio per (?<where>\S{1,50}) is (?<wanted>[^\s,]{1,50}), but (?:provided ratio is (?<value>[^\s,\]]{1,50})|no request is specified or request is 0|no limit is specified or limit is 0))/ },
  { reason: 'pod-security-violated', find: /violates PodSecurity "(?<by>[^":]{1,50})(?::(?<where>[^"]{1,50}))?": (?<detail>[^\n]{1,4000})/ },
  { reason: 'policy-error', find: /ValidatingAdmissionPolicy '(?<by>[^']{1,253})' with binding '(?<where>[^']{1,253})' denied request: (?<detail>expression '[^\n]{1,2000}' resulted in error: [^\n]{1,1000})/ },
  { reason: 'policy-error', find: /ValidatingAdmissionPolicy '(?<by>[^']{1,253})' with binding '(?<where>[^']{1,253})' denied request: (?<detail>(?:compilation error|composited variable|failed to configure|failed to evaluate)[^\n]{0,1000})/ },
  { reason: 'policy-error', find: /failed to configure (?:policy|binding): (?<detail>[^\n]{1,1000})/ },
  { reason: 'policy-denied', find: /(?:ValidatingAdmissionPolicy|policy) '(?<by>[^']{1,253})' with binding '(?<where>[^']{1,253})' denied request: (?<detail>[^\n]{1,2000})/ },
  { reason: 'webhook-denied', find: /admission webhook "(?<by>[^"]{1,300})" denied the request(?::| without explanation)? ?(?<detail>[\s\S]{0,2000})/ },
  { reason: 'webhook-service-not-found', find: new RegExp(`${WEBHOOK}${CALL}(?<detail>(?:[^\\n]{0,100})service "(?<value>[^"]{1,253})" not found)`) },
  { reason: 'webhook-no-endpoints', find: new RegExp(`${WEBHOOK}${CALL}(?<detail>no endpoints available for service "(?<value>[^"]{1,253})")`) },
  { reason: 'webhook-timeout', find: new RegExp(`${WEBHOOK}${CALL}(?<detail>[^\\n]{0,300}?(?:context deadline exceeded|Client\\.Timeout exceeded|i/o timeout|TLS handshake timeout)[^\\n]{0,100})`) },
  { reason: 'webhook-certificate-expired', find: new RegExp(`${WEBHOOK}${CALL}[^\\n]{0,100}?x509: (?<detail>certificate has expired[^\\n]{0,300})`) },
  { reason: 'webhook-certificate-name-mismatch', find: new RegExp(`${WEBHOOK}${CALL}[^\\n]{0,100}?x509: (?<detail>(?:certificate is valid for|cannot validate certificate for|certificate is not valid for any names|certificate relies on legacy Common Name)[^\\n]{0,500})`) },
  { reason: 'webhook-certificate-untrusted', find: new RegExp(`${WEBHOOK}${CALL}[^\\n]{0,100}?(?<detail>x509: [^\\n]{1,500}|unable to load root certificates[^\\n]{0,300})`) },
  { reason: 'webhook-unreachable', find: new RegExp(`${WEBHOOK}${CALL}(?<detail>[^\\n]{0,300}?(?:connection refused|no route to host|no such host|network is unreachable|connection reset by peer|EOF|broken pipe)[^\\n]{0,100})`) },
  { reason: 'webhook-error-response', find: new RegExp(`${WEBHOOK}${CALL}(?<detail>[^\\n]{1,1000})`) },
  { reason: 'webhook-bad-patch', find: /Internal error occurred: (?<detail>[^\n]{0,200}?(?:(?:add|remove|replace|move|copy|test) operation does not apply|unable to apply the patch|json ?patch|jsonpatch|invalid patch|doc is missing)[^\n]{0,500})/i },
];

/** Sources: apiserver/pkg/endpoints/handlers/responsewriters/errors.go (ForbiddenStatusError), pkg/registry/rbac/validation/rule.go, plugin/pkg/auth/authorizer/rbac/rbac.go. */
const AUTHORIZATION: readonly Words[] = [
  { reason: 'privilege-escalation', find: /user "(?<user>[^"]{1,300})" [^\n]{0,2000}?is attempting to grant RBAC permissions not currently held:?\s*(?<detail>[\s\S]{0,2000})/ },
  {
    reason: 'role-not-found',
    find: /User "(?<user>[^"]{1,300})" cannot (?<verb>\S{1,50}) resource "(?<resource>[^"]{1,253})"[^\n]{0,200}?(?:in the namespace "(?<where>[^"]{1,253})"|at the cluster scope)[^\n]{0,50}?RBAC: [^\n]{0,20}?(?<value>(?:cluster)?role)\.rbac\.authorization\.k8s\.io "(?<by>[^"]{1,253})" not found/,
  },
  {
    reason: 'forbidden',
    find: /User "(?<user>[^"]{1,300})" cannot (?<verb>\S{1,50}) resource "(?<resource>[^"]{1,253})"[^\n]{0,200}?(?:in the namespace "(?<where>[^"]{1,253})"|(?<value>at the cluster scope))/,
  },
  { reason: 'forbidden', find: /User "(?<user>[^"]{1,300})" cannot (?<verb>\S{1,50}) path "(?<resource>[^"]{1,500})"/ },
];

/** Sources: apimachinery/pkg/api/errors/errors.go, apiserver/pkg/storage/etcd3, go.etcd.io/etcd/api/v3/v3rpc/rpctypes/error.go, pkg/registry/core/pod/storage/eviction.go. */
const STORAGE: readonly Words[] = [
  { reason: 'object-too-large', find: /(?<detail>etcdserver: request is too large|Request entity too large[^\n]{0,100}|Too long: (?:may not be more than|must have at most) (?:1048576|262144) (?:bytes|characters)[^\n]{0,50})/ },
  { reason: 'etcd-down', find: /(?<detail>etcdserver: [^\n]{1,300}|\[-\]etcd(?:-readiness)? failed[^\n\\]{0,100}|transport: Error while dialing[^\n]{0,100}:2379[^\n]{0,200}|The \S+ operation against \S+ could not be completed at this time)/ },
  { reason: 'etcd-down', find: /(?<detail>the server was unable to return a response in the time allotted|Timeout: request did not complete within (?:the )?(?:allotted|requested) timeout)/ },
  { reason: 'namespace-not-found', find: /namespaces "(?<by>[^"]{1,253})" not found/ },
  { reason: 'name-being-deleted', find: /object is being deleted: (?<resource>[a-z][\w.-]{0,253}) "(?<value>[^"]{1,253})" already exists/ },
  { reason: 'already-exists', find: /(?<![\w.-])(?<resource>[a-z][\w.-]{0,253}) "(?<value>[^"]{1,253})" already exists/ },
  { reason: 'conflict', find: /(?<detail>the object has been modified; please apply your changes to the latest version[^\n]{0,100})/ },
  { reason: 'conflict', find: /Apply failed with (?<value>\d{1,9}) conflicts?: (?<detail>[\s\S]{1,2000}?)(?:\nPlease review|$)/ },
  { reason: 'conflict', find: /Error from server \(Conflict\): (?<detail>[^\n]{1,1000})/ },
  { reason: 'disruption-budget', find: /(?<detail>Cannot evict pod as it would violate the pod's disruption budget)/ },
];

/** Reads an error of the API server, as a client prints it or a controller writes it into an event; none when the words are unknown. */
export function readRefusals(text: string): readonly RefusalWords[] {
  for (const { reason, find } of [...ADMISSION, ...AUTHORIZATION, ...STORAGE]) {
    const found = find.exec(text);
    if (found !== null) return [{ reason, ...found.groups }];
  }
  return readInvalid(text);
}

/** The object an error is about, as its words name it: `resource` may be a plural or a kind, with or without group. */
export function subjectIn(text: string): { readonly resource: string; readonly name: string | undefined; readonly namespace?: string | undefined } | undefined {
  for (const find of SUBJECTS) {
    const groups = find.exec(text)?.groups;
    const resource = groups?.['resource'];
    if (groups === undefined || resource === undefined) continue;
    const [name, namespace] = [groups['name'], groups['namespace']];
    return { resource, name: name === '' ? undefined : name, ...(namespace === undefined || namespace === '' ? {} : { namespace }) };
  }
  return undefined;
}

const SUBJECTS: readonly RegExp[] = [
  /GroupVersionKind: "[^"]{0,300}Kind=(?<resource>[A-Za-z0-9]{1,100})"\s+Name: "(?<name>[^"]{0,253})", Namespace: "(?<namespace>[^"]{0,253})"/,
  /error when evicting (?<resource>pods)\/"(?<name>[^"]{1,253})"(?: -n "(?<namespace>[^"]{1,253})")?/,
  /resource mapping not found for name: "(?<name>[^"]{0,253})" namespace: "(?<namespace>[^"]{0,253})"[^\n]{0,100}? for kind "(?<resource>[^"]{1,253})"/,
  /(?:^|\s)(?<resource>[A-Za-z][\w.-]{0,253}) "(?<name>[^"]{0,253})" is (?:invalid|forbidden)/,
  /(?:^|\s)(?<resource>[a-z][\w.-]{0,253}) is forbidden: User/,
  /on (?<resource>[a-z][\w.-]{0,253}) "(?<name>[^"]{1,253})": the object has been modified/,
  /(?:^|\s)(?<resource>[a-z][\w.-]{0,253}) "(?<name>[^"]{1,253})" already exists/,
  /(?:^|\s)(?<resource>[A-Z][A-Za-z]{0,100}) in version "[^"]*" cannot be handled as a/,
  /no matches for kind "(?<resource>[^"]{1,253})" in version/,
  /ValidationError\((?<resource>[A-Z][A-Za-z]{0,100})[).]/,
];
