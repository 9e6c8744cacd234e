import { expect, test } from 'vitest';
import { asList, dig } from '../../../../src/base/json.ts';
import { textOf } from '../../../../src/base/json-text.ts';
import { shop } from '../../shop.ts';

test('whoever a binding of a controller names is there, but for the controllers of a cloud', () => {
  const { store } = shop();
  const named = store
    .list('clusterrolebindings.rbac.authorization.k8s.io')
    .flatMap((binding) =>
      asList(binding['subjects']).flatMap((subject) =>
        dig(subject, 'kind') === 'ServiceAccount' && dig(subject, 'namespace') === 'kube-system' ? [textOf(dig(subject, 'name'))] : [],
      ),
    );
  const missing = named.filter((name) => store.get('serviceaccounts', 'kube-system', name) === undefined);
  expect(named.length).toBeGreaterThan(35);
  expect(missing.sort()).toEqual(['route-controller', 'service-controller']);
});

test('accounts of two clusters of one seed are the same, and those of controllers that nobody binds are there', () => {
  const uidOf = (): unknown => shop().store.get('serviceaccounts', 'kube-system', 'service-cidrs-controller')?.metadata.uid;
  expect(uidOf()).toBe(uidOf());
  expect(uidOf()).toMatch(/^[0-9a-f-]{36}$/);
});
