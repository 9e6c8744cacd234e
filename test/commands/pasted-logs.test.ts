import { describe, expect, it } from 'vitest';
import { answerTo } from '../support/pasted-answer.ts';

const listed = (restarts: string): string =>
  `$ kubectl get pods\nNAME     READY   STATUS    RESTARTS   AGE\ntill-0   1/1     Running   ${restarts}   3d\n`;
const LOG = '$ kubectl logs till-0\nlevel=info msg="starting"\nlevel=fatal msg="open /etc/till/prices.yaml: no such file or directory"\n';

describe('the log of a pod that is ready and has never restarted', () => {
  it('is of a container that runs, whatever its last words are', async () => {
    expect(await answerTo(listed('0      ') + LOG)).toMatchObject({ outcome: 'healthy', causes: [] });
  });

  it('tells of a crash where it has restarted', async () => {
    expect((await answerTo(listed('7 (2m ago)') + LOG)).causes[0]?.rule).toBe('containers/file-not-found');
  });
});

describe('the log of some program', () => {
  const WARNING =
    'time="2024-03-04T11:22:33Z" level=warning msg="cannot detach: stat /dev/crates/box-7: no such file or directory" node=worker-2\n';

  it.each([
    ['FailedMount', 'MountVolume.SetUp failed for volume "prices" : secret "till-prices" not found', 'volumes/secret-not-found'],
    ['FailedScheduling', '0/3 nodes are available: 3 Insufficient memory.', 'scheduling/insufficient-resource'],
  ])('is not of the pod that has not begun to run: %s', async (_, message, rule) => {
    const { causes } = await answerTo(`The storage manager logs\n\n${WARNING}\nand my pod says\n\n${message}\n`);
    expect(causes[0]?.rule).toBe(rule);
  });

  it('does not end with a warning', async () => {
    const crashing =
      '$ kubectl get pods\nNAME     READY   STATUS             RESTARTS   AGE\ntill-0   0/1     CrashLoopBackOff   7          3d\n';
    const { causes } = await answerTo(`${crashing}$ kubectl logs till-0\n${WARNING}`);
    expect(causes.map(({ rule }) => rule)).not.toContain('containers/file-not-found');
  });
});
