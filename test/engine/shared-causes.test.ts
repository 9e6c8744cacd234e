import { expect, it } from 'vitest';
import { sharedOnce } from '../../src/engine/shared-causes.ts';
import type { Finding } from '../../src/model/diagnosis.ts';
import type { Scalar } from '../../src/model/fact.ts';
import { fact, rule } from '../support/facts.ts';

const NOTHING = [{ fact: 'reference', where: { exists: false, refName: { maybe: '$host' } } }];
const PULL = rule({ id: 'images/registry', shared: 'registry {{ host }}', all: NOTHING });
const QUOTA = rule({ id: 'images/other', all: NOTHING });
const SYMPTOM = rule({ id: 'probes/failing', kind: 'symptom', all: NOTHING });

function finding(name: string, params: Readonly<Record<string, Scalar>>, of = PULL): Finding {
  const [object, pod] = (['Deployment', 'Pod'] as const).map((kind) => ({ kind, namespace: 'shop', name })) as [
    Finding['object'],
    Finding['object'],
  ];
  return { rule: of, object, params, facts: [fact('reference', pod, { exists: false })], support: [], affected: [pod] };
}

const names = (refs: readonly { readonly kind: string; readonly name: string }[] = []): readonly string[] =>
  refs.map(({ kind, name }) => `${kind}/${name}`);

it('what one registry keeps from starting is one cause, at the place of the first, with all that it stops', () => {
  const [web, other, cart, till] = [
    finding('web', { host: 'one' }),
    finding('other', { host: 'one' }, QUOTA),
    finding('cart', { host: 'one' }),
    finding('till', { host: 'two' }),
  ];
  const effect = finding('cart', {}, SYMPTOM);
  const { ranked, explanations } = sharedOnce([web, other, cart, till], new Map([[cart, new Set([effect])]]));
  expect(ranked.map(({ object, others }) => [object.name, ...names(others)])).toEqual([['web', 'Deployment/cart'], ['other'], ['till']]);
  const [first] = ranked;
  expect(names(first?.affected)).toEqual(['Deployment/cart', 'Pod/cart', 'Pod/web']);
  expect(first?.facts.map(({ about }) => about.name)).toEqual(['web', 'cart']);
  expect(first === undefined ? [] : [...(explanations.get(first) ?? [])]).toEqual([effect]);
  expect(ranked.slice(1)).toEqual([other, till]);
});

it('is no shared cause where what they have in common is not known', () => {
  const apart = [finding('web', {}), finding('cart', {})];
  expect(sharedOnce(apart, new Map()).ranked).toEqual(apart);
});
