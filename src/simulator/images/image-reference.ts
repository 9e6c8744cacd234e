import { remembered } from '../../base/memoized.ts';

/** An image's name taken apart: `docker.io/library/nginx:1.27` for `nginx:1.27`. */
export interface ImageReference {
  /** With registry, repository and tag or digest, as containerd writes it. */
  readonly normalized: string;
  readonly registry: string;
  readonly repository: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

const LONGEST = 512;

/** Takes a name apart; the trouble in distribution/reference's words when it is none. A kubelet asks again for every container. */
export const parseImage = remembered(takenApart, { limit: 500, length: LONGEST });

function takenApart(image: string): ImageReference | { readonly trouble: string } {
  if (image.length > LONGEST) return { trouble: 'repository name must not be longer than 255 characters' };
  const [named = '', digest] = image.split('@', 2);
  if (digest !== undefined && !/^[a-z0-9]+:[a-fA-F0-9]{32,}$/.test(digest)) return { trouble: 'invalid reference format' };
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const tag = hasTag ? named.slice(colon + 1) : undefined;
  if (tag !== undefined && !/^\w[\w.-]{0,127}$/.test(tag)) return { trouble: 'invalid reference format' };
  const path = hasTag ? named.slice(0, colon) : named;
  const { registry, repository } = splitHost(path);
  if (/[A-Z]/.test(repository)) return { trouble: 'invalid reference format: repository name (' + repository + ') must be lowercase' };
  if (!/^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/.test(repository))
    return { trouble: 'invalid reference format' };
  const used = tag ?? (digest === undefined ? 'latest' : undefined);
  const normalized = `${registry}/${repository}${used === undefined ? '' : `:${used}`}${digest === undefined ? '' : `@${digest}`}`;
  return { normalized, registry, repository, tag: used, digest };
}

function splitHost(path: string): { readonly registry: string; readonly repository: string } {
  const slash = path.indexOf('/');
  const first = slash < 0 ? '' : path.slice(0, slash);
  const isHost = first.includes('.') || first.includes(':') || first === 'localhost';
  if (isHost) return { registry: first, repository: path.slice(slash + 1) };
  return { registry: 'docker.io', repository: slash < 0 ? `library/${path}` : path };
}
