import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { answerTo } from '../support/pasted-answer.ts';

/** A list and a log that says nothing of why: what people paste first. */
function pasted(row: string, command = ''): string {
  return `$ kubectl get pods -n shop
NAME                    READY   STATUS   RESTARTS   AGE
search-5674f78c-2n69m   ${row}   3m
$ kubectl logs -n shop search-5674f78c-2n69m${command}
${command.startsWith(' -c') ? WAITING : ''}reading the index
index of shelf 7 ends too early, giving up
`;
}

const WAITING = 'waiting for shelf 7\n'.repeat(3);

describe('a pod of which a list and a log were seen', () => {
  it.each([
    ['0/1   Error   5 (88s ago)', '', 'containers/application-error-exit'],
    ['0/1   Error   0', '', 'containers/application-error-exit'],
    ['0/1   Error   5 (88s ago)', ' --previous', 'containers/application-error-exit'],
    ['1/2   Error   5 (88s ago)', ' -c index', 'containers/application-error-exit'],
    ['0/1   Init:Error   2 (8s ago)', ' -c index', 'containers/init-container-failed'],
    ['0/1   Init:CrashLoopBackOff   2 (8s ago)', ' -c index', 'containers/init-container-failed'],
    ['0/2   Init:0/2   0', ' -c index', 'containers/init-container-hanging'],
    ['0/1   Completed   5 (88s ago)', '', 'containers/container-completes'],
  ])('is down as the list says: %s', async (row, command, rule) => {
    const { outcome, causes } = await answerTo(pasted(row, command));
    expect({ outcome, rules: causes.map((cause) => cause.rule) }).toEqual({ outcome: 'explained', rules: [rule] });
    if (!/completes|hanging/.test(rule)) expect(causes[0]?.what).toContain('index of shelf 7 ends too early, giving up');
  });

  it('is read with the command that its only container needs', async () => {
    const { causes } = await answerTo(pasted('0/1   Error   5 (88s ago)'));
    expect(causes[0]?.fix[0]?.run).toBe('kubectl -n shop logs search-5674f78c-2n69m --previous');
  });

  it('may be well in the container that wrote the log, where the list counts several', async () => {
    const { causes } = await answerTo(pasted('1/2   Error   5 (88s ago)'));
    expect(causes).toEqual([]);
  });

  it('has ended in a way that a back-off does not tell: its last words are quoted', async () => {
    const { out } = await podcheck(['diagnose', '--from', '-'], { stdin: pasted('0/1   CrashLoopBackOff   5 (88s ago)') });
    expect(out).toContain(' is inconclusive');
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'how it exited was not seen; the last line of its log: index of shelf 7 ends too early, giving up. To see it: kubectl -n shop describe pod search-5674f78c-2n69m',
    );
  });

  it('may have ended where nothing but a log with a traceback was seen: its last words are quoted', async () => {
    const log =
      'Traceback (most recent call last):\n  File "/app/run.py", line 3, in <module>\n    key = unhex(text)\nbinascii.Error: Odd-length string\n';
    const { out } = await podcheck(['diagnose', '--from', '-'], { stdin: `$ kubectl -n shop logs keys-0\n${log}` });
    expect(out).toContain(' is inconclusive');
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'whether it exited was not seen; the last line of its log: binascii.Error: Odd-length string.',
    );
  });

  it('gets no volume over a folder of which nobody knows whether one is mounted there', async () => {
    const text = pasted('0/1   Error   5 (88s ago)').replace(/index of shelf.*/, 'touch: /data/index: Read-only file system');
    const [cause] = (await answerTo(text)).causes;
    expect(cause?.rule).toBe('containers/read-only-root-filesystem');
    expect(cause?.fix.map(({ run }) => run)).toEqual([undefined]);
  });

  it('is blocked where the list says so', async () => {
    const { out } = await podcheck(['diagnose', '--from', '-'], { stdin: pasted('0/1   RunContainerError   5 (88s ago)') });
    expect(out).toMatch(/✖ containers\s+blocked: RunContainerError/);
  });
});
