import { asTextMap, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { selectsLabels } from '../apiserver/selectors.ts';
import type { Informer } from './informer.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Finds the Services that select a pod by the first pair of their selectors: asking each of 1,500 Services at every change of each of
 * 150,000 pods was most of the work. All states of a pod have the same labels, and what was found for them is kept until a Service changes.
 */
export class SelectingServices {
  readonly #services: Informer;
  #found = new WeakMap<Labels, { readonly namespace: string; readonly services: readonly KubeObject[] }>();

  constructor(services: Informer) {
    this.#services = services
      .addIndex('namespace', ({ metadata }) => [metadata.namespace ?? ''])
      .addIndex('selector', (service) => {
        const [pair] = Object.entries(asTextMap(dig(service, 'spec', 'selector')));
        return pair === undefined ? [] : [shelfOf(service.metadata.namespace ?? '', pair)];
      })
      .onChange(() => {
        this.#found = new WeakMap();
      });
  }

  /** The Services of a namespace that select these labels, in the order they came. */
  of(namespace: string, labels: Labels): readonly KubeObject[] {
    const known = this.#found.get(labels);
    if (known?.namespace === namespace) return known.services;
    const services = this.ofAny(namespace, [labels]);
    this.#found.set(labels, { namespace, services });
    return services;
  }

  /** Those that select any of several sets of labels. */
  ofAny(namespace: string, sets: readonly Labels[]): readonly KubeObject[] {
    const found = new Set<KubeObject>();
    for (const labels of sets)
      for (const pair of Object.entries(labels))
        for (const service of this.#services.by('selector', shelfOf(namespace, pair)))
          if (selectsLabels(asTextMap(dig(service, 'spec', 'selector')), labels)) found.add(service);
    return found.size < 2 ? [...found] : this.#services.by('namespace', namespace).filter((service) => found.has(service));
  }
}

function shelfOf(namespace: string, [name, value]: readonly [string, string]): string {
  return `${namespace}/${name}=${value}`;
}
