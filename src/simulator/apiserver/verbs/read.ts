import type { Json } from '../../../base/json.ts';
import { asNumber, asText, dig } from '../../../base/json.ts';
import { parseInteger } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { keyOfObject } from '../../store/store.ts';
import { badRequest, expired, notFound, timeout } from '../failures.ts';
import { listOf } from '../lists.ts';
import { present } from '../present.ts';
import type { UnsignedRequest, Answer, Failure } from '../request.ts';
import type { ServedResource } from '../resources.ts';
import { apiVersionOf } from '../resources.ts';
import type { FieldSelector, LabelMatcher, ObjectMatcher } from '../selectors.ts';
import { objectMatcher, parseFieldSelector, parseLabelSelector } from '../selectors.ts';
import type { Call, ServerState } from '../server-state.ts';
import { decodeBase64, encodeBase64 } from '../../../base/base64.ts';

export function get(call: Call): Answer {
  const { state, request, resource } = call;
  const found = state.store.get(resource.key, request.namespace, request.name ?? '');
  if (found === undefined) return notFound({ group: resource.group, resource: resource.plural }, request.name ?? '');
  return { ok: true, code: 200, object: present(state, resource, found), warnings: call.warnings };
}

/**
 * A list, whole or in pieces. A piece ends with a token that leads to the next; a token from before a compaction is too old.
 * Source: staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go (GetList), pkg/storage/continue.go.
 */
export function list(call: Call): Answer {
  const { state, request, resource } = call;
  const selection = selectionOf(request, resource);
  if (!selection.ok) return selection;
  const tooLarge = checkRevision(state, request);
  if (tooLarge !== undefined) return tooLarge;
  const start = startOf(call);
  if (start !== undefined && !start.ok) return start;
  const candidates = candidatesFor(state, request, resource, selection);
  const { page, rest } = pageOf(candidates, start?.after, selection.matches, request.limit ?? 0);
  const revision = start?.revision ?? state.store.revision;
  const last = page.at(-1);
  const more =
    rest === 0 || last === undefined
      ? {}
      : { continue: writeToken(revision, keyOfObject(last)), ...(selection.matches === undefined ? { remainingItemCount: rest } : {}) };
  const items = page.map((object) => present(state, resource, object));
  return {
    ok: true,
    code: 200,
    object: listOf(apiVersionOf(resource), resource.kind, items, { resourceVersion: String(revision), ...more }),
    warnings: call.warnings,
  };
}

interface Start {
  readonly ok: true;
  /** Undefined for a list that goes on with what is there by now. */
  readonly revision: number | undefined;
  readonly after: string;
}

/** Where a list goes on; undefined for one that begins. */
function startOf({ state, request }: Call): Start | Failure | undefined {
  const start = request.continueToken === undefined ? undefined : readToken(request.continueToken);
  if (start?.ok !== true) return start;
  const { revision, after } = start;
  if (revision === INCONSISTENT) return { ok: true, revision: undefined, after };
  return revision < state.store.compactedRevision ? expired(TOKEN_TOO_OLD, { continue: writeToken(INCONSISTENT, after) }) : start;
}

/** The first objects after that key, as many as a page has (0: all), and how many more there are. */
function pageOf(
  candidates: Iterable<KubeObject>,
  after: string | undefined,
  matches: ((object: KubeObject) => boolean) | undefined,
  limit: number,
): { readonly page: readonly KubeObject[]; readonly rest: number } {
  const page: KubeObject[] = [];
  let rest = 0;
  for (const object of candidates) {
    if (after !== undefined && keyOfObject(object) <= after) continue;
    if (matches?.(object) === false) continue;
    if (limit > 0 && page.length >= limit) rest++;
    else page.push(object);
  }
  return { page, rest };
}

/** The parsed selectors of a list or watch. */
export type Selection =
  | {
      readonly ok: true;
      readonly labels: LabelMatcher | undefined;
      readonly fields: FieldSelector | undefined;
      readonly matches: ObjectMatcher | undefined;
    }
  | Failure;

export function selectionOf(request: UnsignedRequest, resource: ServedResource): Selection {
  const labels =
    request.labelSelector === undefined || request.labelSelector === '' ? undefined : parseLabelSelector(request.labelSelector);
  if (labels !== undefined && 'error' in labels) return badRequest(labels.error);
  const fields =
    request.fieldSelector === undefined || request.fieldSelector === '' ? undefined : parseFieldSelector(request.fieldSelector, resource);
  if (fields !== undefined && 'error' in fields) return badRequest(fields.error);
  return { ok: true, labels, fields, matches: objectMatcher(labels, fields) };
}

/** A revision that is not there yet. */
export function checkRevision(state: ServerState, request: UnsignedRequest): Failure | undefined {
  const given = request.resourceVersion ?? '';
  const wanted = given === '' ? 0 : parseInteger(given);
  if (wanted === undefined) {
    const words = JSON.stringify(given);
    return badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${words}: strconv.ParseUint: parsing ${words}: invalid syntax`,
    );
  }
  if (wanted <= state.store.revision) return undefined;
  const causes: Json = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return timeout(`Too large resource version: ${wanted}, current: ${state.store.revision}`, { causes, retryAfterSeconds: 1 });
}

function candidatesFor(
  state: ServerState,
  request: UnsignedRequest,
  resource: ServedResource,
  selection: { readonly fields: FieldSelector | undefined },
): readonly KubeObject[] {
  const { fields } = selection;
  if (fields?.nodeName !== undefined)
    return state.store
      .listPartition('pods', fields.nodeName)
      .filter((pod) => request.namespace === undefined || pod.metadata.namespace === request.namespace);
  if (fields?.name !== undefined && (request.namespace !== undefined || !resource.namespaced)) {
    const found = state.store.get(resource.key, request.namespace, fields.name);
    return found === undefined ? [] : [found];
  }
  return state.store.list(resource.key, request.namespace);
}

const TOKEN_TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** Of a token that goes on with what is there by then. Source: staging/src/k8s.io/apiserver/pkg/storage/continue.go. */
const INCONSISTENT = -1;

function writeToken(revision: number, after: string): string {
  return encodeBase64(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${after}\u0000` }));
}

function readToken(token: string): { readonly ok: true; readonly revision: number; readonly after: string } | Failure {
  try {
    const value = JSON.parse(decodeBase64(token)) as Json;
    const [revision, start] = [asNumber(dig(value, 'rv')), asText(dig(value, 'start'))];
    if (revision !== undefined && start !== undefined) return { ok: true, revision, after: start.replace('\u0000', '') };
  } catch {
    // A token that is none is the caller's mistake: answered below.
  }
  return badRequest('continue key is not valid: illegal base64 data');
}
