import { withoutTail } from '../../base/text.ts';
import { formatInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Course } from '../../model/watch-change.ts';
import { clusterLine } from '../format/cluster-text.ts';

/** Source: pkg/apis/core/validation/events.go (NoteLengthLimit). */
const MOST_CHARACTERS = 1024;
/** Source: staging/src/k8s.io/api/core/v1/types.go: events of what is in no namespace are in this one. */
const DEFAULT_NAMESPACE = 'default';

/** An Event on a workload that says why it is not healthy. Its name is of the cause, so that there is one of each. */
export function eventJson({ cause, since, foundAt, times }: Course, { apiVersion, kind, metadata }: KubeObject): JsonObject {
  const { name, namespace, uid } = metadata;
  const fix = cause.fix.find((step) => step.run !== undefined)?.run;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: eventName(name, cause.fingerprint), namespace: namespace ?? DEFAULT_NAMESPACE },
    involvedObject: { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }) },
    related: { ...cause.object },
    type: 'Warning',
    reason: reasonOf(cause.rule),
    action: 'Diagnose',
    message: clusterLine(`${cause.says}${fix === undefined ? '' : ` Fix: ${fix}`}`, MOST_CHARACTERS - 1),
    firstTimestamp: formatInstant(since),
    lastTimestamp: formatInstant(foundAt),
    count: times,
    source: { component: REPORTER },
    reportingComponent: REPORTER,
    reportingInstance: REPORTER,
  };
}

const REPORTER = 'podcheck.dev/watch';

/** `volumes/configmap-not-found` is `ConfigmapNotFound`. */
function reasonOf(rule: string): string {
  const words = (rule.split('/').at(-1) ?? rule).split('-');
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join('');
}

/** At most 253 characters, as every name. */
function eventName(workload: string, fingerprint: string): string {
  return `${withoutTail(workload.slice(0, 200), '.-')}.${fingerprint.slice(0, 16)}`;
}
