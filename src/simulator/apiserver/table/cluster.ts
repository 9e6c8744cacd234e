import { formatDuration } from '../../../base/duration.ts';
import type { Instant } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asTextMap, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import { age, count, hasCondition, NONE, since, size, text, textOr, UNKNOWN, UNSET } from './cells.ts';
import type { Printer } from './columns.ts';
import { columns } from './columns.ts';

/** Source: pkg/printers/internalversion/printers.go, staging/src/k8s.io/kube-aggregator/pkg/registry/apiservice/etcd/etcd.go. */
export const CLUSTER: Readonly<Record<string, Printer>> = {
  nodes: {
    columns: columns('Name, Status, Roles, Age, Version, Internal-IP+, External-IP+, OS-Image+, Kernel-Version+, Container-Runtime+'),
    row: (it, now) => [
      it.metadata.name,
      nodeStatus(it),
      roles(it),
      age(it, now),
      text(it, 'status', 'nodeInfo', 'kubeletVersion'),
      addressOf(it, 'InternalIP'),
      addressOf(it, 'ExternalIP'),
      ...['osImage', 'kernelVersion', 'containerRuntimeVersion'].map((field) => textOr(UNKNOWN, it, 'status', 'nodeInfo', field)),
    ],
  },
  componentstatuses: {
    columns: columns('Name, Status, Message, Error'),
    row: (it) => [it.metadata.name, ...componentCells(it)],
  },
  namespaces: {
    columns: columns('Name, Status, Age'),
    row: (it, now) => [it.metadata.name, text(it, 'status', 'phase'), age(it, now)],
  },
  events: {
    columns: columns('Last Seen, Type, Reason, Object, Subobject+, Source+, Message, First Seen+, Count:integer+, Name+'),
    row: eventRow,
  },
  secrets: {
    columns: columns('Name, Type, Data, Age'),
    row: (it, now) => [it.metadata.name, text(it, 'type'), size(it['data']), age(it, now)],
  },
  configmaps: {
    columns: columns('Name, Data, Age'),
    row: (it, now) => [it.metadata.name, size(it['data']) + size(it['binaryData']), age(it, now)],
  },
  serviceaccounts: {
    columns: columns('Name, Secrets, Age'),
    row: (it, now) => [it.metadata.name, asList(it['secrets']).length, age(it, now)],
  },
  resourcequotas: {
    columns: columns('Name, Request, Limit, Age'),
    row: (it, now) => [it.metadata.name, ...quotaCells(it), age(it, now)],
  },
  limitranges: createdAt(),
  'customresourcedefinitions.apiextensions.k8s.io': createdAt(),
  'roles.rbac.authorization.k8s.io': createdAt(),
  'clusterroles.rbac.authorization.k8s.io': createdAt(),
  'rolebindings.rbac.authorization.k8s.io': bindings(),
  'clusterrolebindings.rbac.authorization.k8s.io': bindings(),
  'certificatesigningrequests.certificates.k8s.io': {
    columns: columns('Name, Age, SignerName, Requestor, RequestedDuration, Condition'),
    row: (it, now) => {
      const seconds = asNumber(dig(it, 'spec', 'expirationSeconds'));
      return [
        it.metadata.name,
        age(it, now),
        textOr(NONE, it, 'spec', 'signerName'),
        text(it, 'spec', 'username'),
        seconds === undefined ? NONE : formatDuration(seconds),
        requestStatus(it),
      ];
    },
  },
  'leases.coordination.k8s.io': {
    columns: columns('Name, Holder, Age'),
    row: (it, now) => [it.metadata.name, text(it, 'spec', 'holderIdentity'), age(it, now)],
  },
  'priorityclasses.scheduling.k8s.io': {
    columns: columns('Name, Value:integer, Global-Default:boolean, Age, PreemptionPolicy'),
    row: (it, now) => [
      it.metadata.name,
      count(it, 'value'),
      it['globalDefault'] === true,
      age(it, now),
      textOr(UNSET, it, 'preemptionPolicy'),
    ],
  },
  'runtimeclasses.node.k8s.io': {
    columns: columns('Name, Handler, Age'),
    row: (it, now) => [it.metadata.name, text(it, 'handler'), age(it, now)],
  },
  'apiservices.apiregistration.k8s.io': {
    columns: columns('Name, Service, Available, Age'),
    row: (it, now) => [
      it.metadata.name,
      dig(it, 'spec', 'service') === undefined
        ? 'Local'
        : `${text(it, 'spec', 'service', 'namespace')}/${text(it, 'spec', 'service', 'name')}`,
      availability(it),
      age(it, now),
    ],
  },
};

function createdAt(): Printer {
  return { columns: columns('Name, Created At'), row: (it) => [it.metadata.name, text(it, 'metadata', 'creationTimestamp')] };
}

