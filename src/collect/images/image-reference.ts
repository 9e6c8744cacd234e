/** An image reference taken apart, with the defaults the runtime applies. */
export interface ImageReference {
  readonly registry: string;
  readonly repository: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

/**
 * Takes an image apart as the runtime does: the first part is a registry only with a dot, a colon, or if it is `localhost`.
 * Anything can be taken apart, whether valid or not. Of an image that was not seen (`<image>`) nothing is known. Source:
 * distribution/reference (splitDockerDomain).
 */
export function parseImage(image: string): ImageReference {
  if (image.startsWith('<')) return { registry: '<registry>', repository: image, tag: undefined, digest: undefined };
  const at = image.indexOf('@');
  const digest = at < 0 ? undefined : image.slice(at + 1);
  const named = at < 0 ? image : image.slice(0, at);
  const slash = named.indexOf('/');
  const first = slash < 0 ? '' : named.slice(0, slash);
  const hasRegistry = first.includes('.') || first.includes(':') || first === 'localhost';
  const rest = hasRegistry ? named.slice(slash + 1) : named;
  const colon = rest.lastIndexOf(':');
  const tagged = colon > rest.lastIndexOf('/');
  const path = tagged ? rest.slice(0, colon) : rest;
  const registry = hasRegistry && first !== 'index.docker.io' ? first : 'docker.io';
  return {
    registry,
    repository: registry === 'docker.io' && !path.includes('/') ? `library/${path}` : path,
    tag: tagged ? rest.slice(colon + 1) : digest === undefined ? 'latest' : undefined,
    digest,
  };
}

/** Registry and repository without its last part: what one owner keeps together. */
export function projectOf({ registry, repository }: ImageReference): string {
  const slash = repository.lastIndexOf('/');
  return slash < 0 ? registry : `${registry}/${repository.slice(0, slash)}`;
}
