/** A broken promise inside podcheck itself: the user can do nothing about it but report it. */
export class PodcheckBug extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PodcheckBug';
  }
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new PodcheckBug(message);
}

export function unreachable(value: never): never {
  throw new PodcheckBug(`unreachable: ${JSON.stringify(value)}`);
}