function bindings(): Printer {
  return {
    columns: columns('Name, Role, Age, Users+, Groups+, ServiceAccounts+'),
    row: (it, now) => {
      const named = (kind: string): string =>
        asList(it['subjects'])
          .filter((one) => dig(one, 'kind') === kind)
          .map((one) =>
            kind === 'ServiceAccount' ? `${textOf(dig(one, 'namespace'))}/${textOf(dig(one, 'name'))}` : textOf(dig(one, 'name')),
          )
          .join(', ');
      return [
        it.metadata.name,
        `${text(it, 'roleRef', 'kind')}/${text(it, 'roleRef', 'name')}`,
        age(it, now),
        named('User'),
        named('Group'),
        named('ServiceAccount'),
      ];
    },
  };
}

function componentCells(it: KubeObject): readonly string[] {
  const healthy = asList(it['conditions']).find((condition) => dig(condition, 'type') === 'Healthy');
  if (healthy === undefined) return ['Unknown', '', ''];
  return [dig(healthy, 'status') === 'True' ? 'Healthy' : 'Unhealthy', textOf(dig(healthy, 'message')), textOf(dig(healthy, 'error'))];
}

function nodeStatus(node: KubeObject): string {
  const ready = asList(dig(node, 'status', 'conditions')).find((one) => dig(one, 'type') === 'Ready');
  const word = ready === undefined ? 'Unknown' : dig(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return dig(node, 'spec', 'unschedulable') === true ? `${word},SchedulingDisabled` : word;
}

function roles(node: KubeObject): string {
  const found = Object.entries(labelsOf(node)).flatMap(([key, value]) =>
    key.startsWith(ROLE_PREFIX) && key !== ROLE_PREFIX
      ? [key.slice(ROLE_PREFIX.length)]
      : key === 'kubernetes.io/role' && value !== ''
        ? [value]
        : [],
  );
  return found.length === 0 ? NONE : [...new Set(found)].sort().join(',');
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';

function addressOf(node: KubeObject, type: string): string {
  const found = asList(dig(node, 'status', 'addresses')).find((one) => dig(one, 'type') === type);
  return found === undefined ? NONE : textOf(dig(found, 'address'));
}

function eventRow(event: KubeObject, now: Instant): readonly Json[] {
  const first = since(event['firstTimestamp'] ?? event['eventTime'], now);
  const series = event['series'];
  const last =
    series !== undefined && series !== null
      ? since(dig(series, 'lastObservedTime'), now)
      : event['lastTimestamp'] === undefined || event['lastTimestamp'] === null
        ? first
        : since(event['lastTimestamp'], now);
  const times = asNumber(dig(series, 'count')) ?? asNumber(event['count']) ?? 0;
  const name = text(event, 'involvedObject', 'name');
  const kind = text(event, 'involvedObject', 'kind').toLowerCase();
  const [component, instance] = [
    textOr(text(event, 'reportingComponent'), event, 'source', 'component'),
    textOr(text(event, 'reportingInstance'), event, 'source', 'host'),
  ];
  return [
    last,
    text(event, 'type'),
    text(event, 'reason'),
    name === '' ? kind : `${kind}/${name}`,
    text(event, 'involvedObject', 'fieldPath'),
    instance === '' ? component : `${component}, ${instance}`,
    text(event, 'message').trim(),
    first,
    times === 0 ? 1 : times,
    event.metadata.name,
  ];
}

function quotaCells(quota: KubeObject): readonly [requests: string, limits: string] {
  const [hard, used] = [asTextMap(dig(quota, 'status', 'hard')), asTextMap(dig(quota, 'status', 'used'))];
  const words = Object.keys(hard)
    .sort()
    .map((name): [string, string] => [name, `${name}: ${used[name] ?? '0'}/${hard[name] ?? ''}`]);
  const isLimit = (name: string): boolean => name.startsWith('limits.');
  return [
    words
      .filter(([name]) => !isLimit(name))
      .map(([, word]) => word)
      .join(', '),
    words
      .filter(([name]) => isLimit(name))
      .map(([, word]) => word)
      .join(', '),
  ];
}

function requestStatus(request: KubeObject): string {
  const word = hasAny(request, 'Denied') ? 'Denied' : hasAny(request, 'Approved') ? 'Approved' : 'Pending';
  return `${word}${hasAny(request, 'Failed') ? ',Failed' : ''}${text(request, 'status', 'certificate') === '' ? '' : ',Issued'}`;
}

function hasAny(object: KubeObject, type: string): boolean {
  return asList(dig(object, 'status', 'conditions')).some((one) => dig(one, 'type') === type);
}

function availability(service: KubeObject): string {
  const condition = asList(dig(service, 'status', 'conditions')).find((one) => dig(one, 'type') === 'Available');
  if (condition === undefined) return dig(service, 'spec', 'service') === undefined ? 'True' : 'Unknown';
  return hasCondition(service, 'Available') ? 'True' : `${textOf(dig(condition, 'status'))} (${textOf(dig(condition, 'reason'))})`;
}
