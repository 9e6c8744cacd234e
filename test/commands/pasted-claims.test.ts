import { describe, expect, it } from 'vitest';
import { answerTo } from '../support/pasted-answer.ts';

const pods = (name: string): string =>
  `$ kubectl get pods\nNAME   READY   STATUS    RESTARTS   AGE\n${name}   0/1     Pending   0          25m\n`;
const claim = (name: string, event: string): string => `$ kubectl describe pvc ${name}
Name:          ${name}
Namespace:     default
StorageClass:  fast
Status:        Pending
Events:
  Type    Reason                Age                From                         Message
  ----    ------                ----               ----                         -------
${event}
`;
const WAITS =
  '  Normal  ExternalProvisioning  1m (x61 over 25m)  persistentvolume-controller  waiting for a volume to be created, either by external provisioner "csi.shop.example" or manually created by system administrator';
const WAITS_SINCE_128 =
  "  Normal  ExternalProvisioning  1m (x61 over 25m)  persistentvolume-controller  Waiting for a volume to be created either by the external provisioner 'csi.shop.example' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.";
const WORKS =
  '  Normal  Provisioning  1m (x9 over 25m)  csi.shop.example_controller-0_1a2b  External provisioner is provisioning volume for claim "default/data-stock-0"';

describe('a claim that is shown beside the pod that waits for it', () => {
  it.each([
    ['stock-0', 'data-stock-0', WAITS],
    ['stock-0', 'data-stock-0', WAITS_SINCE_128],
    ['stock-6d5f7c8b9-x4k2p', 'stock', WAITS],
  ])('tells whom it waits for: %s and %s', async (pod, name, event) => {
    const { causes, target } = await answerTo(pods(pod) + claim(name, event));
    expect([target.name, causes[0]?.rule, causes[0]?.what]).toEqual([
      pod,
      'scheduling/claim-provisioner-not-running',
      expect.stringContaining('waits for provisioner csi.shop.example (StorageClass fast)'),
    ]);
  });

  it.each([
    ['is of another pod', 'stock-0', 'data-till-0'],
    ['has the name of another workload', 'stock-6d5f7c8b9-x4k2p', 'till'],
  ])('is told by itself where it %s', async (_, pod, name) => {
    const { target, causes } = await answerTo(pods(pod) + claim(name, WAITS));
    expect(target).toMatchObject({ kind: 'PersistentVolumeClaim', name });
    expect(causes[0]?.what).not.toContain(pod);
  });

  it('tells nothing while it is worked on', async () => {
    expect((await answerTo(pods('stock-0') + claim('data-stock-0', `${WAITS}\n${WORKS}`))).causes).toEqual([]);
  });
});
