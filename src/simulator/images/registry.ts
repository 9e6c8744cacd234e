import { digestOf } from '../../base/digest.ts';
import { asText, dig } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { parsedJson } from '../../base/parsed-json.ts';
import type { Instant } from '../../base/instant.ts';
import { verifyCertificate, verifyServer } from '../x509/certificates.ts';
import type { Certificate } from '../x509/simulated-certificate.ts';
import { TokenBucket } from '../time/token-bucket.ts';
import type { Image } from './image-catalog.ts';
import { catalogImage } from './image-catalog.ts';
import type { ImageReference } from './image-reference.ts';

/** What a scenario says of a registry. All of it is optional: a registry of which nothing is said has every image. */
export interface RegistrySpec {
  /** How the machines reach it; `http` answers plain HTTP where HTTPS is spoken. */
  readonly network?: 'reachable' | 'refused' | 'timeout' | 'no-such-host' | 'http';
  /** Its address, named where it is refused or does not answer. */
  readonly address?: string;
  readonly certificate?: Certificate;
  /** Authorities the machines trust for it. */
  readonly trusted?: readonly string[];
  /** Repositories and their tags; `*` as a tag is every tag. Without it every repository is there. */
  readonly repositories?: Readonly<Record<string, RepositorySpec>>;
  /** Pulls need one of these users: name and password. */
  readonly users?: Readonly<Record<string, string>>;
  /** How many pulls before it answers 429, and how many more an hour. */
  readonly rateLimit?: { readonly pulls: number; readonly perHour: number };
  readonly milliseconds?: number;
  /** Images (as containerd writes them, `docker.io/library/nginx:1.27`) whose pull fails with these words. */
  readonly failing?: Readonly<Record<string, string>>;
  /** A status every request is answered with: 403, 500, 503. */
  readonly status?: number;
}

export interface RepositorySpec {
  readonly tags: Readonly<Record<string, Partial<Image>>>;
  /** Whether this repository needs no credentials though the registry has users. */
  readonly open?: boolean;
}

export interface Login {
  readonly username: string;
  readonly password: string;
}

export type Pulled =
  | { readonly ok: true; readonly image: Image; readonly milliseconds: number }
  | { readonly ok: false; readonly message: string; readonly milliseconds: number };

/** The registries there are, by the name images have them. */
export class Registries {
  readonly #specs = new Map<string, RegistrySpec>();
  readonly #limits = new Map<string, TokenBucket>();

  set(host: string, spec: RegistrySpec): void {
    this.#specs.set(host, spec);
    this.#limits.delete(host);
  }

  all(): readonly (readonly [host: string, spec: RegistrySpec])[] {
    return [...this.#specs];
  }

  of(host: string): RegistrySpec {
    return this.#specs.get(host) ?? {};
  }

  /** The image as it is known, for machines that have it from the start. */
  present(reference: ImageReference): Image | undefined {
    return imageOf(reference, this.of(reference.registry));
  }

  /** One attempt to pull; the message is containerd's, as the kubelet shows it. */
  pull(reference: ImageReference, architecture: string, logins: readonly Login[], now: Instant): Pulled {
    const spec = this.of(reference.registry);
    const refused = unreachable(reference, spec, now);
    if (refused !== undefined) return { ok: false, ...refused };
    const milliseconds = spec.milliseconds ?? 8;
    const answered = this.#answered(reference, spec, logins, now);
    if (answered !== undefined) return { ok: false, message: answered, milliseconds };
    const failing = spec.failing?.[reference.normalized];
    if (failing !== undefined) return { ok: false, message: failing, milliseconds };
    const image = imageOf(reference, spec);
    if (image === undefined) return { ok: false, message: notFound(reference), milliseconds };
    if (!image.architectures.includes(architecture)) {
      return {
        ok: false,
        message: `rpc error: code = NotFound desc = get image config descriptor: no match for platform in manifest ${image.digest}: not found`,
        milliseconds,
      };
    }
    return { ok: true, image, milliseconds: (spec.milliseconds ?? 40) + image.size / 50_000 };
  }

  #answered(reference: ImageReference, spec: RegistrySpec, logins: readonly Login[], now: Instant): string | undefined {
    if (spec.status !== undefined)
      return `${resolving(reference)}: unexpected status from HEAD request to ${manifestUrl(reference, spec)}: ${spec.status} ${STATUS_TEXT[spec.status] ?? ''}`;
    const { users } = spec;
    if (users !== undefined && spec.repositories?.[reference.repository]?.open !== true) {
      if (logins.length === 0)
        return `${resolving(reference)}: pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`;
      if (!logins.some((login) => users[login.username] === login.password))
        return `${resolving(reference)}: unexpected status from HEAD request to ${manifestUrl(reference, spec)}: 401 Unauthorized`;
    }
    return this.#limited(reference, spec, now);
  }

