import { describe, expect, test } from 'vitest';
import { compileTyped } from '../../../../../src/simulator/apiserver/cel/compile/compile.ts';
import { modelType, NAMESPACE_TYPE, REQUEST_TYPE } from '../../../../../src/simulator/apiserver/cel/compile/declared.ts';
import type { Type } from '../../../../../src/simulator/apiserver/cel/compile/types.ts';
import { BOOL, DYN } from '../../../../../src/simulator/apiserver/cel/compile/types.ts';

const variables = new Map<string, Type>([
  ['object', DYN],
  ['request', REQUEST_TYPE],
  ['namespaceObject', NAMESPACE_TYPE],
  ['web', modelType('V1Deployment', 'Deployment')],
]);

/** Errors without the lines that show their places. */
function errorsOf(expression: string): readonly string[] {
  const compiled = compileTyped(expression, { variables }, [BOOL]);
  return compiled.ok
    ? []
    : compiled.error
        .replace(/^compilation failed: /, '')
        .split('\n')
        .filter((line) => !line.startsWith(' | '))
        .map((line) => line.replace(/^ERROR: <input>:/, ''));
}

const OPERANDS = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

test('of conditions there may be as many as one likes', () => {
  expect(errorsOf(Array.from({ length: 3000 }, (_, index) => `object.a != ${index}`).join(' && '))).toEqual([]);
});

describe('an expression that cannot be read', () => {
  test.each<[string, ...string[]]>([
    ['object.spec.replicas <=', `1:24: Syntax error: mismatched input '<EOF>' expecting ${OPERANDS}`],
    ['size(object.spec.containers > 0', "1:32: Syntax error: missing ')' at '<EOF>'"],
    ['size(object.spec.containers)) > 0', "1:29: Syntax error: mismatched input ')' expecting <EOF>"],
    ['has(object.spec))', "1:17: Syntax error: extraneous input ')' expecting <EOF>"],
    ['object.ready and true', "1:14: Syntax error: mismatched input 'and' expecting <EOF>"],
    [
      'object.replicas = 5',
      "1:17: Syntax error: token recognition error at: '= '",
      "1:19: Syntax error: extraneous input '5' expecting <EOF>",
    ],
    [`${'['.repeat(300)}1${']'.repeat(300)} == []`, '-1:0: expression recursion limit exceeded: 250'],
    [`${'1 + '.repeat(300)}1 == 301`, '-1:0: max recursion depth exceeded'],
    [`object${'.spec'.repeat(300)} == 1`, '-1:0: max recursion depth exceeded'],
    ['object.', "1:8: Syntax error: no viable alternative at input '.'"],
    ['object.true == 1', "1:8: Syntax error: mismatched input 'true' expecting IDENTIFIER"],
    ['1 + * 2 == 2', `1:5: Syntax error: extraneous input '*' expecting ${OPERANDS}`],
    ['[1, 2', "1:6: Syntax error: mismatched input '<EOF>' expecting {']', ','}"],
    ['{"a"}', "1:5: Syntax error: mismatched input '}' expecting ':'"],
    [
      "'shop",
      "1:1: Syntax error: token recognition error at: ''shop'",
      `1:6: Syntax error: mismatched input '<EOF>' expecting ${OPERANDS}`,
    ],
    ['true ? false', "1:13: Syntax error: mismatched input '<EOF>' expecting ':'"],
    ['if', '1:1: reserved identifier: if'],
    ['has(object)', '1:5: invalid argument to has() macro'],
    ['object.items.all("a", true)', '1:18: argument is not an identifier'],
    ['--', "1:3: Syntax error: no viable alternative at input '-'", `1:3: Syntax error: mismatched input '<EOF>' expecting ${OPERANDS}`],
    ['99999999999999999999 == 1', '1:1: invalid int literal'],
  ])('%s', (expression, ...errors) => {
    expect(errorsOf(expression)).toEqual(errors);
  });

  test('is shown with a mark under each place, line by line', () => {
    const compiled = compileTyped('object.a ==\n\tsize(objekt) && "é" == 1', { variables }, [BOOL]);
    expect(compiled).toEqual({
      ok: false,
      error: [
        "compilation failed: ERROR: <input>:2:7: undeclared reference to 'objekt' (in container '')",
        ' |  size(objekt) && "é" == 1',
        ' | ......^',
        "ERROR: <input>:2:22: found no matching overload for '_==_' applied to '(string, int)'",
        ' |  size(objekt) && "é" == 1',
        ' | ..................．..^',
      ].join('\n'),
    });
  });
});

