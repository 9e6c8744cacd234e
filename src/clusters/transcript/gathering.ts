import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Collected, Refusal } from '../memory-reader.ts';
import type { Note } from '../note.ts';
import type { LogSighting } from './log-output.ts';

/** How much a source shows of an object, least first. */
export type View = 'table' | 'describe' | 'whole';

/** One look at one object. */
export interface Sighting {
  readonly object: KubeObject;
  readonly view: View;
  /** Number of the segment it stands in. */
  readonly segment: number;
}

/** A container as the tools of a node's container runtime know it: by its ID, of which a beginning is enough. */
export interface RuntimeContainer {
  readonly id: string;
  readonly pod: ObjectRef;
  readonly container: string;
}

/** What was found so far, in the order of the transcript; namespaces that a command left open are still missing. */
export class Gathering {
  readonly sightings: Sighting[] = [];
  readonly events: { readonly object: KubeObject; readonly segment: number }[] = [];
  readonly glimpses: KubeObject[] = [];
  readonly collected: { readonly collected: Collected; readonly segment: number }[] = [];
  readonly absent: { readonly ref: ObjectRef; readonly segment: number }[] = [];
  readonly refused: { readonly refusal: Refusal; readonly segment: number }[] = [];
  readonly logs: LogSighting[] = [];
  readonly services: { readonly node: string; readonly service: string; readonly spec: JsonObject; readonly lines: readonly string[] }[] =
    [];
  readonly manifests: { readonly namespace?: string; readonly spec: JsonObject }[] = [];
  readonly answers: JsonObject[] = [];
  readonly notes: Note[] = [];
  /** Containers that a tool of a node's container runtime listed. */
  readonly containers: RuntimeContainer[] = [];
  /** What lines name in passing. */
  readonly mentioned: ObjectRef[] = [];
  /** Lines that are part of nothing else. */
  readonly looseTexts: { readonly text: string; readonly line: number }[] = [];
  /** How lines were read, where somebody may ask. */
  readonly readings: { readonly line: number; readonly as: string }[] = [];
  readonly #explained = new Set<number>();
  /** Namespace of the current context, from the segment on in which it was chosen or seen. */
  readonly contexts: { readonly namespace: string; readonly segment: number }[] = [];
  #segment = 0;
  #tries = 0;

  /** Everything from here on stands in this segment. */
  enter(segment: number): void {
    this.#segment = segment;
  }

  get segment(): number {
    return this.#segment;
  }

  see(object: KubeObject, view: View): void {
    if (object.kind === 'Event') this.events.push({ object, segment: this.#segment });
    else this.sightings.push({ object, view, segment: this.#segment });
  }

  collect(collected: Collected): void {
    this.collected.push({ collected, segment: this.#segment });
  }

  miss(ref: ObjectRef): void {
    this.absent.push({ ref, segment: this.#segment });
  }

  refuse(refusal: Refusal): void {
    this.refused.push({ refusal, segment: this.#segment });
  }

  useContext(namespace: string): void {
    this.contexts.push({ namespace, segment: this.#segment });
  }

  /** Whether one more part of an object may be looked for, which takes time whether it is one or not. */
  mayTry(): boolean {
    return this.#tries++ < MAX_TRIES;
  }

  explain(line: number, as: string): void {
    this.#explained.add(line);
    if (this.readings.length < MAX_READINGS) this.readings.push({ line, as });
  }

  /** Whether a line was understood, as far as it was said how. */
  isExplained(line: number): boolean {
    return this.#explained.has(line);
  }

  note(line: number, text: string): void {
    if (this.notes.length < MAX_NOTES) this.notes.push({ line, text });
  }
}

/** A text that is no transcript at all has a note on nearly every line. */
const MAX_NOTES = 1000;
const MAX_TRIES = 200;
const MAX_READINGS = 100_000;
