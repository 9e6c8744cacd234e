import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

async function diagnosed(text: string): Promise<string> {
  const { out, err } = await podcheck(['diagnose', '--from', `${folderWith({ 'shop.txt': text })}/shop.txt`, '-o', 'json']);
  if (out === '') return `refused: ${err}`;
  const { outcome, causes } = JSON.parse(out) as {
    outcome: string;
    causes: readonly { rule: string; object: { kind: string; name: string } }[];
  };
  return causes[0] === undefined ? outcome : `${causes[0].rule} ${causes[0].object.kind}/${causes[0].object.name}`;
}

describe('a pod that is ready again', () => {
  const log = "\nkubectl logs till-5c8d9 -p\nTraceback (most recent call last):\nModuleNotFoundError: No module named 'shelf'\n";
  const pods = (restarts: string): string =>
    `NAME         READY   STATUS    RESTARTS      AGE\ntill-5c8d9   1/1     Running   ${restarts}    9h\n`;

  it('is not blamed for what ended its run before', async () => {
    expect(await diagnosed(`${pods('2 (3h ago)')}${log}`)).toBe('healthy');
  });

  it('may fail again where it was just restarted', async () => {
    expect(await diagnosed(`${pods('9 (40s ago)')}${log}`)).toContain('containers/module-not-found');
  });
});

describe('the log of a provisioner', () => {
  it('is about its claim, and about no pod', async () => {
    const lines = [
      'I0115 12:00:00.000001       1 controller.go:1317] provision "shop/till-data" class "fast": started',
      'I0115 12:00:00.100001       1 controller.go:1420] provision "shop/till-data" class "fast": volume provisioning failed: rpc error: code = ResourceExhausted desc = no capacity left',
    ];
    expect(await diagnosed(`${lines.join('\n')}\n`)).toBe('scheduling/claim-provisioning-failed PersistentVolumeClaim/till-data');
  });

  it('tells of the claim that was listed before it', async () => {
    const text = [
      '$ kubectl get pvc',
      'NAME        STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE',
      'till-data   Pending                                      fast           9m',
      '',
      'E0115 12:00:10.100071       1 controller.go:957] error syncing claim "1b2c": failed to provision volume with StorageClass "fast": rpc error: code = Internal desc = no such pool',
    ];
    expect(await diagnosed(`${text.join('\n')}\n`)).toBe('scheduling/claim-provisioning-failed PersistentVolumeClaim/till-data');
  });
});

describe('a claim without a volume', () => {
  const claim = [
    '$ kubectl describe pvc data-till-0',
    'Name:          data-till-0',
    'Namespace:     shop',
    'StorageClass:  fast',
    'Status:        Pending',
    'Volume:',
    'Events:',
    '  Type     Reason              Age                 From                         Message',
    '  ----     ------              ----                ----                         -------',
    '  Warning  ProvisioningFailed  10s (x20 over 9m)   persistentvolume-controller  storageclass.storage.k8s.io "fast" not found',
  ];

  it('counts where no pod of its StatefulSet was seen', async () => {
    const sets = ['NAME                    READY   AGE', 'statefulset.apps/till   0/3     9m', ''];
    expect(await diagnosed([...sets, ...claim, ''].join('\n'))).toMatch(/^scheduling\/claim-\S+ PersistentVolumeClaim\/data-till-0$/);
  });

  it('is answered for by the first of several', async () => {
    const rows = [
      'NAME     STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE',
      ...['a', 'b'].map((name) => `${name}        Pending                                      fast           9m`),
    ];
    expect(await diagnosed(`${rows.join('\n')}\n`)).toBe('inconclusive');
  });
});

