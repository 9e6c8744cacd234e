import type { Node } from 'oxc-parser';

/** The name that V8 gives to the function which a declaration, a variable or a member holds; none for everything else. */
export function functionNames(node: Node): readonly string[] {
  const name = functionName(node);
  return name === undefined ? [] : [name];
}

function functionName(node: Node): string | undefined {
  switch (node.type) {
    case 'FunctionDeclaration':
      return node.id?.name;
    case 'VariableDeclarator':
      return node.id.type === 'Identifier' && isFunction(node.init) ? node.id.name : undefined;
    case 'Property':
    case 'PropertyDefinition':
      return isFunction(node.value) ? keyName(node.key) : undefined;
    case 'MethodDefinition':
      return node.kind === 'get' || node.kind === 'set'
        ? `${node.kind} ${keyName(node.key) ?? ''}`
        : node.kind === 'constructor'
          ? undefined
          : keyName(node.key);
    default:
      return undefined;
  }
}

function isFunction(node: Node | null): boolean {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';
}

function keyName(key: Node): string | undefined {
  return key.type === 'Identifier' ? key.name : key.type === 'PrivateIdentifier' ? `#${key.name}` : undefined;
}
