import type { PodInfo } from './pod-info.ts';

/** Pods that wait for a node whose pods were removed for them. Source: pkg/scheduler/backend/queue/nominator.go. */
export class Nominator {
  readonly #nodes = new Map<string, string>();
  readonly #pods = new Map<string, Map<string, PodInfo>>();

  nominate(pod: PodInfo, node: string): void {
    this.remove(pod.key);
    if (node === '') return;
    this.#nodes.set(pod.key, node);
    const pods = this.#pods.get(node) ?? new Map<string, PodInfo>();
    pods.set(pod.key, pod);
    this.#pods.set(node, pods);
  }

  remove(key: string): void {
    const node = this.#nodes.get(key);
    if (node === undefined) return;
    this.#nodes.delete(key);
    const pods = this.#pods.get(node);
    pods?.delete(key);
    if (pods?.size === 0) this.#pods.delete(node);
  }

  get empty(): boolean {
    return this.#nodes.size === 0;
  }

  nodeOf(key: string): string {
    return this.#nodes.get(key) ?? '';
  }

  /** Those the pod has to leave room for: nominated to the node with at least its priority. */
  ahead(pod: PodInfo, node: string): readonly PodInfo[] {
    const pods = this.#pods.get(node);
    if (pods === undefined) return [];
    return [...pods.values()].filter((other) => other.key !== pod.key && other.spec.priority >= pod.spec.priority);
  }

  /** Those of lower priority, which have to look elsewhere. */
  behind(pod: PodInfo, node: string): readonly PodInfo[] {
    const pods = this.#pods.get(node);
    return pods === undefined ? [] : [...pods.values()].filter((other) => other.spec.priority < pod.spec.priority);
  }
}
