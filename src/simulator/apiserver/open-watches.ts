import { parseInteger } from '../../base/number.ts';
import type { Change } from '../store/store.ts';
import { expired } from './failures.ts';
import { present } from './present.ts';
import type { ApiRequest, Failure } from './request.ts';
import type { ServedResource } from './resources.ts';
import type { ServerState } from './server-state.ts';
import type { FieldSelector } from './selectors.ts';
import { selectionOf } from './verbs/read.ts';
import type { WatchEvent, WatchHandle, WatchStart } from './watch.ts';
import { eventFor } from './watch.ts';

/** Who gets the events of a watch, and is told when the server ends it. */
interface Watcher {
  readonly sink: (event: WatchEvent) => void;
  readonly ended: () => void;
}

interface Watch extends WatchHandle {
  ended(): void;
}

/** The watches of the server that have not ended. */
export class OpenWatches {
  readonly #state: ServerState;
  readonly #watches = new Set<Watch>();

  constructor(state: ServerState) {
    this.#state = state;
  }

  /** Begins a watch of a resource, from the request's revision on, or with all that is there. */
  start(request: ApiRequest, resource: ServedResource, { sink, ended }: Watcher): WatchStart {
    const { store } = this.#state;
    const selection = selectionOf(request, resource);
    if (!selection.ok) return selection;
    const { matches } = selection;
    const presented = needsPresenting(resource);
    const deliver = (change: Change): void => {
      const event = eventFor(change, matches);
      if (event !== undefined) sink(presented ? { type: event.type, object: present(this.#state, resource, event.object) } : event);
    };
    const from = request.resourceVersion ?? '0';
    if (from === '0' || from === '') {
      for (const object of store.list(resource.key, request.namespace))
        if (matches?.(object) !== false) sink({ type: 'ADDED', object: present(this.#state, resource, object) });
    } else {
      const trouble = this.#catchUp(request, resource.key, from, deliver);
      if (trouble !== undefined) return trouble;
    }
    const unsubscribe = store.subscribe(resource.key, deliver, placeOf(request, resource, selection.fields));
    const watch: Watch = {
      ended,
      stop: () => {
        unsubscribe();
        this.#watches.delete(watch);
      },
    };
    this.#watches.add(watch);
    return { ok: true, handle: watch };
  }

  /** Delivers what has changed since a revision; a failure when that is forgotten. */
  #catchUp({ namespace }: ApiRequest, key: string, from: string, deliver: (change: Change) => void): Failure | undefined {
    const { store } = this.#state;
    const missed = store.changesSince(key, parseInteger(from) ?? 0);
    if (missed === undefined) return expired(`too old resource version: ${from} (${store.compactedRevision + 1})`);
    for (const change of missed) if (namespace === undefined || change.object.metadata.namespace === namespace) deliver(change);
    return undefined;
  }

  /** Ends every watch, and tells who watches. */
  end(): void {
    for (const watch of Array.from(this.#watches)) {
      watch.stop();
      watch.ended();
    }
  }
}

/** Which changes of a resource the store need not tell a watch of. */
function placeOf(
  { namespace }: ApiRequest,
  { key }: ServedResource,
  fields: FieldSelector | undefined,
): { readonly namespace?: string; readonly partition?: string } {
  const partition = fields?.nodeName ?? (key === 'nodes' ? fields?.name : undefined);
  return { ...(namespace === undefined ? {} : { namespace }), ...(partition === undefined ? {} : { partition }) };
}

/** Resources that are stored otherwise than they are served. */
function needsPresenting(resource: ServedResource): boolean {
  return resource.group === 'events.k8s.io' || (resource.group === 'autoscaling' && resource.version === 'v1');
}
