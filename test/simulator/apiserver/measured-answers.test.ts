import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { decodeTime } from '../../../src/simulator/apiserver/schema/times.ts';
import { create, deployment, failureOf, objectOf, pod, send, shop } from '../shop.ts';

/** What `npm run differ` found on a real API server (1.36), one thing each. */
describe('an answer as a real server gives it', () => {
  const config = (more: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, ...more });
  const OPTIONS: readonly (readonly [string, JsonObject, string])[] = [
    ['dry run', { dryRun: ['Some'] }, 'dryRun: Unsupported value: ["Some"]: supported values: "All"'],
    [
      'validation',
      { fieldValidation: 'Loose' },
      'fieldValidation: Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"',
    ],
  ];

  it.each(OPTIONS)('refuses a %s there is not before it looks at the object', (_, given, words) => {
    const failure = failureOf(create(shop(), config({ data: 7 }), { given }));
    expect(failure.message).toBe(`CreateOptions.meta.k8s.io "" is invalid: ${words}`);
  });

  it('refuses a propagation there is not before it looks for the object', () => {
    const failure = failureOf(send(shop(), 'delete', 'ConfigMap', 'none', { given: { propagationPolicy: 'Sideways' } }));
    expect(failure.message).toContain('propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background"');
  });

  it('tells that the patch is invalid when what it makes is none of its kind', () => {
    const cluster = shop();
    create(cluster, config({ data: { a: 'b' } }));
    const patched = (type: 'strategic' | 'merge'): string =>
      failureOf(send(cluster, 'patch', 'ConfigMap', 'settings', { patch: { type, body: { data: [] } } })).message;
    expect(patched('strategic')).toBe(' "" is invalid: patch: Invalid value: "map[data:[]]": cannot restore map from slice');
    expect(patched('merge')).toMatch(
      /^ "" is invalid: patch: Invalid value: .* json: cannot unmarshal array into Go struct field ConfigMap/,
    );
  });

  it('tells where an applied configuration is none of its kind', () => {
    const apply = (body: JsonObject): string =>
      failureOf(send(shop(), 'patch', 'ConfigMap', 'settings', { manager: 'release', patch: { type: 'apply', body } })).message;
    const begin = 'failed to create typed patch object (/settings; /v1, Kind=ConfigMap): ';
    expect(apply(config({ data: [] }))).toBe(`${begin}.data: expected map, got &{[]}`);
    expect(apply(config({ dat: {} }))).toBe(`${begin}.dat: field not declared in schema`);
  });

  it('gives a new member of a list by name the place before those the patch does not name', () => {
    const cluster = shop();
    create(cluster, deployment('web'));
    const body = { spec: { template: { spec: { containers: [{ name: 'proxy', image: 'envoy' }] } } } };
    const names = (tracksFields: boolean): unknown[] => {
      const made = objectOf(send(cluster, 'patch', 'Deployment', 'web', { tracksFields, patch: { type: 'strategic', body } }));
      return asList(dig(made, 'spec', 'template', 'spec', 'containers')).map((one) => dig(one, 'name'));
    };
    expect(names(true)[0]).toBe('proxy');
  });

  it('repeats what is wrong with the metadata of a change as often as it looks', () => {
    const cluster = shop();
    create(cluster, config({}));
    create(cluster, deployment('web'));
    const causes = (kind: string, name: string): number => {
      const body = { metadata: { labels: { 'bad key': 'x' } } };
      const { status } = failureOf(send(cluster, 'patch', kind, name, { patch: { type: 'merge', body } }));
      return asList(dig(status, 'details', 'causes')).length;
    };
    expect([causes('ConfigMap', 'settings'), causes('Deployment', 'web')]).toEqual([4, 3]);
  });

  it('takes labels along with the status, but those of a Deployment', () => {
    const cluster = shop();
    create(cluster, pod('web'));
    create(cluster, deployment('web'));
    const labelled = (kind: string): KubeObject =>
      objectOf(
        send(cluster, 'patch', kind, 'web', {
          subresource: 'status',
          patch: { type: 'merge', body: { metadata: { labels: { a: 'b' } } } },
        }),
      );
    expect(dig(labelled('Pod'), 'metadata', 'labels', 'a')).toBe('b');
    expect(dig(labelled('Deployment'), 'metadata', 'labels', 'a')).toBeUndefined();
  });

  it('knows nobody as the owner of an object in which nothing is set', () => {
    const made = objectOf(create(shop(), config({}), { manager: 'maker' }));
    expect(made.metadata['managedFields']).toBeUndefined();
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'till' }, spec: { preferredHolder: 'a' } };
    expect(objectOf(create(shop(), lease))['spec']).toEqual({});
  });

  it('stores what Go always writes', () => {
    const made = objectOf(create(shop(), { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'none' } }));
    expect(made['rules']).toBeNull();
  });

  it('leaves the pods of a deleted Job alone, and says so', () => {
    const cluster = shop();
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'count', image: 'busybox' }] } };
    create(cluster, { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'count' }, spec: { template } });
    const answer = send(cluster, 'delete', 'Job', 'count');
    expect(dig(objectOf(answer), 'metadata', 'finalizers')).toContain('orphan');
    expect(answer.ok ? answer.warnings : []).toEqual([expect.stringContaining('child pods are preserved by default')]);
  });

  it.each([
    ['2020-01-01T01:00:00+01:00', false, '2020-01-01T00:00:00Z'],
    ['2020-01-01T00:00:00.5Z', false, '2020-01-01T00:00:00Z'],
    ['2020-01-01T00:00:00.123456Z', true, '2020-01-01T00:00:00.123456Z'],
  ])('keeps the time %s in UTC', (text, micro, expected) => {
    expect(decodeTime(text, micro)).toBe(expected);
  });

  it('refuses what is no time in the words of Go', () => {
    expect(decodeTime('yesterday', false)).toEqual({
      error: 'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    });
  });
});
