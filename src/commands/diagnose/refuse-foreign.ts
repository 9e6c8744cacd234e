import { PodcheckError } from '../../base/errors.ts';
import type { Evidence } from '../../model/diagnosis.ts';

/** Throws for evidence that is nothing but lines of which no rule knows a word: it has nothing to do with Kubernetes. */
export function refuseForeign({ facts, targets }: Evidence): void {
  if (targets.length > 0 || facts.length === 0 || facts.some(({ kind }) => kind !== 'text')) return;
  throw new PodcheckError(
    'bad-input',
    'the evidence contains no Kubernetes output that podcheck can read',
    'Save kubectl output first: kubectl get pods,events -o json > shop.json',
  );
}
