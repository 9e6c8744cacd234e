import type { JsonObject } from '../../../base/json.ts';
import { asNumber, asObject, asText } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { forbidden } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';

/** Turns the name of a priority class into a number; there is one default class. Source: plugin/pkg/admission/priority/admission.go. */
export const PRIORITY: AdmissionPlugin = {
  name: 'Priority',
  kinds: new Set(['pods', 'priorityclasses.scheduling.k8s.io']),
  admit,
  validate,
};

function admit(request: AdmissionRequest, { store }: AdmissionSurroundings): Failure | undefined {
  if (request.resource.key !== 'pods' || request.subresource !== undefined) return undefined;
  if (request.operation !== 'CREATE') return keepPriority(request);
  const of = { group: '', resource: 'pods' };
  const spec = asObject(request.object['spec']);
  const name = asText(spec['priorityClassName']) ?? '';
  const priorityClass = name === '' ? defaultClass(store.list(CLASSES)) : store.get(CLASSES, undefined, name);
  if (name !== '' && priorityClass === undefined) return forbidden(of, request.name, `no PriorityClass with name ${name} was found`);
  const computed = {
    priority: asNumber(priorityClass?.['value']) ?? 0,
    preemptionPolicy: asText(priorityClass?.['preemptionPolicy']) ?? 'PreemptLowerPriority',
  };
  const wrong = contradiction(spec, computed);
  if (wrong !== undefined) return forbidden(of, request.name, wrong);
  const className = priorityClass?.metadata.name;
  request.object = withFields(request.object, {
    spec: withFields(spec, { ...computed, ...(className === undefined ? {} : { priorityClassName: className }) }),
  });
  return undefined;
}

/** Who replaces a pod need not name what was computed for it. */
function keepPriority(request: AdmissionRequest): undefined {
  if (request.operation !== 'UPDATE') return;
  const [spec, before] = [asObject(request.object['spec']), asObject(request.old?.['spec'])];
  const [priority, preemptionPolicy] = [spec['priority'] ?? before['priority'], spec['preemptionPolicy'] ?? before['preemptionPolicy']];
  request.object = withFields(request.object, { spec: withFields(spec, { priority, preemptionPolicy }) });
}

interface Computed {
  readonly priority: number;
  readonly preemptionPolicy: string;
}

/** What the pod says itself must be what follows from its class. */
function contradiction(spec: JsonObject, { priority, preemptionPolicy }: Computed): string | undefined {
  const given = asNumber(spec['priority']);
  if (given !== undefined && given !== priority)
    return `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`;
  const givenPolicy = asText(spec['preemptionPolicy']);
  if (givenPolicy !== undefined && givenPolicy !== preemptionPolicy)
    return `the string value of PreemptionPolicy (${givenPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`;
  return undefined;
}

function validate(request: AdmissionRequest, { store }: AdmissionSurroundings): Failure | undefined {
  if (request.resource.key !== CLASSES || request.operation === 'DELETE' || request.object['globalDefault'] !== true) return undefined;
  const other = defaultClass(store.list(CLASSES));
  if (other === undefined || other.metadata.name === request.name) return undefined;
  return forbidden(
    { group: 'scheduling.k8s.io', resource: 'priorityclasses' },
    request.name,
    `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`,
  );
}

const CLASSES = 'priorityclasses.scheduling.k8s.io';

/** Of several marked as default the one of lowest value. */
function defaultClass(classes: readonly KubeObject[]): KubeObject | undefined {
  let found: KubeObject | undefined;
  for (const one of classes)
    if (one['globalDefault'] === true && (found === undefined || (asNumber(one['value']) ?? 0) < (asNumber(found['value']) ?? 0)))
      found = one;
  return found;
}
