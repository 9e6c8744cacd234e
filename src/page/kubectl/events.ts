import { asText, dig } from '../../base/json.ts';
import type { Call, CommandAnswer } from './call.ts';
import { said } from './call.ts';
import { inColumns } from './columns.ts';
import { eventAge, lastSeen } from './describe.ts';
import { objectsOf, resourceOf } from './named-objects.ts';

export const EVENTS_FLAGS = 'all-namespaces/A for= types= no-headers';

/** `kubectl events`: the newest last. Source: staging/src/k8s.io/kubectl/pkg/cmd/events/events.go, event_printer.go. */
export function events(call: Call): CommandAnswer {
  const { flags, kube, namespace } = call;
  const resource = resourceOf('events', kube.cluster.server.resources);
  if (resource === undefined) return said('');
  const everywhere = flags.has('all-namespaces');
  const [kind, name] = (flags.get('for') ?? '/').split('/');
  const about = resourceOf(kind ?? '', kube.cluster.server.resources)?.kind;
  const types = flags.get('types')?.split(',');
  const { objects, troubles } = objectsOf({ resource, names: [] }, call, everywhere);
  const found = objects
    .filter(
      (event) => !flags.has('for') || (dig(event, 'involvedObject', 'kind') === about && dig(event, 'involvedObject', 'name') === name),
    )
    .filter((event) => types === undefined || types.includes(asText(event['type']) ?? ''))
    .toSorted((a, b) => lastSeen(a) - lastSeen(b));
  if (troubles.length > 0) return { output: troubles.join('\n'), code: 1 };
  if (found.length === 0) return said(everywhere ? 'No events found.' : `No events found in ${namespace} namespace.`);
  const head = ['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'];
  const rows = found.map((event) => {
    const object = `${asText(dig(event, 'involvedObject', 'kind')) ?? ''}/${asText(dig(event, 'involvedObject', 'name')) ?? ''}`;
    const message = (asText(event['message']) ?? '').trim().replaceAll(/[\n\t]/g, ' ');
    const cells = [eventAge(event, kube.cluster.now()), asText(event['type']) ?? '', asText(event['reason']) ?? '', object, message];
    return everywhere ? [event.metadata.namespace ?? '', ...cells] : cells;
  });
  const heads = flags.has('no-headers') ? [] : [everywhere ? ['NAMESPACE', ...head] : head];
  return said(
    inColumns(
      [...heads, ...rows].map((cells) => cells.join('\t')),
      { least: 6, padding: 3 },
    ),
  );
}
