/** Fields of a protobuf message as bytes. Source: protobuf.dev/programming-guides/encoding. */

const encoder = new TextEncoder();

export function text(number: number, value: string): Uint8Array {
  return message(number, encoder.encode(value));
}

export function message(number: number, value: Uint8Array): Uint8Array {
  return join([varint(number * 8 + 2), varint(value.length), value]);
}

export function boolean(number: number, value: boolean): Uint8Array {
  return join([varint(number * 8), varint(value ? 1 : 0)]);
}

export function join(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
