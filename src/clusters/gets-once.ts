import type { ClusterReader } from '../model/cluster-reader.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';

/**
 * The reader of a live cluster for one look: an object that was found is not asked for again, so that whoever finds a target by its name
 * and whoever examines it need one request for both. What was not found, or not read, is asked for again.
 */
export function getsOnce(source: ClusterReader): ClusterReader {
  if (source.stored === true) return source;
  const found = new Map<string, KubeObject>();
  return {
    get: async (ref) => {
      const known = found.get(formatRef(ref));
      // By its uid one object is meant, and by its name whichever has it now.
      if (known !== undefined && (ref.uid === undefined || ref.uid === known.metadata.uid)) return { ok: true, value: known };
      const read = await source.get(ref);
      if (read.ok) found.set(formatRef(ref), read.value);
      return read;
    },
    list: (kind, scope) => source.list(kind, scope),
    logs: (pod, container, options) => source.logs(pod, container, options),
    now: () => source.now(),
  };
}
