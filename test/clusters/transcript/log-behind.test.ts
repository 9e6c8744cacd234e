import { describe, expect, it } from 'vitest';
import { readTranscript } from '../../../src/clusters/transcript/transcript.ts';
import { OPENINGS } from '../../support/transcripts.ts';

const LIST =
  'NAME                    READY   STATUS             RESTARTS      AGE\ntill-7f5bb85f86-abcde   0/1     CrashLoopBackOff   5 (20s ago)   6m\n';
const DESCRIBE = `Name:             till-7f5bb85f86-abcde
Namespace:        default
Node:             worker-1/10.0.0.2
Status:           Running
Containers:
  till:
    Image:          shop/till:1
    State:          Waiting
      Reason:       CrashLoopBackOff
    Ready:          False
    Restart Count:  5
Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Warning  BackOff    4s (x25 over 5m)   kubelet            Back-off restarting failed container till in pod till-7f5bb85f86-abcde
`;
const LOGS = [
  'panic: dial tcp 10.96.0.10:5432: connect: connection refused\n\ngoroutine 1 [running]:\n',
  'Traceback (most recent call last):\n  File "/till.py", line 3, in <module>\nModuleNotFoundError: No module named \'flask\'\n',
  'Error: listen EADDRINUSE: address already in use :::3000\n',
  "1:M 10 Jan 2026 10:00:00.123 # Can't open the append-only file: Permission denied\n",
  'plugin/loop: Loop (127.0.0.1:46519 -> :53) detected for zone "."\n',
];

describe('a log that stands without a word behind', () => {
  it.each([
    ['a list', LIST],
    ['a list and a gap', `${LIST}\n`],
    ['the list of a command', `$ kubectl get pods\n${LIST}`],
    ['a describe and a gap', `${DESCRIBE}\n`],
    ['the describe of a command and a gap', `$ kubectl describe pod till-7f5bb85f86-abcde\n${DESCRIBE}\n`],
  ])('%s is the log of the pod', (_, before) => {
    for (const log of LOGS) {
      const { logs, objects } = readTranscript(`${before}${log}`, { openings: OPENINGS, name: 'text' }).evidence;
      expect(logs.map(({ pod }) => pod.name)).toEqual(['till-7f5bb85f86-abcde']);
      expect(logs[0]?.lines[0]).toContain(log.slice(0, log.indexOf('\n')));
      expect(objects.filter(({ kind }) => kind === 'Pod')).toHaveLength(1);
    }
  });
});

it('takes no row of events for a log, and no message that goes on at the margin', () => {
  const rows =
    'LAST SEEN   TYPE      REASON   OBJECT                      MESSAGE\n30s         Warning   Failed   pod/till-7f5bb85f86-abcde   Error: open /till: permission denied\n';
  expect(readTranscript(rows, { openings: OPENINGS, name: 'text' }).evidence.logs).toEqual([]);
  const goesOn = `${DESCRIBE}mkdir /till: permission denied\n`;
  expect(readTranscript(goesOn, { openings: OPENINGS, name: 'text' }).evidence.logs).toEqual([]);
});
