import type { IncomingMessage, ServerResponse } from 'node:http';
import { networkInterfaces } from 'node:os';
import { reasonOf } from '../base/errors.ts';
import type { Instant } from '../base/instant.ts';
import type { AuditEntry } from '../model/audit.ts';
import { internalError } from '../simulator/apiserver/failures.ts';
import type { Cluster } from '../simulator/cluster.ts';
import { certificateOf } from '../simulator/cluster-certificates.ts';
import type { ApiSurroundings } from './api.ts';
import { answerExchange } from './api.ts';
import { Authority } from './authority.ts';
import type { Speed } from './clock.ts';
import { Clock } from './clock.ts';
import { exchangeOf } from './exchange.ts';
import { Front } from './front.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { sendFailure } from './send.ts';
import { ServerCertificate } from './server-certificate.ts';
import { TimeShift } from './time-shift.ts';
import { answerUpgrade } from './upgrade.ts';
import { WatchStreams } from './watch-stream.ts';
import { WireText } from './wire-text.ts';

export interface ServingOptions {
  readonly cluster: Cluster;
  /** Virtual seconds to a second; 1 when not given. */
  readonly speed?: Speed;
  /** 0, any free one, when not given. */
  readonly port?: number;
  /** 127.0.0.1 when not given. */
  readonly listen?: string;
  readonly wall?: () => Instant;
  /** Told of every request once it is answered. */
  readonly audit?: (entry: AuditEntry) => void;
  /** Told of a bug of podcheck's own; what it hit is answered with a 500. */
  readonly failed?: (error: unknown) => void;
}

/** A cluster that clients can talk to. */
export interface Serving {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** The text of a kubeconfig for the administrator. */
  readonly kubeconfig: string;
  /** The text of a kubeconfig for somebody else, with a client certificate of the cluster's authority. */
  kubeconfigFor(user: string, groups: readonly string[]): string;
  /** How much is open right now. */
  load(): { readonly connections: number; readonly watches: number };
  /** Ends every connection and the cluster's time. Nothing is left running. */
  close(): Promise<void>;
}

/** Serves a cluster as the Kubernetes API over HTTPS, with an authority of its own. A port that is taken is a PodcheckError. */
export async function startServing(options: ServingOptions): Promise<Serving> {
  const { cluster } = options;
  const wall = options.wall ?? Date.now;
  const failed = options.failed ?? ((): void => undefined);
  const host = options.listen ?? LOOPBACK;
  const authority = new Authority(wall());
  const shift = new TimeShift(() => cluster.now(), wall);
  const text = new WireText(shift);
  const watches = new WatchStreams(cluster, text);
  const shown = new ServerCertificate({ cluster, authority, shift, wall, hosts: hostsOf(host) });
  const clock = new Clock(cluster, { speed: options.speed ?? 1, hold: () => watches.full, failed, ticked: () => void doors.follow().catch(failed) });
  const around: ApiSurroundings = { cluster, clock, authority, watches, shift, text, wall, audit: options.audit ?? ((): void => undefined) };
  const front = new Front({
    host,
    port: options.port ?? 0,
    certificate: shown.renewed() ?? authority.forServer(hostsOf(host), wall() - DAY, wall() + DAY),
    authority: authority.certificate,
    answer: (request, response) => void answer(request, response, around, failed),
    upgrade: (request, socket, head) => answerUpgrade(request, { socket, head }, around, failed),
  });
  const doors = new Doors(front, cluster, shown);
  try {
    await front.open();
  } catch (error) {
    clock.close();
    throw error;
  }
  const own = WILDCARDS.includes(host) ? LOOPBACK : host;
  const url = `https://${own.includes(':') ? `[${own}]` : own}:${front.port}`;
  const kubeconfigFor = (user: string, groups: readonly string[]): string => kubeconfigText({ url, authority: authority.certificate, user, credential: authority.forClient(certificateOf(user, groups, cluster.now())) });
  return {
    cluster,
    clock,
    url,
    port: front.port,
    kubeconfig: kubeconfigFor('kubernetes-admin', ['system:masters']),
    kubeconfigFor,
    load: () => ({ connections: front.connections, watches: watches.count }),
    close: async () => {
      clock.close();
      watches.end();
      await doors.close();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, around: ApiSurroundings, failed: (error: unknown) => void): Promise<void> {
  const exchange = exchangeOf(request, response);
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
  const addresses = WILDCARDS.includes(host) ? Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address.split('%')[0] ?? address)) : [host];
  return [...new Set(['127.0.0.1', '::1', 'localhost', ...addresses])];
}

const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];
const LOOPBACK = '127.0.0.1';
const DAY = 86_400_000;
