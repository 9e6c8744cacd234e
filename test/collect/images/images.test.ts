import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../../src/catalog/bundled-data.ts';
import { memoryReader } from '../../../src/clusters/memory-reader.ts';
import { collect } from '../../../src/collect/collect.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { ago, collected, NOW, podWith } from '../../support/collected.ts';

const PRIVATE = { imagePullSecrets: [{ name: 'regcred' }] };
const DENIED =
  'Failed to pull image "X": failed to resolve reference "X": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed';

function waiting(image: string): KubeObject {
  return podWith(
    'web-1',
    { image },
    {
      state: {
        waiting: {
          reason: 'ImagePullBackOff',
          message: `Back-off pulling image "${image}": ErrImagePull: ${DENIED.replaceAll('X', image)}`,
        },
      },
    },
  );
}

/** A pod that runs an image, for which it needed credentials. */
function running(image: string): KubeObject {
  return podWith(
    'web-2',
    { image },
    { ready: true, state: { running: { startedAt: ago(100) } }, imageID: `${image}@sha256:1` },
    { spec: PRIVATE },
  );
}

describe('an image that the registry refuses to a pod without credentials', () => {
  it.each([
    ['registry.shop.example/team/wbe:1.0', true, 'registry.shop.example/team/web:1.0'], // two letters are swapped
    ['registry.shop.example/team/wb:1.0', true, 'registry.shop.example/team/web:1.0'], // one letter is missing
    ['registry.shop.example/team/webxy:1.0', true, 'registry.shop.example/team/web:1.0'], // two letters are too many
    ['registry.shop.example/team/webxyz:1.0', false, undefined], // three letters are too many
    ['registry.shop.example/taem/wbe:1.0', false, undefined], // two places are wrong
    ['registry.shop.example/team/web:2.0', false, 'registry.shop.example/team/web:1.0'], // only the tag is another
  ])('%s: %s that it does not exist beside %s', async (image, likelyAbsent, similar) => {
    const [fact] = await collected('image', [waiting(image), running('registry.shop.example/team/web:1.0')]);
    expect([fact?.['likelyAbsent'], fact?.['similar']]).toEqual([likelyAbsent, similar]);
  });

  it('is not taken for a slip where a running name is longer by three letters', async () => {
    expect(
      await collected('image', [waiting('registry.shop.example/team/web:1.0'), running('registry.shop.example/team/webapp:1.0')]),
    ).toMatchObject([{ likelyAbsent: false }]);
    expect(
      await collected('image', [waiting('registry.shop.example/team/web:1.0'), running('registry.shop.example/team/webap:1.0')]),
    ).toMatchObject([{ likelyAbsent: true }]);
  });

  it('does not exist where a pod runs another image of the same project without credentials', async () => {
    const others = {
      ...running('registry.shop.example/team/cart:1.0'),
      spec: { containers: [{ name: 'web', image: 'registry.shop.example/team/cart:1.0' }] },
    };
    expect(await collected('image', [waiting('registry.shop.example/team/search:1.0'), others])).toMatchObject([
      { likelyAbsent: true, publicSibling: 'registry.shop.example/team/cart:1.0' },
    ]);
  });
});

describe('the message of an image', () => {
  it.each(['Back-off pulling image "shop/web:1"', 'Error: ErrImagePull', 'ImagePullBackOff', ''])(
    'is left out where %j says only that the kubelet waits',
    async (message) => {
      const pod = podWith('web-1', { image: 'shop/web:1' }, { state: { waiting: { reason: 'ImagePullBackOff', message } } });
      const [fact] = await collected('image', [pod]);
      expect(fact).toMatchObject({ image: 'shop/web:1', reason: 'ImagePullBackOff' });
      expect(fact?.['message']).toBeUndefined();
    },
  );
});

describe('images of a pod of which only events were seen', () => {
  const event = (reason: string, image: string, seconds: number): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: 'shop', name: `${reason}-${image}-${String(seconds)}` },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-9', fieldPath: 'spec.containers{web}' },
    type: reason === 'Failed' ? 'Warning' : 'Normal',
    reason,
    message: reason === 'Failed' ? DENIED.replaceAll('X', image) : `Successfully pulled image "${image}" in 2s`,
    lastTimestamp: ago(seconds),
    count: 3,
  });
  const images = async (...events: readonly KubeObject[]): Promise<unknown> => {
    const collected = [{ kind: 'Event', complete: true }];
    const reader = memoryReader({ objects: events, collected, absent: [], refused: [], logs: [], now: NOW });
    const { facts } = await collect(reader, { namespace: 'shop' }, await shippedRules());
    return facts.flatMap(({ kind, fields }) =>
      kind === 'image' ? [[fields['image'], fields['container'], fields['reason'], fields['policy'], fields['secretNamed']]] : [],
    );
  };

  it('are those that failed and were not pulled since', async () => {
    expect(await images(event('Failed', 'shop/web:1', 60), event('Failed', 'shop/till:1', 50), event('Pulled', 'shop/till:1', 40))).toEqual(
      [['shop/web:1', 'web', 'Failed', undefined, undefined]],
    );
    expect(await images(event('Pulled', 'shop/web:1', 60), event('Failed', 'shop/web:1', 50))).toHaveLength(1);
  });
});
