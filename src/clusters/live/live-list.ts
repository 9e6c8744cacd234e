import { asText, dig } from '../../base/json.ts';
import { append } from '../../base/lists.ts';
import type { ListRead, Scope, SeenList, Unread } from '../../model/cluster-reader.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Conceal } from '../conceal-secret.ts';
import type { ServedApi } from './api-path.ts';
import { apiPath } from './api-path.ts';
import { isMemoryFull } from '../memory-full.ts';
import { growSlowly } from '../slow-growth.ts';
import { parseJson } from './requests/json-answer.ts';
import type { ListPage } from './list-pages.ts';
import { ListPages } from './list-pages.ts';
import { METADATA_OF_LIST, isMetadataOnly } from './live-object.ts';
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
const REPEATED = 'the server sent the same continuation twice';

/**
 * A whole list, read in chunks. Where a continuation has expired (410), the one that the answer brings goes on behind the last object, as
 * the server is now; without it the list begins again, once. When a later chunk cannot be read, the objects so far are the answer, marked
 * partial. Of kinds whose content must not be read only the metadata is asked for; unless `conceal` takes that content out, of each
 * object as it comes.
 */
export async function liveList(transport: Transport, api: ServedApi, scope: Scope, conceal?: Conceal): Promise<ListRead | 'unknown-api'> {
  let objects: KubeObject[] = [];
  const reader = new ListPages(api, conceal);
  const ask = (token: string | undefined, ahead?: Asked): Asked => {
    if (ahead !== undefined && ahead.token === token) return ahead;
    const answer = asked(transport, api, scope, { token, conceal });
    // One that is not needed any more may fail.
    answer.catch(() => undefined);
    return { token, answer };
  };
  let [next, restarted, broken, empty] = [ask(undefined), false, 0, 0];
  const continuations = new Set<string>();
  for (let pages = 1; ; pages++) {
    const { token } = next;
    const answer = await next.answer;
    const told = continuationIn(answer, pages, empty);
    // While one answer is read the server works on the next: one after the other took as long as both together.
    const ahead = told === undefined ? undefined : ask(told);
    const page = readPage(answer, api, scope, { token, pages: reader });
    if (page === 'expired' && !restarted) {
      [objects, next, restarted, broken, empty] = [[], ask(undefined), true, 0, 0];
      continuations.clear();
      continue;
    }
    if (page === 'expired') return brokenOff(objects, 'The list changed too fast to be read completely.');
    if (page === 'unknown-api') return page;
    if ('why' in page) {
      if (objects.length === 0) return page;
      return brokenOff(objects, `The list is incomplete (objects read: ${objects.length}): ${page.detail}`);
    }
    growSlowly();
    append(objects, page.objects);
    broken += page.broken;
    if (page.next === undefined) return broken === 0 ? { ok: true, value: objects } : brokenOff(objects, brokenItems(broken));
    empty = page.objects.length === 0 ? empty + 1 : 0;
    // What follows was read already, and would be counted again and again.
    if (continuations.has(page.next)) return brokenOff(objects, `The list is incomplete (objects read: ${objects.length}): ${REPEATED}`);
    continuations.add(page.next);
    const limit = limitReached(objects.length, pages, empty);
    if (limit !== undefined) return brokenOff(objects, `The list is incomplete: ${limit}.`);
    next = ask(page.next, ahead);
  }
}

interface Asked {
  readonly token: string | undefined;
  readonly answer: ReturnType<typeof asked>;
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

function brokenItems(count: number): string {
  return `${count} of the items in the server's response ${count === 1 ? 'is not a named object' : 'are not named objects'}.`;
}

interface Asking {
  readonly token: string | undefined;
  readonly conceal: Conceal | undefined;
}

function targetOf(api: ServedApi, scope: Scope): { readonly namespace: string | undefined } {
  return { namespace: api.namespaced ? scope.namespace : undefined };
}

function asked(transport: Transport, api: ServedApi, scope: Scope, { token, conceal }: Asking): ReturnType<Transport['get']> {
  const path = apiPath(api, targetOf(api, scope), {
    limit: String(CHUNK),
    continue: token,
    labelSelector: scope.labelSelector || undefined,
    fieldSelector: scope.fieldSelector || undefined,
  });
  return transport.get(path, {
    group: api.plural,
    ...(isMetadataOnly(api.kind) && conceal === undefined ? { accept: METADATA_OF_LIST } : {}),
  });
}

interface Reading {
  readonly token: string | undefined;
  readonly pages: ListPages;
}

type Answer = Awaited<ReturnType<Transport['get']>>;

/** The continuation that an answer names before its items, as servers do, if it may be asked for; whoever reads all of it looks again. */
function continuationIn(answer: Answer, pages: number, empty: number): string | undefined {
  if (!answer.ok || answer.status !== 200 || pages >= MAX_PAGES || empty >= MAX_EMPTY_PAGES - 1) return undefined;
  const head = answer.body.toString('utf8', 0, LONGEST_HEAD);
  const end = head.indexOf('"items":[');
  const parsed = end < 0 ? undefined : parseJson(`${head.slice(0, end)}"items":[]}`);
  return parsed?.ok === true ? asText(dig(parsed.value, 'metadata', 'continue')) || undefined : undefined;
}

const LONGEST_HEAD = 4096;

function readPage(answer: Answer, api: ServedApi, scope: Scope, { token, pages }: Reading): ListPage | Unread | 'unknown-api' | 'expired' {
  if (!answer.ok) return { ok: false, why: 'failed', detail: answer.error.detail };
  if (answer.status === 410 && token !== undefined) return restOf(answer.body) ?? 'expired';
  return answer.status === 200 ? pages.read(answer.body) : refusalOf(answer, { verb: 'list', api, target: targetOf(api, scope) });
}

/** An expired continuation, as an answer without objects. Source: apiserver/pkg/storage/etcd3/errors.go (handleCompactedErrorForPaging). */
function restOf(body: Buffer): ListPage | undefined {
  const status = parseJson(body.toString('utf8', 0, LONGEST_HEAD));
  const next = status.ok ? asText(dig(status.value, 'metadata', 'continue')) || undefined : undefined;
  return next === undefined ? undefined : { objects: [], broken: 0, next };
}
