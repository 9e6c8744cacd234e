import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { parseImage, projectOf } from '../../../src/collect/images/image-reference.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { ago, collected, eventOn, evidenceOf, factsIn, objectOf, podWith } from '../../support/collected.ts';

const SILENT = { state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "shop/web:1"' } } };

function waiting(container: JsonObject = {}, spec: JsonObject = {}, status: JsonObject = SILENT): KubeObject {
  return podWith('web-1', { image: 'shop/web:1', ...container }, status, { spec });
}

function said(reason: string, message: string, seconds: number, container: string | null = 'web'): KubeObject {
  const fieldPath = container === null ? {} : { fieldPath: `spec.containers{${container}}` };
  return eventOn(waiting(), reason, message, seconds, { involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-1', ...fieldPath } });
}

const image = async (...objects: readonly KubeObject[]): Promise<Readonly<Record<string, unknown>>> =>
  (await collected('image', objects))[0] ?? {};
const FAILED = 'Failed to pull image "shop/web:1": not found';

describe('why an image is not there', () => {
  it('is told by the latest event that says why', async () => {
    expect(await image(waiting(), said('Failed', `${FAILED} at last`, 5), said('Failed', FAILED, 60))).toMatchObject({
      message: `${FAILED} at last`,
    });
    expect(await image(waiting(), said('Failed', FAILED, 60), said('Failed', 'Error: ErrImagePull', 5))).toMatchObject({ message: FAILED });
  });

  it.each([
    ['Failed', true],
    ['ErrImageNeverPull', true],
    ['InspectFailed', true],
    ['BackOff', true],
    ['Pulling', false],
    ['Unhealthy', false],
  ])('is told by an event %s: %s', async (reason, expected) => {
    expect((await image(waiting(), said(reason, FAILED, 5)))['message']).toBe(expected ? FAILED : undefined);
  });

  it('is told by an event without a container where it names the image, or none', async () => {
    const other = 'Failed to pull image "shop/till:1": not found';
    expect((await image(waiting(), said('Failed', FAILED, 5, null)))['message']).toBe(FAILED);
    expect((await image(waiting(), said('Failed', 'rpc error: no space', 5, null)))['message']).toBe('rpc error: no space');
    expect((await image(waiting(), said('Failed', other, 5, null)))['message']).toBeUndefined();
    const full = 'Failed to pull image "docker.io/shop/web:1": not found';
    expect((await image(waiting(), said('Failed', full, 5, null)))['message']).toBe(full);
  });

  it('is not told of a pod that is being deleted', async () => {
    const pod = waiting();
    expect(await image({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: ago(5) } })).toEqual({});
  });

  it('names the image by its events where its source does not show which it has', async () => {
    const row: KubeObject = {
      ...podWith('web-1', {}, { ...SILENT, state: { waiting: { reason: 'ErrImagePull' } } }, { spec: { containers: [{ name: 'web' }] } }),
      [OBSERVED]: ['metadata.name', 'spec.containers.name', 'status'],
    };
    expect(await image(row, said('Failed', FAILED, 5))).toMatchObject({ image: 'shop/web:1' });
    expect((await image(row, said('Failed', FAILED, 5), said('Failed', FAILED.replace('web', 'till'), 9)))['image']).not.toBe('shop/web:1');
  });
});

describe('what an image is pulled with', () => {
  const named = { imagePullSecrets: [{ name: 'a' }, { name: 'b' }] };
  const secret = (name: string, type: string): KubeObject => objectOf('Secret', name, { type });
  const REGISTRY = 'kubernetes.io/dockerconfigjson';

  it('makes the registry know the pod: a public library has no such image then', async () => {
    const library = (spec: JsonObject): KubeObject => waiting({ image: 'ngins' }, spec);
    expect(await image(library({}))).toMatchObject({ likelyAbsent: true, secretNamed: false });
    expect(await image(library(named), secret('a', REGISTRY), secret('b', REGISTRY))).toMatchObject({
      likelyAbsent: false,
      secretNamed: true,
    });
  });

  it('may be of the wrong type: the first that is', async () => {
    expect(await image(waiting({}, named), secret('a', REGISTRY), secret('b', 'Opaque'))).toMatchObject({
      wrongSecret: 'b',
      wrongSecretType: 'Opaque',
    });
  });

  it('is not known where the pod was not read whole', async () => {
    const row: KubeObject = { ...waiting(), [OBSERVED]: ['metadata.name', 'spec.containers', 'status'] };
    expect(await image(row)).not.toHaveProperty('secretNamed');
  });

  it('was not needed for an image of the same project that runs', async () => {
    const running = (name: string, spec: JsonObject = {}, imageID = 'sha256:1'): KubeObject =>
      podWith('till-1', { image: name }, { ready: true, state: { running: {} }, imageID }, { spec });
    const sibling = async (one: KubeObject): Promise<unknown> =>
      (await image(waiting({ image: 'ghcr.io/shop/web:1' }), one))['publicSibling'];
    expect(await sibling(running('ghcr.io/shop/till:1'))).toBe('ghcr.io/shop/till:1');
    expect(await sibling(running('ghcr.io/other/till:1'))).toBeUndefined();
    expect(await sibling(running('ghcr.io/shop/till:1', { imagePullSecrets: [{ name: 'a' }] }))).toBeUndefined();
    expect(await sibling(running('ghcr.io/shop/till:1', {}, ''))).toBeUndefined();
  });
});

describe('images of a pod that only events tell of', () => {
  const seen = async (...events: readonly KubeObject[]): Promise<readonly unknown[]> =>
    factsIn(await evidenceOf(events, { refused: ['Pod'] }), 'image').map((fact) => [fact['image'], fact['message']]);

  it('failed within a quarter of an hour, each in its latest words', async () => {
    expect(await seen(said('Failed', FAILED, 60), said('Failed', `${FAILED} at last`, 5))).toEqual([['shop/web:1', `${FAILED} at last`]]);
    expect(await seen(said('Failed', FAILED, 901), said('Scheduled', '', 5))).toEqual([]);
    expect(await seen(said('Failed', FAILED, 60), said('Pulled', 'Container image "shop/web:1" already present', 5))).toEqual([]);
    expect(await seen(said('Failed', 'Error: ErrImagePull', 5))).toEqual([]);
  });
});

describe('an image reference', () => {
  it.each<readonly [string, readonly (string | undefined)[]]>([
    ['web', ['docker.io', 'library/web', 'latest', undefined]],
    ['shop/web', ['docker.io', 'shop/web', 'latest', undefined]],
    ['index.docker.io/web:1', ['docker.io', 'library/web', '1', undefined]],
    ['localhost/web:1', ['localhost', 'web', '1', undefined]],
    ['localhost:5000/web', ['localhost:5000', 'web', 'latest', undefined]],
    ['ghcr.io/shop/web:1@sha256:ab', ['ghcr.io', 'shop/web', '1', 'sha256:ab']],
    ['ghcr.io/shop/web@sha256:ab', ['ghcr.io', 'shop/web', undefined, 'sha256:ab']],
    ['<image>', ['<registry>', '<image>', undefined, undefined]],
    ['/web', ['docker.io', '/web', 'latest', undefined]],
  ])('%s is taken apart', (reference, [registry, repository, tag, digest]) => {
    expect(parseImage(reference)).toEqual({ registry, repository, tag, digest });
  });

  it('is of a project', () => {
    expect(['ghcr.io/shop/team/web', 'ghcr.io/web', 'web'].map((one) => projectOf(parseImage(one)))).toEqual([
      'ghcr.io/shop/team',
      'ghcr.io',
      'docker.io/library',
    ]);
  });
});
