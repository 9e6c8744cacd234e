import type { Declarations } from './checker.ts';
import { checkExpression } from './checker.ts';
import { formatIssues } from './issues.ts';
import { parseExpression } from './parser.ts';
import type { Type } from './types.ts';

export type Compiled = { readonly ok: true; readonly type: Type } | { readonly ok: false; readonly error: string };

/** What is wrong with an expression before it is ever worked out, line by line, as the API server has it; or its type. */
export function compileExpression(text: string, declarations: Declarations): Compiled {
  const { expression, issues } = parseExpression(text);
  if (issues.length > 0) return { ok: false, error: formatIssues(text, issues) };
  const checked = checkExpression(expression, declarations);
  return checked.issues.length > 0 ? { ok: false, error: formatIssues(text, checked.issues) } : { ok: true, type: checked.type };
}

/**
 * The same for an expression that has to come to one of some types.
 * Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/cel/compile.go.
 */
export function compileTyped(text: string, declarations: Declarations, wanted: readonly Type[]): Compiled {
  const compiled = compileExpression(text, declarations);
  if (!compiled.ok) return { ok: false, error: `compilation failed: ${compiled.error}` };
  if (wanted.length === 0 || wanted.some((type) => nameOf(type) === nameOf(compiled.type))) return compiled;
  const names = wanted.map(nameOf);
  return {
    ok: false,
    error: `must evaluate to ${names.length === 1 ? (names[0] ?? '') : `one of [${names.join(' ')}]`} but got ${nameOf(compiled.type)}`,
  };
}

/** A type as Go prints it. */
function nameOf(type: Type): string {
  return type.parts === undefined || type.parts.length === 0 ? type.name : `${type.name}(${type.parts.map(nameOf).join(', ')})`;
}
