import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, podWith } from '../../support/collected.ts';

const PRIVATE = { imagePullSecrets: [{ name: 'regcred' }] };
const DENIED = 'Failed to pull image "X": failed to resolve reference "X": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed';

function waiting(image: string): KubeObject {
  return podWith('web-1', { image }, { state: { waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}": ErrImagePull: ${DENIED.replaceAll('X', image)}` } } });
}

/** A pod that runs an image, for which it needed credentials. */
function running(image: string): KubeObject {
  return podWith('web-2', { image }, { ready: true, state: { running: { startedAt: ago(100) } }, imageID: `${image}@sha256:1` }, { spec: PRIVATE });
}

describe('an image that the registry refuses to a pod without credentials', () => {
  it.each([
    ['registry.shop.example/team/wbe:1.0', 'not-found', 'registry.shop.example/team/web:1.0'], // two letters are swapped
    ['registry.shop.example/team/wb:1.0', 'not-found', 'registry.shop.example/team/web:1.0'], // one letter is missing
    ['registry.shop.example/team/webxy:1.0', 'not-found', 'registry.shop.example/team/web:1.0'], // two letters are too many
    ['registry.shop.example/team/webxyz:1.0', 'denied-or-absent', undefined], // three letters are too many
    ['registry.shop.example/taem/wbe:1.0', 'denied-or-absent', undefined], // two places are wrong
    ['registry.shop.example/team/web:2.0', 'denied-or-absent', 'registry.shop.example/team/web:1.0'], // only the tag is another
  ])('%s is %s beside %s', async (image, error, similar) => {
    const [fact] = await collected('image', [waiting(image), running('registry.shop.example/team/web:1.0')]);
    expect([fact?.['error'], fact?.['similar']]).toEqual([error, similar]);
  });

  it('is not taken for a slip where a running name is longer by three letters', async () => {
    expect(await collected('image', [waiting('registry.shop.example/team/web:1.0'), running('registry.shop.example/team/webapp:1.0')])).toMatchObject([{ error: 'denied-or-absent' }]);
    expect(await collected('image', [waiting('registry.shop.example/team/web:1.0'), running('registry.shop.example/team/webap:1.0')])).toMatchObject([{ error: 'not-found' }]);
  });

  it('does not exist where a pod runs another image of the same project without credentials', async () => {
    const others = { ...running('registry.shop.example/team/cart:1.0'), spec: { containers: [{ name: 'web', image: 'registry.shop.example/team/cart:1.0' }] } };
    expect(await collected('image', [waiting('registry.shop.example/team/search:1.0'), others])).toMatchObject([{ error: 'not-found', publicSibling: 'registry.shop.example/team/cart:1.0' }]);
  });
});
