import type { Compiled } from '../cel/compile/compile.ts';
import { compileTyped } from '../cel/compile/compile.ts';
import { NAMESPACE_TYPE, objectType, REQUEST_TYPE } from '../cel/compile/declared.ts';
import type { Type } from '../cel/compile/types.ts';
import { DYN, listOf } from '../cel/compile/types.ts';

/** What the expressions of a policy or webhook can name, besides the request and its objects. */
export interface PolicyScope {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  readonly variables?: PolicyVariables;
  /** Whether objects and patches can be written by their type. */
  readonly hasPatches?: boolean;
  /** Types of `object` and `params`, where they are known. */
  readonly object?: Type;
  readonly params?: Type;
}

/** The variables of a policy: each can use those before it. */
export class PolicyVariables {
  readonly #types = new Map<string, Type>();
  readonly type: Type = { name: 'kubernetes.variables', field: (name) => this.#types.get(name) };

  /** A variable whose type is not known can be anything. */
  add(name: string, type: Type = DYN): void {
    this.#types.set(name, type);
  }
}

/** An expression of a policy, compiled. Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/cel/{compile,composition}.go. */
export function compileIn(scope: PolicyScope, expression: string, wanted: readonly Type[]): Compiled {
  return compileTyped(expression, { variables: namesIn(scope), ...(scope.hasPatches === true ? { objects: patchObject } : {}) }, wanted);
}

const AUTHORIZER: Type = { name: 'kubernetes.authorization.Authorizer' };
const RESOURCE_CHECK: Type = { name: 'kubernetes.authorization.ResourceCheck' };

function namesIn({ hasParams, hasAuthorizer, variables, object, params }: PolicyScope): ReadonlyMap<string, Type> {
  return new Map<string, Type>([
    ['object', object ?? DYN],
    ['oldObject', object ?? DYN],
    ['request', REQUEST_TYPE],
    ['namespaceObject', NAMESPACE_TYPE],
    ...(hasParams ? [['params', params ?? DYN] as const] : []),
    ...(hasAuthorizer ? [['authorizer', AUTHORIZER] as const, ['authorizer.requestResource', RESOURCE_CHECK] as const] : []),
    ...(variables === undefined ? [] : [['variables', variables.type] as const]),
  ]);
}

/** Source: staging/src/k8s.io/apiserver/pkg/cel/mutation/{typeresolver,jsonpatch}.go. */
function patchObject(name: string): Type | undefined {
  if (name === 'JSONPatch') return JSON_PATCH;
  return name === 'Object' || name.startsWith('Object.') ? { name, field: () => DYN } : undefined;
}

const JSON_PATCH = objectType('JSONPatch', { op: 'string', path: 'string', from: 'string', value: 'dyn' });

/** What mutations have to come to. */
export const OBJECT: Type = { name: 'Object' };
export const JSON_PATCHES: Type = listOf(JSON_PATCH);
