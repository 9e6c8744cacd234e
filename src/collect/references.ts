import type { FactSink } from './fact-sink.ts';
import type { Scene } from './scene.ts';

/** `reference` facts for every name a pod or template uses that must resolve to an object. */
export function collectReferences(_scene: Scene, _sink: FactSink): Promise<void> {
  return Promise.resolve();
}
