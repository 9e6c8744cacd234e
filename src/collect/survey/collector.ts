import type { FactSink } from './fact-sink.ts';
import type { Scene } from './scene.ts';

/** Adds facts of one kind about what is in the scene, and gaps for what it could not see. */
export type Collector = (scene: Scene, sink: FactSink) => Promise<void> | void;
