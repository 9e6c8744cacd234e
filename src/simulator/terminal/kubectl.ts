import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../base/json.ts';
import { canonicalJson, withFields, withPath } from '../../base/json-edit.ts';
import { annotationsOf } from '../../model/kube-object.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Answer, ApiRequest, Credential, Failure } from '../apiserver/request.ts';
import { LAST_APPLIED, withLastApplied } from '../apiserver/patches/last-applied.ts';
import { strategicDiff } from '../apiserver/patches/strategic-merge.ts';
import type { Resources, ServedResource } from '../apiserver/resources.ts';
import { qualified } from '../apiserver/failures.ts';
import { applyMergePatch } from '../../base/merge-patch.ts';

/** What `kubectl apply` did with one document, and what it printed. */
export interface Applied {
  /** The object as answered; undefined when it was refused. */
  readonly object: KubeObject | undefined;
  readonly did: 'created' | 'configured' | 'unchanged' | 'refused';
  readonly failure: Failure | undefined;
  /** The lines kubectl prints, warnings first. */
  readonly output: string;
}

export interface ApplyContext {
  readonly resources: Resources;
  readonly credential: Credential;
  /** `-n`: documents that name another are refused. */
  readonly namespace: string | undefined;
  readonly file: string;
  readonly dryRun: boolean;
  /** `kubectl create` instead of apply. */
  readonly create: boolean;
  /** Where kubectl reaches the API server: `https://10.77.0.1:6443`. */
  readonly server: string;
  send(request: ApiRequest): Answer;
}

/**
 * Client-side apply of one document: read what is there; create it, or patch what the document changed against what was applied
 * last. Source: staging/src/k8s.io/kubectl/pkg/cmd/apply/{apply,patcher}.go.
 */
export function applyDocument(document: JsonObject, context: ApplyContext): Applied {
  const [apiVersion, kind] = [asText(document['apiVersion']) ?? '', asText(document['kind']) ?? ''];
  if (apiVersion === '' || kind === '') return refused(undefined, NOT_SET(context.file, apiVersion, kind));
  const resource = context.resources.ofKind(apiVersion, kind);
  const metadata = asObject(document['metadata']);
  const name = asText(metadata['name']) ?? '';
  const own = asText(metadata['namespace']);
  if (resource === undefined)
    return refused(
      undefined,
      `error: resource mapping not found for name: "${name}" namespace: "${own ?? ''}" from "${context.file}": no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`,
    );
  const unfit = unfitMetadata(metadata, resource, context);
  if (unfit !== undefined) return refused(undefined, unfit);
  const place = resource.namespaced ? { namespace: own ?? context.namespace ?? 'default' } : {};
  const target = {
    group: resource.group,
    version: resource.version,
    resource: resource.plural,
    ...place,
    credential: context.credential,
    manager: 'kubectl-client-side-apply',
    fieldValidation: 'Strict' as const,
    ...(context.dryRun ? { dryRun: true } : {}),
  };
  const wanted = withFields(document, { metadata: withFields(metadata, place) });
  if (context.create) return createNew({ ...target, manager: 'kubectl-create' }, wanted, resource, context);
  return createOrPatch({ ...target, name }, wanted, resource, context);
}

function createOrPatch(
  { name, ...target }: Omit<ApiRequest, 'verb' | 'name'> & { readonly name: string },
  wanted: JsonObject,
  resource: ServedResource,
  context: ApplyContext,
): Applied {
  if (name === '')
    return refused(undefined, `error: ${retrievalOf(resource, name, target.namespace, context.file)}: resource name may not be empty`);
  const found = context.send({ ...target, verb: 'get', name });
  if (found.ok) return patchExisting(wanted, found.object, resource, { ...target, name }, context);
  if (found.code !== 404 || found.status['details'] === undefined)
    return refused(found, retrievalWords(found, resource, name, target.namespace, context));
  return createNew(target, withAnnotation(wanted), resource, context);
}

