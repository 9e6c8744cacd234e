import { describe, expect, it } from 'vitest';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import { lastEventOf } from '../../src/commands/diagnose/last-event.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';

function event(kind: string, name: string, message: string, minute: number, reason = 'Killing'): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: 'shop', name: `${name}-${String(minute)}` },
    involvedObject: { kind, namespace: 'shop', name },
    reason,
    message,
    lastTimestamp: `2026-01-14T09:0${String(minute)}:00Z`,
  };
}

function told(events: readonly KubeObject[], name: string, kind?: string): Promise<string | undefined> {
  const collected = [{ kind: 'Event', complete: true }];
  return lastEventOf(memoryReader({ objects: events, collected, absent: [], refused: [], logs: [], now: 0 }), {
    kind,
    namespace: 'shop',
    name,
  });
}

describe('what events tell of an object that is not there', () => {
  const scheduled = event('Pod', 'web-1', 'Successfully assigned shop/web-1 to worker-1', 1, 'Scheduled');
  const stopped = event('Pod', 'web-1', 'Stopping container web', 2);

  it('is the last of them', async () => {
    expect(await told([stopped, scheduled], 'web-1', 'Pod')).toBe(
      'it existed: event on Pod/web-1, 2026-01-14T09:02:00Z: Killing: Stopping container web',
    );
    expect(await told([scheduled, stopped], 'web-1')).toContain('Killing');
  });

  it('is first of all that it was deleted, which stands with its controller', async () => {
    const deleted = event('ReplicaSet', 'web', 'Deleted pod: web-1', 0, 'SuccessfulDelete');
    expect(await told([deleted, scheduled, stopped], 'web-1', 'Pod')).toBe(
      'it existed: event on ReplicaSet/web, 2026-01-14T09:00:00Z: SuccessfulDelete: Deleted pod: web-1',
    );
    expect(await told([deleted], 'web-10', 'Pod')).toBeUndefined();
  });

  it('is nothing where no event is about it, or about another kind of this name', async () => {
    expect(await told([stopped], 'web-2')).toBeUndefined();
    expect(await told([stopped], 'web-1', 'Service')).toBeUndefined();
    expect(
      await lastEventOf(memoryReader({ objects: [], collected: [], absent: [], refused: [], logs: [], now: 0 }), {
        kind: 'Pod',
        namespace: 'shop',
        name: 'web-1',
      }),
    ).toBeUndefined();
  });

  it('is one line without control sequences', async () => {
    expect(await told([event('Pod', 'web-1', 'Error:\u001b[2J\nfailed', 3)], 'web-1')).not.toMatch(/[\u001b\n]/);
  });
});
