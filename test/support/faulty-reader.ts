import type { ClusterReader, ListRead, Log, Read, Unread } from '../../src/model/cluster-reader.ts';
import { formatRef } from '../../src/model/kube-object.ts';

/** What becomes of a read: it is refused, it fails, its kind is not served, or its answer breaks off. */
export type ReadFault = 'forbidden' | 'failed' | 'not-served' | 'cut';

/** One read as it was asked for. `scope` is the namespace, or undefined for the whole cluster and for kinds that have none. */
export interface AskedRead {
  readonly verb: 'get' | 'list' | 'logs';
  readonly kind: string;
  readonly namespace: string | undefined;
  /** Of an object, of a pod and its container, or the selectors of a list. */
  readonly what: string;
}

/** Stands in the detail of every read that fails here: gaps with these words come of it. */
export const FAULT_WORDS = 'the proxy of the test lets nothing through';

/** A reader whose reads go wrong where `faultOf` says so. `reads` are those that were asked for, each once. */
export interface FaultyReader {
  readonly reader: ClusterReader;
  readonly reads: ReadonlyMap<string, AskedRead>;
}

export function faultyReader(reader: ClusterReader, faultOf: (read: AskedRead) => ReadFault | undefined): FaultyReader {
  const reads = new Map<string, AskedRead>();
  const faultIn = (read: AskedRead): ReadFault | undefined => {
    reads.set(keyOfRead(read), read);
    return faultOf(read);
  };
  return {
    reads,
    reader: {
      get: (ref) => {
        const fault = faultIn({ verb: 'get', kind: ref.kind, namespace: ref.namespace, what: ref.name });
        return fault === undefined ? reader.get(ref) : Promise.resolve(unread(fault, `get ${ref.kind}`));
      },
      list: async (kind, { namespace, labelSelector = '', fieldSelector = '' }) => {
        const fault = faultIn({
          verb: 'list',
          kind,
          namespace,
          what: [labelSelector, fieldSelector].filter((part) => part !== '').join(' '),
        });
        const list = (): Promise<ListRead> =>
          reader.list(kind, {
            ...(namespace === undefined ? {} : { namespace }),
            ...(labelSelector === '' ? {} : { labelSelector }),
            ...(fieldSelector === '' ? {} : { fieldSelector }),
          });
        if (fault === undefined) return list();
        return fault === 'cut' ? brokenOff(await list()) : unread(fault, `list ${kind}`);
      },
      logs: async (pod, container, options) => {
        const fault = faultIn({
          verb: 'logs',
          kind: 'Pod',
          namespace: pod.namespace,
          what: `${pod.name} ${container}${options.previous === true ? ' previous' : ''}`,
        });
        if (fault === undefined) return reader.logs(pod, container, options);
        return fault === 'cut' ? tailOf(await reader.logs(pod, container, options)) : unread(fault, 'get Pod/log');
      },
      now: () => reader.now(),
      ...(reader.stored === undefined ? {} : { stored: reader.stored }),
    },
  };
}

export function keyOfRead({ verb, kind, namespace, what }: AskedRead): string {
  return `${verb} ${kind} in ${namespace ?? 'all'}${what === '' ? '' : `: ${what}`}`;
}

/** Every read of the reader is made once, and answered so again: what is asked does not change meanwhile. */
export function rememberingReader(reader: ClusterReader): ClusterReader {
  const answers = new Map<string, unknown>();
  const remembered = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const known = answers.get(key) as Promise<T> | undefined;
    const answer = known ?? read();
    answers.set(key, answer);
    return answer;
  };
  return {
    ...reader,
    get: (ref) => remembered(`get ${formatRef(ref)} ${ref.uid ?? ''}`, () => reader.get(ref)),
    list: (kind, scope) => remembered(`list ${kind} ${JSON.stringify(scope)}`, () => reader.list(kind, scope)),
    logs: (pod, container, options) =>
      remembered(`logs ${formatRef(pod)} ${container} ${JSON.stringify(options)}`, () => reader.logs(pod, container, options)),
  };
}

function unread(fault: ReadFault, needs: string): Unread {
  const why = fault === 'forbidden' ? 'forbidden' : fault === 'not-served' ? 'not-collected' : 'failed';
  return { ok: false, why, detail: FAULT_WORDS, needs };
}

/** The first objects came, and then no more. */
function brokenOff(list: ListRead): ListRead {
  return list.ok ? { ok: true, value: list.value.slice(0, Math.floor(list.value.length / 2)), partial: FAULT_WORDS, brokeOff: true } : list;
}

function tailOf(log: Read<Log>): Read<Log> {
  return log.ok ? { ok: true, value: { lines: log.value.lines.slice(Math.ceil(log.value.lines.length / 2)), filtered: true } } : log;
}
