import type { Instant } from '../base/instant.ts';
import type { Certificate, Cluster } from '../simulator/index.ts';
import { Authority } from './authority.ts';
import type { TimeShift } from './time-shift.ts';
import type { KeyPair } from './issue-certificate.ts';

/**
 * The certificate the served API shows. Clients judge it by the wall clock and by the authority in their kubeconfig, so it is made to
 * hold for them exactly as long as the cluster's own does by the cluster's time.
 */
export class ServerCertificate {
  readonly #cluster: Cluster;
  readonly #authority: Authority;
  readonly #shift: TimeShift;
  readonly #hosts: readonly string[];
  readonly #wall: () => Instant;
  #foreign: Authority | undefined;
  #made: { readonly of: Certificate | undefined; readonly wrong: string | undefined; readonly seconds: number } | undefined;

  constructor(options: {
    readonly cluster: Cluster;
    readonly authority: Authority;
    readonly shift: TimeShift;
    readonly hosts: readonly string[];
    readonly wall: () => Instant;
  }) {
    this.#cluster = options.cluster;
    this.#authority = options.authority;
    this.#shift = options.shift;
    this.#hosts = options.hosts;
    this.#wall = options.wall;
  }

  /** The certificate to show from now on; undefined when the one shown last still says the right thing. */
  renewed(): KeyPair | undefined {
    const { server, world } = this.#cluster;
    const own = world.certificates.get('apiserver');
    const trouble = server.unavailable();
    const wrong = trouble?.startsWith('tls:') === true ? trouble : undefined;
    const { seconds } = this.#shift;
    if (
      this.#made !== undefined &&
      this.#made.of === own &&
      (this.#made.wrong === undefined) === (wrong === undefined) &&
      Math.abs(this.#made.seconds - seconds) < DRIFT_SECONDS
    )
      return undefined;
    this.#made = { of: own, wrong, seconds };
    return this.#issue(own, wrong);
  }

  #issue(own: Certificate | undefined, wrong: string | undefined): KeyPair {
    const wall = this.#wall();
    const notBefore = own === undefined ? wall - HOUR : this.#shift.instantToWall(own.notBefore);
    const notAfter = own === undefined ? wall + HOUR : this.#shift.instantToWall(own.notAfter);
    const hosts = [...new Set([...this.#hosts, ...(own?.dnsNames ?? [])])];
    if (wrong === undefined) return this.#authority.forServer(hosts, Math.min(notBefore, wall - MINUTE), Math.max(notAfter, wall + MINUTE));
    if (wrong.includes('unknown authority')) return (this.#foreign ??= new Authority(wall)).forServer(hosts, notBefore, notAfter);
    // It may be the authority that has ended, or the clock of who serves it that is a second off: it has ended for everyone.
    if (wrong.includes('is before'))
      return this.#authority.forServer(hosts, Math.max(notBefore, wall + MINUTE), Math.max(notAfter, wall + HOUR));
    return this.#authority.forServer(hosts, Math.min(notBefore, wall - HOUR), Math.min(notAfter, wall - 1000));
  }
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
/** Beyond this its dates are written anew. */
const DRIFT_SECONDS = 30;
