import { integer } from '../draft.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { parseDuration } from '../../../base/duration.ts';
import { portOf } from '../printed-values.ts';

/** A longer one is cut off or made up. */
const MAX_PROBE = 4000;
const PROBE = /^(.*)\sdelay=(\S+) timeout=(\S+) period=(\S+) #success=(\d+) #failure=(\d+)$/s;
const HTTP = /^http-get (https?):\/\/([^/]*?):([^:/]*)(\/.*)?$/s;
const HTTP_PORTLESS = /^http-get (https?):\/\/([^/:]*)(\/.*)?$/s;

/**
 * A probe as describe prints it, `http-get http://:8080/healthz delay=0s timeout=1s period=10s #success=1 #failure=3`; undefined
 * when it is cut off. Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go (DescribeProbe).
 */
export function probeOf(text: string): JsonObject | undefined {
  const parts = text.length > MAX_PROBE ? null : PROBE.exec(text.trimEnd());
  if (parts === null) return undefined;
  const [, handler = '', delay, timeout, period, success, failure] = parts;
  const action = handlerOf(handler.trim());
  if (action === undefined) return undefined;
  const delaySeconds = parseDuration(delay ?? '') ?? 0;
  return {
    ...action,
    ...(delaySeconds === 0 ? {} : { initialDelaySeconds: delaySeconds }),
    timeoutSeconds: parseDuration(timeout ?? '') ?? 1,
    periodSeconds: parseDuration(period ?? '') ?? 10,
    successThreshold: integer(success) ?? 1,
    failureThreshold: integer(failure) ?? 3,
  };
}

function handlerOf(handler: string): JsonObject | undefined {
  if (handler.startsWith('exec ')) return { exec: { command: words(handler.slice(5)) } };
  if (handler.startsWith('tcp-socket ')) return { tcpSocket: socket(handler.slice(11)) };
  if (handler.startsWith('grpc ')) {
    const [, port, service] = /^grpc <pod>:(\d+) ?(.*)/.exec(handler) ?? [];
    const number = integer(port);
    return number === undefined ? undefined : { grpc: { port: number, service: service ?? '' } };
  }
  if (!handler.startsWith('http-get ')) return undefined;
  const http = HTTP.exec(handler);
  const [, scheme = 'http', host = '', port, path] = http ?? withoutPort(HTTP_PORTLESS.exec(handler));
  return {
    httpGet: {
      ...(path === undefined ? {} : { path }),
      ...(portOf(port) === undefined ? {} : { port: portOf(port) }),
      ...(host === '' ? {} : { host }),
      scheme: scheme.toUpperCase(),
    },
  };
}

/** Aligns the match of a URL without a port with one that has it. */
function withoutPort(match: RegExpExecArray | null): readonly (string | undefined)[] {
  return match === null ? [] : [match[0], match[1], match[2], undefined, match[3]];
}

function socket(text: string): Json {
  const colon = text.lastIndexOf(':');
  const [host, port] = [text.slice(0, Math.max(0, colon)), portOf(text.slice(colon + 1))];
  return { ...(port === undefined ? {} : { port }), ...(host === '' ? {} : { host }) };
}

/** `[cat /tmp/ready]`: where one word ended and the next began is not printed. */
function words(text: string): readonly string[] {
  const inner = text.replace(/^\[/, '').replace(/\]$/, '');
  return inner === '' ? [] : inner.split(' ');
}
