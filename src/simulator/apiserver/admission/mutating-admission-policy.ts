import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../../base/json.ts';
import { append } from '../../../base/lists.ts';
import { evaluateCel } from '../cel.ts';
import { TYPE_NAME } from '../cel/literals.ts';
import { failure } from '../failures.ts';
import { mergeApplied } from '../ownership/merge.ts';
import type { Fields } from '../ownership/shapes.ts';
import { shapeOf } from '../ownership/shapes.ts';
import { schemaOf } from '../ownership/track.ts';
import { applyJsonPatch } from '../../../base/json-patch.ts';
import type { Failure } from '../request.ts';
import { modelNamed } from '../schema/schema.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';
import { putMutated } from './mutated.ts';
import { Rounds } from './reinvocation.ts';
import type { Invocation } from './policies.ts';
import { conditionsMeet, invocationsOf, jsonOf, variablesOf } from './policies.ts';

/**
 * Policies in CEL that change objects, one after another, each mutation on what the one before left.
 * Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/{mutating,generic}.
 */
export const MUTATING_ADMISSION_POLICY: AdmissionPlugin = { name: 'MutatingAdmissionPolicy', admit };

const KINDS = {
  policies: 'mutatingadmissionpolicies.admissionregistration.k8s.io',
  bindings: 'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
};

/** Errors do not end it: those of policies that may not fail are the answer when all have been asked. */
function admit(request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  const errors: string[] = [];
  const invocations = invocationsOf(KINDS, request, around);
  const rounds = invocations.length === 0 ? undefined : (request.rounds ??= new Rounds()).of(KINDS.policies);
  rounds?.begin(request.object);
  for (const invocation of invocations) {
    const { policy, binding } = invocation;
    const name = [policy, binding, 'params' in invocation ? invocation.params : undefined].map((one) => one?.metadata.uid ?? '').join('/');
    if (rounds?.isToBeAsked(name) === false) continue;
    const before = request.object;
    const wrong = 'error' in invocation ? [invocation.error] : apply(invocation, request, around);
    if ('ok' in wrong) return wrong;
    rounds?.asked(name, before, request.object, dig(policy, 'spec', 'reinvocationPolicy'));
    if (dig(policy, 'spec', 'failurePolicy') === 'Ignore') continue;
    append(
      errors,
      wrong.map((words) => `policy '${policy.metadata.name}' with binding '${binding.metadata.name}' denied request: ${words}`),
    );
  }
  rounds?.end(request.object);
  const [first] = errors;
  if (first === undefined) return undefined;
  const { group, plural } = request.resource;
  return failure(403, 'Invalid', first, {
    name: request.name,
    ...(group === '' ? {} : { group }),
    kind: plural,
    causes: errors.map((message) => ({ message })),
  });
}

function apply(
  invocation: Invocation & { readonly params: Parameters<typeof variablesOf>[0]['params'] },
  request: AdmissionRequest,
  around: AdmissionSurroundings,
): readonly string[] | Failure {
  const spec = dig(invocation.policy, 'spec');
  const meets = conditionsMeet(dig(spec, 'matchConditions'), variablesOf(invocation, request, around));
  if (typeof meets === 'string') return [meets];
  if (!meets || request.operation === 'DELETE') return [];
  const errors: string[] = [];
  for (const mutation of asList(dig(spec, 'mutations'))) {
    const isPatch = dig(mutation, 'patchType') === 'JSONPatch';
    const expression = asText(dig(mutation, isPatch ? 'jsonPatch' : 'applyConfiguration', 'expression')) ?? '';
    const outcome = evaluateCel(expression, variablesOf(invocation, request, around));
    const changed: Changed = outcome.ok
      ? (isPatch ? patched : merged)(request, jsonOf(outcome.value))
      : { error: `expression '${expression}' resulted in error: ${outcome.error}` };
    if ('error' in changed) errors.push(changed.error);
    else {
      const failed = putMutated(request, changed.object);
      if (failed !== undefined) return failed;
    }
  }
  return errors;
}

