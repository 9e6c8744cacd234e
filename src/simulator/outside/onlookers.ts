import type { ApiRequest } from '../apiserver/request.ts';
import type { ApiServer } from '../apiserver/server.ts';
import type { WatchEvent, WatchStart } from '../apiserver/watch.ts';

/** Watches of someone outside the cluster: while there are any, everything that happens is written. */
export class Onlookers {
  readonly #watching = new Set<object>();

  get count(): number {
    return this.#watching.size;
  }

  /** Begins a watch and counts it until it ends or is stopped. */
  watch(server: ApiServer, request: ApiRequest, sink: (event: WatchEvent) => void, ended: () => void): WatchStart {
    const onlooker = {};
    const started = server.watch(request, sink, () => {
      this.#watching.delete(onlooker);
      ended();
    });
    if (!started.ok) return started;
    this.#watching.add(onlooker);
    return {
      ok: true,
      handle: {
        stop: () => {
          this.#watching.delete(onlooker);
          started.handle.stop();
        },
      },
    };
  }
}
