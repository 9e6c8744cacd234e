import { shorten } from '../../base/text.ts';
import type { Log, LogOptions, Read } from '../../model/cluster-reader.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import type { ServedApi } from './api-path.ts';
import { apiPath } from './api-path.ts';
import { refusalOf } from './requests/refusal.ts';
import type { Transport } from './requests/transport.ts';

const MAX_LINES = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_LINE_CHARACTERS = 16_384;
/**
 * The server counts the bytes from the first of the lines asked for, so that too many bytes cost the last lines, which matter
 * most: then a tenth of the lines is asked for, down to one.
 */
const FEWER = 10;

/** The last lines of a container's log. What the kubelet or the server says instead is the answer: `container … is waiting to start`. */
export async function liveLogs(
  transport: Transport,
  pods: ServedApi,
  pod: ObjectRef,
  container: string,
  options: LogOptions,
): Promise<Read<Log>> {
  const target = { namespace: pod.namespace, name: pod.name, subresource: 'log' };
  let lines = Math.min(Math.max(1, Math.trunc(options.tailLines)), MAX_LINES);
  for (;;) {
    const path = apiPath(pods, target, {
      container,
      tailLines: String(lines),
      limitBytes: String(MAX_BYTES),
      previous: options.previous === true ? 'true' : undefined,
    });
    const answer = await transport.get(path, { group: 'pods/log', accept: '*/*', maxBytes: MAX_BYTES, overflow: 'cut' });
    if (!answer.ok) return { ok: false, why: 'failed', detail: answer.error.detail };
    if (answer.status !== 200) return refused(refusalOf(answer, { verb: 'get', api: pods, target }));
    if (NO_LOG.test(answer.contentType))
      return {
        ok: false,
        why: 'failed',
        detail: `The server's response is not a log: its type is ${JSON.stringify(shorten(answer.contentType, MAX_TYPE_CHARACTERS))}.`,
      };
    const full = answer.cut || answer.body.length >= MAX_BYTES;
    if (!full || lines === 1) return { ok: true, value: logOf(answer.body.toString('utf8'), lines, full) };
    lines = Math.max(1, Math.trunc(lines / FEWER));
  }
}

/** A log is text/plain, whatever the container writes. Source: pkg/registry/core/pod/rest/log.go (LogREST.Get, ContentType). */
const NO_LOG = /html|json/i;
const MAX_TYPE_CHARACTERS = 100;

/** Source of the wording: pkg/kubelet/kubelet_pods.go (validateContainerLogStatus). */
const NO_PREVIOUS = /^previous terminated container .* not found/;

function refused(refusal: ReturnType<typeof refusalOf>): Read<Log> {
  if (refusal === 'unknown-api') return { ok: false, why: 'failed', detail: 'The server does not serve logs.' };
  return refusal.why === 'failed' && NO_PREVIOUS.test(refusal.detail) ? { ...refusal, why: 'absent' } : refusal;
}

function logOf(text: string, asked: number, cut: boolean): Log {
  const lines = text.split('\n').map((line) => shorten(line.replace(/\r$/, ''), MAX_LINE_CHARACTERS));
  if (lines.at(-1) === '') lines.pop();
  return { lines, filtered: cut || lines.length >= asked };
}
