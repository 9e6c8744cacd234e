import type { Json } from '../../../base/json.ts';
import { asText, dig } from '../../../base/json.ts';
import { shorten, withoutTail } from '../../../base/text.ts';
import type { Unread } from '../../../model/cluster-reader.ts';
import type { ApiTarget, ServedApi } from '../api-path.ts';
import { permission } from '../api-path.ts';
import type { Answer } from './exchange.ts';
import { parseJson } from './json-answer.ts';

/** A read that the server did not answer with what was asked for. */
export interface Refused {
  readonly verb: 'get' | 'list';
  readonly api: ServedApi;
  readonly target: ApiTarget;
}

/**
 * What an answer with a status of 400 and above means; `unknown-api` is a 404 that is not about an object: the server does not
 * have this version of the API.
 */
export function refusalOf(answer: Answer, { verb, api, target }: Refused): Unread | 'unknown-api' {
  const status = statusOf(answer);
  const detail = messageOf(answer);
  if (answer.status === 401) {
    return {
      ok: false,
      why: 'forbidden',
      detail: `The server did not accept the credentials: ${detail}`,
      needs: 'credentials that the server accepts',
    };
  }
  if (answer.status === 403) {
    const needs = detail.includes('cannot impersonate resource') ? 'impersonate users' : permission(verb, api, target);
    return { ok: false, why: 'forbidden', detail, needs };
  }
  if (answer.status >= 300 && answer.status < 400)
    return {
      ok: false,
      why: 'failed',
      detail: `The response is a redirect (HTTP ${answer.status}), which is not followed: this URL is not a Kubernetes API.`,
    };
  const [said, later] = [`${detail}${status === undefined ? ` (HTTP ${answer.status})` : ''}`, laterOf(answer)];
  if (answer.status !== 404) return { ok: false, why: 'failed', detail: later === '' ? said : `${withoutTail(said, '.')}${later}` };
  const missing = asText(dig(status, 'details', 'name'));
  if (missing !== undefined && missing === target.name) return { ok: false, why: 'absent', detail };
  // Something else is missing that the answer depends on: the node a log would come from.
  if (missing !== undefined && missing !== '') return { ok: false, why: 'failed', detail };
  if (api.apiVersion !== 'v1') return 'unknown-api';
  // Every Kubernetes API server has v1: what answers here is something else, or a proxy that hides it.
  return { ok: false, why: 'failed', detail: `This URL is not a Kubernetes API: ${detail} (HTTP 404)` };
}

/** What the server asked for and was not given: podcheck waits a few seconds before it asks again, and no longer. */
function laterOf({ retryAfter = '' }: Answer): string {
  return /^\d{1,9}$/.test(retryAfter) ? `; it asks to be asked again after ${retryAfter} s` : '';
}

/** The server's own sentence, or the one client-go has for a status without one. */
export function messageOf(answer: Answer): string {
  const message = asText(dig(statusOf(answer), 'message'));
  if (message !== undefined && message !== '') return shorten(message, MAX_MESSAGE_CHARACTERS);
  const known = MESSAGES.get(answer.status);
  if (known !== undefined) return known;
  const body = shorten(answer.body.toString('utf8').trim(), MAX_BODY_CHARACTERS);
  return answer.status >= 500
    ? `an error on the server (${JSON.stringify(body)}) has prevented the request from succeeding`
    : `unexpected answer ${JSON.stringify(body)}`;
}

const MAX_MESSAGE_CHARACTERS = 2000;
const MAX_BODY_CHARACTERS = 200;

/** Source: staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go (NewGenericServerResponse). */
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [401, 'the server has asked for the client to provide credentials'],
  [403, 'the server refused the request and did not say why'],
  [404, 'the server could not find the requested resource'],
  [406, 'the server does not offer the representation that was asked for'],
  [409, 'the server reported a conflict'],
  [410, 'the continuation of the list has expired'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [504, 'the server was unable to return a response in the time allotted, but may still be processing the request'],
]);

function statusOf(answer: Answer): Json | undefined {
  if (!answer.contentType.includes('json')) return undefined;
  const parsed = parseJson(answer.body.toString('utf8'));
  return parsed.ok && asText(dig(parsed.value, 'kind')) === 'Status' ? parsed.value : undefined;
}
