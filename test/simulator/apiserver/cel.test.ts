import { expect, test } from 'vitest';
import { CelAuthorizer } from '../../../src/simulator/apiserver/cel/authorization.ts';
import { evaluateCel } from '../../../src/simulator/apiserver/cel.ts';

const POD = {
  spec: {
    replicas: 3,
    limits: { memory: '512Mi', cpu: '1500m' },
    hosts: ['https://shop.example:8443/till?day=mon&day=tue', 'nowhere'],
    ips: ['10.0.4.7', '192.168.1.1'],
    ports: [80, 443, 8080],
    team: 'fruit-12',
  },
};

const authorizer = new CelAuthorizer(
  { name: 'ann', groups: [] },
  ({ user, verb, resource, name }) => ({ allowed: name === 'web', reason: `${user.name} ${verb} ${resource}` }),
  { group: '', resource: 'pods', namespace: 'shop', name: 'till' },
);

test.each([
  ["quantity(object.spec.limits.memory).isLessThan(quantity('1Gi'))", true],
  ["quantity(object.spec.limits.cpu).isGreaterThan(quantity('2'))", false],
  ["quantity('1').add(quantity('500m')).compareTo(quantity(object.spec.limits.cpu))", 0n],
  ["quantity('2Ki').asInteger()", 2048n],
  ["quantity('1Gi').sub(quantity('1Mi')).sign()", 1n],
  ["quantity('1024Mi') == quantity('1Gi')", true],
  ["isQuantity('lots')", false],
  ["object.spec.team.matches('(?i)^FRUIT') && matches(object.spec.team, 'matches|fruit')", true],
  ["'a.matches(b)'", 'a.matches(b)'],
  ["object.spec.team.find('[a-z]+')", 'fruit'],
  ["'ab12cd3'.findAll('[0-9]*')", ['', '', '12', '', '3']],
  ["'ab12cd3'.findAll('[0-9]+', 1)", ['12']],
  [`'${'a'.repeat(3000)}!'.matches('^(a+)+$')`, false],
  ['url(object.spec.hosts[0]).getHost()', 'shop.example:8443'],
  ['url(object.spec.hosts[0]).getPort()', '8443'],
  ["url(object.spec.hosts[0]).getQuery()['day'].size()", 2n],
  ['object.spec.hosts.filter(host, isURL(host)).size()', 1n],
  ["cidr('10.0.0.0/16').containsIP(object.spec.ips[0])", true],
  ["cidr('10.0.0.0/16').containsIP(ip(object.spec.ips[1]))", false],
  ["cidr('10.0.0.0/8').containsCIDR('10.4.0.0/16')", true],
  ["ip('::1').isLoopback() && ip('127.0.0.1').family() == 4", true],
  ["isIP('300.1.1.1') || isCIDR('10.0.0.0/33')", false],
  ['object.spec.ports.isSorted() && object.spec.ports.max() == 8080 && object.spec.ports.min() == 80', true],
  ['object.spec.ports.sum()', 8603n],
  ['object.spec.ports.indexOf(443)', 1n],
  ['sets.contains(object.spec.ports, [80, 443])', true],
  ['sets.intersects(object.spec.ports, [22])', false],
  ["sets.equivalent(['a', 'b'], ['b', 'a', 'a'])", true],
  ["object.spec.team.find('[0-9]+')", '12'],
  ["'a1 b22'.findAll('[0-9]+')", ['1', '22']],
  ["object.spec.team.lowerAscii().startsWith('fruit') && object.spec.team.split('-').size() == 2", true],
  ["object.spec.team.replace('fruit', 'nut')", 'nut-12'],
  ["format.dns1123Label().validate('Fruit').hasValue()", true],
  ["format.named('uuid').value().validate('nonsense').value()[0]", 'does not match the UUID format'],
  ["format.labelValue().validate('ok').hasValue() || format.named('none').hasValue()", false],
  [
    "format.date().validate('2026-02-28').hasValue() || !format.date().validate('2026-02-30').hasValue() || format.byte().validate('aGk=').hasValue()",
    false,
  ],
  ["format.uri().validate('nowhere').value()", ['parse "nowhere": invalid URI for request']],
  ["authorizer.group('apps').resource('deployments').namespace('shop').name('web').check('delete').allowed()", true],
  [
    "authorizer.serviceAccount('shop', 'runner').group('').resource('pods').check('list').reason()",
    'system:serviceaccount:shop:runner list pods',
  ],
  ["authorizer.requestResource.check('update').allowed() || authorizer.path('/healthz').check('get').allowed()", false],
])('%s', (expression, value) => {
  expect(evaluateCel(expression, { object: POD, authorizer })).toEqual({ ok: true, value });
});

test.each([
  ["quantity('lots')", 'quantities must match the regular expression'],
  ["url('nowhere')", 'URL parse error'],
  ["ip('300.1.1.1')", 'unable to parse IP'],
  ["'aaaa'.find('(')", 'Illegal regex: error parsing regexp: missing closing ): `(`'],
  ["'aaaa'.matches('a' + '(')", 'error parsing regexp: missing closing ): `a(`'],
  ["authorizer.path(' ')", 'path must not be empty'],
  ["authorizer.serviceAccount('shop', 'a b')", 'Invalid service account name'],
  ['[].min()', 'min called on empty list'],
])('%s is an error', (expression, words) => {
  const outcome = evaluateCel(expression, { object: POD, authorizer });
  expect(outcome.ok ? '' : outcome.error).toContain(words);
});

const NUMBERS = Array.from({ length: 1100 }, (_, index) => index);

test.each([
  'numbers.all(a, numbers.all(b, a + b >= 0))',
  'numbers.all(a, numbers.all(b, a + b >= 0)) || true',
  'numbers.exists(a, numbers.exists(b, a + b < 0))',
  'numbers.map(a, numbers.filter(b, a == b)).size() > 0',
  'numbers.exists_one(a, numbers.exists_one(b, a == b))',
])('%s is given up over a long list, for what it costs', (expression) => {
  expect(evaluateCel(expression, { numbers: NUMBERS })).toEqual({ ok: false, error: 'operation cancelled: actual cost limit exceeded' });
  expect(evaluateCel(expression, { numbers: NUMBERS.slice(0, 100) })).toMatchObject({ ok: true });
});
