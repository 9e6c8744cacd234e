import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import { modelType, schemaType } from '../cel/compile/declared.ts';
import type { Type } from '../cel/compile/types.ts';
import type { Resources, ServedResource } from '../resources.ts';
import type { PolicyScope } from './policy-expressions.ts';
import { compileIn, PolicyVariables } from './policy-expressions.ts';

/**
 * What the status of a validating policy says of its expressions, for each kind it is for whose fields are known.
 * Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/typechecking.go.
 */
export function typeChecking(policy: JsonObject, resources: Resources): JsonObject {
  const kinds = kindsOf(policy, resources);
  const params = paramsOf(policy, resources);
  const warnings: JsonObject[] = [];
  for (const [index, validation] of asList(dig(policy, 'spec', 'validations')).entries()) {
    for (const field of ['expression', 'messageExpression']) {
      const expression = asText(dig(validation, field)) ?? '';
      if (expression === '') continue;
      const warning = kinds.flatMap((kind) => check(policy, expression, kind, params)).join('\n');
      if (warning !== '') warnings.push({ fieldRef: `spec.validations[${index}].${field}`, warning });
    }
  }
  return warnings.length === 0 ? {} : { expressionWarnings: warnings };
}

function check(policy: JsonObject, expression: string, kind: ServedResource, params: Type | undefined): readonly string[] {
  const object = typeOf(kind);
  const variables = asList(dig(policy, 'spec', 'variables'));
  const known = new PolicyVariables();
  const scope: PolicyScope = {
    hasParams: params !== undefined,
    hasAuthorizer: true,
    variables: known,
    ...(object === undefined ? {} : { object }),
    ...(params === undefined ? {} : { params }),
  };
  for (const variable of variables) {
    const compiled = compileIn(scope, asText(dig(variable, 'expression')) ?? '', []);
    known.add(asText(dig(variable, 'name')) ?? '', compiled.ok ? compiled.type : undefined);
  }
  const compiled = compileIn(scope, expression, []);
  if (compiled.ok) return [];
  return [`${kind.group}/${kind.version}, Kind=${kind.kind}: ${compiled.error.replace(/^compilation failed: /, '')}\n`];
}

const MOST_KINDS = 10;

/** Only kinds that a rule names; none of a rule with an asterisk. */
function kindsOf(policy: JsonObject, resources: Resources): readonly ServedResource[] {
  const found = new Map<string, ServedResource>();
  for (const rule of asList(dig(policy, 'spec', 'matchConstraints', 'resourceRules'))) {
    const [groups, versions, names] = ['apiGroups', 'apiVersions', 'resources'].map((field) => asList(dig(rule, field)).map(textOf)) as [
      string[],
      string[],
      string[],
    ];
    if ([...groups, ...versions].some((one) => one.includes('*'))) continue;
    const asked = groups.flatMap((group) =>
      versions.flatMap((version) => names.filter((name) => !/[*/]/.test(name)).map((name) => resources.at(group, version, name))),
    );
    for (const resource of asked)
      if (resource !== undefined && found.size < MOST_KINDS) found.set(`${resource.group}/${resource.version}/${resource.kind}`, resource);
  }
  return [...found.keys()].sort().flatMap((key) => found.get(key) ?? []);
}

function paramsOf(policy: JsonObject, resources: Resources): Type | undefined {
  const kind: Json | undefined = dig(policy, 'spec', 'paramKind');
  const resource = resources.ofKind(asText(dig(kind, 'apiVersion')) ?? '', asText(dig(kind, 'kind')) ?? '');
  return resource === undefined ? undefined : typeOf(resource);
}

/** A real server makes the name up of the kind and the clock. */
function typeOf({ model, custom, kind }: ServedResource): Type | undefined {
  if (model !== undefined) return modelType(model, kind);
  return custom === undefined ? undefined : schemaType(custom.schema, kind, true);
}
