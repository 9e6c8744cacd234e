import type { Instant } from '../../base/instant.ts';
import type { Answer, UnsignedRequest } from '../apiserver/request.ts';
import type { DiscoveryResource } from '../apiserver/wire/discovery-resource.ts';

/** A server the API server hands a whole group of resources to (APIService). */
export interface AggregatedApi {
  answer(request: UnsignedRequest): Answer;
  /** What it serves, as discovery tells it. */
  readonly resources: readonly DiscoveryResource[];
  /** When an answer about a namespace may next be another than now; undefined when only something that happens can change it. */
  changesAt(namespace: string): Instant | undefined;
}

/** The servers that are running, by group and version: `metrics.k8s.io/v1beta1`. That one is asked at all takes an APIService. */
export class AggregatedApis {
  readonly #servers = new Map<string, AggregatedApi>();
  readonly #listeners = new Set<() => void>();

  get(groupVersion: string): AggregatedApi | undefined {
    return this.#servers.get(groupVersion);
  }

  put(groupVersion: string, api: AggregatedApi): void {
    this.#servers.set(groupVersion, api);
    this.#tell();
  }

  remove(groupVersion: string, api: AggregatedApi): void {
    if (this.#servers.get(groupVersion) !== api) return;
    this.#servers.delete(groupVersion);
    this.#tell();
  }

  /** Told when a server comes or goes, until what is given back is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Tells that servers may answer otherwise than before: they believe the API server again, or no more. */
  announce(): void {
    this.#tell();
  }

  #tell(): void {
    for (const listener of Array.from(this.#listeners)) listener();
  }
}
