import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, asObject, dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { create, deployment, failureOf, objectOf, send, shop } from '../shop.ts';
import { definition } from './custom/definitions.ts';

const OUTSIDE = { tracksFields: true, manager: 'hand' } as const;
const POD: JsonObject = { containers: [{ name: 'till', image: 'shop/till:1.0' }] };

function of(apiVersion: string, kind: string, more: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web' }, ...more };
}

function workload(kind: string, spec: JsonObject): JsonObject {
  const labels = { app: 'web' };
  return of('apps/v1', kind, { spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: POD }, ...spec } });
}

function patched(cluster: Cluster, kind: string, body: JsonObject, type: 'merge' | 'strategic' | 'apply' = 'merge', subresource?: string) {
  const part = subresource === undefined ? {} : { subresource };
  return send(cluster, 'patch', kind, 'web', { patch: { type, body }, ...OUTSIDE, ...part });
}

test('a pod that is to end in less than no time gets a second, and nobody is warned; a template keeps it', () => {
  const made = create(shop(), of('v1', 'Pod', { spec: { ...POD, terminationGracePeriodSeconds: -1 } }), OUTSIDE);
  expect([dig(objectOf(made), 'spec', 'terminationGracePeriodSeconds'), made.warnings]).toEqual([1, []]);
  const template = { metadata: { labels: { app: 'web' } }, spec: { ...POD, terminationGracePeriodSeconds: -1 } };
  const kept = objectOf(create(shop(), workload('ReplicaSet', { template }), OUTSIDE));
  expect(dig(kept, 'spec', 'template', 'spec', 'terminationGracePeriodSeconds')).toBe(-1);
});

/** What `npm run differ` found that a real API server (1.36) stores. */
describe('the labels of a Job', () => {
  const labelsOf = (metadata: JsonObject, template: JsonObject): readonly string[] => {
    const spec = { suspend: true, template: { metadata: template, spec: { ...POD, restartPolicy: 'Never' } } };
    const job = objectOf(create(shop(), { apiVersion: 'batch/v1', kind: 'Job', metadata, spec }));
    return Object.keys(asObject(job.metadata['labels'])).toSorted();
  };
  const GIVEN = ['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name', 'controller-uid', 'job-name'];

  test('are those of its template, with what that gets', () => {
    expect(labelsOf({ name: 'count' }, { labels: { app: 'x' } })).toEqual(['app', ...GIVEN]);
    expect(labelsOf({ name: 'count' }, {})).toEqual(GIVEN);
  });

  test('stay as they are given', () => {
    expect(labelsOf({ name: 'count', labels: { own: 'y' } }, { labels: { app: 'x' } })).toEqual(['own']);
    expect(labelsOf({ name: 'count', labels: { app: 'x' } }, { labels: { app: 'x' } })).toEqual(['app']);
  });

  test('are those that the template was given where the name is generated', () => {
    expect(labelsOf({ generateName: 'count-' }, { labels: { app: 'x' } })).toEqual(['app']);
    expect(labelsOf({ generateName: 'count-' }, {})).toEqual(GIVEN);
  });
});

describe('a workload', () => {
  test('has both numbers of an update that it does not roll', () => {
    const set = objectOf(create(shop(), workload('DaemonSet', { updateStrategy: { type: 'OnDelete', rollingUpdate: { maxSurge: 1 } } })));
    expect(dig(set, 'spec', 'updateStrategy', 'rollingUpdate')).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  });

  test('has claims of one kind, whatever they are called', () => {
    const claim = (more: JsonObject): JsonObject => ({
      volumeClaimTemplates: [
        { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }, ...more },
      ],
    });
    const cluster = shop();
    create(cluster, workload('StatefulSet', { serviceName: 'web', ...claim({}) }), OUTSIDE);
    const after = objectOf(patched(cluster, 'StatefulSet', { spec: claim({ apiVersion: 'other/v2', kind: 'Other' }) }));
    expect(dig(after, 'spec', 'volumeClaimTemplates', 0, 'apiVersion')).toBe('v1');
    expect(dig(after, 'spec', 'volumeClaimTemplates', 0, 'kind')).toBe('PersistentVolumeClaim');
  });

  test('is of the generation it was when plugins put back what an apply takes away', () => {
    const cluster = shop();
    const body = of('v1', 'Pod', { spec: { ...POD, tolerations: [{ key: 'dedicated', operator: 'Exists' }] } });
    patched(cluster, 'Pod', body, 'apply');
    expect(objectOf(patched(cluster, 'Pod', body, 'apply')).metadata['generation']).toBe(1);
  });
});

