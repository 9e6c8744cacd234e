import { parseInteger } from '../../base/number.ts';
import type { WordOf } from '../survey/fact-sink.ts';

/** Why an image could not be had, as far as the runtime's message tells. */
export interface ImageError {
  readonly error: WordOf<'image', 'error'>;
  /** HTTP status the registry (or its token service) answered. */
  readonly status?: number;
  /** Host that could not be resolved or reached. */
  readonly host?: string;
}

interface Wording {
  readonly error: ImageError['error'];
  readonly any: readonly string[];
}

/**
 * Pieces of messages, in lower case; the first row that fits counts. Kubelet reasons: pkg/kubelet/images/image_manager.go.
 * Runtime texts: containerd core/remotes/docker and internal/cri/server/images, cri-o server/image_pull.go with
 * go.podman.io/image/v5/docker/errors.go; Go's net and crypto/x509 for the rest.
 */
const WORDINGS: readonly Wording[] = [
  { error: 'never-pull', any: ['is not present with pull policy of never'] },
  { error: 'invalid-name', any: ["couldn't parse image", 'invalid reference format', 'failed to apply default image tag', 'invalidimagename'] },
  { error: 'no-platform', any: ['no match for platform in manifest', 'no matching manifest for', 'no image found in image index for architecture', 'no image found in manifest list for architecture', 'does not match the specified platform'] },
  { error: 'rate-limited', any: ['429 too many requests', 'toomanyrequests', 'too many requests to registry', 'pull rate limit', 'pull qps exceeded'] },
  { error: 'http-not-https', any: ['server gave http response to https client'] },
  { error: 'certificate-expired', any: ['certificate has expired or is not yet valid'] },
  { error: 'certificate-name', any: ['x509: certificate is valid for', 'x509: certificate is not valid for any names', "doesn't contain any ip sans", 'cannot validate certificate for'] },
  { error: 'certificate-untrusted', any: ['certificate signed by unknown authority', 'x509: certificate', 'certificate is not trusted', 'tls: failed to verify certificate', 'certificate verify failed'] },
  { error: 'name-not-resolved', any: ['dial tcp: lookup ', 'no such host', 'server misbehaving', 'temporary failure in name resolution', 'name or service not known'] },
  { error: 'no-space', any: ['no space left on device'] },
  { error: 'signature', any: ['signaturevalidationfailed', 'signature validation failed', 'a signature was required', 'source image rejected'] },
  { error: 'denied-or-absent', any: ['repository does not exist or may require authorization', 'requested access to the resource is denied', 'or it may not exist', 'may not exist or may require'] },
  { error: 'denied', any: ['401 unauthorized', '403 forbidden', 'no basic auth credentials', 'authorization failed', 'failed to authorize', 'unauthorized:', 'invalid username/password', 'authentication required', 'denied:', 'pull access denied', 'access denied', 'access forbidden'] },
  { error: 'not-found', any: ['manifest unknown', 'name unknown', 'repository name not known to registry', '404 not found', 'code = notfound', ': not found', 'not found:', 'not found in repository', 'manifest for', 'blob unknown'] },
  { error: 'refused', any: ['connection refused', 'registryunavailable', 'no route to host', 'network is unreachable', 'connection reset by peer'] },
  { error: 'timeout', any: ['i/o timeout', 'context deadline exceeded', 'client.timeout', 'tls handshake timeout', 'context canceled', 'request canceled'] },
];

/** A registry that says that it wants credentials, even where it does not say whether the image exists. */
const WANTS_CREDENTIALS = ['no basic auth credentials', 'failed to fetch anonymous token', 'failed to fetch oauth token', '401 unauthorized', 'invalid username/password'];

/** Classifies what the kubelet or the runtime says of a pull; undefined for words that say nothing, such as a back-off's own. */
export function classifyPull(message: string): ImageError | undefined {
  const text = message.toLowerCase();
  const found = WORDINGS.find(({ any }) => any.some((part) => text.includes(part)));
  const status = parseInteger(/unexpected status(?: code)? .{0,700}?: (\d{3}) /.exec(message)?.[1] ?? /\b(40[134]|429|50\d) (?:unauthorized|forbidden|not found|too many|internal|bad gateway|service)/.exec(text)?.[1]);
  const host = /dial tcp: lookup ([^\s:]{1,253})(?: on \S{1,60})?: /.exec(message)?.[1] ?? /dial tcp (\[?[0-9a-f.:]{2,45}\]?:\d{1,5}): /i.exec(message)?.[1];
  const details = { ...(status === undefined ? {} : { status }), ...(host === undefined ? {} : { host }) };
  if (found === undefined && /^(?:failed to pull image .{0,600}(?:: | = ))?error: image \S{1,400} not found$/.test(text)) return { error: 'not-found', ...details };
  if (found === undefined) return isEmptyTalk(text) ? undefined : { error: 'other', ...details };
  const wants = found.error === 'denied-or-absent' && WANTS_CREDENTIALS.some((part) => text.includes(part));
  return { error: wants ? 'denied' : found.error, ...details };
}

/** `Error: ImagePullBackOff`, `Back-off pulling image "…"` (before 1.32): the state, not its cause. */
function isEmptyTalk(text: string): boolean {
  if (text.trim() === '') return true;
  return /^(?:error: )?(?:errimagepull|imagepullbackoff|errimageneverpull|invalidimagename|registryunavailable|imageinspecterror)$/.test(text.trim()) || /^back-off pulling image "[^"]*"$/.test(text.trim());
}
