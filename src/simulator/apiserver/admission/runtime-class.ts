import { asList, asObject, asText, asTextMap, dig } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { failure, forbidden } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';

/** Pods of a RuntimeClass get its overhead, its nodes and its tolerations. Source: plugin/pkg/admission/runtimeclass/admission.go. */
export const RUNTIME_CLASS: AdmissionPlugin = { name: 'RuntimeClass', kinds: new Set(['pods']), admit, validate };

function admit(request: AdmissionRequest, { store }: AdmissionSurroundings): Failure | undefined {
  if (request.operation !== 'CREATE' || request.subresource !== undefined) return undefined;
  const of = { group: '', resource: 'pods' };
  const spec = asObject(request.object['spec']);
  const name = asText(spec['runtimeClassName']) ?? '';
  if (name === '') return undefined;
  // A client of Go does not ask for a name that is no part of a path.
  if (name.includes('/')) return failure(500, '', `invalid resource name "${name}": [may not contain '/']`);
  const runtime = store.get('runtimeclasses.node.k8s.io', undefined, name);
  if (runtime === undefined) return forbidden(of, request.name, `pod rejected: RuntimeClass "${name}" not found`);
  const overhead = dig(runtime, 'overhead', 'podFixed');
  if (overhead !== undefined && Object.keys(asObject(spec['overhead'])).length > 0 && !sameJson(spec['overhead'], overhead))
    return forbidden(of, request.name, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  const scheduling = withScheduling(request, runtime);
  if (typeof scheduling === 'string') return forbidden(of, request.name, scheduling);
  request.object = withFields(request.object, {
    spec: withFields(spec, { ...(overhead === undefined ? {} : { overhead }), ...scheduling }),
  });
  return undefined;
}

function validate(request: AdmissionRequest, { store }: AdmissionSurroundings): Failure | undefined {
  if (request.operation !== 'CREATE' || request.subresource !== undefined) return undefined;
  const spec = asObject(request.object['spec']);
  const runtime = store.get('runtimeclasses.node.k8s.io', undefined, asText(spec['runtimeClassName']) ?? '');
  if (spec['overhead'] === undefined || dig(runtime, 'overhead') !== undefined) return undefined;
  const why = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
  return forbidden({ group: '', resource: 'pods' }, request.name, why);
}

function withScheduling(
  request: AdmissionRequest,
  runtime: KubeObject,
): { readonly nodeSelector?: Readonly<Record<string, string>>; readonly tolerations?: ReturnType<typeof asList> } | string {
  const spec = asObject(request.object['spec']);
  const selector = asTextMap(dig(runtime, 'scheduling', 'nodeSelector'));
  const own = asTextMap(spec['nodeSelector']);
  for (const [key, value] of Object.entries(selector)) {
    if (own[key] !== undefined && own[key] !== value)
      return `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`;
  }
  const tolerations = asList(dig(runtime, 'scheduling', 'tolerations'));
  const mine = asList(spec['tolerations']);
  const added = tolerations.filter((toleration) => !mine.some((one) => sameJson(one, toleration)));
  return {
    ...(Object.keys(selector).length === 0 ? {} : { nodeSelector: { ...own, ...selector } }),
    ...(added.length === 0 ? {} : { tolerations: [...mine, ...added] }),
  };
}
