import { describe, expect, test } from 'vitest';
import { encodeBase64 } from '../../../src/base/base64.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { create, deployment, pod, shop } from '../shop.ts';
import { of } from './field-objects.ts';

function template(spec: JsonObject): JsonObject {
  const labels = { app: 'web' };
  const containers = [{ name: 'web', image: 'shop/web:1.0' }];
  return of('apps/v1', 'Deployment', {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers, ...spec } },
  });
}

describe('what is taken all the same is warned of', () => {
  const warningsOf = (object: JsonObject): readonly string[] => {
    const answer = create(shop(), object);
    return answer.ok ? answer.warnings : ['refused'];
  };

  test.each<[string, JsonObject, string]>([
    [
      'a variable twice',
      pod(
        'web',
        {},
        {
          env: [
            { name: 'A', value: 'b' },
            { name: 'A', value: 'c' },
          ],
        },
      ),
      'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    ],
    [
      'part of a byte',
      pod('web', {}, { resources: { limits: { memory: '100m' } } }),
      'spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer',
    ],
    [
      'one port twice',
      pod(
        'web',
        {},
        {
          ports: [
            { name: 'a', containerPort: 80 },
            { name: 'b', containerPort: 80 },
          ],
        },
      ),
      'spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
    ],
    [
      'less than no time in a template',
      template({ terminationGracePeriodSeconds: -1 }),
      'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ],
    [
      'a term for no pods',
      pod('web', {
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname' }] } },
      }),
      'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
    ],
    [
      'secrets twice',
      pod('web', { imagePullSecrets: [{ name: 'a' }, { name: 'a' }] }),
      'spec.imagePullSecrets[1].name: duplicate name "a"',
    ],
    [
      'a label of nodes that had its time',
      pod('web', { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    ],
    [
      'a preference for what no label is',
      pod('web', {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 1,
                preference: { matchExpressions: [{ key: 'failure-domain.beta.kubernetes.io/zone', operator: 'In', values: ['a'] }] },
              },
            ],
          },
        },
      }),
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    ],
    [
      'one address twice',
      pod('web', {
        hostAliases: [
          { ip: '10.0.0.1', hostnames: ['a'] },
          { ip: '10.0.0.1', hostnames: ['b'] },
        ],
      }),
      'spec.hostAliases[1].ip: duplicate ip "10.0.0.1"',
    ],
    [
      'an annotation that became a field',
      {
        ...pod('web'),
        metadata: { name: 'web', namespace: 'shop', annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' } },
      },
      'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
    ],
    [
      'a volume of a plugin that went',
      of(
        'v1',
        'PersistentVolume',
        { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], rbd: { monitors: ['a'], image: 'b' } },
        { metadata: { name: 'web' } },
      ),
      'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
    ],
    [
      'a volume that is wiped',
      of(
        'v1',
        'PersistentVolume',
        {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/data' },
          persistentVolumeReclaimPolicy: 'Recycle',
        },
        { metadata: { name: 'web' } },
      ),
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    ],
    [
      'a class in an annotation',
      of(
        'networking.k8s.io/v1',
        'Ingress',
        { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
        { metadata: { name: 'web', namespace: 'shop', annotations: { 'kubernetes.io/ingress.class': 'nginx' } } },
      ),
      'annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead',
    ],
    [
      'addresses from outside',
      of('v1', 'Service', { ports: [{ port: 80 }], externalIPs: ['10.1.1.1'] }),
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
    [
      'a template',
      deployment('web', 1, {
        env: [
          { name: 'A', value: 'b' },
          { name: 'A', value: '$(A)' },
        ],
      }),
      'spec.template.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    ],
  ])('%s', (_, object, words) => {
    expect(warningsOf(object).filter((one) => one === words)).toEqual([words]);
  });

  test('a variable that builds on the one before is none of these', () => {
    expect(
      warningsOf(
        pod(
          'web',
          {},
          {
            env: [
              { name: 'A', value: 'b' },
              { name: 'A', value: '$(A)c' },
            ],
          },
        ),
      ),
    ).toEqual([]);
  });

  test('names that are no labels', () => {
    expect(warningsOf({ ...pod('web'), metadata: { name: 'web.1', namespace: 'shop' } })[0]).toMatch(
      /^metadata\.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: \[must not contain dots\]/,
    );
  });

  test('a pair of keys that has none is told', () => {
    const secret = (data: JsonObject): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'web', namespace: 'shop' },
      type: 'kubernetes.io/tls',
      data: { 'tls.crt': '', 'tls.key': '', ...data },
    });
    expect(warningsOf(secret({}))).toEqual(['tls: failed to find any PEM data in certificate input']);
    const certificate = encodeBase64('-----BEGIN CERTIFICATE-----');
    expect(warningsOf(secret({ 'tls.crt': certificate }))).toEqual(['tls: failed to find any PEM data in key input']);
  });
});