function unfitMetadata(metadata: JsonObject, resource: ServedResource, { create, namespace }: ApplyContext): string | undefined {
  const [generated, own] = [asText(metadata['generateName']), asText(metadata['namespace'])];
  if (!create && (asText(metadata['name']) ?? '') === '' && generated !== undefined)
    return `error: from ${generated}: cannot use generate name with apply`;
  if (own === undefined || namespace === undefined || own === namespace || !resource.namespaced) return undefined;
  return `error: the namespace from the provided object "${own}" does not match the namespace "${namespace}". You must pass '--namespace=${own}' to perform this operation.`;
}

/** Source: staging/src/k8s.io/cli-runtime/pkg/resource/visitor.go; k8s.io/kubectl/pkg/util/openapi/validation. */
const NOT_SET = (file: string, apiVersion: string, kind: string): string => {
  const missing = [...(apiVersion === '' ? ['apiVersion not set'] : []), ...(kind === '' ? ['kind not set'] : [])];
  const problems = missing.length === 1 ? (missing[0] ?? '') : `[${missing.join(', ')}]`;
  return `error: error validating "${file}": error validating data: ${problems}; if you choose to ignore these errors, turn validation off with --validate=false`;
};

function createNew(target: Omit<ApiRequest, 'verb'>, body: JsonObject, resource: ServedResource, context: ApplyContext): Applied {
  const answer = context.send({ ...target, verb: 'create', body, bodyBytes: JSON.stringify(body).length });
  if (!answer.ok) return refused(answer, failureWords(answer, `error when creating "${context.file}"`));
  return done(answer, resource, 'created', context);
}

/** How kubectl words a failure. Source: staging/src/k8s.io/kubectl/pkg/cmd/util/helpers.go (StandardErrorMessage, checkErr). */
export function failureWords(failure: Failure, doing: string): string {
  if (failure.code === 0)
    return failure.message.includes('connection refused')
      ? `The connection to the server ${/dial tcp (\S{1,300}:\d{1,5})/.exec(failure.message)?.[1] ?? ''} was refused - did you specify the right host or port?`
      : `Unable to connect to the server: ${failure.message}`;
  if (failure.reason === 'Unauthorized') return `error: You must be logged in to the server (${failure.message})`;
  if (failure.reason === 'Invalid') return invalidWords(failure);
  const about = doing === '' ? '' : `${doing}: `;
  return failure.reason === ''
    ? `Error from server: ${about}${failure.message}`
    : `Error from server (${failure.reason}): ${about}${failure.message}`;
}

function invalidWords(failure: Failure): string {
  const kind = asText(dig(failure.status, 'details', 'kind'));
  const name = asText(dig(failure.status, 'details', 'name')) ?? '';
  const causes = asList(dig(failure.status, 'details', 'causes')).map(
    (cause) => `${asText(dig(cause, 'field')) ?? ''}: ${asText(dig(cause, 'message')) ?? ''}`,
  );
  const prefix = kind === undefined ? 'The request is invalid' : `The ${kind} "${name}" is invalid`;
  const distinct = [...new Set(causes)];
  if (distinct.length === 0) return kind === undefined ? `${prefix}: ${failure.message}` : prefix;
  return distinct.length === 1 ? `${prefix}: ${distinct[0] ?? ''}` : `${prefix}: \n${distinct.map((cause) => `* ${cause}`).join('\n')}`;
}

function retrievalWords(
  failure: Failure,
  resource: ServedResource,
  name: string,
  namespace: string | undefined,
  context: ApplyContext,
): string {
  const { file } = context;
  if (failure.code === 0)
    return `error: error validating "${file}": error validating data: failed to download openapi: Get "${context.server}/openapi/v2?timeout=32s": ${failure.message}; if you choose to ignore these errors, turn validation off with --validate=false`;
  if (failure.reason === 'Unauthorized')
    return `error: error validating "${file}": error validating data: failed to download openapi: the server has asked for the client to provide credentials; if you choose to ignore these errors, turn validation off with --validate=false`;
  return failureWords(failure, retrievalOf(resource, name, namespace, file));
}

