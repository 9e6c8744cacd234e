import { resourceNamed } from '../../model/resources.ts';

/** `pods`, `Deployment.apps`, `roles.rbac.authorization.k8s.io` → kind; a kind podcheck does not know stays as it is written. */
export function kindOf(word: string): string {
  return resourceNamed(word)?.kind ?? resourceNamed(word.split('.')[0] ?? '')?.kind ?? word;
}
