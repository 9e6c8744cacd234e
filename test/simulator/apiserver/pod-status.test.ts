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
    [
      'with users that nobody is',
      { containerStatuses: [{ name: 'web', user: { linux: { uid: -1, gid: 0, supplementalGroups: [-2] } } }] },
      '[status.containerStatuses[0].user.linux.uid: Invalid value: -1: must be between 0 and 2147483647, inclusive, status.containerStatuses[0].user.linux.supplementalGroups[0]: Invalid value: -2: must be between',
    ],
    [
      'with the health of what was not asked for',
      {
        containerStatuses: [
          {
            name: 'web',
            allocatedResourcesStatus: [
              {
                name: 'cpu',
                resources: [
                  { resourceID: 'a', health: 'Fine' },
                  { resourceID: 'a', health: 'Healthy', message: '' },
                ],
              },
            ],
          },
        ],
      },
      '[status.containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: "cpu": must match one of the container\'s resource requests, status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].health: Unsupported value: "Fine": supported values: "Healthy", "Unhealthy", "Unknown", status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].message: Required value: must be non-empty if specified, status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].resourceID: Duplicate value: "a"]',
    ],
    [
      'with a claim for devices that maps nothing',
      {
        extendedResourceClaimStatus: {
          resourceClaimName: '',
          requestMappings: [{ containerName: 'web', resourceName: 'cpu', requestName: 'a' }],
        },
      },
      '[status.extendedResourceClaimStatus.requestMappings[0].resourceName: Invalid value: "cpu": must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests, status.extendedResourceClaimStatus.resourceClaimName: Required value]',
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

describe('a container that has ended', () => {
  test.each<[string, JsonObject, JsonObject, boolean]>([
    ['of a pod that always restarts', {}, {}, true],
    ['of a pod that never does', { restartPolicy: 'Never' }, {}, false],
    ['of a pod that restarts on failure', { restartPolicy: 'OnFailure' }, {}, true],
    [
      'by a rule of its own',
      { restartPolicy: 'Never' },
      { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [3] } }] },
      true,
    ],
  ])('%s', (_, spec, container, may) => {
    const cluster = shop();
    objectOf(create(cluster, pod('web', spec, container)));
    const set = (state: JsonObject): Answer =>
      send(cluster, 'patch', 'Pod', 'web', {
        subresource: 'status',
        patch: { type: 'merge', body: { status: { containerStatuses: [{ name: 'web', state }] } } },
      });
    objectOf(set({ terminated: { exitCode: 3 } }));
    const answer = set({ running: {} });
    expect(answer.ok ? '' : answer.message).toContain(
      may ? '' : 'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    );
    expect(answer.ok).toBe(may);
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
