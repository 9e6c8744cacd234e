import { asTextMap, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { selectsLabels } from '../apiserver/selectors.ts';
import type { Informer } from './informer.ts';

/**
 * Files Services by the first pair of their selector, so that a pod finds those that may select it: asking each of 1,500 Services at every
 * change of each of 150,000 pods was most of the work.
 */
export function withSelectorIndex(services: Informer): Informer {
  return services
    .addIndex('namespace', ({ metadata }) => [metadata.namespace ?? ''])
    .addIndex('selector', (service) => {
      const [pair] = Object.entries(asTextMap(dig(service, 'spec', 'selector')));
      return pair === undefined ? [] : [shelfOf(service.metadata.namespace ?? '', pair)];
    });
}

/** The Services of a namespace that select any of these sets of labels, in the order they came. The informer needs `withSelectorIndex`. */
export function servicesSelecting(
  services: Informer,
  namespace: string,
  labels: readonly Readonly<Record<string, string>>[],
): readonly KubeObject[] {
  const found = new Set<KubeObject>();
  for (const set of labels)
    for (const pair of Object.entries(set))
      for (const service of services.by('selector', shelfOf(namespace, pair)))
        if (selectsLabels(asTextMap(dig(service, 'spec', 'selector')), set)) found.add(service);
  return found.size < 2 ? [...found] : services.by('namespace', namespace).filter((service) => found.has(service));
}

function shelfOf(namespace: string, [name, value]: readonly [string, string]): string {
  return `${namespace}/${name}=${value}`;
}
