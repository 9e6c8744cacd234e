import { expect, test } from 'vitest';
import { describedField } from '../../src/server/descriptions.ts';

test.each([
  ['V1Pod', '', /^Pod is a collection of containers/],
  ['V1PodSpec', 'containers', /^List of containers belonging to the pod/],
  ['V1LimitRangeItem', 'default', /^Default resource requirement limit value/],
  ['V1NetworkPolicyIngressRule', 'from', /^from is a list of sources/],
  ['V1JSONSchemaProps', 'x-kubernetes-list-type', /annotates an array/],
  ['V1VolumeNodeResources', 'count', /^count indicates the maximum number/],
])('what Kubernetes says of %s.%s is known', (model, field, words) => {
  expect(describedField(model, field)).toMatch(words);
});

test('of what has no description nothing is said', () => {
  expect(describedField('V1PodSpec', 'nothing')).toBeUndefined();
  expect(describedField('V1Nothing')).toBeUndefined();
});
