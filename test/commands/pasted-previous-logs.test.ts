import { describe, expect, it } from 'vitest';
import { answerTo } from '../support/pasted-answer.ts';

interface State {
  readonly present: string;
  readonly last?: string;
}

const ended = (code: number, minute: number, reason = 'Error'): string => `Terminated
      Reason:       ${reason}
      Exit Code:    ${String(code)}
      Started:      Mon, 12 Jan 2026 09:${String(minute)}:10 +0000
      Finished:     Mon, 12 Jan 2026 09:${String(minute)}:12 +0000`;

/** What `kubectl describe pod` shows of a pod in one of the states between two runs, with a log behind it. */
function pasted({ present, last }: State, log: string): string {
  return `$ kubectl describe pod ledger-7c9d5b6f4-x2x7k -n books
Name:             ledger-7c9d5b6f4-x2x7k
Namespace:        books
Node:             node-b/10.0.0.12
Status:           Running
Controlled By:  ReplicaSet/ledger-7c9d5b6f4
Containers:
  ledger:
    Container ID:   containerd://5f1a
    Image:          books/ledger:3.2
    State:          ${present}${last === undefined ? '' : `\n    Last State:     ${last}`}
    Ready:          False
    Restart Count:  4
    Environment:    <none>
Conditions:
  Type              Status
  Initialized       True
  Ready             False
  ContainersReady   False
  PodScheduled      True
Events:
  Type     Reason     Age                 From               Message
  ----     ------     ----                ----               -------
  Normal   Scheduled  5m                  default-scheduler  Successfully assigned books/ledger-7c9d5b6f4-x2x7k to node-b
  Warning  BackOff    9s (x11 over 4m)    kubelet            Back-off restarting failed container ledger in pod ledger-7c9d5b6f4-x2x7k_books(5d0c)

${log}`;
}

const WAITS = 'Waiting\n      Reason:       CrashLoopBackOff';
const WORDS = 'FATAL: database "accounts" does not exist';

const causeOf = async (text: string): Promise<string | undefined> => (await answerTo(text)).causes[0]?.rule;

describe('the log of the previous run', () => {
  it.each([
    ['waits to be started again', { present: WAITS, last: ended(1, 41) }],
    ['has just ended in the same way again', { present: ended(1, 43), last: ended(1, 41) }],
  ])('tells why a container is down that %s', async (_, state) => {
    expect(await causeOf(pasted(state, `$ kubectl logs ledger-7c9d5b6f4-x2x7k -n books --previous\n${WORDS}\n`))).toBe(
      'containers/database-not-found',
    );
  });

  it('tells nothing of a run that ended in another way', async () => {
    const log = `$ kubectl logs ledger-7c9d5b6f4-x2x7k -n books --previous\n${WORDS}\n`;
    expect(await causeOf(pasted({ present: ended(3, 43), last: ended(1, 41) }, log))).toBe('containers/application-error-exit');
    expect(await causeOf(pasted({ present: ended(137, 43, 'OOMKilled'), last: ended(1, 41) }, log))).toBe('containers/oom-killed');
  });

  it('is not heard where the log of the last one is there', async () => {
    const logs = `$ kubectl logs ledger-7c9d5b6f4-x2x7k -n books
panic: open /etc/ledger/ledger.toml: no such file or directory
$ kubectl logs ledger-7c9d5b6f4-x2x7k -n books --previous
${WORDS}
`;
    expect(await causeOf(pasted({ present: ended(1, 43), last: ended(1, 41) }, logs))).toBe('containers/file-not-found');
  });

  it('tells what a program was refused before it was started once more', async () => {
    const runs = 'Running\n      Started:      Mon, 12 Jan 2026 09:43:05 +0000';
    const log = '$ kubectl logs ledger-7c9d5b6f4-x2x7k -n books --previous\npq: password authentication failed for user "ledger"\n';
    const text = pasted({ present: runs, last: ended(1, 41) }, log).replaceAll('False', 'True');
    expect(await causeOf(`$ date -u\nMon Jan 12 09:43:09 UTC 2026\n${text}`)).toBe('containers/dependency-credentials-rejected');
  });
});