function retrievalOf(resource: ServedResource, name: string, namespace: string | undefined, file: string): string {
  const group = `${resource.group}/${resource.version}`;
  return `error when retrieving current configuration of:\nResource: "${group}, Resource=${resource.plural}", GroupVersionKind: "${group}, Kind=${resource.kind}"\nName: "${name}", Namespace: "${namespace ?? ''}"\nfrom server for: "${file}"`;
}

/** As the client writes it: with annotations in it, also with none. */
function withAnnotation(document: JsonObject): JsonObject {
  const annotations = asObject(dig(document, 'metadata', 'annotations'));
  return withLastApplied(document, withPath(document, ['metadata', 'annotations'], annotations));
}

function patchExisting(
  wanted: JsonObject,
  live: KubeObject,
  resource: ServedResource,
  target: Omit<ApiRequest, 'verb'>,
  context: ApplyContext,
): Applied {
  const last = parseObject(annotationsOf(live)[LAST_APPLIED]);
  const modified = withAnnotation(wanted);
  const warning =
    last === undefined
      ? `Warning: resource ${resource.plural}/${live.metadata.name} is missing the ${LAST_APPLIED} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n`
      : '';
  const patch =
    resource.model === undefined ? mergePatchOf(last ?? {}, modified, live) : strategicDiff(resource.model, live, modified, last ?? {});
  if (patch === undefined)
    return {
      object: live,
      did: 'unchanged',
      failure: undefined,
      output: `${warning}${deletingWarning(live)}${nameOf(resource, live)} unchanged`,
    };
  const answer = context.send({
    ...target,
    verb: 'patch',
    patch: { type: resource.model === undefined ? 'merge' : 'strategic', body: patch },
  });
  if (!answer.ok)
    return refused(
      answer,
      failureWords(
        answer,
        `error when applying patch:\n${JSON.stringify(patch)}\nto:\nResource: "${resource.group}/${resource.version}, Resource=${resource.plural}", GroupVersionKind: "${resource.group}/${resource.version}, Kind=${resource.kind}"\nName: "${live.metadata.name}", Namespace: "${live.metadata.namespace ?? ''}"\nfor: "${context.file}"`,
      ),
    );
  const same = answer.object.metadata['resourceVersion'] === live.metadata['resourceVersion'];
  const applied = done(answer, resource, same ? 'unchanged' : 'configured', context);
  return { ...applied, output: `${warning}${deletingWarning(answer.object)}${applied.output}` };
}

/** Source: staging/src/k8s.io/kubectl/pkg/cmd/apply/apply.go (WarnIfDeleting). */
export function deletingWarning({ metadata }: KubeObject): string {
  return metadata['deletionTimestamp'] === undefined
    ? ''
    : `Warning: Detected changes to resource ${metadata.name} which is currently being deleted.\n`;
}

function mergePatchOf(last: JsonObject, modified: JsonObject, live: JsonObject): JsonObject | undefined {
  const gone = Object.fromEntries(
    Object.keys(last)
      .filter((field) => modified[field] === undefined && live[field] !== undefined)
      .map((field) => [field, null]),
  );
  const patch: JsonObject = { ...modified, ...gone };
  return canonicalJson(applyMergePatch(live, patch)) === canonicalJson(live) ? undefined : patch;
}

function parseObject(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Whoever wrote the annotation wrote no JSON: kubectl fails, here it counts as missing.
    return undefined;
  }
}

function nameOf(resource: ServedResource, object: KubeObject): string {
  return `${qualified({ group: resource.group, resource: resource.kind.toLowerCase() })}/${object.metadata.name}`;
}

function done(
  answer: Answer & { readonly ok: true },
  resource: ServedResource,
  did: 'created' | 'configured' | 'unchanged',
  context: ApplyContext,
): Applied {
  const warnings = answer.warnings.map((warning) => `Warning: ${warning}\n`).join('');
  return {
    object: answer.object,
    did,
    failure: undefined,
    output: `${warnings}${nameOf(resource, answer.object)} ${did}${context.dryRun ? ' (server dry run)' : ''}`,
  };
}

function refused(failure: Failure | undefined, output: string): Applied {
  return { object: undefined, did: 'refused', failure, output };
}
