import type { Instant } from '../../base/instant.ts';
import type { ClusterReader, ListRead, Read, Unread } from '../../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef } from '../../model/kube-object.ts';
import { RECORD_KINDS } from '../../model/record-kinds.ts';
import { resourceOfKind } from '../../model/resources.ts';
import type { ServedApi } from './api-path.ts';
import { apiPath, isPathName } from './api-path.ts';
import { discovery } from './discovery.ts';
import { parseJson } from './requests/json-answer.ts';
import { liveList } from './live-list.ts';
import { liveLogs } from './live-logs.ts';
import { METADATA_OF_ONE, isMetadataOnly, liveObject } from './live-object.ts';
import { refusalOf } from './requests/refusal.ts';
import type { Transport } from './requests/transport.ts';

/**
 * Reads a running cluster. Reads are GETs only; of Secrets only the metadata is ever asked for. A kind the server has in another
 * version than podcheck prefers is read in that one; a kind it does not have is `not-collected`. `clock` is ours, and only counts
 * as far as it agrees with the server's.
 */
export function liveReader(transport: Transport, clock: () => Instant): ClusterReader {
  const find = discovery(transport);
  const chosen = new Map<string, ServedApi | Unread>();

  /** Reads a kind where the server has it, remembering where that is. */
  async function reading<T extends Read<unknown>>(kind: string, read: (api: ServedApi) => Promise<T | 'unknown-api'>): Promise<T | Unread> {
    const place = chosen.get(kind) ?? resourceOfKind(kind);
    if (place !== undefined && 'why' in place) return place;
    const result = place === undefined ? 'unknown-api' : await read(place);
    if (result !== 'unknown-api') return result;
    const { apis, isWhole, problem } = await find(kind);
    for (const api of apis.slice(0, MAX_VERSIONS)) {
      const other = await read(api);
      if (other === 'unknown-api') continue;
      chosen.set(kind, api);
      return other;
    }
    // What the server says it has and then does not find, or of which it cannot say whether it has it, is not known to be missing.
    if (problem !== undefined) return unsureApi(kind, place, problem);
    if (isWhole && apis.length > 0) return unsureApi(kind, place, 'its list of APIs has it, but it is not found where it should be');
    const missing = noSuchApi(kind, place);
    chosen.set(kind, missing);
    return missing;
  }

  return {
    get: (ref) => {
      const refusal = unreadable(ref);
      if (refusal !== undefined) return Promise.resolve(refusal);
      return reading(ref.kind, (api) => getOne(transport, api, ref));
    },
    list: (kind, scope): Promise<ListRead> => {
      const refusal = noRecords(kind);
      if (refusal !== undefined) return Promise.resolve(refusal);
      return reading<ListRead>(kind, (api) => liveList(transport, api, scope));
    },
    logs: async (pod, container, log) => {
      const pods = resourceOfKind('Pod');
      const refusal = unreadable(pod);
      if (refusal !== undefined || pods === undefined) return refusal ?? noSuchApi('Pod', undefined);
      if (pod.namespace === undefined) return noNamespace(pod);
      return liveLogs(transport, pods, pod, container, log);
    },
    now: () => {
      const skew = transport.clockSkew() ?? 0;
      return clock() + (Math.abs(skew) < SKEW_MILLISECONDS ? 0 : Math.round(skew));
    },
  };
}

const MAX_VERSIONS = 3;
/** A server says its time to the second: a smaller difference is none. */
const SKEW_MILLISECONDS = 2000;

async function getOne(transport: Transport, api: ServedApi, ref: ObjectRef): Promise<Read<KubeObject> | 'unknown-api'> {
  if (api.namespaced && ref.namespace === undefined) return noNamespace(ref);
  const target = { namespace: api.namespaced ? ref.namespace : undefined, name: ref.name };
  const answer = await transport.get(apiPath(api, target), {
    group: api.plural,
    ...(isMetadataOnly(api.kind) ? { accept: METADATA_OF_ONE } : {}),
  });
  if (!answer.ok) return { ok: false, why: 'failed', detail: answer.error.detail };
  if (answer.status !== 200) return refusalOf(answer, { verb: 'get', api, target });
  const parsed = parseJson(answer.body.toString('utf8'));
  if (!parsed.ok) return { ok: false, why: 'failed', detail: `The server's response for ${formatRef(ref)} is not JSON: ${parsed.detail}` };
  const value = liveObject(parsed.value, api);
  if (value === undefined)
    return { ok: false, why: 'failed', detail: `The server's response for ${formatRef(ref)} is not a named object.` };
  const replaced = ref.uid !== undefined && value.metadata.uid !== undefined && ref.uid !== value.metadata.uid;
  return replaced
    ? { ok: false, why: 'absent', detail: `${formatRef(ref)} is now another object with the same name.` }
    : { ok: true, value };
}

/** Why an object is not asked for at all. */
function unreadable(ref: ObjectRef): Unread | undefined {
  const record = noRecords(ref.kind);
  if (record !== undefined) return record;
  if (isPathName(ref.name) && (ref.namespace === undefined || isPathName(ref.namespace))) return undefined;
  return { ok: false, why: 'absent', detail: `${JSON.stringify(formatRef(ref))} is not a valid object reference.` };
}

function noRecords(kind: string): Unread | undefined {
  if (!RECORD_KINDS.includes(kind)) return undefined;
  return { ok: false, why: 'not-collected', detail: `A live cluster has no ${kind}; only a pasted transcript can contain it.` };
}

function noNamespace(ref: ObjectRef): Unread {
  return { ok: false, why: 'failed', detail: `${formatRef(ref)} can only be read with its namespace.` };
}

function noSuchApi(kind: string, place: ServedApi | undefined): Unread {
  return { ok: false, why: 'not-collected', detail: `The server has no ${wordsOf(kind, place)}.` };
}

function unsureApi(kind: string, place: ServedApi | undefined, problem: string): Unread {
  return { ok: false, why: 'failed', detail: `Whether the server has ${wordsOf(kind, place)} is not known: ${problem}.` };
}

function wordsOf(kind: string, place: ServedApi | undefined): string {
  return place === undefined ? `kind ${kind}` : `${place.plural} in ${place.apiVersion}`;
}
