import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { answerTo } from '../support/pasted-answer.ts';

describe('what kubectl rollout status says', () => {
  it.each([
    ['alone', ''],
    ['behind its command', '$ kubectl rollout status deploy/till\n'],
  ])('names the Deployment that came to its deadline: %s', async (_, command) => {
    const { target, causes } = await answerTo(
      `${command}Waiting for deployment "till" rollout to finish: 1 out of 3 new replicas have been updated...\nerror: deployment "till" exceeded its progress deadline\n`,
    );
    expect(target).toMatchObject({ kind: 'Deployment', name: 'till' });
    expect(causes[0]?.rule).toBe('controllers/progress-deadline-exceeded');
  });

  it.each([
    ['deployment', '0 of 2 updated replicas are available...', 'Deployment'],
    ['daemon set', '1 out of 4 new pods have been updated...', 'DaemonSet'],
    ['deployment', '1 old replicas are pending termination...', 'Deployment'],
  ])('blames no %s that it waits for: %s', async (kind, words, expected) => {
    const { target, outcome } = await answerTo(
      `$ kubectl -n shop rollout status ${kind.replace(' ', '')}/till\nWaiting for ${kind} "till" rollout to finish: ${words}\n`,
    );
    expect(target).toMatchObject({ kind: expected, namespace: 'shop', name: 'till' });
    expect(outcome).toBe('inconclusive');
  });

  it('counts the replicas that it tells of', async () => {
    const { out } = await podcheck(['diagnose', 'deploy/till', '--from', '-'], {
      stdin:
        'Waiting for deployment "till" rollout to finish: 1 out of 3 new replicas have been updated...\nerror: deployment "till" exceeded its progress deadline\n',
    });
    expect(out).toContain('desired: 3');
  });
});

describe('the refusal of a PodSecurityPolicy', () => {
  it.each([
    [
      'PodSecurityPolicy: unable to admit pod: [spec.volumes[0]: Invalid value: "hostPath": hostPath volumes are not allowed to be used]',
      'hostPath volumes are not allowed',
    ],
    ['no providers available to validate pod request', 'its account may use none'],
  ])('is one: %s', async (words, detail) => {
    const { causes } = await answerTo(`Error creating: pods "till-f9c7845d9-" is forbidden: ${words}\n`);
    expect(causes[0]).toMatchObject({
      rule: 'validating-admission/pod-security-violated',
      what: expect.stringContaining(detail) as string,
    });
  });
});

describe('the log of a database that refuses its clients', () => {
  const list = 'NAME      READY   STATUS    RESTARTS   AGE\ntill-db-0 0/1     Running   0          5m\n';
  const words = 'FATAL:  password authentication failed for user "till"';

  it('blames nobody for the credentials of the database itself', async () => {
    const { causes } = await answerTo(`$ kubectl get pods\n${list}$ kubectl logs till-db-0\n2026-03-05 16:52:42.036 UTC [283] ${words}\n`);
    expect(causes.map(({ rule }) => rule)).toEqual([]);
  });

  it('is the trouble of a client that prints it', async () => {
    const { causes } = await answerTo(`$ kubectl get pods\n${list}$ kubectl logs till-db-0\npsycopg2.OperationalError: ${words}\n`);
    expect(causes[0]?.rule).toBe('containers/dependency-credentials-rejected');
  });
});
