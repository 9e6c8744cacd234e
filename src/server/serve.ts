import type { IncomingMessage, ServerResponse } from 'node:http';
import { networkInterfaces } from 'node:os';
import { reasonOf } from '../base/errors.ts';
import type { Instant } from '../base/instant.ts';
import { formatHttpDate } from '../base/instant.ts';
import type { AuditEntry } from '../model/audit.ts';
import type { Certificate, Cluster } from '../simulator/index.ts';
import { certificateOf, internalError } from '../simulator/index.ts';
import type { ApiSurroundings } from './api.ts';
import { answerExchange } from './api.ts';
import { Authority } from './authority.ts';
import type { Speed } from './clock.ts';
import type { KeyPair } from './issue-certificate.ts';
import { Clock } from './clock.ts';
import { exchangeOf } from './exchange.ts';
import { Front } from './listener.ts';
import { IssuedCertificates } from './issued-certificates.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { sendFailure } from './send.ts';
import { ServerCertificate } from './server-certificate.ts';
import { TimeShift } from './time-shift.ts';
import { answerUpgrade } from './upgrade.ts';
import { WatchStreams } from './watch-stream.ts';
import { WireText } from './wire-text.ts';

export interface ServingOptions {
  readonly cluster: Cluster | FutureCluster;
  /** Told once clients can connect. Who asks before the cluster is there is answered when it is. */
  readonly opened?: (place: Place) => void | Promise<void>;
  /** Virtual seconds to a second; 1 when not given. */
  readonly speed?: Speed;
  /** 0, any free one, when not given. */
  readonly port?: number;
  /** 127.0.0.1 when not given. */
  readonly listen?: string;
  readonly wall?: () => Instant;
  /** Whether a timestamp stays as it was first sent, however fast time passes (TimeShift). */
  readonly steadyTimes?: boolean;
  /** How long a client of HTTP/1.1 may take for the headers of a request; a minute when not given. */
  readonly headersMilliseconds?: number;
  /** Told of every request once it is answered. */
  readonly audit?: (entry: AuditEntry) => void;
  /** Told of a bug of podcheck's own; what it hit is answered with a 500. */
  readonly failed?: (error: unknown) => void;
}

/** A cluster that is made once its port is open: whoever starts a client meanwhile waits for the rest only. */
export interface FutureCluster {
  /** When it begins, and no earlier than it will be when it is made, by its own time: what the administrator's certificate holds for. */
  readonly from: Instant;
  readonly until: Instant;
  make(): Cluster;
}

/** Where a cluster is served. */
export interface Place {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** The text of a kubeconfig for the administrator. */
  readonly kubeconfig: string;
}

type Credentials = Pick<Serving, 'authority' | 'foreignAuthority' | 'credentialFor'>;

/** A cluster that clients can talk to. */
export interface Serving extends Place {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** The text of a kubeconfig for somebody else, with a client certificate of the cluster's authority. */
  kubeconfigFor(user: string, groups: readonly string[]): string;
  /** PEM of the authority that clients check the server's certificate against. */
  readonly authority: string;
  /** PEM of another authority, which is not the cluster's. */
  foreignAuthority(): string;
  /** A certificate with its key for whoever it names, signed by that other authority when it is foreign. */
  credentialFor(certificate: Certificate, foreign: boolean): KeyPair;
  /** How much is open right now. */
  load(): { readonly connections: number; readonly watches: number };
  /** Ends every connection and the cluster's time. Nothing is left running. */
  close(): Promise<void>;
}

/** Serves a cluster as the Kubernetes API over HTTPS, with an authority of its own. A port that is taken is a PodcheckError. */
export async function startServing(options: ServingOptions): Promise<Serving> {
  const { wall, host, failed } = {
    wall: options.wall ?? Date.now,
    host: options.listen ?? LOOPBACK,
    failed: options.failed ?? ((): void => undefined),
  };
  const authority = new Authority(wall());
  const entry = new Entry();
  const front = new Front({
    host,
    port: options.port ?? 0,
    certificate: authority.forServer(hostsOf(host), wall() - DAY, wall() + DAY),
    authority: authority.certificate,
    headersMilliseconds: options.headersMilliseconds ?? HEADERS_MILLISECONDS,
    answer: (request, response) => entry.run((around) => void answer(request, response, around, failed)),
    upgrade: (request, socket, head) => entry.run((around) => answerUpgrade(request, { socket, head }, around, failed)),
  });
  await front.open();
  try {
    const kubeconfigOf = kubeconfigsAt(urlOf(host, front.port), authority);
    const future = 'make' in options.cluster ? options.cluster : undefined;
    const now = 'make' in options.cluster ? 0 : options.cluster.now();
    const place: Place = {
      url: urlOf(host, front.port),
      port: front.port,
      kubeconfig: kubeconfigOf(ADMINISTRATOR, future?.from ?? now, future?.until ?? now),
    };
    await options.opened?.(place);
    const cluster = 'make' in options.cluster ? options.cluster.make() : options.cluster;
    return {
      ...place,
      ...serve({ cluster, wall, host, failed, authority, entry, front }, options),
      kubeconfigFor: (user, groups) => kubeconfigOf({ user, groups }, cluster.now(), cluster.now()),
      ...credentialsOf(authority, wall),
    };
  } catch (error) {
    await front.shut();
    throw error;
  }
}

