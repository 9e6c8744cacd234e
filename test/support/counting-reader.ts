import { memoryReader } from '../../src/clusters/memory-reader.ts';
import type { ClusterReader } from '../../src/model/cluster-reader.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { RESOURCES } from '../../src/model/resources.ts';

export interface CountingReader {
  readonly reader: ClusterReader;
  /** What was read, each as `get Secret regcred`, `list Pod`, `logs web-1 web previous`. */
  readonly reads: string[];
}

/** A cluster of these objects in which every read is counted, as a live one's are: it does not hold its answers already. */
export function countingReader(objects: readonly KubeObject[], logs: Readonly<Record<string, readonly string[]>> = {}): CountingReader {
  const stored = memoryReader({
    objects,
    collected: RESOURCES.map(({ kind }) => ({ kind, complete: true })),
    absent: [],
    refused: [],
    logs: Object.entries(logs).map(([key, lines]) => {
      const [pod = '', container = '', previous] = key.split(' ');
      return { pod: { kind: 'Pod', namespace: 'shop', name: pod }, container, previous: previous === 'previous', lines, filtered: false };
    }),
    now: Date.parse('2026-01-15T12:00:00Z'),
  });
  const reads: string[] = [];
  const reader: ClusterReader = {
    get: (ref) => {
      reads.push(`get ${ref.kind} ${ref.name}`);
      return stored.get(ref);
    },
    list: (kind, scope) => {
      reads.push(`list ${kind}`);
      return stored.list(kind, scope);
    },
    logs: (pod, container, options) => {
      reads.push(`logs ${pod.name} ${container}${options.previous === true ? ' previous' : ''}`);
      return stored.logs(pod, container, options);
    },
    now: () => stored.now(),
  };
  return { reader, reads };
}
