import { describe, expect, it } from 'vitest';
import { heardIn } from '../../support/heard.ts';

const RESOLVE =
  'failed to pull and unpack image "registry.shop.example/web:1": failed to resolve reference "registry.shop.example/web:1": ';
const HEAD = `${RESOLVE}failed to do request: Head "https://registry.shop.example/v2/web/manifests/1": `;

describe('what a failed pull says', () => {
  it.each([
    ['image-not-found', `rpc error: code = NotFound desc = ${RESOLVE}registry.shop.example/web:1: not found`],
    ['image-not-found', 'initializing source docker://quay.io/shop/web:1: reading manifest 1 in quay.io/shop/web: manifest unknown'],
    [
      'pull-access-denied',
      `${RESOLVE}failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://registry.shop.example/token: 403 Forbidden`,
    ],
    ['pull-access-denied', 'unable to retrieve auth token: invalid username/password: unauthorized: bad token'],
    [
      'registry-name-not-resolved',
      `${HEAD}dial tcp: lookup registry.shop.example on 10.0.0.2:53: read udp 10.0.0.7:1->10.0.0.2:53: i/o timeout`,
    ],
    ['registry-unreachable', `${HEAD}dial tcp 10.0.0.9:443: connect: connection refused`],
    ['registry-unreachable', `${HEAD}dial tcp 10.0.0.9:443: i/o timeout`],
    [
      'registry-certificate-expired',
      `${HEAD}tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-01-15T12:00:00Z is after 2026-01-01T00:00:00Z`,
    ],
    [
      'registry-certificate-name-mismatch',
      `${HEAD}tls: failed to verify certificate: x509: certificate is valid for 127.0.0.1, not 10.0.0.9`,
    ],
    ['registry-certificate-untrusted', `${HEAD}x509: certificate signed by unknown authority`],
    ['registry-speaks-http', `${HEAD}http: server gave HTTP response to HTTPS client`],
    [
      'no-matching-platform',
      'rpc error: code = NotFound desc = failed to pull and unpack image "web:1": no match for platform in manifest: not found',
    ],
    [
      'registry-rate-limited',
      `${RESOLVE}unexpected status from HEAD request to https://registry-1.docker.io/v2/shop/web/manifests/1: 429 Too Many Requests`,
    ],
    ['never-pull-and-absent', 'Container image "shop/web:1" is not present with pull policy of Never'],
    [
      'invalid-image-name',
      'Failed to apply default image tag "Web": couldn\'t parse image reference "Web": invalid reference format: repository name must be lowercase',
    ],
    ['no-space-for-image', 'failed to extract layer sha256:1: write /var/lib/x: no space left on device'],
  ])('is images/%s for %j', (rule, message) => {
    expect(heardIn('pull', message)?.rule.id).toBe(`images/${rule}`);
  });

  it.each([
    [
      true,
      `${RESOLVE}pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`,
    ],
    [true, `${RESOLVE}unexpected status from HEAD request to https://registry.shop.example/v2/web/manifests/1: 403 Forbidden`],
    [false, `${RESOLVE}unexpected status from HEAD request to https://registry.shop.example/v2/web/manifests/1: 401 Unauthorized`],
    [
      false,
      `${RESOLVE}pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`,
    ],
  ])('leaves open whether a denied image exists (%j) in %j', (mayBeAbsent, message) => {
    expect(heardIn('pull', message)).toMatchObject({ rule: { id: 'images/pull-access-denied' }, wording: { as: { mayBeAbsent } } });
  });

  it('has the host that was looked up or called', () => {
    expect(heardIn('pull', `${HEAD}dial tcp: lookup registry.shop.example on 10.0.0.2:53: no such host`)?.captured).toEqual({
      host: 'registry.shop.example',
    });
    expect(heardIn('pull', `${HEAD}dial tcp 10.0.0.9:443: i/o timeout`)?.captured).toEqual({ host: '10.0.0.9:443' });
  });

  it("names the image in the kubelet's words and in the runtime's", () => {
    expect(heardIn('pull', `Failed to pull image "shop/web:1": ${RESOLVE}x: not found`)?.around).toMatchObject({ image: 'shop/web:1' });
    expect(
      heardIn('pull', 'initializing source docker://quay.io/shop/web:1: reading manifest 1 in quay.io/shop/web: manifest unknown')?.around,
    ).toMatchObject({ image: 'quay.io/shop/web:1' });
  });

  it('is a machine word alone where the message says nothing', () => {
    expect(heardIn('pull', '', 'ErrImageNeverPull')?.rule.id).toBe('images/never-pull-and-absent');
  });

  it('is no cause in words that nobody has seen, nor in the words of a log', () => {
    expect(heardIn('pull', 'SignatureValidationFailed: image pull failed because the signature validation failed')).toBeUndefined();
    expect(heardIn('log', `${HEAD}http: server gave HTTP response to HTTPS client`)).toBeUndefined();
  });
});