describe('the output of kubectl behind grep', () => {
  it('is read as far as it goes', async () => {
    const pod = [
      '$ kubectl get pod till-5c8d9 -o yaml | grep -A8 containerStatuses',
      '  containerStatuses:',
      '  - image: shop/till:9',
      '    name: till',
      '    ready: false',
      '    state:',
      '      waiting:',
      '        message: secret "till-db" not found',
      '        reason: CreateContainerConfigError',
    ];
    expect(await diagnosed(`${pod.join('\n')}\n`)).toBe('containers/secret-not-found Secret/till-db');
    const node = [
      'ops@cp-1:~$ kubectl describe node worker-2 | grep Pressure',
      '  DiskPressure     True    Thu, 15 Jan 2026 11:40:02 +0000   Thu, 15 Jan 2026 11:31:40 +0000   KubeletHasDiskPressure   kubelet has disk pressure',
    ];
    expect(await diagnosed(`${node.join('\n')}\n`)).toBe('kubelet/node-disk-pressure Node/worker-2');
  });
});

describe('lines of a log as JSON', () => {
  it('are no document', async () => {
    const lines = [
      { level: 'info', msg: 'reconciling' },
      {
        level: 'error',
        msg: 'Reconciler error',
        error: 'pods "till" is forbidden: exceeded quota: shop, requested: pods=1, used: pods=4, limited: pods=4',
      },
    ];
    expect(await diagnosed(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))).toBe(
      'validating-admission/quota-exceeded ResourceQuota/shop',
    );
  });
});

describe('words of a person between messages', () => {
  it('end the message of an event, and lead to a line of a log', async () => {
    const text = [
      '  Warning  BackOff    2m (x30 over 10m)   kubelet  Back-off restarting failed container till in pod till-0_shop(1b2c)',
      'Im Log steht nur:',
      "  mkdir: cannot create directory '/data/shelf': Permission denied",
      '',
    ];
    expect(await diagnosed(text.join('\n'))).toContain('permission-denied');
  });

  it('are no part of the amounts that a scheduler counts', async () => {
    const text =
      'Warning  FailedScheduling  3m  default-scheduler  0/3 nodes are available: 3 Insufficient cpu…\nanna  10:03 AM\ndid you scale it?\n';
    expect(await diagnosed(text)).toBe('scheduling/insufficient-resource Pod/<pod>');
  });
});

describe('a program with the kubelet in it', () => {
  it('has ended with its last words, whatever it told before', async () => {
    const lines = [
      'Jan 15 12:00:00 till-1 k3s[712]: time="2026-01-15T12:00:00Z" level=error msg="Failed to connect to proxy" error="dial tcp 10.0.0.5:6443: connect: no route to host"',
      'Jan 15 12:00:03 till-1 k3s[712]: time="2026-01-15T12:00:03Z" level=fatal msg="failed to find memory cgroup (v2)"',
    ];
    expect(await diagnosed(`${lines.join('\n')}\n`)).toBe('kubelet/kubelet-not-running Node/till-1');
  });
});

describe('a hook of Helm', () => {
  it('failed with its Job', async () => {
    const text = 'Error: UPGRADE FAILED: post-upgrade hooks failed: 1 error occurred:\n\t* job failed: DeadlineExceeded\n\n';
    expect(await diagnosed(text)).toBe('controllers/job-deadline-exceeded Job/<job>');
    expect(await diagnosed('Error: INSTALLATION FAILED: pre-install hooks failed: timed out waiting for the condition\n')).toBe(
      'inconclusive',
    );
  });
});

describe('a pull that waits to be tried again', () => {
  it('is explained by what the kubelet repeats of the last try', async () => {
    const words =
      'Back-off pulling image "shop/till:9": ErrImagePull: failed to pull and unpack image "docker.io/shop/till:9": failed to resolve reference "docker.io/shop/till:9": docker.io/shop/till:9: not found';
    expect(await diagnosed(`ImagePullBackOff: ${words}\n`)).toBe('images/image-not-found Pod/<pod>');
    expect(
      await diagnosed(
        `WARNING: Back-off pulling image "shop/till:9"\nERROR: Job failed: image pull failed: ${words.split('ErrImagePull: ')[1] ?? ''}\n`,
      ),
    ).toBe('images/image-not-found Pod/<pod>');
  });
});
