/**
 * What the program of an image does, as far as a cluster can see it. Scenarios give these by image; what is not given runs for
 * ever, listens on whatever port it is asked on and answers 200.
 */
export interface ContainerBehaviour {
  /** Milliseconds from start until it listens. */
  readonly startsInMilliseconds?: number;
  /** Ports it listens on; every port when not given. */
  readonly listens?: readonly number[];
  readonly exits?: { readonly afterMilliseconds: number; readonly code: number };
  readonly logs?: readonly string[];
}

export class ContainerBehaviours {
  readonly #byImage = new Map<string, ContainerBehaviour>();

  /** Sets what an image does; the image is written as in the pod, or without its tag for all tags. */
  set(image: string, behaviour: ContainerBehaviour): void {
    this.#byImage.set(image, behaviour);
  }

  of(image: string): ContainerBehaviour {
    return this.#byImage.get(image) ?? this.#byImage.get(withoutTag(image)) ?? {};
  }
}

function withoutTag(image: string): string {
  const colon = image.lastIndexOf(':');
  return colon > image.lastIndexOf('/') ? image.slice(0, colon) : image;
}
