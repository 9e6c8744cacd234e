import { describe, expect, it } from 'vitest';
import { answerTo } from '../support/pasted-answer.ts';
import { rulesFor } from './scanned-text.ts';

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

describe('the end of a log in trouble', () => {
  const log = (pod: string, ...lines: readonly string[]): string => `$ kubectl -n shop logs ${pod}\n${lines.join('\n')}\n`;
  const till = log('till-0', 'starting the till', 'java.sql.SQLException: Too many connections', '\tat shop.Till.open(Till.java:7)');
  const others = ['cart-0', 'stock-0', 'web-0'].map((pod) => log(pod, 'listening'));

  it('tells where few logs are shown', async () => {
    expect(await rulesFor(till + others.slice(0, 2).join(''))).toEqual(['containers/dependency-connections-exhausted']);
  });

  it('may be of one request where the logs of all are shown', async () => {
    expect(await rulesFor(till + others.join(''))).toEqual([]);
  });
});
