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

it('joins the pod of a StatefulSet to the claim that has its name, and says what keeps that from its old volume', async () => {
  const text = [
    '$ kubectl get pv',
    'NAME      CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS     CLAIM                  STORAGECLASS   REASON   AGE',
    'disk-07   10Gi       RWO            Retain           Released   shop/ledger-ledger-0   manual                  91d',
    '$ kubectl get pvc -n shop',
    'NAME              STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE',
    'ledger-ledger-0   Pending                                      manual         17m',
    '$ kubectl get pods -n shop',
    'NAME       READY   STATUS    RESTARTS   AGE',
    'ledger-0   0/1     Pending   0          17m',
    'till-0     0/1     Pending   0          17m',
    '',
  ].join('\n');
  const { target, causes } = await answerTo(text);
  expect([target.name, causes[0]?.rule]).toEqual(['ledger-0', 'scheduling/claim-volume-already-bound']);
  expect(causes[0]?.fix.map(({ run }) => run).join('\n')).toContain('kubectl patch pv disk-07');
});

describe('a claim whose provisioner fails again and again', () => {
  const FAILS =
    '  Warning  ProvisioningFailed  40s (x6 over 9m)  csi.shop.example_controller-0_1a2b  failed to provision volume with StorageClass "fast": rpc error: code = ResourceExhausted desc = pool is full';

  it('quotes the failure, though it has begun again since', async () => {
    const { causes } = await answerTo(claim('stock', `${FAILS}\n${WORKS.replace('1m (x9', '5s (x9')}`));
    expect(causes[0]).toMatchObject({
      rule: 'scheduling/claim-provisioning-failed',
      what: expect.stringContaining('pool is full') as string,
    });
  });

  it.each([
    ['named', FAILS, 'scheduling/claim-provisioning-failed'],
    ['not named where it only tries', WORKS, undefined],
  ])('is %s below titles that a terminal broke', async (_, event, rule) => {
    const broken = claim('stock', event)
      .replace(/(From) +Message/, '$1\n Message')
      .replace(/(?<=\n)( {2}---- .*) {2,}-------/, '$1\n -------');
    expect(broken).toMatch(/From\n Message\n {2}----/);
    expect((await answerTo(broken)).causes[0]?.rule).toBe(rule);
  });
});

describe('a volume of which the driver and the kubelet tell', () => {
  const events = (driver: string, kubelet: string): string => `Events:
  Type     Reason       Age              From     Message
  ----     ------       ----             ----     -------
  Warning  FailedMount  ${driver}  kubelet  MountVolume.MountDevice failed for volume "pvc-7a1" : rpc error: code = Aborted desc = share of pvc-7a1 is not there yet
  Warning  FailedMount  ${kubelet}  kubelet  Unable to attach or mount volumes: unmounted volumes=[stock], unattached volumes=[stock]: timed out waiting for the condition
`;

  it.each([
    ['last', '50s (x3 over 7m)', '6m (x9 over 8m)'],
    ['before', '6m (x9 over 8m)', '50s (x3 over 7m)'],
  ])('is told in the words of the driver that speaks %s', async (_, driver, kubelet) => {
    expect((await answerTo(events(driver, kubelet))).causes[0]).toMatchObject({
      rule: 'volumes/mount-failed',
      what: expect.stringContaining('share of pvc-7a1 is not there yet') as string,
    });
  });
});

describe('the log of a driver that mounts the volumes of secrets', () => {
  const failed = (pod: string): string =>
    `E0811 09:14:07.311804       1 utils.go:79] "GRPC error" err="failed to mount secrets store objects for pod ${pod}, err: rpc error: code = Unknown desc = failed to mount objects, error: keyvault.BaseClient#GetSecret: StatusCode=403"\n`;
  const mounted = (pod: string): string =>
    `I0811 09:15:07.311804       1 nodeserver.go:216] "node publish volume complete" targetPath="/var/lib/kubelet/pods/2f0c/volumes/kubernetes.io~csi/keys/mount" pod="${pod}" time="101ms"\n`;

  it.each([
    ['nothing of a failure before the volume got mounted', failed('shop/till-0') + mounted('shop/till-0'), []],
    ['what still fails', failed('shop/till-0'), ['volumes/secrets-store-provider-failed']],
    ['what fails again', mounted('shop/till-0') + failed('shop/till-0'), ['volumes/secrets-store-provider-failed']],
    ['what fails for another pod', failed('shop/stock-0') + mounted('shop/till-0'), ['volumes/secrets-store-provider-failed']],
  ])('tells %s', async (_, text, rules) => {
    const { target, causes } = await answerTo(text);
    expect(causes.map(({ rule }) => rule)).toEqual(rules);
    if (text.includes('stock-0')) expect(target.name).not.toBe('till-0');
  });
});
