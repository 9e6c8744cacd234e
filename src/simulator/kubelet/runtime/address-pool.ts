import { parseInteger } from '../../../base/number.ts';

/** host-local IPAM: the addresses of one machine's part of the pod network, given out in order, each again only after the last. */
export class AddressPool {
  readonly first: string;
  readonly last: string;
  readonly #base: number;
  readonly #size: number;
  readonly #lowest: number;
  readonly #used = new Set<number>();
  #next: number;

  /**
   * `10.88.0.0/24`: the network's own address, the gateway and the broadcast are not given out. `10.88.0.20-10.88.0.25`: all but the
   * gateway are.
   */
  constructor(network: string) {
    const [from = '', to] = network.split('-');
    const [base = '10.88.0.0', bits = '24'] = from.split('/');
    this.#base = numberOf(base) - (to === undefined ? 0 : 1);
    this.#size = to === undefined ? 2 ** (32 - (parseInteger(bits) ?? 24)) : numberOf(to) - this.#base + 2;
    this.#lowest = to === undefined || base.endsWith('.1') ? 2 : 1;
    this.#next = this.#lowest;
    this.first = this.#text(1);
    this.last = this.#text(this.#size - 2);
  }

  take(): string | undefined {
    for (let tried = this.#lowest; tried < this.#size - 1; tried++) {
      const offset = this.#next;
      this.#next = offset + 1 >= this.#size - 1 ? this.#lowest : offset + 1;
      if (this.#used.has(offset)) continue;
      this.#used.add(offset);
      return this.#text(offset);
    }
    return undefined;
  }

  release(ip: string): void {
    this.#used.delete(numberOf(ip) - this.#base);
  }

  #text(offset: number): string {
    const value = this.#base + offset;
    return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
  }
}

/** Where a machine's pods have had their addresses from. */
export class AddressPools {
  readonly #byNetwork = new Map<string, AddressPool>();

  of(network: string): AddressPool {
    const pool = this.#byNetwork.get(network) ?? new AddressPool(network);
    this.#byNetwork.set(network, pool);
    return pool;
  }

  release(ip: string): void {
    for (const pool of this.#byNetwork.values()) pool.release(ip);
  }
}

function numberOf(ip: string): number {
  return ip.split('.').reduce((sum, part) => sum * 256 + (parseInteger(part) ?? 0), 0);
}
