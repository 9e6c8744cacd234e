import { parseInteger } from '../../base/number.ts';
import type { WordOf } from '../survey/fact-sink.ts';

/** What a probe's failure message says. */
export interface ProbeFailure {
  readonly failure: WordOf<'probe', 'failure'>;
  readonly status?: number;
}

interface Wording {
  readonly failure: ProbeFailure['failure'];
  readonly test: RegExp;
}

/**
 * Messages of Unhealthy events after "… probe failed: " or "… probe errored …: "; the first that fits counts. Source: pkg/probe/http/http.go,
 * pkg/probe/grpc/grpc.go, pkg/probe/tcp/tcp.go, pkg/kubelet/prober/prober.go; Go's net/http and google.golang.org/grpc for the rest.
 */
const WORDINGS: readonly Wording[] = [
  { failure: 'status', test: /HTTP probe failed with statuscode: \d/ },
  { failure: 'speaks-http', test: /server gave HTTP response to HTTPS client|first record does not look like a TLS handshake/ },
  // An HTTP/2 server opens with a SETTINGS frame (type 4), a TLS server answers with an alert record (0x15 0x03).
  { failure: 'speaks-http2', test: /malformed HTTP response "\\x00\\x00.{1,4}\\x04|malformed HTTP response "\\x00\\x00|http2: server sent GOAWAY/ },
  { failure: 'speaks-tls', test: /malformed HTTP response "\\x15\\x03/ },
  { failure: 'speaks-other', test: /malformed HTTP|malformed MIME|error reading server preface|http2: frame too large|transport connection broken/ },
  { failure: 'no-health-service', test: /does not implement the grpc health protocol|unknown service grpc\.health/ },
  { failure: 'unhealthy', test: /service unhealthy \(responded with/ },
  { failure: 'port-name', test: /strconv\.Atoi: parsing|couldn't find port|port \S{1,63} not found/ },
  { failure: 'command-missing', test: /executable file (?:`[^`]{1,300}` )?not found|exec: "[^"]{1,500}": stat [^\n]{1,500}: no such file or directory|exec failed[^\n]{0,500}no such file or directory/ },
  { failure: 'command-timeout', test: /command timed out|^command "[^\n]{0,1000}" timed out|timed out after \d/ },
  { failure: 'no-answer', test: /failed to connect service/ },
  { failure: 'refused', test: /connection refused/ },
  { failure: 'closed', test: /\bEOF\b|connection reset by peer|server closed idle connection|broken pipe/ },
  { failure: 'name-not-resolved', test: /no such host/ },
  { failure: 'unreachable', test: /no route to host|network is unreachable/ },
  { failure: 'timeout', test: /context deadline exceeded|Client\.Timeout|i\/o timeout|did not complete within|request canceled/ },
];

const PREFIX = /^(startup|readiness|liveness) probe (failed|errored(?: and resulted in \w{1,20} state)?): ?/i;

/** Which probe an Unhealthy event is about; undefined for other messages. */
export function probeOfMessage(message: string): 'startup' | 'readiness' | 'liveness' | undefined {
  const word = PREFIX.exec(message)?.[1]?.toLowerCase();
  return word === 'startup' || word === 'readiness' || word === 'liveness' ? word : undefined;
}

/** Classifies the message of an Unhealthy event; the handler decides over words that a command may print as well. */
export function classifyProbe(message: string, handler: string): ProbeFailure {
  const text = message.replace(PREFIX, '');
  const found = WORDINGS.find(({ test }) => test.test(text))?.failure;
  if (handler === 'exec') return { failure: found === 'command-missing' || found === 'command-timeout' ? found : 'command-failed' };
  const status = parseInteger(/statuscode: (\d{3})/.exec(text)?.[1]);
  return { failure: found ?? 'other', ...(status === undefined ? {} : { status }) };
}