type Changed = { readonly object: Json } | { readonly error: string };

/** Source: …/policy/mutating/patch/json_patch.go. A test that fails leaves the object as it is. */
function patched(request: AdmissionRequest, value: Json): Changed {
  if (!Array.isArray(value)) return { error: 'type mismatch: JSONPatchType.expression should evaluate to array' };
  const operations: JsonObject[] = [];
  for (const operation of asList(value)) {
    const given = isJsonObject(operation) ? operation : {};
    const mistake = wrongType(given['value'], asText(dig(given['value'], TYPE_NAME)) ?? '');
    if (mistake !== undefined) return { error: `type mismatch: ${mistake}` };
    operations.push(withoutTypes(given) as JsonObject);
  }
  const done = applyJsonPatch(request.object, operations);
  if (done.ok) return { object: done.value };
  return done.error.endsWith('test failed') ? { object: request.object } : { error: `JSONPath: ${done.error}` };
}

/** Source: …/policy/mutating/patch/smd.go. */
function merged(request: AdmissionRequest, value: Json): Changed {
  if (!isJsonObject(value) || value[TYPE_NAME] === undefined)
    return { error: 'unsupported return type from ApplyConfiguration expression: map' };
  const mistake = wrongType(value, 'Object');
  if (mistake !== undefined) return { error: `type mismatch: ${mistake}` };
  const schema = schemaOf(request.resource);
  const wanted = withoutTypes(value) as JsonObject;
  const found = inspect(schema, wanted, '');
  if (found.undeclared.length > 0)
    return {
      error: `error applying patch: failed to convert patch object to typed object: ${found.undeclared.map((path) => `${path}: field not declared in schema`).join('\n')}`,
    };
  if (found.atomic.length > 0)
    return {
      error: `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${found.atomic.join(', ')}`,
    };
  return { object: mergeApplied(schema, request.object, wanted) };
}

/** Objects have to be written by the type of the field they are in. */
function wrongType(value: Json | undefined, path: string): string | undefined {
  for (const member of Array.isArray(value) ? asList(value) : []) {
    const mistake = wrongType(member, path);
    if (mistake !== undefined) return mistake;
  }
  if (!isJsonObject(value)) return undefined;
  const type = asText(value[TYPE_NAME]);
  if (type !== undefined && type !== path)
    return `unexpected type name ${JSON.stringify(type)}, expected ${JSON.stringify(path)}, which matches field name path from root Object type`;
  for (const [field, member] of Object.entries(value)) {
    const mistake = wrongType(member, `${path}.${field}`);
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

function withoutTypes(value: Json): Json {
  if (Array.isArray(value)) return asList(value).map(withoutTypes);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, member]) =>
      field === TYPE_NAME || member === undefined ? [] : [[field, withoutTypes(member)]],
    ),
  );
}

interface Inspected {
  readonly undeclared: readonly string[];
  readonly atomic: readonly string[];
}

/** Fields that there are not, and what can only be set in one piece. */
function inspect(fields: Fields, value: JsonObject, path: string): Inspected {
  const undeclared: string[] = [];
  const atomic: string[] = [];
  const known = fields !== undefined && 'model' in fields ? modelNamed(fields.model).fields : undefined;
  const add = (of: Fields, member: Json | undefined, at: string): void => {
    if (!isJsonObject(member)) return;
    const inner = inspect(of, member, at);
    append(undeclared, inner.undeclared);
    append(atomic, inner.atomic);
  };
  for (const [field, member] of Object.entries(value)) {
    const at = `${path}.${field}`;
    if (known?.has(field) === false) {
      undeclared.push(at);
      continue;
    }
    const shape = shapeOf(fields, field);
    if (shape.is === 'whole' && typeof member === 'object' && member !== null) atomic.push(at);
    if (shape.is === 'object') add(shape.of, member, at);
    if (shape.is === 'keyed')
      for (const [index, one] of asList(member).entries())
        add(shape.members.is === 'object' ? shape.members.of : undefined, one, `${at}[${index}]`);
  }
  return { undeclared, atomic };
}
