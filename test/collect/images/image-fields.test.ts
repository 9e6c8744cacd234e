import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, objectOf, podWith } from '../../support/collected.ts';

const WHY = 'rpc error: code = NotFound desc = failed to pull and unpack image "X": not found';

function waiting(
  image: string,
  {
    reason = 'ErrImagePull',
    message = WHY,
    spec = {},
    container = {},
  }: { readonly reason?: string; readonly message?: string; readonly spec?: JsonObject; readonly container?: JsonObject } = {},
): KubeObject {
  return podWith('web-1', { image, ...container }, { state: { waiting: { reason, message: message.replaceAll('X', image) } } }, { spec });
}

function event(reason: string, message: string, seconds: number, fieldPath: string | undefined = 'spec.containers{web}'): KubeObject {
  return objectOf('Event', `web-1.${reason}.${String(seconds)}`, {
    reason,
    message,
    type: 'Warning',
    lastTimestamp: ago(seconds),
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', ...(fieldPath === undefined ? {} : { fieldPath }) },
  });
}

async function image(...objects: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> {
  return (await collected('image', objects))[0] ?? {};
}

describe('an image that is not there', () => {
  it('has its parts, where it is looked for, and the words that say why', async () => {
    expect(await image(waiting('registry.shop.example:5000/team/web:1.0', { container: { imagePullPolicy: 'Always' } }))).toMatchObject({
      container: 'web',
      image: 'registry.shop.example:5000/team/web:1.0',
      registry: 'registry.shop.example:5000',
      repository: 'team/web',
      tag: '1.0',
      address: 'registry.shop.example:5000',
      reason: 'ErrImagePull',
      policy: 'Always',
      secretNamed: false,
      likelyAbsent: false,
    });
    expect(await image(waiting('nginx'))).toMatchObject({
      registry: 'docker.io',
      repository: 'library/nginx',
      address: 'registry-1.docker.io:443',
      likelyAbsent: true,
    });
    expect(await image(waiting('ghcr.io/team/web'))).toMatchObject({ address: 'ghcr.io:443' });
  });

  it.each([
    'ErrImagePull',
    'ImagePullBackOff',
    'ErrImageNeverPull',
    'InvalidImageName',
    'ImageInspectError',
    'RegistryUnavailable',
    'SignatureValidationFailed',
  ])('waits with %s', async (reason) => {
    expect(await image(waiting('shop/web:1', { reason }))).toMatchObject({ reason });
  });

  it('does not wait with other reasons', async () => {
    for (const reason of ['ContainerCreating', 'CrashLoopBackOff', 'CreateContainerError'])
      expect(await image(waiting('shop/web:1', { reason })), reason).toEqual({});
  });

  it.each([
    ['Shop/Web:Latest', 'shop/web:Latest'],
    ['registry.example/Shop/web', 'registry.example/shop/web'],
    ['shop/web:Latest', undefined],
    ['Shop//Web', 'shop//web'],
    ['Shop/we b', undefined],
  ])('%s in lower case is %s', async (name, lowercase) => {
    expect((await image(waiting(name, { reason: 'InvalidImageName', message: 'invalid' })))['lowercase']).toBe(lowercase);
  });

  it('is told by an event where the status does not say why', async () => {
    const silent = waiting('shop/web:1', { message: 'Back-off pulling image "X"' });
    const failed = event('Failed', 'Failed to pull image "shop/web:1": not found', 30);
    expect(await image(silent, failed)).toMatchObject({ reason: 'Failed', message: 'Failed to pull image "shop/web:1": not found' });
    expect(await image(silent, event('Failed', 'Failed to pull image "shop/web:1": no', 30, 'spec.containers{other}'))).toMatchObject({
      reason: 'ErrImagePull',
    });
    expect(await image(silent, event('Pulled', 'Successfully pulled image "shop/web:1"', 30))).toMatchObject({ reason: 'ErrImagePull' });
  });

  it('may be that of a volume', async () => {
    const spec = { volumes: [{ name: 'model', image: { reference: 'shop/model:1', pullPolicy: 'Never' } }] };
    const message = 'failed to pull image "shop/model:1": not found';
    const mounted = waiting('shop/web:1', { message, spec, container: { volumeMounts: [{ name: 'model', mountPath: '/m' }] } });
    expect(await image(mounted)).toMatchObject({ volume: 'model', image: 'shop/model:1', policy: 'Never' });
    expect(await image(mounted)).not.toHaveProperty('container');
    expect(await image(waiting('shop/web:1', { message, spec }))).toMatchObject({ container: 'web', image: 'shop/web:1' });
  });

  it('is pulled with a Secret that is of another type', async () => {
    const spec = { imagePullSecrets: [{ name: 'regcred' }] };
    const secret = (type: string): KubeObject => objectOf('Secret', 'regcred', { type });
    const ofType = (type: string): Promise<Readonly<Record<string, unknown>>> => image(waiting('shop/web:1', { spec }), secret(type));
    expect(await ofType('Opaque')).toMatchObject({ secretNamed: true, wrongSecret: 'regcred', wrongSecretType: 'Opaque' });
    for (const type of ['kubernetes.io/dockerconfigjson', 'kubernetes.io/dockercfg', ''])
      expect(await ofType(type), type).not.toHaveProperty('wrongSecret');
  });

  it('may not exist only where its place is public, and it has no Secret', async () => {
    const likely = async (name: string, spec: JsonObject = {}): Promise<unknown> => (await image(waiting(name, { spec })))['likelyAbsent'];
    expect(await likely('nginx')).toBe(true);
    expect(await likely('index.docker.io/nginx:1')).toBe(true);
    for (const other of ['team/web', 'ghcr.io/library/web', 'docker.io/team/library']) expect(await likely(other), other).toBe(false);
    expect(await likely('nginx', { imagePullSecrets: [{ name: 'regcred' }] })).toBe(false);
  });

  it('is pulled with the first Secret that is of another type, whatever the others are', async () => {
    const spec = { imagePullSecrets: [{ name: 'none' }, { name: 'good' }, { name: 'bad' }, { name: 'worse' }] };
    const secrets = [
      objectOf('Secret', 'good', { type: 'kubernetes.io/dockerconfigjson' }),
      objectOf('Secret', 'bad', { type: 'Opaque' }),
      objectOf('Secret', 'worse', { type: 'kubernetes.io/tls' }),
    ];
    expect(await image(waiting('shop/web:1', { spec }), ...secrets)).toMatchObject({ wrongSecret: 'bad', wrongSecretType: 'Opaque' });
    const absent = await image(waiting('shop/web:1', { spec: { imagePullSecrets: [{ name: 'none' }] } }));
    expect(absent).toMatchObject({ secretNamed: true });
    expect(absent).not.toHaveProperty('wrongSecret');
  });

  it('is one that runs, but for a slip', async () => {
    const running = (name: string): KubeObject => {
      const pod = podWith(
        'till-1',
        { image: name },
        { ready: true, imageID: `${name}@sha256:1`, state: { running: { startedAt: ago(900) } } },
      );
      return { ...pod, metadata: { ...pod.metadata, name: 'till-1' } };
    };
    const similar = async (name: string, other: string): Promise<unknown> => (await image(waiting(name), running(other)))['similar'];
    expect(await similar('shop/web:2', 'shop/web:1')).toBe('shop/web:1');
    expect(await similar('shop/wbe:1', 'shop/web:1')).toBe('shop/web:1');
    expect(await similar('shop/webb:1', 'shop/web:1')).toBe('shop/web:1');
    expect(await similar('shop/webxy:1', 'shop/web:1')).toBe('shop/web:1');
    expect(await similar('shop/webxyz:1', 'shop/web:1')).toBeUndefined();
    expect(await similar('shop/w:1', 'shop/web:1')).toBe('shop/web:1');
    expect(await similar('shop/till:1', 'shop/web:1')).toBeUndefined();
    expect(await similar('hop/we:1', 'shop/web:1')).toBeUndefined();
    expect(await similar('ship/wob:1', 'shop/web:1')).toBeUndefined();
    expect(await similar('shop/aaa:1', 'shop/aaaa:1')).toBe('shop/aaaa:1');
  });

  it('is not written in lower case where it is very long', async () => {
    const name = (length: number): string => `Shop/${'a'.repeat(length - 5)}`;
    const lower = async (one: string): Promise<unknown> =>
      (await image(waiting(one, { reason: 'InvalidImageName', message: 'invalid' })))['lowercase'];
    expect(await lower(name(300))).toBe(name(300).toLowerCase());
    expect(await lower(name(301))).toBeUndefined();
    expect(await lower('Shop/web')).toBe('shop/web');
    expect(await lower('Shop/web@sha256:1')).toBe(undefined);
  });
});
