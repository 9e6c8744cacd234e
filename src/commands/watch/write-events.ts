import { asText, dig } from '../../base/json.ts';
import type { LiveCluster } from '../../clusters/live/open-live.ts';
import type { Change, Course } from '../../model/watch-change.ts';
import { eventJson } from '../../report/watching/event-json.ts';

/**
 * Writes an Event on the workload of each cause that is found; one that was there before is counted up. Whoever calls does not wait. What
 * is refused is told once.
 */
export function eventWriter(
  { reader, changer }: Pick<LiveCluster, 'reader' | 'changer'>,
  note: (text: string) => void,
): (changes: readonly Change[]) => void {
  let [last, isTold] = [Promise.resolve(), false];

  async function write(course: Course): Promise<void> {
    const read = await reader.get(course.cause.workload);
    if (!read.ok) return;
    const body = eventJson(course, read.value);
    const [name = '', namespace = ''] = [asText(dig(body, 'metadata', 'name')), asText(dig(body, 'metadata', 'namespace'))];
    const created = await changer.send({ verb: 'create', kind: 'Event', namespace, name, body }, false);
    const { count, lastTimestamp, message } = body;
    const written =
      created.ok || created.reason !== 'AlreadyExists'
        ? created
        : await changer.send(
            { verb: 'patch', kind: 'Event', namespace, name, patch: { type: 'merge', body: { count, lastTimestamp, message } } },
            false,
          );
    if (written.ok || isTold) return;
    isTold = true;
    note(`an Event could not be written: ${written.message}`);
  }

  return (changes) => {
    for (const change of changes)
      if (change.type === 'found' || change.type === 'changed') last = last.then(() => write(change.course)).catch(() => undefined);
  };
}
