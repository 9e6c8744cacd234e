import { formatInstant } from '../../base/instant.ts';
import { asText, dig } from '../../base/json.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import { eventTime, involvedIn } from '../../model/event-fields.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { clusterLine } from '../../report/format/cluster-text.ts';

/**
 * What events still tell of an object that is not there: that it was deleted, else the last that was said of it; undefined where none does.
 * Source: pkg/controller/controller_utils.go (SuccessfulDelete).
 */
export async function lastEventOf(
  reader: ClusterReader,
  { kind, namespace, name }: { readonly kind: string | undefined; readonly namespace: string; readonly name: string },
): Promise<string | undefined> {
  const list = await reader.list('Event', { namespace });
  if (!list.ok) return undefined;
  const about = (event: KubeObject): boolean => {
    const involved = involvedIn(event);
    return dig(involved, 'name') === name && (kind === undefined || dig(involved, 'kind') === kind);
  };
  const deletes = (event: KubeObject): boolean => asText(dig(event, 'message')) === `Deleted pod: ${name}`;
  const event = latest(list.value.filter(deletes)) ?? latest(list.value.filter(about));
  if (event === undefined) return undefined;
  const [involved, at] = [involvedIn(event), eventTime(event)];
  const source = `${asText(dig(involved, 'kind')) ?? ''}/${asText(dig(involved, 'name')) ?? ''}`;
  const message = `${asText(dig(event, 'reason')) ?? ''}: ${asText(dig(event, 'message')) ?? ''}`;
  return clusterLine(`it existed: event on ${source}${at === undefined ? '' : `, ${formatInstant(at)}`}: ${message}`);
}

function latest(events: readonly KubeObject[]): KubeObject | undefined {
  return events.toSorted((a, b) => (eventTime(b) ?? 0) - (eventTime(a) ?? 0))[0];
}
