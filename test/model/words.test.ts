import { describe, expect, it } from 'vitest';
import { fill, fillCommand, problemsOfForms, requiredVariablesOf, variablesOf, withPlaceholders } from '../../src/model/placeholders.ts';

describe('fill', () => {
  it('leaves an optional part out when a value in it is missing', () => {
    expect(fill('{{ name }} is gone[[; {{ similar }} is there]].', { name: 'robot' })).toBe('robot is gone.');
    expect(fill('{{ name }} is gone[[; {{ similar }} is there]].', { name: 'robot', similar: 'robots' })).toBe(
      'robot is gone; robots is there.',
    );
  });
});

describe('the form of a value', () => {
  it.each([
    ['{{ n | pods }}', { n: 1 }, '1 pod'],
    ['{{ n | pods }}', { n: 2 }, '2 pods'],
    ['{{ n | pods }}', { n: 0 }, '0 pods'],
    ['{{ n | pods }}', { n: '1' }, '1 pod'],
    ['{{ n|free device classes }}', { n: 1 }, '1 free device class'],
    ['{{ n | replicas }}', { n: 1 }, '1 replica'],
    ['{{ n | policies }}', { n: 1 }, '1 policy'],
    ['{{ n }} of {{ all | nodes }} {{ n | has/have }} it', { n: 1, all: 3 }, '1 of 3 nodes has it'],
    ['{{ n }} of {{ all | nodes }} {{ n | has/have }} it', { n: 2, all: 3 }, '2 of 3 nodes have it'],
    ['{{ s | duration }}', { s: 200 }, '3m20s'],
    ['{{ s | duration }}', { s: 'ages' }, 'ages'],
    ['{{ f | whole }}', { f: '23.4Gi' }, '23961Mi'],
    ['{{ f | whole }}', { f: '2Gi' }, '2Gi'],
    ['{{ f | whole }}', { f: '1.5' }, '1.5'],
    ['{{ l | doubled }}', { l: '64Mi' }, '128Mi'],
    ['{{ l | doubled }}', { l: '768Mi' }, '1536Mi'],
    ['{{ l | doubled }}', { l: '500m' }, '500Mi'],
    ['{{ l | doubled }}', { l: 'much' }, '<amount>'],
    ['{{ n | plus one }}', { n: 2 }, '3'],
    ['{{ n | plus one }}', { n: 'some' }, '<number>'],
    ['{{ p | folder }}', { p: '/var/web.pid' }, '/var'],
    ['{{ p | folder }}', { p: '/web.pid' }, '/'],
    ['{{ a | of r }}', { a: 40, r: 'cpu' }, '40 CPUs'],
    ['{{ a | of r }}', { a: '1', r: 'cpu' }, '1 CPU'],
    ['{{ a | of r }}', { a: '500m', r: 'cpu' }, '500m CPU'],
    ['{{ a | of r }}', { a: '8Gi', r: 'memory' }, '8Gi of memory'],
    ['{{ a | of r }}', { a: '1', r: 'pods' }, '1 pod'],
    ['{{ a | of r }}', { a: 2, r: 'nvidia.com/gpu' }, '2 nvidia.com/gpu'],
    ['kubectl apply -f {{ file | or <file> }}', {}, 'kubectl apply -f <file>'],
    ['kubectl apply -f {{ file | or <file> }}', { file: 'web.yaml' }, 'kubectl apply -f web.yaml'],
    ['[[{{ n | pods }} of {{ node | or a node }}]]', { n: 1 }, '1 pod of a node'],
    ['a[[ {{ a | of r }}]]', { a: 1 }, 'a'],
    ['{{ n | pods }}', {}, '?'],
  ])('%s with %j reads %j', (template, values, words) => {
    expect(fill(template, values as Record<string, string | number>)).toBe(words);
  });

  it('names what it takes besides, and needs nothing where words stand in', () => {
    expect(variablesOf('{{ a | of r }} {{ file | or <file> }}')).toEqual(['a', 'r', 'file']);
    expect(requiredVariablesOf('{{ a | of r }} {{ file | or <file> }}')).toEqual(['a', 'r']);
  });

  it('is refused when there is no such form', () => {
    expect(problemsOfForms('{{ n }} {{ n | pods }} {{ n | is/are }} {{ n | duration }} {{ n | of r }} {{ n | or none }}')).toEqual([]);
    expect(problemsOfForms('{{ n | pod }} {{ n | upper }} {{ n | }}')).toEqual([
      expect.stringContaining('"| pod"'),
      expect.stringContaining('"| upper"'),
      expect.stringContaining('"| "'),
    ]);
  });

  it('lets a hostile value no further into a command than any other', () => {
    expect(fillCommand('kubectl apply -f {{ file | or <file> }}', { file: '$(reboot)' })).toBe('kubectl apply -f <file>');
  });
});

describe('withPlaceholders', () => {
  it('has a name where a value will stand', () => {
    expect(withPlaceholders('kubectl -n {{ namespace }} get {{ n | pods }}[[ of {{ file | or <file> }}]]')).toBe(
      'kubectl -n <namespace> get <n> pods of <file>',
    );
  });
});

describe('fillCommand', () => {
  it('leaves the name of a value that is not known for a person to replace', () => {
    expect(fillCommand('kubectl -n {{ namespace }} get pod {{ pod }}[[ -c {{ container }}]]', { pod: 'web-1' })).toBe(
      'kubectl -n <namespace> get pod web-1',
    );
  });

  it('fills in what is a word to a shell', () => {
    const values = {
      namespace: 'shop',
      image: 'registry.shop.example:5000/web@sha256:0a1b',
      selector: 'app=web,tier=front',
      user: 'system:serviceaccount:shop:robot',
    };
    expect(fillCommand('kubectl -n {{ namespace }} x {{ image }} -l {{ selector }} --as {{ user }}', values)).toBe(
      'kubectl -n shop x registry.shop.example:5000/web@sha256:0a1b -l app=web,tier=front --as system:serviceaccount:shop:robot',
    );
  });

  it.each(["x'; rm -rf /", '$(reboot)', '`reboot`', 'a | b', 'a\nb', 'a && b', '"', '> file', '\\'])(
    'never puts %j into a command',
    (value) => {
      expect(fillCommand("kubectl get --as '{{ user }}'", { user: value })).toBe("kubectl get --as '<user>'");
    },
  );
});
