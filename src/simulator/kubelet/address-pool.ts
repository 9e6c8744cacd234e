/** host-local IPAM: the addresses of one machine's part of the pod network, given out in order, each again only after the last. */
export class AddressPool {
  readonly first: string;
  readonly last: string;
  readonly #base: number;
  readonly #size: number;
  readonly #used = new Set<number>();
  #next = 2;

  /** `10.88.0.0/24`: the network's own address, the gateway and the broadcast are not given out. */
  constructor(cidr: string) {
    const [base = '10.88.0.0', bits = '24'] = cidr.split('/');
    this.#base = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    this.#size = 2 ** (32 - Number(bits));
    this.first = this.#text(1);
    this.last = this.#text(this.#size - 2);
  }

  take(): string | undefined {
    for (let tried = 2; tried < this.#size - 1; tried++) {
      const offset = this.#next;
      this.#next = offset + 1 >= this.#size - 1 ? 2 : offset + 1;
      if (this.#used.has(offset)) continue;
      this.#used.add(offset);
      return this.#text(offset);
    }
    return undefined;
  }

  release(ip: string): void {
    this.#used.delete(ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) - this.#base);
  }

  #text(offset: number): string {
    const value = this.#base + offset;
    return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
  }
}
