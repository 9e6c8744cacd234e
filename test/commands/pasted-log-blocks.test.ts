import { describe, expect, it } from 'vitest';
import { answerTo } from '../support/pasted-answer.ts';

const LIST = `NAME                     READY   STATUS             RESTARTS      AGE
quotes-5f7d8c9b4-8m2qv   0/1     CrashLoopBackOff   6 (63s ago)   8m
rates-6b8f7d5c9d-t4kzn   0/1     Pending            0             8m`;

const DESCRIBE = `Name:             quotes-5f7d8c9b4-8m2qv
Namespace:        desk
Node:             node-c/10.0.0.13
Status:           Running
Controlled By:  ReplicaSet/quotes-5f7d8c9b4
Containers:
  quotes:
    Image:          desk/quotes:8.1
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    1
      Started:      Tue, 13 Jan 2026 14:20:01 +0000
      Finished:     Tue, 13 Jan 2026 14:20:02 +0000
    Ready:          False
    Restart Count:  6
Conditions:
  Type              Status
  Ready             False
  PodScheduled      True
Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  8m                 default-scheduler  Successfully assigned desk/quotes-5f7d8c9b4-8m2qv to node-c
  Warning  BackOff    12s (x30 over 7m)  kubelet            Back-off restarting failed container quotes in pod quotes-5f7d8c9b4-8m2qv_desk(77aa)`;

const EVENTS = `LAST SEEN   TYPE      REASON    OBJECT                       MESSAGE
12s         Warning   BackOff   pod/quotes-5f7d8c9b4-8m2qv   Back-off restarting failed container quotes in pod quotes-5f7d8c9b4-8m2qv_desk(77aa)
8m          Normal    Created   pod/ledger-0                 Created container ledger`;

const LOGS = 'kubectl logs quotes-5f7d8c9b4-8m2qv -n desk';
const fenced = (intro: string, body: string): string => `${intro}\n\n\`\`\`\n${body}\n\`\`\`\n`;

/** A question as people ask it, with the log below the words of `intro`. */
function question(intro: string, log: string): string {
  return [
    'Hello,\n\nsince this morning one of our services does not start.\n',
    fenced('`kubectl get pods -n desk`', LIST),
    fenced('and the pod:', DESCRIBE),
    fenced(intro, log),
    fenced('Events:', EVENTS),
    'What can I do? Thank you\n',
  ].join('\n');
}

const causeOf = async (text: string): Promise<string | undefined> => (await answerTo(text)).causes[0]?.rule;
const VARIABLE = 'Error: environment variable QUOTES_URL is not set';

describe('a log in a block of code', () => {
  it.each([
    `Output of \`${LOGS}\`:`,
    `\`${LOGS}\``,
    `**${LOGS}**`,
    `### ${LOGS} --previous`,
    `Here is the output of ${LOGS}`,
    `Then I ran ${LOGS} and got`,
    'Logs:',
    '**Logs of the pod**',
    'The container logged this:',
  ])('is that of the pod which is described, after the words: %s', async (intro) => {
    expect(await causeOf(question(intro, VARIABLE))).toBe('containers/environment-variable-missing');
    expect(await causeOf(question(intro, 'open /var/lib/quotes/index: permission denied'))).toBe('containers/permission-denied');
  });

  it('tells the trouble of its program, not that of kubectl', async () => {
    const expired = 'x509: certificate has expired or is not yet valid: current time 2026-01-13T14:20:02Z is after 2026-01-12T00:00:00Z';
    expect(await causeOf(question('Logs:', `fetching quotes: ${expired}`))).toBe('containers/dependency-certificate-expired');
    const call = `Get "https://prices.desk.svc/v3/today": tls: failed to verify certificate: ${expired}`;
    expect(await causeOf(question('Logs:', call))).toBe('containers/dependency-certificate-expired');
    // Kubectl's own words stay its own, whatever a person calls them.
    const own = `Unable to connect to the server: ${expired}`;
    expect((await answerTo(fenced('The log says:', own))).causes[0]?.rule).toBe('apply/server-certificate-expired');
  });

  it('may be what Helm answered', async () => {
    const failed = 'Error: INSTALLATION FAILED: cannot re-use a name that is still in use';
    expect((await answerTo(fenced('The log of the deployment:', failed))).causes[0]?.rule).toBe('apply/helm-release-refused');
  });
});

describe('a log without a block of code', () => {
  it.each(['Logs:', '--- pod logs ---', '### Log of quotes', `${LOGS}:`])('stands below its heading: %s', async (heading) => {
    const text = `kubectl get pods -n desk:\n${LIST}\n\nkubectl describe pod quotes-5f7d8c9b4-8m2qv -n desk:\n${DESCRIBE}\n\n${heading}\n${VARIABLE}\n\nEvents:\n${EVENTS}\n`;
    expect(await causeOf(text)).toBe('containers/environment-variable-missing');
  });

  it('is known by a request that its program sent to another server', async () => {
    const trouble = (path: string): string =>
      `Get "https://prices.desk.svc:443${path}": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-01-13T14:20:02Z is after 2026-01-12T00:00:00Z`;
    expect(await causeOf(`${DESCRIBE}\n\n${trouble('/')}\n`)).toBe('containers/dependency-certificate-expired');
    expect(await causeOf(`${DESCRIBE}\n\n${trouble('/api/v1/prices')}\n`)).toBe('containers/dependency-certificate-expired');
    for (const path of ['/api/v1/namespaces/desk/pods', '/api?timeout=32s', '/k8s/clusters/c-m-x7k2p/apis/apps/v1/deployments'])
      expect(await causeOf(`${DESCRIBE}\n\n${trouble(path)}\n`), path).toBe('apply/server-certificate-expired');
    expect(await causeOf(`${DESCRIBE}\n\n${trouble('/check?timeout=10s')}\n`)).toBe('containers/application-error-exit');
  });
});
