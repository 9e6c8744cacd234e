import { describe, expect, it } from 'vitest';
import { memoryReader } from '../../../src/clusters/memory-reader.ts';
import type { ResolvedTarget, TargetWords } from '../../../src/collect/survey/resolve-target.ts';
import { resolveTarget } from '../../../src/collect/survey/resolve-target.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { formatRef } from '../../../src/model/kube-object.ts';
import { NOW, objectOf } from '../../support/collected.ts';

const KINDS = ['Pod', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ReplicaSet', 'Service', 'Node', 'ConfigMap'];

function words({ kind, ...rest }: ResolvedTarget): string {
  if ('ref' in rest) return formatRef(rest.ref);
  if ('refs' in rest) return `${kind}: ${rest.refs.map(formatRef).join(', ')}`;
  return 'near' in rest ? `${kind}: ${rest.near.join(', ')}` : kind;
}

async function resolved(asked: TargetWords, objects: readonly KubeObject[], unread: readonly string[] = []): Promise<string> {
  const collected = KINDS.filter((kind) => !unread.includes(kind)).map((kind) => ({ kind, complete: true }));
  const refused = unread.map((kind) => ({ kind, why: 'forbidden' as const, detail: `${kind} is forbidden` }));
  return words(await resolveTarget(memoryReader({ objects, collected, absent: [], refused, logs: [], now: NOW }), asked));
}

const named = (word: string, objects: readonly KubeObject[]): Promise<string> => resolved({ word, namespace: 'shop' }, objects);

function elsewhere(kind: string, name: string): KubeObject {
  return objectOf(kind, name, {}, { namespace: 'till' });
}

describe('a name', () => {
  it('alone means what people type most', async () => {
    const [pod, deployment, service] = [objectOf('Pod', 'web', {}), objectOf('Deployment', 'web', {}), objectOf('Service', 'web', {})];
    expect(await named('web', [service, deployment, pod])).toBe('Pod/shop/web');
    expect(await named('web', [service, deployment])).toBe('Deployment/shop/web');
    expect(await named('web', [service])).toBe('Service/shop/web');
  });

  it('may come with a kind, in all its spellings', async () => {
    const objects = [objectOf('Pod', 'web', {}), objectOf('Deployment', 'web', {}), objectOf('Node', 'worker-1', {})];
    for (const word of ['deploy/web', 'deployment/web', 'Deployment/web', 'deployments.apps/web'])
      expect(await named(word, objects), word).toBe('Deployment/shop/web');
    expect(await named('node/worker-1', objects)).toBe('Node/worker-1');
    expect(await named('cm/web', [...objects, objectOf('ConfigMap', 'web', {})])).toBe('ConfigMap/shop/web');
  });

  it('is looked for in its namespace, or in all of them', async () => {
    expect(await named('web', [elsewhere('Pod', 'web')])).toBe('absent: ');
    expect(await resolved({ word: 'web' }, [elsewhere('Pod', 'web')])).toBe('Pod/till/web');
    expect(await resolved({ word: 'web' }, [elsewhere('Pod', 'web'), objectOf('Pod', 'web', {})])).toBe(
      'ambiguous: Pod/till/web, Pod/shop/web',
    );
  });

  it('of a pod that is gone leads to what made it', async () => {
    expect(await named('web-6d4cf56db6-x2x7k', [objectOf('Deployment', 'web', {})])).toBe('Deployment/shop/web');
    expect(await named('till-12', [objectOf('StatefulSet', 'till', {})])).toBe('StatefulSet/shop/till');
    expect(await named('agent-x2x7k', [objectOf('DaemonSet', 'agent', {})])).toBe('DaemonSet/shop/agent');
    expect(await named('load-x2x7k', [objectOf('Job', 'load', {})])).toBe('Job/shop/load');
    expect(await named('deploy/web-6d4cf56db6-x2x7k', [objectOf('Deployment', 'web', {})])).toMatch(/^absent/);
    expect(await named('web-6d4cf56db6-x2x7k', [elsewhere('Deployment', 'web')])).toMatch(/^absent/);
  });

  it('that nothing has is told with those that come near', async () => {
    const objects = [objectOf('Deployment', 'web', {}), objectOf('Deployment', 'till', {}), objectOf('Service', 'wen', {})];
    expect(await named('wev', objects)).toBe('absent: web');
    expect(await named('svc/wev', objects)).toBe('absent: wen');
  });

  it('is unread where the kind could not be read', async () => {
    expect(await resolved({ word: 'pod/web', namespace: 'shop' }, [], ['Pod'])).toBe('unread');
    expect(await resolved({ word: 'web', namespace: 'shop' }, [objectOf('Service', 'web', {})], ['Pod'])).toBe('Service/shop/web');
    expect(await resolved({ word: 'web', namespace: 'shop' }, [], ['Service'])).toBe('unread');
    expect(await resolved({ word: 'web' }, [], ['Service'])).toBe('unread');
  });

  it('of a pod that is gone leads to nothing where several may have made it', async () => {
    const two = [elsewhere('Deployment', 'web'), objectOf('Deployment', 'web', {})];
    expect(await resolved({ word: 'web-6d4cf56db6-x2x7k' }, two)).toMatch(/^absent/);
    expect(await resolved({ word: 'web-6d4cf56db6-x2x7k' }, two.slice(1))).toBe('Deployment/shop/web');
    expect(await named('web-6d4cf56db6-x2x7k', [objectOf('ReplicaSet', 'web-6d4cf56db6', {})])).toMatch(/^absent/);
    expect(await named('till-x', [objectOf('StatefulSet', 'till', {})])).toMatch(/^absent/);
  });

  it('is looked for among pods and Deployments first where nothing has it', async () => {
    expect(await named('wev', [objectOf('Pod', 'web-1', {}), objectOf('Pod', 'wez', {}), objectOf('Deployment', 'web', {})])).toMatch(
      /^absent: (?:web, wez|wez, web)$/,
    );
    expect(await named('wev', [objectOf('Service', 'web', {})])).toBe('absent: ');
    expect(await resolved({}, [objectOf('Pod', 'web', {})])).toMatch(/^absent/);
    expect(await resolved({ word: 'gadget/web', namespace: 'shop' }, [])).toBe('unread');
  });
});

describe('a selector', () => {
  const labelled = (kind: string, name: string, owner?: readonly [string, string]): KubeObject =>
    objectOf(
      kind,
      name,
      {},
      {
        labels: { app: 'web' },
        ...(owner === undefined ? {} : { ownerReferences: [{ kind: owner[0], name: owner[1], namespace: 'shop', controller: true }] }),
      },
    );
  const selected = (...objects: readonly KubeObject[]): Promise<string> => resolved({ selector: 'app=web', namespace: 'shop' }, objects);

  it('means what has the labels, pods by their workload', async () => {
    expect(await selected(labelled('Deployment', 'web'))).toBe('Deployment/shop/web');
    expect(
      await selected(labelled('Pod', 'web-6d4-a', ['ReplicaSet', 'web-6d4']), labelled('Pod', 'web-6d4-b', ['ReplicaSet', 'web-6d4'])),
    ).toBe('Deployment/shop/web');
    expect(await selected(labelled('Deployment', 'web'), labelled('Pod', 'web-6d4-a', ['ReplicaSet', 'web-6d4']))).toBe(
      'Deployment/shop/web',
    );
    expect(await selected(labelled('Pod', 'web-0', ['StatefulSet', 'web']))).toBe('StatefulSet/shop/web');
    expect(await selected(labelled('Pod', 'alone-a', ['ReplicaSet', 'web-6d4']))).toBe('ReplicaSet/shop/web-6d4');
    expect(await selected(labelled('Pod', 'web'))).toBe('Pod/shop/web');
  });

  it('may mean several, or none', async () => {
    expect(await selected(labelled('Deployment', 'web'), labelled('StatefulSet', 'till'))).toBe(
      'ambiguous: Deployment/shop/web, StatefulSet/shop/till',
    );
    expect(await selected(objectOf('Deployment', 'web', {}))).toBe('absent: ');
    expect(await resolved({ selector: 'app=web', namespace: 'shop' }, [], ['Job'])).toBe('unread');
    for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'])
      expect(await selected(labelled(kind, 'web'))).toBe(`${kind}/shop/web`);
    expect(await selected(labelled('Service', 'web'))).toBe('absent: ');
  });
});
