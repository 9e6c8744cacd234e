import type { JsonObject } from '../../../base/json.ts';
import { asText, dig } from '../../../base/json.ts';
import { parsedObject } from '../../../base/parsed-json.ts';
import { withoutUndefined } from '../../../base/without-undefined.ts';
import type { EventRow } from './event-row.ts';
import { MAX_ROW, refOf } from './event-row.ts';

/** Layouts in which every event is a sentence: dumps of e2e tests, the recorder's own log line. */
const EVENT_IN_LOG = /event for ([\w.-]{1,253}): \{([\w.-]{1,100}) {0,2}([\w.:-]{0,253}) {0,2}\} ([A-Z][A-Za-z]{2,80}): (.*)/;
const RECORDED =
  /Event\((?:\w{1,10}\.)?ObjectReference\{Kind:"(\w{1,63})", Namespace:"([^"]{0,253})", Name:"([^"]{1,253})"[^}]{0,500}?(?:FieldPath:"([^"]{0,300})")?\}\): type: '(\w{1,20})' reason: '(\w{1,80})' (.*)/;

/** What the API server did not take, as Go prints an event of core or of events.k8s.io. Source: client-go tools/record/event.go (recordEvent). */
const REJECTED =
  /(?:Reason:"(\w{1,80})", Regarding|InvolvedObject):v1\.ObjectReference\{Kind:"(\w{1,63})", Namespace:"([^"]{0,253})", Name:"([^"]{1,253})"[^}]{0,500}\}, (?:Reason:"(\w{1,80})", Message|Related:[^,]{1,60}, Note):"((?:[^"\\]|\\.){0,4000})"/;

/** The same by the String method of the type, as recorders since 1.20 print it. Source: api/core/v1/generated.pb.go (Event). */
const REJECTED_STRING =
  /InvolvedObject:ObjectReference\{Kind:(\w{1,63}),Namespace:([^,{}]{0,253}),Name:([^,{}]{1,253}),[^}]{0,500}(?:\},)?\},Reason:(\w{1,80}),Message:(.{0,4000}?),Source:EventSource\{Component:([^,{}]{0,100}),Host:([^,{}]{0,253}),\}/;

/** As recorders log since 1.20. Source: staging/src/k8s.io/client-go/tools/record/event.go (StartStructuredLogging). */
const OCCURRED =
  /"Event occurred" object="(?:([a-z0-9][a-z0-9-]{0,62})\/)?([a-z0-9][\w.:-]{0,252})"(?: fieldPath="([^"]{0,300})")? kind="(\w{1,63})"(?: apiVersion="[^"]{0,100}")? type="(\w{1,20})" reason="(\w{1,80})" message=("(?:[^"\\]|\\.){0,4000}")/;

/** As the Kubernetes plugin of Jenkins prints the events of its pods. */
const BRACKETED = /^\s{0,40}\[(Normal|Warning)\]\[([a-z0-9][a-z0-9-]{0,62})\/([a-z0-9][\w.-]{0,252})\]\[([A-Z][A-Za-z]{2,80})\] (.*)/;

/** As Airflow prints the events of a pod that does not start. Source: airflow/providers/cncf/kubernetes utils/pod_manager.py. */
const OF_AIRFLOW = /\bPod Event: ([A-Z][A-Za-z]{2,80}) - (.*)/;

/** What a provisioner logs of a claim. Source: sig-storage-lib-external-provisioner controller/controller.go (provisionClaimOperation). */
const PROVISIONED =
  /\bprovision "([a-z0-9][a-z0-9-]{0,62})\/([a-z0-9][\w.-]{0,252})" class "([^"]{0,253})": (?:volume provisioning failed|failed to provision volume)[^:]{0,300}: (.*)/;

function provisionedEvent(text: string): EventRow | undefined {
  const [all, namespace, name = '', storageClass = '', error = ''] = PROVISIONED.exec(text) ?? [];
  if (all === undefined) return undefined;
  const message = `failed to provision volume with StorageClass "${storageClass}": ${error}`;
  return {
    type: 'Warning',
    reason: 'ProvisioningFailed',
    message,
    age: '',
    source: '',
    about: refOf('PersistentVolumeClaim', name, namespace),
  };
}

/** An event that a line of a log describes. */
export function eventInLog(line: string): EventRow | undefined {
  const text = line.slice(0, MAX_ROW);
  return (
    dumpedEvent(text) ??
    recordedEvent(text) ??
    occurredEvent(text) ??
    bracketedEvent(text) ??
    airflowEvent(text) ??
    provisionedEvent(text) ??
    runtimeEvent(text)
  );
}

