import { formatDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, asTextMap, dig, isJsonObject } from '../../base/json.ts';
import { textOf } from '../../base/json-text.ts';
import { repeated, withoutTail } from '../../base/text.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Call, CommandAnswer } from './call.ts';
import { failed, itemsOf } from './call.ts';
import { inColumns } from './columns.ts';
import { describeNode } from './describe-node.ts';
import { describePod } from './describe-pod.ts';
import { describeService } from './describe-service.ts';
import { describeWorkload } from './describe-workload.ts';
import { mapLines, withoutApplied } from './metadata-lines.ts';
import { objectsOf, wantedOf } from './named-objects.ts';

export const DESCRIBE_FLAGS = 'selector/l= all-namespaces/A';

/** Lines of a description: cells of a line are parted by tabs. */
export type Describer = (object: KubeObject, call: Call) => readonly string[];

const DESCRIBERS: Readonly<Record<string, Describer>> = {
  Pod: describePod,
  Node: describeNode,
  Service: describeService,
  Deployment: describeWorkload,
  ReplicaSet: describeWorkload,
  StatefulSet: describeWorkload,
  DaemonSet: describeWorkload,
  Job: describeWorkload,
};

/** Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go. */
export function describe(call: Call): CommandAnswer {
  const wanted = wantedOf(call);
  if ('trouble' in wanted) return failed(wanted.trouble);
  const read = wanted.map((one) => objectsOf(one, call, call.flags.has('all-namespaces')));
  const troubles = read.flatMap((one) => one.troubles);
  const objects = read.flatMap((one) => one.objects);
  const texts = objects.map((object) =>
    inColumns([...(DESCRIBERS[object.kind] ?? describeOther)(object, call), ...eventLines(object, call)], { least: 0, padding: 2 }),
  );
  if (texts.length + troubles.length === 0) return { output: `No resources found in ${call.namespace} namespace.`, code: 0 };
  return {
    output: [...texts.map(withoutTrailingSpaces), ...troubles].join('\n\n\n'),
    code: troubles.length === 0 ? 0 : 1,
  };
}

/** Whatever else there is: all fields, in words, as kubectl shows custom resources. */
const describeOther: Describer = (object) => {
  const { apiVersion, kind, metadata, ...rest } = object;
  return [
    `Name:\t${metadata.name}`,
    `Namespace:\t${metadata.namespace ?? ''}`,
    ...mapLines('Labels', metadata['labels']),
    ...mapLines('Annotations', withoutApplied(metadata['annotations'])),
    `API Version:\t${apiVersion}`,
    `Kind:\t${kind}`,
    ...fieldLines(kind === 'Secret' ? { ...rest, data: sizesOf(rest['data']) } : rest, 0),
  ];
};

/** Values of a Secret are never shown. */
function sizesOf(data: Json | undefined): Json {
  return Object.fromEntries(
    Object.entries(asTextMap(data)).map(([key, value]) => [key, `${String(Math.floor((value.length * 3) / 4))} bytes`]),
  );
}

function fieldLines(value: Json, depth: number): readonly string[] {
  const indent = repeated('  ', Math.min(depth, MOST_DEEP));
  if (!isJsonObject(value))
    return asList(value).flatMap((item) => (isJsonObject(item) ? fieldLines(item, depth) : [indent + textOf(item)]));
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, inner]) => {
      const name = `${indent}${inWords(key)}:`;
      if (isJsonObject(inner) || (Array.isArray(inner) && inner.length > 0)) return [name, ...fieldLines(inner, depth + 1)];
      return [`${name}\t${textOf(inner)}`];
    });
}

const MOST_DEEP = 20;

/** `clusterIP` is `Cluster IP`. */
function inWords(key: string): string {
  return key.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/^./, (letter) => letter.toUpperCase());
}

/** The events about an object, in the order of their `lastTimestamp`, which those of events.k8s.io lack. */
function eventLines(object: KubeObject, call: Call): readonly string[] {
  const { name, namespace, uid } = object.metadata;
  const selector = [
    `involvedObject.name=${name}`,
    `involvedObject.kind=${object.kind}`,
    ...(uid === undefined || object.kind === 'Node' ? [] : [`involvedObject.uid=${uid}`]),
  ];
  const list = call.kube.send({
    verb: 'list',
    group: '',
    version: 'v1',
    resource: 'events',
    ...(namespace === undefined ? {} : { namespace }),
    fieldSelector: selector.join(','),
  });
  const events = list.ok ? itemsOf(list.object) : [];
  if (events.length === 0) return ['Events:\t<none>'];
  const now = call.kube.cluster.now();
  return [
    'Events:',
    '  Type\tReason\tAge\tFrom\tMessage',
    '  ----\t------\t----\t----\t-------',
    ...events
      .toSorted((a, b) => (parseInstant(a['lastTimestamp']) ?? 0) - (parseInstant(b['lastTimestamp']) ?? 0))
      .map((event) => {
        const from = asText(dig(event, 'source', 'component')) ?? asText(event['reportingComponent']) ?? '';
        const message = (asText(event['message']) ?? '').trim().replaceAll('\n', ' ').replaceAll('\t', ' ');
        return `  ${asText(event['type']) ?? ''}\t${asText(event['reason']) ?? ''}\t${eventAge(event, now)}\t${from}\t${message}`;
      }),
  ];
}

/** When an event was seen last. */
export function lastSeen(event: KubeObject): Instant {
  const series = parseInstant(dig(event, 'series', 'lastObservedTime'));
  return series ?? parseInstant(event['lastTimestamp']) ?? parseInstant(event['eventTime']) ?? 0;
}

/** `2m (x5 over 10m)`. */
export function eventAge(event: KubeObject, now: Instant): string {
  const ago = (instant: Instant): string => formatDuration((now - instant) / 1000);
  const count = asNumber(dig(event, 'series', 'count')) ?? asNumber(event['count']) ?? 1;
  const first = parseInstant(event['firstTimestamp']) ?? parseInstant(event['eventTime']) ?? 0;
  return count > 1 ? `${ago(lastSeen(event))} (x${count} over ${ago(first)})` : ago(first);
}

function withoutTrailingSpaces(text: string): string {
  return text
    .split('\n')
    .map((line) => withoutTail(line, ' '))
    .join('\n');
}
