import { asList, asObject } from '../../src/base/json.ts';
import type { Json } from '../../src/base/json.ts';
import { resourceNamed } from '../../src/model/resources.ts';
import type { Fault, FaultyAnswer, ProxiedRequest } from './faulty-proxy.ts';
import { statusReply } from './kube-server.ts';

/** What a request asks for, as the API server's own authorization would call it. */
export interface WireRead {
  readonly verb: 'get' | 'list' | 'logs' | 'version' | 'discovery' | 'review';
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Each way in which a request for objects goes wrong, by its name. */
export const WIRE_FAULTS: Readonly<Record<string, (request: ProxiedRequest) => Fault | undefined>> = {
  unauthorized: () => refusal(401, 'Unauthorized', 'Unauthorized'),
  forbidden: () => refusal(403, 'Forbidden', 'it is forbidden: User "eve" cannot do it'),
  // As the API server says it of a group that it does not have.
  'not served': () => ({ answer: { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' } }),
  'server error': () => refusal(500, 'InternalError', 'Internal error occurred: etcdserver: request timed out'),
  unavailable: () => ({ answer: { status: 503, headers: { 'content-type': 'text/plain' }, body: 'upstream connect error' } }),
  throttled: () => refusal(429, 'TooManyRequests', 'Too many requests, please try again later.', { 'retry-after': '86400' }),
  cut: () => ({ answer: 'cut' }),
  malformed: () => ({ answer: { status: 200, headers: JSON_TYPE, body: '{"kind":"PodList","items":[{"metadata":{"name":"web-1"' } }),
  'half of the JSON': () => ({
    answer: ({ body }) => ({ status: 200, headers: JSON_TYPE, body: body.toString().slice(0, body.length / 2) }),
  }),
  'another kind': () => ({
    answer: { status: 200, headers: JSON_TYPE, body: JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Success' }) },
  }),
  'an empty body': () => ({ answer: { status: 200, headers: JSON_TYPE } }),
  // A server may give no object and a continuation; what comes after it fails.
  'an empty page': ({ path }) =>
    path.includes('continue=')
      ? refusal(500, 'InternalError', 'the next page is gone')
      : answered({ kind: 'List', apiVersion: 'v1', metadata: { continue: 'next', remainingItemCount: 7 }, items: [] }),
  'pages without end': () => answered({ kind: 'List', apiVersion: 'v1', metadata: { continue: 'next' }, items: [] }),
  // The first page comes, with one object; its continuation has always expired.
  'an expired continuation': ({ path }) =>
    path.includes('continue=')
      ? refusal(410, 'Expired', 'The provided continue parameter is too old')
      : { answer: ({ body }) => firstPage(body.toString()) },
  'nothing by selector': ({ path }) =>
    /[?&](?:label|field)Selector=/.test(path) ? answered({ kind: 'List', apiVersion: 'v1', metadata: {}, items: [] }) : undefined,
  reset: () => ({ answer: 'reset' }),
  hang: () => ({ answer: 'hang' }),
  drip: () => ({ answer: 'drip' }),
  redirect: () => ({ answer: { status: 302, headers: { location: 'https://login.shop.example/' } } }),
  'a page to log in': () => ({
    answer: { status: 200, headers: { 'content-type': 'text/html' }, body: '<html><body>Please log in</body></html>' },
  }),
};

/** `/apis/apps/v1/namespaces/shop/deployments/web?…` gets the Deployment web in shop. */
export function readOf({ path }: ProxiedRequest): WireRead {
  const { pathname } = new URL(path, 'https://server');
  if (pathname === '/version') return { verb: 'version', kind: '', namespace: undefined, name: undefined };
  const [, namespace, plural = '', name, subresource] =
    /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/))?\/([a-z]+)(?:\/([^/]+))?(?:\/(.+))?$/.exec(pathname) ?? [];
  if (plural === 'selfsubjectaccessreviews') return { verb: 'review', kind: plural, namespace: undefined, name: undefined };
  const kind = resourceNamed(plural)?.kind;
  if (kind === undefined) return { verb: 'discovery', kind: '', namespace: undefined, name: undefined };
  return { verb: subresource === 'log' ? 'logs' : name === undefined ? 'list' : 'get', kind, namespace, name };
}

function refusal(code: number, reason: string, message: string, headers: Readonly<Record<string, string>> = {}): Fault {
  const reply = statusReply(code, reason, message);
  return { answer: { status: code, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(reply === 'handled' ? {} : reply.json) } };
}

function answered(value: Json): Fault {
  return { answer: { status: 200, headers: JSON_TYPE, body: JSON.stringify(value) } };
}

function firstPage(body: string): FaultyAnswer {
  const list = asObject(JSON.parse(body) as Json);
  return {
    status: 200,
    headers: JSON_TYPE,
    body: JSON.stringify({ ...list, metadata: { continue: 'next' }, items: asList(list['items']).slice(0, 1) }),
  };
}