function occurredEvent(text: string): EventRow | undefined {
  const occurred = text.includes('"Event occurred" ') ? OCCURRED.exec(text) : null;
  if (occurred === null) return undefined;
  const [, namespace, name = '', fieldPath, kind = '', type = '', reason = '', message = ''] = occurred;
  return withoutUndefined({
    type,
    reason,
    message: message.slice(1, -1).replaceAll('\\"', '"'),
    age: '',
    source: '',
    about: refOf(kind, name, namespace),
    fieldPath: fieldPath === '' ? undefined : fieldPath,
  });
}

function bracketedEvent(text: string): EventRow | undefined {
  const [all, type = '', namespace = '', name = '', reason = '', message = ''] = BRACKETED.exec(text) ?? [];
  return all === undefined ? undefined : { type, reason, message, age: '', source: '', about: { kind: 'Pod', namespace, name } };
}

function airflowEvent(text: string): EventRow | undefined {
  const [all, reason = '', message = ''] = OF_AIRFLOW.exec(text) ?? [];
  return all === undefined ? undefined : { type: typeOf(reason), reason, message, age: '', source: '' };
}

/** The type of an event that was printed without it. */
function typeOf(reason: string): string {
  return reason.startsWith('Fail') || reason === 'BackOff' || reason === 'Unhealthy' ? 'Warning' : 'Normal';
}

function dumpedEvent(text: string): EventRow | undefined {
  const parts = text.includes('event for ') ? EVENT_IN_LOG.exec(text) : null;
  if (parts === null) return undefined;
  const [, name = '', component = '', host = '', reason = '', message = ''] = parts;
  return {
    type: typeOf(reason),
    reason,
    message,
    age: '',
    source: host === '' ? component : `${component}, ${host}`,
    about: { kind: 'Pod', name },
  };
}

function recordedEvent(text: string): EventRow | undefined {
  if (!text.includes('ObjectReference{')) return undefined;
  const recorded = RECORDED.exec(text);
  if (recorded === null) return rejectedEvent(text);
  const [, kind = '', namespace, name = '', fieldPath, type = '', reason = '', message = ''] = recorded;
  return withoutUndefined({
    type,
    reason,
    message,
    age: '',
    source: '',
    about: refOf(kind, name, namespace === '' ? undefined : namespace),
    fieldPath: fieldPath === '' ? undefined : fieldPath,
  });
}

function rejectedEvent(text: string): EventRow | undefined {
  const rejected = REJECTED.exec(text);
  if (rejected === null) return stringOfEvent(text);
  const [, first, kind = '', namespace, name = '', reason = first ?? '', message = ''] = rejected;
  const [, component, host] = /\bEventSource\{Component:"([^"]{1,100})", Host:"([^"]{1,253})"\}/.exec(text) ?? [];
  return {
    type: text.includes(', Type:"Normal"') ? 'Normal' : 'Warning',
    reason,
    message: message.replaceAll('\\"', '"'),
    age: '',
    source: component === undefined ? '' : `${component}, ${host}`,
    about: refOf(kind, name, namespace === '' ? undefined : namespace),
  };
}

function stringOfEvent(text: string): EventRow | undefined {
  const [all, kind = '', namespace, name = '', reason = '', message = '', component = '', host = ''] = REJECTED_STRING.exec(text) ?? [];
  if (all === undefined) return undefined;
  return {
    type: text.includes(',Type:Normal,') ? 'Normal' : 'Warning',
    reason,
    message: message.replaceAll('\\"', '"'),
    age: '',
    source: host === '' ? component : `${component}, ${host}`,
    about: refOf(kind, name, namespace === '' ? undefined : namespace),
  };
}

/**
 * As controllers log the events that they record, in JSON or behind a message for a console. The type was the message before 0.10. Source:
 * sigs.k8s.io/controller-runtime pkg/internal/recorder (NewProvider).
 */
function runtimeEvent(text: string): EventRow | undefined {
  if (!text.includes('"object"') || !text.includes('"reason"')) return undefined;
  const start = text.indexOf('{"');
  const entry = start < 0 ? undefined : parsedObject(text.slice(start));
  const [kind, name, reason] = [dig(entry, 'object', 'kind'), dig(entry, 'object', 'name'), entry?.['reason']].map(asText);
  if (kind === undefined || name === undefined || reason === undefined || name === '') return undefined;
  const [type, message] = typeAndMessage(entry ?? {}, text.slice(0, start));
  if (!/^(?:Normal|Warning)$/.test(type) || message === '') return undefined;
  return { type, reason, message, age: '', source: '', about: refOf(kind, name, asText(dig(entry, 'object', 'namespace'))) };
}

function typeAndMessage(entry: JsonObject, before: string): readonly [string, string] {
  const said = asText(entry['msg']) ?? '';
  const type = asText(entry['type']) ?? /\s(Normal|Warning)\s{1,4}$/.exec(before)?.[1];
  return [type ?? said, asText(entry['message']) ?? said];
}
