import { describe, expect, it } from 'vitest';
import { answerTo } from '../support/pasted-answer.ts';

const LIST = `$ kubectl get pods -A
NAMESPACE    NAME                     READY   STATUS             RESTARTS        AGE
books        index-7d4b9c8f6d-x2x9z   0/1     CrashLoopBackOff   212 (3m ago)    18h
books        index-7d4b9c8f6d-q8wlk   0/1     CrashLoopBackOff   211 (2m ago)    18h
shop         till-0                   0/1     Pending            0               41m
shop         till-1                   0/1     Pending            0               41m
shop         web-6d4cf56db6-9xkzt     1/1     Running            0               41m
`;

describe('a text that shows several unhealthy objects', () => {
  it('is answered about the first, and says once of each other workload that there is more', async () => {
    const { target, err } = await answerTo(LIST);
    expect(target).toMatchObject({ kind: 'Pod', namespace: 'books', name: 'index-7d4b9c8f6d-x2x9z' });
    expect(err).toContain('note: also unhealthy: Pod shop/till-0; see all with `podcheck scan --from -`');
  });

  it('says nothing of pods that are well, or of the same workload', async () => {
    const { err } = await answerTo(LIST.replaceAll(/^shop +till.*\n/gm, ''));
    expect(err).not.toContain('also unhealthy');
  });
});
