import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { ListRead, Scope, SeenList, Unread } from '../../model/cluster-reader.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Conceal } from '../conceal-secret.ts';
import type { ServedApi } from './api-path.ts';
import { apiPath } from './api-path.ts';
import { isMemoryFull } from '../memory-full.ts';
import { growSlowly } from '../slow-growth.ts';
import { sharing } from '../snapshot/sharing.ts';
import { parseJson } from './requests/json-answer.ts';
import { METADATA_OF_LIST, isMetadataOnly, liveObject } from './live-object.ts';
import { refusalOf } from './requests/refusal.ts';
import type { Transport } from './requests/transport.ts';

/**
 * Objects in one answer, as kubectl asks for them. With `resourceVersion=0` the server would ignore it. Source:
 * apiserver/pkg/storage/cacher/cacher.go (computeListLimit).
 */
const CHUNK = 500;
/** A cluster may have 150,000 pods (kubernetes.io/docs/setup/best-practices/cluster-large); what is left out makes the list partial. */
const MAX_OBJECTS = 200_000;
/** A server may give fewer objects in an answer than it was asked for, also none; this many answers are more than any list needs. */
const MAX_PAGES = 2 * (MAX_OBJECTS / CHUNK);
/** Answers in a row without an object: a server that goes on so has no end. */
const MAX_EMPTY_PAGES = 20;

/**
 * A whole list, read in chunks. A continuation that has expired (410) begins the list again, once. When a later chunk cannot be
 * read, the objects so far are the answer, marked partial. Of kinds whose content must not be read only the metadata is asked for;
 * unless `conceal` takes that content out, of each object as it comes.
 */
export async function liveList(transport: Transport, api: ServedApi, scope: Scope, conceal?: Conceal): Promise<ListRead | 'unknown-api'> {
  let objects: KubeObject[] = [];
  const shared = sharing();
  let [token, restarted, broken, empty] = [undefined as string | undefined, false, 0, 0];
  for (let pages = 1; ; pages++) {
    const page = await readPage(transport, api, scope, { token, conceal });
    if (page === 'expired' && !restarted) {
      [objects, token, restarted, broken, empty] = [[], undefined, true, 0, 0];
      continue;
    }
    if (page === 'expired') return brokenOff(objects, 'The list changed too fast to be read completely.');
    if (page === 'unknown-api') return page;
    if ('why' in page) {
      if (objects.length === 0) return page;
      return brokenOff(objects, `The list is incomplete (objects read: ${objects.length}): ${page.detail}`);
    }
    // Also in a list of few pages, most objects are like those before them.
    growSlowly();
    for (const object of page.objects) objects.push(shared(object) as KubeObject);
    broken += page.broken;
    if (page.next === undefined) return broken === 0 ? { ok: true, value: objects } : brokenOff(objects, brokenItems(broken));
    empty = page.objects.length === 0 ? empty + 1 : 0;
    const limit = limitReached(objects.length, pages, empty);
    if (limit !== undefined) return brokenOff(objects, `The list is incomplete: ${limit}.`);
    token = page.next;
  }
}

/** Why no more of a list is asked for. */
function limitReached(objects: number, pages: number, empty: number): string | undefined {
  if (isMemoryFull()) return `memory is full (objects read: ${objects})`;
  if (objects >= MAX_OBJECTS) return `the limit is ${objects}`;
  if (empty >= MAX_EMPTY_PAGES) return 'the server sent only empty pages, each with a continuation';
  return pages >= MAX_PAGES ? `the limit for pages is ${MAX_PAGES}` : undefined;
}

function brokenOff(value: readonly KubeObject[], partial: string): SeenList {
  return { ok: true, value, partial, brokeOff: true };
}

interface Page {
  readonly objects: readonly KubeObject[];
  readonly next?: string;
  /** Items that are no objects. */
  readonly broken: number;
}

function brokenItems(count: number): string {
  return `${count} of the items in the server's response ${count === 1 ? 'is not a named object' : 'are not named objects'}.`;
}

async function readPage(
  transport: Transport,
  api: ServedApi,
  scope: Scope,
  { token, conceal }: { readonly token: string | undefined; readonly conceal: Conceal | undefined },
): Promise<Page | Unread | 'unknown-api' | 'expired'> {
  const target = { namespace: api.namespaced ? scope.namespace : undefined };
  const path = apiPath(api, target, {
    limit: String(CHUNK),
    continue: token,
    labelSelector: scope.labelSelector || undefined,
    fieldSelector: scope.fieldSelector || undefined,
  });
  const answer = await transport.get(path, {
    group: api.plural,
    ...(isMetadataOnly(api.kind) && conceal === undefined ? { accept: METADATA_OF_LIST } : {}),
  });
  if (!answer.ok) return { ok: false, why: 'failed', detail: answer.error.detail };
  if (answer.status === 410 && token !== undefined) return 'expired';
  if (answer.status !== 200) return refusalOf(answer, { verb: 'list', api, target });
  const parsed = parseJson(answer.body.toString('utf8'));
  if (!parsed.ok) return { ok: false, why: 'failed', detail: `The server's list of ${api.plural} is not JSON: ${parsed.detail}` };
  return pageOf(parsed.value, api, conceal);
}

function pageOf(list: Json, api: ServedApi, conceal: Conceal | undefined): Page | Unread {
  const items = dig(list, 'items');
  // Go writes an empty list as null where nothing was ever put in it.
  if (!Array.isArray(items) && items !== null)
    return { ok: false, why: 'failed', detail: `The server's response is not a list of ${api.plural}.` };
  const objects = asList(items)
    .map((item) => liveObject(item, api, conceal))
    .filter((object) => object !== undefined);
  const next = asText(dig(list, 'metadata', 'continue')) || undefined;
  return { objects, ...(next === undefined ? {} : { next }), broken: asList(items).length - objects.length };
}
