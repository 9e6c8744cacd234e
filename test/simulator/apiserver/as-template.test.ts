import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import { isAsTemplate } from '../../../src/simulator/apiserver/admission/as-template.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';

const labels = { app: 'web' };
const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        volumes: [{ name: 'cache', emptyDir: {} }],
        containers: [{ name: 'web', image: 'nginx:1.27', volumeMounts: [{ name: 'cache', mountPath: '/cache' }] }],
      },
    },
  },
};

function made(): { readonly template: JsonObject; readonly spec: JsonObject } {
  const cluster = createCluster({ seed: 1, preset: { nodes: [] }, objects: [NAMESPACE] });
  cluster.apply([DEPLOYMENT]);
  cluster.advance(1000);
  const [set] = cluster.store.list('replicasets.apps', 'shop');
  const [pod] = cluster.store.list('pods', 'shop');
  return { template: dig(set, 'spec', 'template', 'spec') as JsonObject, spec: dig(pod, 'spec') as JsonObject };
}

test('a pod is as its template when plugins added to it what they add to every pod', () => {
  const { template, spec } = made();
  expect(asList(spec['volumes'])).toHaveLength(2);
  expect(isAsTemplate(template, spec)).toBe(true);
});

test.each([
  ['another field', ['nodeSelector'], { disk: 'ssd' }],
  [
    'another volume',
    ['volumes'],
    [
      { name: 'cache', emptyDir: {} },
      { name: 'more', hostPath: { path: 'relative/../path' } },
    ],
  ],
  ['another container', ['containers'], [{ name: 'other', image: 'nginx:1.27' }]],
  ['another toleration', ['tolerations'], [{ operator: 'Sometimes' }]],
  ['a field less', ['securityContext'], undefined],
])('a pod with %s is not', (_, path, value) => {
  const { template, spec } = made();
  expect(isAsTemplate(template, withPath(spec, path, value))).toBe(false);
});

test('a template that nobody looked at proves nothing', () => {
  const { template, spec } = made();
  expect(isAsTemplate({ ...template }, spec)).toBe(false);
});
