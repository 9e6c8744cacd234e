import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { create, failureOf, objectOf, pod, shop } from '../shop.ts';

/** What `npm run differ` found about what containers and workloads refer to, by a real API server (1.36). */
test.each([
  ['limits.cpu', '3', "only divisor's values 1m and 1 are supported with the cpu resource"],
  ['requests.memory', '3', '1Pi, 1Ei are supported with the memory resource'],
  ['limits.ephemeral-storage', '1m', '1Ei are supported with the local ephemeral storage resource'],
  ['limits.hugepages-2Mi', '2', '1Ei are supported with the hugepages resource'],
])('%s is not told in parts of %s', (resource, divisor, words) => {
  const env = (value: string): JsonObject[] => [{ name: 'SIZE', valueFrom: { resourceFieldRef: { resource, divisor: value } } }];
  const { message } = failureOf(create(shop(), pod('till', {}, { env: env(divisor) })));
  expect(message).toContain(`spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "${resource}": only divisor's`);
  expect(message).toContain(words);
  expect(objectOf(create(shop(), pod('till', {}, { env: env('1') }))).kind).toBe('Pod');
});

test('a claim of a StatefulSet without a name is a volume without one', () => {
  const labels = { app: 'web' };
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } },
      volumeClaimTemplates: [{ spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }],
    },
  };
  expect(failureOf(create(shop(), set)).message).toContain('spec.template.spec.volumes[0].persistentVolumeClaim.claimName: Required value');
});

test('an image may begin with a space in a template, and not in a pod', () => {
  const job = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'count', image: ' nginx' }] } } };
  const schedule = { schedule: '0 3 1 1 *', jobTemplate: { spec: job } };
  const cronJob = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'count' }, spec: schedule };
  expect(objectOf(create(shop(), cronJob)).kind).toBe('CronJob');
  expect(failureOf(create(shop(), pod('till', {}, { image: ' nginx' }))).message).toContain('must not have leading or trailing whitespace');
});