describe('a scale that changes nothing', () => {
  const ownersOf = ({ metadata }: KubeObject): readonly string[] =>
    asList(metadata['managedFields']).flatMap((entry) =>
      dig(entry, 'fieldsV1', 'f:spec', 'f:replicas') === undefined
        ? []
        : [`${textOf(dig(entry, 'manager'))} ${textOf(dig(entry, 'operation'))}`],
    );
  const scaled = (replicas: number, before: number, applied: boolean): readonly string[] => {
    const cluster = shop();
    if (applied) patched(cluster, 'Deployment', deployment('web', before), 'apply');
    else create(cluster, deployment('web', before), OUTSIDE);
    patched(cluster, 'Deployment', { spec: { replicas } }, 'merge', 'scale');
    return ownersOf(objectOf(send(cluster, 'get', 'Deployment', 'web', OUTSIDE)));
  };

  test('takes the number from who updated it, not from who applied it', () => {
    expect(scaled(2, 2, false)).toEqual([]);
    expect(scaled(2, 2, true)).toEqual(['hand Apply']);
    expect(scaled(3, 2, false)).toEqual(['hand Update']);
  });

  test('takes one of none from everybody', () => {
    expect(scaled(0, 0, true)).toEqual([]);
  });
});

describe('a Service without addresses and pods', () => {
  test('is of both families, unless it wants one', () => {
    const made = (spec: JsonObject): Json | undefined =>
      dig(objectOf(create(shop(), of('v1', 'Service', { spec: { clusterIP: 'None', ...spec } }))), 'spec', 'ipFamilies');
    expect(made({})).toEqual(['IPv4', 'IPv6']);
    expect(made({ ipFamilyPolicy: 'SingleStack' })).toEqual(['IPv4']);
    expect(made({ selector: { app: 'web' } })).toEqual(['IPv4']);
  });

  test('is judged by its families before all else', () => {
    const wrong = { ipFamilies: ['IPv4', 'IPv6'], ports: [{ port: -1 }] };
    const failure = failureOf(create(shop(), of('v1', 'Service', { spec: wrong })));
    expect(failure.message).toBe(
      'Service "web" is invalid: spec.ipFamilyPolicy: Invalid value: "SingleStack": must be \'RequireDualStack\' or \'PreferDualStack\' when multiple IP families are specified',
    );
  });
});

describe('what Go drops', () => {
  test('is the signal that stops a container, as long as that is not served', () => {
    const containers = [
      { name: 'one', image: 'a', lifecycle: { stopSignal: 'SIGUSR1' } },
      { name: 'two', image: 'a', lifecycle: { stopSignal: 'SIGUSR1', preStop: { sleep: { seconds: 1 } } } },
    ];
    const made = objectOf(create(shop(), of('v1', 'Pod', { spec: { containers } })));
    expect(dig(made, 'spec', 'containers', 0, 'lifecycle')).toBeUndefined();
    expect(dig(made, 'spec', 'containers', 1, 'lifecycle')).toEqual({ preStop: { sleep: { seconds: 1 } } });
  });

  test('is a webhook of a definition that says nothing', () => {
    const made = objectOf(create(shop(), definition({ conversion: { strategy: 'None', webhook: {} } })));
    expect(dig(made, 'spec', 'conversion')).toEqual({ strategy: 'None' });
  });

  test('is an empty protocol of a port of Endpoints, which gets the usual one', () => {
    const subsets = [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 53, protocol: '' }] }];
    expect(dig(objectOf(create(shop(), of('v1', 'Endpoints', { subsets }))), 'subsets', 0, 'ports', 0, 'protocol')).toBe('TCP');
  });

  test('is no type of a policy: a list of none gets the default, and nothing has changed', () => {
    const cluster = shop();
    create(cluster, of('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {} } }), OUTSIDE);
    expect(objectOf(patched(cluster, 'NetworkPolicy', { spec: { policyTypes: [] } })).metadata['generation']).toBe(1);
  });
});

describe('an object with members that cannot be told apart', () => {
  const account = of('v1', 'ServiceAccount', { secrets: [{}] });

  test('cannot be applied to', () => {
    const cluster = shop();
    create(cluster, account, OUTSIDE);
    const failure = failureOf(patched(cluster, 'ServiceAccount', of('v1', 'ServiceAccount', {}), 'apply'));
    expect(failure.code).toBe(500);
    expect(failure.message).toBe(
      'failed to create manager for existing fields: failed to convert new object (shop/web; /v1, Kind=ServiceAccount) to smd typed: .secrets: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    );
  });

  test('has its manager where it is applied with an empty key, which goes only when it is stored', () => {
    const made = objectOf(patched(shop(), 'ServiceAccount', of('v1', 'ServiceAccount', { secrets: [{ name: '' }] }), 'apply'));
    expect(made['secrets']).toEqual([{}]);
    expect(dig(made.metadata, 'managedFields', 0, 'fieldsV1')).toEqual({ 'f:secrets': { 'k:{"name":""}': {} } });
  });

  test('names the member of the patch first', () => {
    const cluster = shop();
    create(cluster, account, OUTSIDE);
    const failure = failureOf(patched(cluster, 'ServiceAccount', { secrets: [{ kind: 'Secret' }] }, 'strategic'));
    expect(failure.message).toBe('map: map[kind:Secret] does not contain declared merge key: name');
  });
});