interface Parts {
  readonly cluster: Cluster;
  readonly wall: () => Instant;
  readonly host: string;
  readonly failed: (error: unknown) => void;
  readonly authority: Authority;
  readonly entry: Entry;
  readonly front: Front;
}

/** Lets the cluster's time pass, and whoever waits in. */
function serve(
  { cluster, wall, host, failed, authority, entry, front }: Parts,
  options: ServingOptions,
): Omit<Serving, keyof Place | 'kubeconfigFor' | keyof Credentials> {
  const shift = new TimeShift(() => cluster.now(), wall, options.steadyTimes);
  const text = new WireText(shift);
  const issued = new IssuedCertificates(authority);
  const watches = new WatchStreams(cluster, text, issued);
  const doors = new Doors(front, cluster, new ServerCertificate({ cluster, authority, shift, wall, hosts: hostsOf(host) }));
  const clock = new Clock(cluster, {
    speed: options.speed ?? 1,
    hold: () => watches.full,
    failed,
    ticked: () => void doors.follow().catch(failed),
  });
  doors.follow().catch(failed);
  let sessions = 0;
  const nextSession = (): number => ++sessions;
  entry.open({
    cluster,
    clock,
    authority,
    watches,
    issued,
    shift,
    text,
    wall,
    nextSession,
    audit: options.audit ?? ((): void => undefined),
  });
  return {
    cluster,
    clock,
    load: () => ({ connections: front.connections, watches: watches.count }),
    close: async () => {
      clock.close();
      watches.end();
      await doors.close();
    },
  };
}

/** Where requests wait until there is a cluster to answer them. */
class Entry {
  #around: ApiSurroundings | undefined;
  readonly #waiting: ((around: ApiSurroundings) => void)[] = [];

  run(answer: (around: ApiSurroundings) => void): void {
    if (this.#around === undefined) this.#waiting.push(answer);
    else answer(this.#around);
  }

  open(around: ApiSurroundings): void {
    this.#around = around;
    for (const answer of this.#waiting.splice(0)) answer(around);
  }
}

function urlOf(host: string, port: number): string {
  const own = WILDCARDS.includes(host) ? LOOPBACK : host;
  return `https://${own.includes(':') ? `[${own}]` : own}:${port}`;
}

interface Person {
  readonly user: string;
  readonly groups: readonly string[];
}

const ADMINISTRATOR: Person = { user: 'kubernetes-admin', groups: ['system:masters'] };

/** Kubeconfigs with a client certificate that is good from one moment until a year after another. */
function kubeconfigsAt(url: string, authority: Authority): (person: Person, from: Instant, until: Instant) => string {
  return ({ user, groups }, from, until) => {
    const { notAfter } = certificateOf(user, groups, until);
    return kubeconfigText({
      url,
      authority: authority.certificate,
      user,
      credential: authority.forClient({ ...certificateOf(user, groups, from), notAfter }),
    });
  };
}

/** The other authority is made when it is asked for: most clusters are never shown anything foreign. */
function credentialsOf(authority: Authority, wall: () => Instant): Credentials {
  let other: Authority | undefined;
  const foreign = (): Authority => (other ??= new Authority(wall()));
  return {
    authority: authority.certificate,
    foreignAuthority: () => foreign().certificate,
    credentialFor: (certificate, isForeign) => (isForeign ? foreign() : authority).forClient(certificate),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  around: ApiSurroundings,
  failed: (error: unknown) => void,
): Promise<void> {
  const exchange = exchangeOf(request, response);
  // Clients reckon by the times in objects and by this one.
  response.setHeader('date', formatHttpDate(around.wall()));
  response.on('error', () => response.destroy());
  try {
    await answerExchange(exchange, around);
  } catch (error) {
    failed(error);
    if (response.headersSent) response.destroy();
    else sendFailure(exchange, internalError(reasonOf(error)));
  }
}

/** Open while the API server of the cluster runs, shut while it does not, with the certificate it has by then. */
class Doors {
  readonly #front: Front;
  readonly #cluster: Cluster;
  readonly #shown: ServerCertificate;
  #open = true;
  #closed = false;
  #turning: Promise<void> | undefined;

  constructor(front: Front, cluster: Cluster, shown: ServerCertificate) {
    this.#front = front;
    this.#cluster = cluster;
    this.#shown = shown;
  }

  async follow(): Promise<void> {
    if (this.#closed || this.#turning !== undefined) return;
    const certificate = this.#shown.renewed();
    if (certificate !== undefined) this.#front.show(certificate);
    // Stopped, or without an etcd it can talk to: then it is started again and again, and ends each time.
    const refuses = this.#cluster.server.unavailable()?.includes('connection refused') === true;
    if (refuses !== this.#open) return;
    this.#open = !this.#open;
    this.#turning = this.#open ? this.#front.open() : this.#front.shut();
    try {
      await this.#turning;
    } finally {
      this.#turning = undefined;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turning;
    await this.#front.shut();
  }
}

/** Where every address of the machine is listened on, the certificate is for each of them. */
function hostsOf(host: string): readonly string[] {
  const addresses = WILDCARDS.includes(host)
    ? Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address.split('%')[0] ?? address))
    : [host];
  return [...new Set(['127.0.0.1', '::1', 'localhost', ...addresses])];
}

const HEADERS_MILLISECONDS = 60_000;
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];
const LOOPBACK = '127.0.0.1';
const DAY = 86_400_000;
