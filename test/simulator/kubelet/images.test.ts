import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import { parseImage } from '../../../src/simulator/images/image-reference.ts';
import { condition, container, events, fault, get, logsOf, machineRoom, partFault, podOn, put, shell } from './machine-room.ts';

const IMAGE = 'registry.example/shop/web:1.0';
const RESOLVE = `failed to pull and unpack image "${IMAGE}": failed to resolve image`;
const HEAD = `${RESOLVE}: failed to do request: Head "https://registry.example/v2/shop/web/manifests/1.0"`;
const CERTIFICATE = {
  name: 'registry',
  commonName: 'registry',
  organizations: [],
  issuer: 'shop-ca',
  notBefore: 0,
  notAfter: Date.UTC(2030, 0, 1),
  dnsNames: ['registry.example'],
  ipAddresses: [],
};

describe('a pull that fails', () => {
  test.each([
    [
      'no such tag',
      { repositories: { 'shop/web': { tags: ['2.0'] } } },
      `rpc error: code = NotFound desc = ${RESOLVE}: ${IMAGE}: not found`,
    ],
    ['nobody listening', { network: 'refused', address: '10.1.1.1' }, `${HEAD}: dial tcp 10.1.1.1:443: connect: connection refused`],
    ['no such host', { network: 'no-such-host' }, `${HEAD}: dial tcp: lookup registry.example on 10.77.0.53:53: no such host`],
    ['a registry that speaks HTTP', { network: 'http' }, `${HEAD}: http: server gave HTTP response to HTTPS client`],
    [
      'a certificate for another name',
      { certificate: { ...CERTIFICATE, dnsNames: ['other.example'] } },
      `${HEAD}: tls: failed to verify certificate: x509: certificate is valid for other.example, not registry.example`,
    ],
    [
      'an authority that is not trusted',
      { certificate: CERTIFICATE, trusted: ['other-ca'] },
      `${HEAD}: tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    ],
    [
      'no credentials',
      { users: { shop: 'secret' } },
      `${RESOLVE}: pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`,
    ],
    [
      'a refusal',
      { status: 403 },
      `${RESOLVE}: unexpected status from HEAD request to https://registry.example/v2/shop/web/manifests/1.0: 403 Forbidden`,
    ],
    [
      'another architecture',
      { repositories: { 'shop/web': { tags: { '1.0': { architectures: ['arm64'], digest: 'sha256:abc' } } } } },
      'rpc error: code = NotFound desc = get image config descriptor: no match for platform in manifest sha256:abc: not found',
    ],
  ])('for %s says so in event and status, and waits', (_, registry, message) => {
    const cluster = machineRoom({ setup: [partFault('registry', 'registry.example', registry)] });
    put(cluster, podOn('web'));
    cluster.advance(3000);
    expect(events(cluster, 'web').slice(0, 5)).toEqual([
      `Normal Pulling ×1 Pulling image "${IMAGE}"`,
      `Warning Failed ×1 Failed to pull image "${IMAGE}": ${message}`,
      'Warning Failed ×1 Error: ErrImagePull',
      `Normal BackOff ×1 Back-off pulling image "${IMAGE}"`,
      'Warning Failed ×1 Error: ImagePullBackOff',
    ]);
    expect(dig(container(cluster, 'web'), 'state', 'waiting')).toEqual({ reason: 'ErrImagePull', message });
    cluster.advance(13_000);
    expect(dig(container(cluster, 'web'), 'state', 'waiting', 'message')).toBe(
      `Back-off pulling image "${IMAGE}": ErrImagePull: ${message}`,
    );
  });

  test('is tried again and comes up when the registry has the image', () => {
    const cluster = machineRoom({ setup: [partFault('registry', 'registry.example', { network: 'refused' })] });
    put(cluster, podOn('web'));
    cluster.advance(40_000);
    expect(condition(cluster, 'web', 'Ready')).toMatch(/^False/);
    fault(cluster, 'registry', 'registry.example', {});
    cluster.advance(100_000);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
  });

  test('for too many pulls names the limit', () => {
    const cluster = machineRoom({ setup: [partFault('registry', 'registry.example', { rateLimit: { pulls: 1, perHour: 1 } })] });
    put(cluster, podOn('web'), podOn('api', { imagePullPolicy: 'Always' }));
    cluster.advance(3000);
    // Whose turn comes second is chance.
    expect([...events(cluster, 'web'), ...events(cluster, 'api')].join('\n')).toContain('429 Too Many Requests\ntoomanyrequests: ');
  });
});

test('a pull secret for the registry lets the pod in, one that is missing is told', () => {
  const auth = Buffer.from(JSON.stringify({ auths: { 'registry.example': { username: 'shop', password: 'secret' } } })).toString('base64');
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'regcred', namespace: 'shop' },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': auth },
  };
  const cluster = machineRoom({ objects: [secret], setup: [partFault('registry', 'registry.example', { users: { shop: 'secret' } })] });
  put(
    cluster,
    podOn('web', {}, { imagePullSecrets: [{ name: 'regcred' }] }),
    podOn('api', {}, { imagePullSecrets: [{ name: 'missing' }] }),
  );
  cluster.advance(3000);
  expect(condition(cluster, 'web', 'Ready')).toBe('True');
  expect(events(cluster, 'api')[0]).toMatch(
    /^Warning FailedToRetrieveImagePullSecret ×\d Unable to retrieve some image pull secrets \(missing\); attempting to pull the image may not succeed\.$/,
  );
  expect(condition(cluster, 'api', 'Ready')).toMatch(/^False/);
});

