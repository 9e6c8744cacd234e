import { describe, expect, it } from 'vitest';
import { answerTo } from '../support/pasted-answer.ts';

const docker = (state: string): string => `The container is gone. docker inspect says:

\`\`\`
[
    {
        "Id": "5c0ffee0",
        "State": {
            "Status": "exited",
            "Running": false,
${state}
            "FinishedAt": "2026-02-03T10:00:00.5Z"
        },
        "Name": "/k8s_till_till-6d5f7c8b9-x4k2p_shop_0a1b2c3d-1111-2222-3333-444455556666_3",
`;

const crictl = (fields: string): string => `root@worker-1:~# crictl inspect 5c0ffee0
{
  "status": {
    "id": "5c0ffee0",
    "state": "CONTAINER_EXITED",
    "finishedAt": "2026-02-03T10:00:00.5Z",
${fields}
    "labels": {
      "io.kubernetes.container.name": "till",
      "io.kubernetes.pod.name": "till-6d5f7c8b9-x4k2p",
      "io.kubernetes.pod.namespace": "shop"
    }
  }
}
`;

const PODS = 'NAME     READY   STATUS    RESTARTS   AGE\ntill-0   1/1     Running   0          3d\n';

describe('what the container runtime of a node tells of a container', () => {
  it.each([
    ['docker', docker('            "OOMKilled": true,\n            "ExitCode": 137,\n            "Error": "",'), 'containers/oom-killed'],
    [
      'docker',
      docker(
        '            "OOMKilled": false,\n            "ExitCode": 127,\n            "Error": "OCI runtime create failed: exec: \\"till\\": executable file not found in $PATH: unknown",',
      ),
      'containers/command-not-found',
    ],
    [
      'docker',
      docker('            "OOMKilled": false,\n            "ExitCode": 3,\n            "Error": "",'),
      'containers/application-error-exit',
    ],
    ['crictl', crictl('    "exitCode": 137,\n    "reason": "OOMKilled",\n    "message": "",'), 'containers/oom-killed'],
    ['crictl', crictl('    "exitCode": 3,\n    "reason": "Error",\n    "message": "",'), 'containers/application-error-exit'],
  ])('is read as its state: %s', async (_, text, rule) => {
    const { causes, target } = await answerTo(text);
    expect([causes[0]?.rule, target]).toEqual([rule, { kind: 'Pod', namespace: 'shop', name: 'till-6d5f7c8b9-x4k2p' }]);
  });

  it('is no failure where it ended well or still runs', async () => {
    const ended = docker('            "OOMKilled": false,\n            "ExitCode": 0,\n            "Error": "",');
    for (const text of [ended, docker('            "ExitCode": 1,').replace('"Running": false', '"Running": true')])
      expect((await answerTo(`${PODS}\n${text}`)).causes).toEqual([]);
  });
});

describe('rows of custom resources', () => {
  it.each([
    [
      'revision',
      'NAME         CONFIG NAME   GENERATION   READY   REASON\ntill-00002   till          2            False   ContainerMissing\n',
    ],
    ['taskrun', 'NAME       SUCCEEDED   REASON                   STARTTIME\ntill-run   False       TaskRunImagePullFailed   5m\n'],
  ])('tell that the image cannot be pulled: %s', async (resource, table) => {
    for (const text of [`$ kubectl get ${resource}\n${table}`, `It never gets ready.\n\n${table}`])
      expect((await answerTo(text)).causes[0]?.rule).toBe('images/image-pull-failing');
  });

  it('are no StatefulSets where they have the same titles', async () => {
    const text =
      'NAME   URL                        LATEST       AGE   READY   REASON\ntill   http://till.shop.example   till-00001   2m    False   RevisionFailed : Unable to fetch image "shop/till:1": failed to resolve image to digest: unexpected status code 404 Not Found\n';
    expect((await answerTo(text)).causes[0]?.rule).toBe('images/image-not-found');
  });
});

describe('a runtime that says what it cannot do for a container', () => {
  it.each([
    [
      'containerd',
      'failed to create containerd container: cannot load seccomp profile "/var/lib/kubelet/seccomp/till.json": open /var/lib/kubelet/seccomp/till.json: no such file or directory',
      '<container>',
    ],
    [
      'a component that names it',
      'container: till failed: cannot load seccomp profile "/var/lib/kubelet/seccomp/till.json": no such file or directory',
      'till',
    ],
  ])('is not taken for naming it: %s', async (_, message, container) => {
    const { causes } = await answerTo(`Warning  Failed  4m  kubelet  Error: ${message}\n`);
    expect(causes[0]).toMatchObject({ rule: 'containers/security-profile-not-found', params: { container } });
  });
});
