import { bigintOf, numberOf } from '../../../base/number.ts';

/** A body in protobuf that is none. */
export class ProtobufError extends Error {}

/** Reads the fields of one message, each with its number. Source: protobuf.dev/programming-guides/encoding. */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The next field: its number, and its value as it lies there. */
  next(): { readonly number: number; readonly value: ProtobufValue } {
    const key = this.varint();
    return { number: numberOf(key >> 3n), value: this.#value(numberOf(key & 7n)) };
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new ProtobufError('unexpected EOF');
      value |= bigintOf(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(64, value);
    }
    throw new ProtobufError('proto: integer overflow');
  }

  #value(wireType: number): ProtobufValue {
    switch (wireType) {
      case 0:
        return this.varint();
      case 1:
        return this.#take(8);
      case 2: {
        const length = this.varint();
        if (length < 0n || length > bigintOf(this.#bytes.length)) throw new ProtobufError('unexpected EOF');
        return this.#take(numberOf(length));
      }
      case 5:
        return this.#take(4);
      default:
        throw new ProtobufError(`proto: illegal wireType ${wireType}`);
    }
  }

  #take(length: number): Uint8Array {
    const from = this.#at;
    if (from + length > this.#bytes.length) throw new ProtobufError('unexpected EOF');
    this.#at = from + length;
    return this.#bytes.subarray(from, this.#at);
  }
}

export type ProtobufValue = bigint | Uint8Array;
