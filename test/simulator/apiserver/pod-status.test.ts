import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Answer } from '../../../src/simulator/apiserver/request.ts';
import { create, failureOf, objectOf, pod, send, shop } from '../shop.ts';

const POD = pod(
  'web',
  { resourceClaims: [{ name: 'gpu', resourceClaimName: 'one' }] },
  { resources: { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } } },
);

function patched(status: JsonObject): Answer {
  const cluster = shop();
  objectOf(create(cluster, POD));
  return send(cluster, 'patch', 'Pod', 'web', { subresource: 'status', patch: { type: 'merge', body: { status } }, tracksFields: true });
}

/** Words of a real API server (1.36), in its order. */
describe('the status of a pod is refused', () => {
  test.each<[string, JsonObject, string]>([
    [
      'with a condition of no name',
      { conditions: [{ type: 'a b', status: 'True' }] },
      "status.conditions[0].Type: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.'",
    ],
    [
      'with a condition of a generation below nothing',
      { conditions: [{ type: 'Ready', status: 'True', observedGeneration: -1 }] },
      'status.conditions[0].observedGeneration: Invalid value: -1: must be a non-negative integer',
    ],
    [
      'with a generation below nothing',
      { observedGeneration: -1 },
      'status.observedGeneration: Invalid value: -1: must be a non-negative integer',
    ],
    [
      'with a node that cannot be one',
      { nominatedNodeName: 'Not_A_Node' },
      'status.nominatedNodeName: Invalid value: "Not_A_Node": a lowercase RFC 1123 subdomain must consist of',
    ],
    ['with another class', { qosClass: 'Guaranteed' }, 'status.qosClass: Invalid value: "Guaranteed": field is immutable'],
    [
      'with a claim that the pod does not have',
      { resourceClaimStatuses: [{ name: 'disk', resourceClaimName: 'under_score' }] },
      '[status.resourceClaimStatuses[0].name: Invalid value: "disk": must match the name of an entry in `spec.resourceClaims`, status.resourceClaimStatuses[0].resourceClaimName: Invalid value: "under_score"',
    ],
  ])('%s', (_, status, words) => {
    expect(failureOf(patched(status)).message).toContain(words);
  });

  test('with a node, once it has one', () => {
    const cluster = shop();
    objectOf(create(cluster, pod('web', { nodeName: 'worker-1' })));
    const patch = { type: 'merge' as const, body: { status: { nominatedNodeName: 'worker-2' } } };
    expect(failureOf(send(cluster, 'patch', 'Pod', 'web', { subresource: 'status', patch })).message).toContain(
      'status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node',
    );
  });
});

describe('the status of a pod is taken', () => {
  test('where all of it is right', () => {
    const status = {
      conditions: [
        { type: 'Ready', status: 'True', observedGeneration: 1 },
        { type: 'shop.example/warm', status: 'False' },
      ],
      nominatedNodeName: 'worker-1',
      resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'one' }],
    };
    expect(objectOf(patched(status))['status']).toMatchObject(status);
  });

  test('with the class it had, when it names none', () => {
    expect(objectOf(patched({ qosClass: null }))['status']).toMatchObject({ qosClass: 'BestEffort' });
  });
});
