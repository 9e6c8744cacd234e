import type { Json } from '../../base/json.ts';
import { asList, asText, asTextMap, dig } from '../../base/json.ts';
import { textOf } from '../../base/json-text.ts';
import { repeated } from '../../base/text.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Call } from './call.ts';
import { itemsOf } from './call.ts';
import { longTime, mapLines } from './metadata-lines.ts';

/** Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go (describeNode), without the sums of what is allocated. */
export function describeNode(node: KubeObject, call: Call): readonly string[] {
  const { metadata } = node;
  const [spec, status] = [node['spec'] ?? {}, node['status'] ?? {}];
  const roles = Object.keys(asTextMap(metadata['labels'])).flatMap((label) => /^node-role\.kubernetes\.io\/(.+)$/.exec(label)?.[1] ?? []);
  const taints = asList(dig(spec, 'taints')).map((taint) => {
    const value = asText(dig(taint, 'value'));
    return `${textOf(dig(taint, 'key'))}${value === undefined ? '' : `=${value}`}:${textOf(dig(taint, 'effect'))}`;
  });
  const list = call.kube.send({
    verb: 'list',
    group: '',
    version: 'v1',
    resource: 'pods',
    fieldSelector: `spec.nodeName=${metadata.name}`,
  });
  const pods = list.ok ? itemsOf(list.object) : [];
  return [
    `Name:\t${metadata.name}`,
    `Roles:\t${roles.length === 0 ? '<none>' : roles.toSorted().join(',')}`,
    ...mapLines('Labels', metadata['labels']),
    ...mapLines('Annotations', metadata['annotations']),
    `CreationTimestamp:\t${longTime(metadata['creationTimestamp'])}`,
    ...(taints.length === 0 ? ['Taints:\t<none>'] : taints.map((taint, at) => `${at === 0 ? 'Taints:' : ''}\t${taint}`)),
    `Unschedulable:\t${String(dig(spec, 'unschedulable') === true)}`,
    ...conditions(dig(status, 'conditions')),
    'Addresses:',
    ...asList(dig(status, 'addresses')).map((one) => `  ${textOf(dig(one, 'type'))}:\t${textOf(dig(one, 'address'))}`),
    ...amounts('Capacity', dig(status, 'capacity')),
    ...amounts('Allocatable', dig(status, 'allocatable')),
    `Non-terminated Pods:\t(${pods.length} in total)`,
    '  Namespace\tName',
    '  ---------\t----',
    ...pods.map((pod) => `  ${pod.metadata.namespace ?? ''}\t${pod.metadata.name}`),
  ];
}

function amounts(title: string, map: Json | undefined): readonly string[] {
  return [`${title}:`, ...Object.entries(asTextMap(map)).map(([name, amount]) => `  ${name}:\t${amount}`)];
}

function conditions(all: Json | undefined): readonly string[] {
  const names = ['Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message'];
  return [
    'Conditions:',
    `  ${names.join('\t')}`,
    `  ${names.map((name) => repeated('-', name.length)).join('\t')}`,
    ...asList(all).map((one) => {
      const times = [longTime(dig(one, 'lastHeartbeatTime')), longTime(dig(one, 'lastTransitionTime'))];
      return `  ${[textOf(dig(one, 'type')), textOf(dig(one, 'status')), ...times, textOf(dig(one, 'reason')), textOf(dig(one, 'message'))].join('\t')}`;
    }),
  ];
}
