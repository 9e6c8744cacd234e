import type { FieldValues, WordOf } from '../survey/fact-sink.ts';
import type { PortEvidence } from './port-evidence.ts';
import type { ProbeFailure } from './probe-failures.ts';
import type { ProbeSpec } from './probe-specs.ts';
import { protocolOf } from './probe-specs.ts';

type Judgement = Pick<
  FieldValues<'probe'>,
  'portKnown' | 'expectedPort' | 'expectedFrom' | 'speaks' | 'speaksFrom' | 'wrongProtocol' | 'loopback'
>;

/** Compares what a probe asks with what is known of the container's ports: is it the right one, and does it speak its language? */
export function judgePort(
  spec: Pick<ProbeSpec, 'handler' | 'scheme' | 'port'>,
  failure: ProbeFailure | undefined,
  evidence: readonly PortEvidence[],
): Judgement {
  const { port } = spec;
  if (port === undefined) return {};
  const about = evidence.filter((one) => one.port === port);
  const moved = failure?.failure === 'refused' ? movedPort(port, evidence) : undefined;
  const portKnown = evidence.length === 0 ? undefined : about.length > 0 && moved === undefined;
  const other = portKnown === false ? (moved ?? evidence[0]) : undefined;
  const spoken = speaks(failure, about);
  return {
    portKnown,
    expectedPort: other?.port,
    expectedFrom: other?.words,
    speaks: spoken?.protocol,
    speaksFrom: spoken?.words,
    wrongProtocol: isWrongProtocol(spec, failure, spoken),
    loopback: loopbackOnly(about, failure),
  };
}

/**
 * Where a variable tells the program to listen, if nothing but the manifest has the port that refuses: programs that read the variable do
 * not know what the manifest declares. Of a container with several ports nobody can tell which one the variable means.
 */
function movedPort(port: number, evidence: readonly PortEvidence[]): PortEvidence | undefined {
  if (evidence.some((one) => (one.port === port ? !WRITTEN.has(one.from) : one.from === 'declared' || one.from === 'service')))
    return undefined;
  const [told, ...others] = evidence.filter(({ from }) => from === 'env');
  return told !== undefined && others.length === 0 && told.protocol !== 'grpc' && OWN_PORT.test(told.words) ? told : undefined;
}

/** Variables that never mean the port of another service. */
const OWN_PORT = /^env (?:PORT|SERVER_PORT|HTTP_PORT|LISTEN_ADDR|LISTEN_ADDRESS|ASPNETCORE_URLS|ASPNETCORE_HTTP_PORTS)=/;

/** What people write beside the program. */
const WRITTEN: ReadonlySet<PortEvidence['from']> = new Set(['declared', 'service']);

interface Spoken {
  readonly protocol: WordOf<'probe', 'speaks'>;
  readonly words: string;
  /** The server's own answer says so, not somebody else's word for it. */
  readonly sure: boolean;
  /** Only a log or a command hints at it: programs that speak gRPC call their address `http://` as well. */
  readonly hint: boolean;
}

const ANSWERS: Readonly<Record<string, WordOf<'probe', 'speaks'>>> = {
  'speaks-http': 'http',
  'speaks-http2': 'grpc',
  'speaks-tls': 'https',
  'speaks-other': 'other',
};

/** What says how a port speaks, the surest first; the others only hint at it. */
const TELLING: readonly PortEvidence['from'][] = ['probe', 'declared', 'service', 'log', 'command', 'env'];
const HINTS: ReadonlySet<PortEvidence['from']> = new Set(['log', 'command', 'env']);

/** What the port speaks: as its answer shows, or as a passing probe, its name or its log says. */
function speaks(failure: ProbeFailure | undefined, about: readonly PortEvidence[]): Spoken | undefined {
  const protocol = ANSWERS[failure?.failure ?? ''];
  const answered = protocol === undefined ? undefined : { protocol, words: 'its answer to the probe', sure: true, hint: false };
  if (answered !== undefined && protocol !== 'other') return answered;
  for (const from of TELLING) {
    const found = about.find(
      (one) => one.from === from && one.protocol !== undefined && (answered === undefined || !one.protocol.startsWith('http')),
    );
    if (found?.protocol !== undefined)
      return { protocol: found.protocol, words: found.words, sure: answered !== undefined, hint: HINTS.has(from) };
  }
  return answered;
}

/** Statuses with which a server that expects another protocol answers a plain HTTP request. */
const NOT_THIS_PROTOCOL = new Set<number | undefined>([400, 415, 426, 464, 505]);

function isWrongProtocol(
  spec: Pick<ProbeSpec, 'handler' | 'scheme'>,
  failure: ProbeFailure | undefined,
  spoken: Spoken | undefined,
): boolean | undefined {
  if (failure === undefined || spoken === undefined) return undefined;
  const asked = protocolOf(spec);
  if (asked === undefined || asked === spoken.protocol) return undefined;
  if (spoken.sure) return true;
  const rebuffed =
    spec.handler === 'grpc'
      ? ['no-answer', 'closed', 'timeout'].includes(failure.failure)
      : failure.failure === 'closed' || (failure.failure === 'status' && NOT_THIS_PROTOCOL.has(failure.status));
  return rebuffed && !spoken.hint && spoken.protocol !== 'tcp' ? true : undefined;
}

/** What says that the container listens on loopback only; undefined when it listens elsewhere too, or nobody says. */
function loopbackOnly(about: readonly PortEvidence[], failure: ProbeFailure | undefined): string | undefined {
  if (failure !== undefined && failure.failure !== 'refused' && failure.failure !== 'no-answer') return undefined;
  const told = about.filter(({ from }) => HINTS.has(from));
  return told.length > 0 && told.every(({ loopback }) => loopback) ? told[0]?.words : undefined;
}
