import { describe, expect, test } from 'vitest';
import { withPath } from '../../../src/base/json-edit.ts';
import { create, pod, send, shop } from '../shop.ts';

describe('watch', () => {
  test('tells of what comes, changes and goes from a revision on', () => {
    const cluster = shop();
    create(cluster, pod('old'));
    const resourceVersion = String(cluster.store.revision);
    create(cluster, pod('missed'));
    const told: string[] = [];
    const started = cluster.watch(
      { verb: 'watch', group: '', version: 'v1', resource: 'pods', namespace: 'shop', resourceVersion },
      ({ type, object }) => void told.push(`${type} ${object.metadata.name}`),
      () => undefined,
    );
    create(cluster, pod('new'));
    send(cluster, 'delete', 'Pod', 'old');
    expect(told).toEqual(['ADDED missed', 'ADDED new', 'DELETED old']);
    if (started.ok) started.handle.stop();
    create(cluster, pod('later'));
    expect(told).toHaveLength(3);
  });

  test('of objects with a label tells of those that lose it as gone', () => {
    const cluster = shop();
    const told: string[] = [];
    cluster.watch(
      { verb: 'watch', group: '', version: 'v1', resource: 'pods', namespace: 'shop', labelSelector: 'app=web' },
      ({ type, object }) => void told.push(`${type} ${object.metadata.name}`),
      () => undefined,
    );
    create(cluster, withPath(pod('web'), ['metadata', 'labels'], { app: 'web' }));
    send(cluster, 'patch', 'Pod', 'web', { patch: { type: 'merge', body: { metadata: { labels: { app: 'other' } } } } });
    expect(told).toEqual(['ADDED web', 'DELETED web']);
  });

  test('from a revision that is compacted away is too late', () => {
    const cluster = shop();
    create(cluster, pod('a'));
    const from = cluster.store.revision - 1;
    cluster.inject({ fault: 'compact' });
    const started = cluster.watch(
      { verb: 'watch', group: '', version: 'v1', resource: 'pods', resourceVersion: String(from) },
      () => undefined,
      () => undefined,
    );
    expect(started).toMatchObject({
      ok: false,
      code: 410,
      reason: 'Expired',
      message: `too old resource version: ${from} (${cluster.store.revision + 1})`,
    });
  });

  test('ends when the server does', () => {
    const cluster = shop();
    let ended = false;
    cluster.watch(
      { verb: 'watch', group: '', version: 'v1', resource: 'pods' },
      () => undefined,
      () => void (ended = true),
    );
    cluster.inject({ fault: 'stop', process: 'kube-apiserver' });
    expect(ended).toBe(true);
  });
});
