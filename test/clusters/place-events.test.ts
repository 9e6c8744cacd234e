import { expect, it } from 'vitest';
import { placeEvents } from '../../src/clusters/place-events.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';

const pod = (namespace: string): KubeObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'till-0', namespace } });
const about = (involvedObject: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'one', namespace: 'default' },
  involvedObject,
});

it('puts an event without a namespace where the only object of that name is', () => {
  expect(placeEvents([pod('shop'), about({ kind: 'Pod', name: 'till-0' })])[1]).toMatchObject({
    metadata: { namespace: 'shop' },
    involvedObject: { namespace: 'shop' },
  });
});

it('leaves an event where two objects have that name, where it names a namespace, or where its object has none', () => {
  const events = [
    about({ kind: 'Pod', name: 'till-0' }),
    about({ kind: 'Pod', name: 'till-0', namespace: 'depot' }),
    about({ kind: 'Node', name: 'worker-1' }),
  ];
  expect(placeEvents([pod('shop'), pod('depot'), ...events]).slice(2)).toEqual(events);
});