  #limited(reference: ImageReference, spec: RegistrySpec, now: Instant): string | undefined {
    if (spec.rateLimit === undefined) return undefined;
    let bucket = this.#limits.get(reference.registry);
    if (bucket === undefined)
      this.#limits.set(reference.registry, (bucket = new TokenBucket(spec.rateLimit.perHour / 3600, spec.rateLimit.pulls, now)));
    if (bucket.take(now)) return undefined;
    return `${resolving(reference)}: unexpected status from HEAD request to ${manifestUrl(reference, spec)}: 429 Too Many Requests\ntoomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit`;
  }
}

const STATUS_TEXT: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

function unreachable(
  reference: ImageReference,
  spec: RegistrySpec,
  now: Instant,
): { readonly message: string; readonly milliseconds: number } | undefined {
  const request = `${resolving(reference)}: failed to do request: Head "${manifestUrl(reference, spec)}"`;
  const [host = '', port = '443'] = reference.registry.split(':');
  const dial = `dial tcp ${spec.address ?? host}:${port}`;
  switch (spec.network ?? 'reachable') {
    case 'refused':
      return { message: `${request}: ${dial}: connect: connection refused`, milliseconds: 5 };
    case 'timeout':
      return { message: `${request}: ${dial}: i/o timeout`, milliseconds: 30_000 };
    case 'no-such-host':
      return { message: `${request}: dial tcp: lookup ${apiHost(host)} on 10.77.0.53:53: no such host`, milliseconds: 20 };
    case 'http':
      return { message: `${request}: http: server gave HTTP response to HTTPS client`, milliseconds: 20 };
    case 'reachable':
      break;
  }
  const { certificate } = spec;
  const wrong =
    certificate === undefined
      ? undefined
      : verifyServer(certificate, host, now, () => verifyCertificate(certificate, spec.trusted ?? [certificate.issuer], now));
  return wrong === undefined ? undefined : { message: `${request}: tls: failed to verify certificate: ${wrong}`, milliseconds: 30 };
}

function imageOf(reference: ImageReference, spec: RegistrySpec): Image | undefined {
  const made = catalogImage(reference.repository);
  const digest =
    reference.digest ?? `sha256:${digestOf(`${reference.repository}:${reference.tag ?? ''}`)}${digestOf(reference.repository)}`;
  if (spec.repositories === undefined) return { digest, ...made };
  const repository = spec.repositories[reference.repository];
  if (repository === undefined) return undefined;
  if (reference.digest !== undefined) {
    for (const image of Object.values(repository.tags)) if (image.digest === reference.digest) return { ...made, digest, ...image };
    return undefined;
  }
  const tagged = repository.tags[reference.tag ?? ''] ?? repository.tags['*'];
  return tagged === undefined ? undefined : { ...made, digest, ...tagged };
}

function resolving(reference: ImageReference): string {
  return `failed to pull and unpack image "${reference.normalized}": failed to resolve image`;
}

function notFound(reference: ImageReference): string {
  return `rpc error: code = NotFound desc = ${resolving(reference)}: ${reference.normalized}: not found`;
}

/** Registries on the machine itself are asked by plain HTTP when they are reached at all. */
function manifestUrl(reference: ImageReference, spec: RegistrySpec): string {
  const [host = '', port] = reference.registry.split(':');
  const plain = (host === 'localhost' || host.startsWith('127.')) && (spec.network ?? 'reachable') === 'reachable';
  return `${plain ? 'http' : 'https'}://${apiHost(host)}${port === undefined ? '' : `:${port}`}/v2/${reference.repository}/manifests/${reference.digest ?? reference.tag ?? 'latest'}`;
}

function apiHost(host: string): string {
  return host === 'docker.io' ? 'registry-1.docker.io' : host;
}

/** The logins a Secret of type kubernetes.io/dockerconfigjson or dockercfg has for a registry; none for other types. */
export function loginsOf(secret: Json, registry: string, repository: string, decode: (base64: string) => string): readonly Login[] {
  const type = asText(dig(secret, 'type'));
  const key =
    type === 'kubernetes.io/dockerconfigjson' ? '.dockerconfigjson' : type === 'kubernetes.io/dockercfg' ? '.dockercfg' : undefined;
  const data = key === undefined ? undefined : asText(dig(secret, 'data', key));
  if (data === undefined) return [];
  const parsed = parsedJson(decode(data));
  const servers = type === 'kubernetes.io/dockerconfigjson' ? dig(parsed, 'auths') : parsed;
  if (typeof servers !== 'object' || servers === null) return [];
  return Object.entries(servers).flatMap(([server, entry]) => {
    const [host = '', ...path] = server
      .replace(/^https?:\/\//, '')
      .replace(/\/v[12]\/?$/, '')
      .split('/');
    const known = host === 'index.docker.io' ? 'docker.io' : host;
    if (known !== registry || (path.length > 0 && path[0] !== '' && !`${repository}/`.startsWith(`${path.join('/')}/`))) return [];
    const [user = '', ...rest] = decode(asText(dig(entry, 'auth')) ?? '').split(':');
    return [{ username: asText(dig(entry, 'username')) ?? user, password: asText(dig(entry, 'password')) ?? rest.join(':') }];
  });
}