describe('an expression whose types do not fit', () => {
  test.each<[string, string]>([
    ['deployment.spec.replicas > 1', "1:1: undeclared reference to 'deployment' (in container '')"],
    ['object.name.startWith("web")', "1:22: undeclared reference to 'startWith' (in container '')"],
    ['request.userName == "ada"', "1:8: undefined field 'userName'"],
    ['request.operation == 1', "1:19: found no matching overload for '_==_' applied to '(string, int)'"],
    ['request.operation.matches("(")', '1:27: invalid matches argument'],
    ['namespaceObject.metadata.labels.exists(k, k == 1)', "1:45: found no matching overload for '_==_' applied to '(string, int)'"],
    ['object.containers.all(c, 1)', "1:26: expected type 'bool' but found 'int'"],
    [
      'object.containers.filter(c, "a").size() == 1',
      "1:25: found no matching overload for '_?_:_' applied to '(string, list(dyn), list(dyn))'",
    ],
    [
      'request.operation.all(o, o == "a")',
      "1:8: expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ['request.name && true', "1:8: expected type 'bool' but found 'string'"],
    ['!1', "1:1: found no matching overload for '!_' applied to '(int)'"],
    ['[1, "a"].size() == 2', "1:5: expected type 'int' but found 'string'"],
    ['"a".contains(1)', "1:13: found no matching overload for 'contains' applied to 'string.(int)'"],
    ['web.replicas > 1', "1:4: undefined field 'replicas'"],
    ['web.spec.template.spec.containers.all(c, c.imag != "")', "1:43: undefined field 'imag'"],
    ['web.spec.replicas == null', "1:19: found no matching overload for '_==_' applied to '(int, null)'"],
    ['request.name.length', "1:13: type 'string' does not support field selection"],
    ['object.spec.paused', 'must evaluate to bool but got dyn'],
    ['size(object.items)', 'must evaluate to bool but got int'],
    ['["a"]', 'must evaluate to bool but got list(string)'],
  ])('%s', (expression, error) => {
    expect(errorsOf(expression)).toEqual([error]);
  });

  test.each([
    'object.spec.replicas <= 5 && object.metadata.name.startsWith("web-")',
    'object.spec.?replicas.orValue(1) < 3',
    'object.spec.containers.map(c, c.image).exists(i, i.contains(":latest")) || has(object.metadata.labels.app)',
    'quantity(object.limit).isLessThan(quantity("1Gi")) && ip("10.0.0.1").family() == 4 && cidr("10.0.0.0/8").containsIP("10.0.0.1")',
    'sets.contains(["a"], object.names) && format.dns1123Label().validate("web").hasValue() == false',
    'object.items.transformMap(k, v, v.size()).all(k, v, v > 0) && [1, 2, 3].sum() == 6',
    'web.spec.template.metadata.labels["app"] == "web" && web.metadata.creationTimestamp < timestamp("2030-01-01T00:00:00Z")',
    'object.metadata.labels[r"app"].matches(r"^web-\\d+$") == true',
    'request.userInfo.groups.exists(g, g in ["admins"]) ? true : object.spec.paused == false',
    'type(object) == map || -1 < 2u',
  ])('and this one fits: %s', (expression) => {
    expect(errorsOf(expression)).toEqual([]);
  });
});
