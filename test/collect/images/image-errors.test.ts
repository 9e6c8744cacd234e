import { describe, expect, it } from 'vitest';
import { classifyPull } from '../../../src/collect/images/image-errors.ts';
import { parseImage } from '../../../src/collect/images/image-reference.ts';

const RESOLVE = 'failed to pull and unpack image "registry.shop.example/web:1": failed to resolve reference "registry.shop.example/web:1": ';
const HEAD = `${RESOLVE}failed to do request: Head "https://registry.shop.example/v2/web/manifests/1": `;

describe('what a failed pull says', () => {
  it.each([
    ['not-found', `rpc error: code = NotFound desc = ${RESOLVE}registry.shop.example/web:1: not found`],
    ['not-found', 'initializing source docker://quay.io/shop/web:1: reading manifest 1 in quay.io/shop/web: manifest unknown'],
    ['denied-or-absent', `${RESOLVE}pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`],
    ['denied', `${RESOLVE}pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`],
    ['denied', `${RESOLVE}failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://registry.shop.example/token: 403 Forbidden`],
    ['denied', 'unable to retrieve auth token: invalid username/password: unauthorized: bad token'],
    ['name-not-resolved', `${HEAD}dial tcp: lookup registry.shop.example on 10.0.0.2:53: no such host`],
    ['name-not-resolved', `${HEAD}dial tcp: lookup registry.shop.example on 10.0.0.2:53: read udp 10.0.0.7:1->10.0.0.2:53: i/o timeout`],
    ['refused', `${HEAD}dial tcp 10.0.0.9:443: connect: connection refused`],
    ['timeout', `${HEAD}dial tcp 10.0.0.9:443: i/o timeout`],
    ['certificate-expired', `${HEAD}tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-01-15T12:00:00Z is after 2026-01-01T00:00:00Z`],
    ['certificate-name', `${HEAD}tls: failed to verify certificate: x509: certificate is valid for 127.0.0.1, not 10.0.0.9`],
    ['certificate-untrusted', `${HEAD}x509: certificate signed by unknown authority`],
    ['http-not-https', `${HEAD}http: server gave HTTP response to HTTPS client`],
    ['no-platform', 'rpc error: code = NotFound desc = failed to pull and unpack image "web:1": no match for platform in manifest: not found'],
    ['rate-limited', `${RESOLVE}unexpected status from HEAD request to https://registry-1.docker.io/v2/shop/web/manifests/1: 429 Too Many Requests`],
    ['never-pull', 'Container image "shop/web:1" is not present with pull policy of Never'],
    ['invalid-name', 'Failed to apply default image tag "Web": couldn\'t parse image reference "Web": invalid reference format: repository name must be lowercase'],
    ['no-space', 'failed to extract layer sha256:1: write /var/lib/x: no space left on device'],
    ['signature', 'SignatureValidationFailed: image pull failed because the signature validation failed'],
  ])('is %s for %j', (error, message) => {
    expect(classifyPull(message)?.error).toBe(error);
  });

  it('has the status and the host where they are told', () => {
    expect(classifyPull(`${RESOLVE}unexpected status from HEAD request to https://registry.shop.example/v2/web/manifests/1: 401 Unauthorized`)).toEqual({ error: 'denied', status: 401 });
    expect(classifyPull(`${HEAD}dial tcp: lookup registry.shop.example on 10.0.0.2:53: no such host`)?.host).toBe('registry.shop.example');
  });

  it('is nothing for words that only say that the kubelet waits', () => {
    for (const words of ['Error: ImagePullBackOff', 'Error: ErrImagePull', 'Back-off pulling image "shop/web:1"', '']) expect(classifyPull(words), words).toBeUndefined();
  });
});

describe('an image reference', () => {
  it.each([
    ['nginx', { registry: 'docker.io', repository: 'library/nginx', tag: 'latest', digest: undefined }],
    ['shop/web:1', { registry: 'docker.io', repository: 'shop/web', tag: '1', digest: undefined }],
    ['localhost/web', { registry: 'localhost', repository: 'web', tag: 'latest', digest: undefined }],
    ['10.0.0.9:5000/shop/web:1', { registry: '10.0.0.9:5000', repository: 'shop/web', tag: '1', digest: undefined }],
    ['quay.io/shop/web@sha256:ab', { registry: 'quay.io', repository: 'shop/web', tag: undefined, digest: 'sha256:ab' }],
  ])('%s is taken apart as the runtime does', (image, expected) => {
    expect(parseImage(image)).toEqual(expected);
  });
});
