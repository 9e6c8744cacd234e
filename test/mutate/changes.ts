import type { Node } from 'oxc-parser';

/** A stretch of a source and what takes its place. Offsets count as those of a string. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly becomes: string;
}

/** What a node itself may be changed into, without what is in it. */
export function changesOf(node: Node, source: string): readonly Change[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operatorChanges(node, source);
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === '-' ? [change(node, source.slice(node.argument.start, node.argument.end))] : [];
    case 'UpdateExpression':
      return [change(node, source.slice(node.start, node.end).replace(node.operator, node.operator === '++' ? '--' : '++'))];
    case 'AssignmentExpression':
      return node.operator === '+=' || node.operator === '-='
        ? [between(node.left, node.right, node.operator === '+=' ? ' -= ' : ' += ')]
        : [];
    case 'IfStatement':
    case 'ConditionalExpression':
      return [change(node.test, 'true'), change(node.test, 'false')];
    case 'WhileStatement':
      return [change(node.test, 'false')];
    case 'ExpressionStatement':
      return 'directive' in node && node.directive !== undefined && node.directive !== null ? [] : [change(node, ';')];
    case 'ContinueStatement':
    case 'BreakStatement':
      return [change(node, ';')];
    case 'Literal':
      return literalChanges(node);
    case 'CallExpression':
      return callChanges(node);
    default:
      return [];
  }
}

/** A bound is moved by one step and turned round; everything else has one opposite. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};

function operatorChanges(node: Extract<Node, { type: 'BinaryExpression' | 'LogicalExpression' }>, source: string): readonly Change[] {
  const { left, right, operator } = node;
  if (operator === '??') return [change(node, source.slice(left.start, left.end))];
  if (operator === '+' && (isText(left) || isText(right))) return [];
  return (OPERATORS[operator] ?? []).map((other) => between(left, right, ` ${other} `));
}

function isText(node: Node): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

function literalChanges(node: Extract<Node, { type: 'Literal' }>): readonly Change[] {
  if (typeof node.value === 'boolean') return [change(node, String(!node.value))];
  if (typeof node.value === 'number') return [change(node, String(node.value + 1))];
  // A text with a blank in it is for a person to read: what it says is no behaviour.
  if (typeof node.value === 'string' && !node.value.includes(' ')) return [change(node, node.value === '' ? "'mutated'" : "''")];
  return [];
}

/** Methods that are taken for one another. */
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  find: 'findLast',
  findLast: 'find',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
};

function callChanges({ callee }: Extract<Node, { type: 'CallExpression' }>): readonly Change[] {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return [];
  const other = Object.hasOwn(METHODS, callee.property.name) ? METHODS[callee.property.name] : undefined;
  return other === undefined ? [] : [change(callee.property, other)];
}

function change({ start, end }: { readonly start: number; readonly end: number }, becomes: string): Change {
  return { start, end, becomes };
}

/** The operator stands between its two sides, which may be in parentheses. */
function between(left: Node, right: Node, becomes: string): Change {
  return { start: left.end, end: right.start, becomes };
}
