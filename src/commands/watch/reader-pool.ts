import type { LiveCluster } from '../../clusters/live/open-live.ts';

/** Connections for diagnoses: each has one of its own for its time, and the next takes it over. */
export interface ReaderPool {
  readonly use: <T>(work: (cluster: LiveCluster) => Promise<T>) => Promise<T>;
  readonly close: () => void;
}

/** Opens as many as are used at a time. */
export function readerPool(open: () => Promise<LiveCluster>): ReaderPool {
  const free: LiveCluster[] = [];
  const all = new Set<LiveCluster>();
  return {
    use: async (work) => {
      const cluster = free.pop() ?? (await open());
      all.add(cluster);
      try {
        return await work(cluster);
      } finally {
        free.push(cluster);
      }
    },
    close: () => {
      for (const cluster of all) cluster.close();
    },
  };
}
