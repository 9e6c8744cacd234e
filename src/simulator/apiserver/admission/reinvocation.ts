import { sameJson } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';

/**
 * What has to have its say once more because others changed the object after it; each at most once more.
 * Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/mutating/reinvocationcontext.go, pkg/admission/reinvocation.go.
 */
export class Rounds {
  /** Something changed the object after others had looked. */
  needed = false;
  isSecond = false;
  readonly #plugins = new Map<string, PluginRounds>();

  of(plugin: string): PluginRounds {
    const known = this.#plugins.get(plugin) ?? new PluginRounds(this);
    this.#plugins.set(plugin, known);
    return known;
  }
}

/** Those of one plugin: webhooks, or policies. */
export class PluginRounds {
  readonly #rounds: Rounds;
  /** Asked already, and willing to be asked again. */
  #willing = new Set<string>();
  readonly #again = new Set<string>();
  #left: KubeObject | undefined;

  constructor(rounds: Rounds) {
    this.#rounds = rounds;
  }

  /** Before the first is asked: what other plugins changed since is a reason to ask all again. */
  begin(object: KubeObject): void {
    if (this.#rounds.isSecond && !sameJson(object, this.#left)) this.#repeat();
  }

  /** In the second round nobody is asked for the first time. */
  isToBeAsked(name: string): boolean {
    return !this.#rounds.isSecond || this.#again.has(name);
  }

  asked(name: string, before: KubeObject, after: KubeObject, policy: unknown): void {
    if (before !== after && !sameJson(before, after)) {
      this.#repeat();
      this.#rounds.needed = true;
    }
    if (policy === 'IfNeeded') this.#willing.add(name);
  }

  end(object: KubeObject): void {
    this.#left = object;
  }

  #repeat(): void {
    for (const name of this.#willing) this.#again.add(name);
    this.#willing = new Set();
  }
}
