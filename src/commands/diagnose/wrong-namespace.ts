import { PodcheckError } from '../../base/errors.ts';
import { nearest, printable } from '../../base/text.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';

/** Kinds whose objects tell the namespaces of a source that did not collect them. */
const TELLING = ['Pod', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'Service', 'Event'] as const;

/** When nothing was found: an error if that is because there is no such namespace, with those that have a name like it. */
export async function wrongNamespace(reader: ClusterReader, namespace: string): Promise<PodcheckError | undefined> {
  const read = await reader.get({ kind: 'Namespace', name: namespace });
  if (read.ok || (read.why !== 'absent' && read.why !== 'not-collected')) return undefined;
  const names = await namespacesIn(reader);
  if (names.has(namespace) || (read.why === 'not-collected' && names.size === 0)) return undefined;
  const near = nearest(namespace, names);
  const hint =
    near.length > 0
      ? `did you mean ${near.map((name) => printable(name)).join(' or ')}?`
      : names.size === 0
        ? ''
        : `namespaces: ${[...names]
            .slice(0, SHOWN)
            .map((name) => printable(name))
            .join(', ')}`;
  return new PodcheckError(
    'not-found',
    read.why === 'absent' ? `namespace "${namespace}" not found` : `the evidence contains nothing in namespace "${namespace}"`,
    hint,
  );
}

const SHOWN = 10;

async function namespacesIn(reader: ClusterReader): Promise<ReadonlySet<string>> {
  const listed = await reader.list('Namespace', {});
  const names = new Set(listed.ok ? listed.value.map(({ metadata }) => metadata.name) : []);
  for (const kind of reader.stored === true ? TELLING : []) {
    const list = await reader.list(kind, {});
    for (const { metadata } of list.ok ? list.value : []) if (metadata.namespace !== undefined) names.add(metadata.namespace);
  }
  return names;
}
