import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import { create, failureOf, objectOf, pod, send, shop } from '../shop.ts';

const OUTSIDE = { tracksFields: true, manager: 'hand' } as const;

function of(apiVersion: string, kind: string, more: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name: 'web' }, ...more };
}

function refused(object: JsonObject): string {
  return failureOf(create(shop(), object, OUTSIDE)).message;
}

/** How a real API server (1.36) tells the values that it refuses, as `npm run differ` found. */
describe('a refused value is told as Go has it', () => {
  test('a claim of a pod with its internal names', () => {
    const resourceClaims = [{ name: 'gpu', resourceClaimName: 'one', resourceClaimTemplateName: 'two' }];
    expect(refused(pod('web', { resourceClaims }))).toContain(
      'spec.resourceClaims[0]: Invalid value: {"Name":"gpu","ResourceClaimName":"one","ResourceClaimTemplateName":"two"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
    );
    expect(refused(pod('web', { resourceClaims: [{ name: 'gpu' }] }))).toContain(
      '{"Name":"gpu","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    );
  });

  test('a distribution of traffic with the others in the order of the server', () => {
    expect(refused(of('v1', 'Service', { spec: { ports: [{ port: 80 }], trafficDistribution: 'Nearest' } }))).toContain(
      'spec.trafficDistribution: Unsupported value: "Nearest": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    );
  });

  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'shop/web:1.0' }] } };
  const job = (spec: JsonObject): JsonObject => of('batch/v1', 'Job', { spec: { template, ...spec } });

  test.each([
    ['without rules', {}, 'null'],
    ['with rules', { rules: [{ succeededCount: 1 }] }, '[{"SucceededIndexes":null,"SucceededCount":1}]'],
  ])('a policy of success %s', (_, successPolicy, rules) => {
    expect(refused(job({ successPolicy }))).toContain(
      `spec.successPolicy: Invalid value: {"Rules":${rules}}: requires indexed completion mode`,
    );
  });

  test('a selector without the lists that nothing is in', () => {
    const cluster = shop();
    objectOf(create(cluster, job({ manualSelector: true, selector: { matchLabels: { app: 'web' } }, template: labelled() }), OUTSIDE));
    const body = { spec: { selector: { matchExpressions: [], matchLabels: { app: 'x' } } } };
    expect(failureOf(send(cluster, 'patch', 'Job', 'web', { patch: { type: 'merge', body }, ...OUTSIDE })).message).toContain(
      'spec.selector: Invalid value: {"matchLabels":{"app":"x"}}: field is immutable',
    );
  });

  function labelled(): JsonObject {
    return { metadata: { labels: { app: 'web' } }, ...template };
  }
});

describe('the template of a StatefulSet', () => {
  const set = (template: JsonObject): JsonObject =>
    of('apps/v1', 'StatefulSet', {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' }, ...(template['metadata'] as JsonObject | undefined) },
          spec: { containers: [{ name: 'web', image: 'shop/web:1.0' }], ...(template['spec'] as JsonObject | undefined) },
        },
      },
    });

  test('may have any host name: its pods get others', () => {
    objectOf(create(shop(), set({ spec: { hostname: 'web.shop', subdomain: 'Not a name' } }), OUTSIDE));
  });

  test.each([
    ['label', { labels: { app: 'web', tier: 'not valid!' } }, 'spec.template.labels'],
    ['annotation', { annotations: { 'not valid!': 'x' } }, 'spec.template.annotations'],
  ])('has a wrong %s among its causes twice', (_, metadata, field) => {
    const { status } = failureOf(create(shop(), set({ metadata }), OUTSIDE));
    expect(asList(dig(status, 'details', 'causes')).map((cause) => dig(cause, 'field'))).toEqual([field, field]);
  });
});