test('a policy of Never does not pull', () => {
  const cluster = machineRoom();
  put(cluster, podOn('web', { imagePullPolicy: 'Never' }));
  cluster.advance(3000);
  expect(events(cluster, 'web').slice(0, 2)).toEqual([
    `Warning ErrImageNeverPull ×2 Container image "${IMAGE}" is not present with pull policy of Never`,
    'Warning Failed ×2 Error: ErrImageNeverPull',
  ]);
});

test('a name that is none is told before anything is pulled', () => {
  const cluster = machineRoom();
  put(cluster, podOn('web', { image: 'registry.example/Shop/web' }));
  cluster.advance(3000);
  expect(events(cluster, 'web')[0]).toMatch(
    /^Warning InspectFailed ×\d Failed to apply default image tag "registry.example\/Shop\/web": couldn't parse image name/,
  );
});

test.each([
  ['nginx', 'docker.io/library/nginx:latest'],
  ['shop/web:1.0', 'docker.io/shop/web:1.0'],
  ['localhost:5000/web', 'localhost:5000/web:latest'],
  ['registry.example/shop/web:1.0', 'registry.example/shop/web:1.0'],
])('%s is %s in full', (name, full) => {
  expect(parseImage(name)).toMatchObject({ normalized: full });
});

describe('an image as a volume', () => {
  const GOODS = 'registry.example/shop/goods:1.0';
  const withGoods = (image: JsonObject = {}, container: JsonObject = {}): JsonObject =>
    podOn(
      'web',
      { volumeMounts: [{ name: 'goods', mountPath: '/goods' }], ...container },
      { volumes: [{ name: 'goods', image: { reference: GOODS, ...image } }] },
    );
  const registry = (tags: JsonObject) =>
    partFault('registry', 'registry.example', { repositories: { 'shop/web': { tags: ['1.0'] }, 'shop/goods': { tags } } });

  test('is pulled for the pod before its container is made, and holds the files of the image, which nobody changes', () => {
    const cluster = machineRoom({ setup: [registry({ '1.0': { files: { '/list/fruit.txt': 'pears\n' } } })] });
    put(cluster, withGoods({}, shell('cat /goods/list/fruit.txt; touch /goods/more; sleep 3600')));
    cluster.advance(5000);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
    expect(events(cluster, 'web')[0]).toBe(`Normal Pulling ×1 Pulling image "${GOODS}"`);
    const pulling = cluster.store.list('events').find((event) => dig(event, 'message') === `Pulling image "${GOODS}"`);
    expect(dig(pulling, 'involvedObject', 'fieldPath')).toBeUndefined();
    expect(logsOf(cluster, 'web')).toEqual(['pears', 'touch: /goods/more: Read-only file system']);
    expect(dig(get(cluster, 'pods', 'web'), 'spec', 'volumes', 0)).toEqual({
      name: 'goods',
      image: { reference: GOODS, pullPolicy: 'IfNotPresent' },
    });
  });

  test('that is not there keeps the containers waiting that have it mounted, in the words of a pull', () => {
    const cluster = machineRoom({ setup: [registry({})] });
    put(cluster, withGoods());
    cluster.advance(3000);
    const message = `rpc error: code = NotFound desc = failed to pull and unpack image "${GOODS}": failed to resolve image: ${GOODS}: not found`;
    expect(events(cluster, 'web').slice(0, 5)).toEqual([
      `Normal Pulling ×1 Pulling image "${GOODS}"`,
      `Warning Failed ×1 Failed to pull image "${GOODS}": ${message}`,
      'Warning Failed ×1 Error: ErrImagePull',
      `Normal BackOff ×1 Back-off pulling image "${GOODS}"`,
      'Warning Failed ×1 Error: ImagePullBackOff',
    ]);
    expect(dig(container(cluster, 'web'), 'state', 'waiting')).toEqual({ reason: 'ErrImagePull', message });
    fault(cluster, 'registry', 'registry.example', {});
    cluster.advance(60_000);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
  });

  test('is pulled with the secrets of the pod', () => {
    const auth = Buffer.from(JSON.stringify({ auths: { 'registry.example': { username: 'shop', password: 'secret' } } })).toString(
      'base64',
    );
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'regcred', namespace: 'shop' },
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': auth },
    };
    const cluster = machineRoom({ objects: [secret], setup: [partFault('registry', 'registry.example', { users: { shop: 'secret' } })] });
    put(cluster, withPath(withGoods(), ['spec', 'imagePullSecrets'], [{ name: 'regcred' }]));
    cluster.advance(3000);
    expect(condition(cluster, 'web', 'Ready')).toBe('True');
  });
});

test('the image that Kubernetes updates in its own tests serves the picture it is named after', () => {
  const cluster = machineRoom();
  put(cluster, podOn('update', { image: 'registry.k8s.io/e2e-test-images/nautilus:1.7' }));
  cluster.advance(10_000);
  put(
    cluster,
    podOn('look', shell(`wget -q -O - http://${textOf(dig(get(cluster, 'pods', 'update'), 'status', 'podIP'))}/data.json`), {
      restartPolicy: 'Never',
    }),
  );
  cluster.advance(30_000);
  expect(logsOf(cluster, 'look').join(' ')).toContain('"image": "nautilus.jpg"');
});
