import type { Json, JsonObject } from '../../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { inNamespace } from '../../../model/kube-object.ts';
import { own } from '../../../base/own-property.ts';
import { given, integer, labelMap } from '../draft.ts';
import { labelSelectorJson, portOf } from '../printed-values.ts';
import type { DescribeReader } from './describe-reader.ts';
import { describeConditions, describeMetadata, showText } from './metadata.ts';
import type { Section } from './sections.ts';
import { describedTable, marginOf, Sections, sectionsOf } from './sections.ts';

/** What leads traffic to pods. Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go. */
export const SERVING_DESCRIBES: Readonly<Record<string, DescribeReader>> = {
  Service(fields, draft) {
    describeMetadata(fields, draft);
    const selector = fields.value('Selector');
    if (selector !== undefined) draft.show('spec.selector', labelMap(given(selector)?.split(',') ?? []));
    showText(fields, draft, 'Type', 'spec.type');
    const ip = fields.value('IP');
    if (ip !== undefined) draft.show('spec.clusterIP', given(ip));
    showText(fields, draft, 'External Name', 'spec.externalName');
    if (fields.value('Type') !== 'ExternalName') draft.show('spec.externalName');
    showText(fields, draft, 'Session Affinity', 'spec.sessionAffinity');
    showText(fields, draft, 'External Traffic Policy', 'spec.externalTrafficPolicy');
    showText(fields, draft, 'Internal Traffic Policy', 'spec.internalTrafficPolicy');
    showText(fields, draft, 'IP Family Policy', 'spec.ipFamilyPolicy');
    if (fields.has('Session Affinity')) {
      const ingress = given(fields.value('LoadBalancer Ingress'))?.split(',') ?? [];
      draft.show(
        'status.loadBalancer.ingress',
        ingress.map((text) => addressOf(text.trim())),
      );
    }
    const ports = servicePorts(fields);
    if (ports.length > 0 || fields.has('Session Affinity')) {
      draft
        .set('spec.ports', ports)
        .covers(...['name', 'port', 'protocol', 'targetPort', 'nodePort'].map((field) => `spec.ports.${field}`));
    }
  },
  Endpoints(fields, draft) {
    describeMetadata(fields, draft);
    const section = fields.get('Subsets');
    if (section !== undefined)
      draft.set('subsets', subsetsIn(section)).covers('subsets.addresses.ip', 'subsets.notReadyAddresses.ip', 'subsets.ports');
  },
  EndpointSlice(fields, draft) {
    describeMetadata(fields, draft);
    showText(fields, draft, 'AddressType', 'addressType');
    const ports = fields.get('Ports');
    if (ports !== undefined) draft.show('ports', portTable(ports));
    const endpoints = fields.get('Endpoints');
    if (endpoints !== undefined) {
      draft
        .set('endpoints', endpointsIn(endpoints))
        .covers(...['addresses', 'conditions.ready', 'hostname', 'targetRef', 'nodeName', 'zone'].map((field) => `endpoints.${field}`));
    }
  },
  Ingress(fields, draft) {
    describeMetadata(fields, draft);
    showText(fields, draft, 'Ingress Class', 'spec.ingressClassName');
    const address = fields.value('Address');
    if (address !== undefined) draft.show('status.loadBalancer.ingress', (given(address)?.split(',') ?? []).map(addressOf));
    const backend = serviceBackend(fields.value('Default backend') ?? '');
    if (backend !== undefined && !fields.value('Default backend')?.includes('<error: ')) draft.set('spec.defaultBackend', backend);
    const rules = fields.get('Rules');
    if (rules !== undefined) {
      draft.set('spec.rules', ingressRules(rules)).covers('spec.rules.host', 'spec.rules.http.paths.path', 'spec.rules.http.paths.backend');
    }
    const tls = fields.get('TLS');
    if (fields.has('Rules')) draft.show('spec.tls', tls === undefined ? [] : tls.body.flatMap(tlsIn));
  },
  HorizontalPodAutoscaler(fields, draft) {
    describeMetadata(fields, draft);
    const [kind, name] = given(fields.value('Reference'))?.split('/') ?? [];
    if (kind !== undefined && name !== undefined)
      draft.set('spec.scaleTargetRef', { kind, name }).covers('spec.scaleTargetRef.kind', 'spec.scaleTargetRef.name');
    for (const [key, path] of [
      ['Min replicas', 'spec.minReplicas'],
      ['Max replicas', 'spec.maxReplicas'],
    ] as const) {
      const value = fields.value(key);
      if (value !== undefined) draft.show(path, integer(value));
    }
    const pods = fields.all.find(({ key }) => key.endsWith(' pods'))?.value ?? '';
    const [, current, desired] = /^(\d+) current \/ (\d+) desired/.exec(pods) ?? [];
    if (current !== undefined) draft.show('status.currentReplicas', integer(current)).show('status.desiredReplicas', integer(desired));
    describeConditions(fields, draft);
  },
  PodDisruptionBudget(fields, draft) {
    describeMetadata(fields, draft);
    for (const [key, path] of [
      ['Min available', 'spec.minAvailable'],
      ['Max unavailable', 'spec.maxUnavailable'],
    ] as const) {
      const value = fields.value(key);
      if (fields.has('Selector')) draft.show(path, integer(value) ?? given(value));
    }
    const selector = fields.value('Selector');
    if (selector !== undefined) draft.show('spec.selector', labelSelectorJson(selector));
    const status = fields.get('Status');
    const numbers = new Sections(status?.body ?? []);
    for (const [key, path] of [
      ['Allowed disruptions', 'disruptionsAllowed'],
      ['Current', 'currentHealthy'],
      ['Desired', 'desiredHealthy'],
      ['Total', 'expectedPods'],
    ] as const) {
      const value = integer(numbers.value(key));
      if (value !== undefined) draft.show(`status.${path}`, value);
    }
  },
};

/** Endpoints as the describe of their Service lists them: the addresses that are ready, one line for each port. */
export function endpointsLines(fields: Sections): readonly { readonly portName?: string; readonly text: string }[] {
  let portName: string | undefined;
  const lines: { portName?: string; text: string }[] = [];
  for (const { key, value } of fields.all) {
    if (key === 'Port') portName = given(value.split(/\s{2,}/)[0]);
    if (key === 'Endpoints') lines.push({ ...(portName === undefined ? {} : { portName }), text: value });
  }
  return lines;
}

/** `Port: http  80/TCP`, `TargetPort: 8080/TCP`, `NodePort: http  30000/TCP`, one after the other for each port. */
function servicePorts(fields: Sections): readonly JsonObject[] {
  const ports: Record<string, Json>[] = [];
  for (const { key, value } of fields.all) {
    const [, name, number, protocol] = /^(?:(\S+)\s+)?(\S+)\/(\w+)$/.exec(value) ?? [];
    if (number === undefined || protocol === undefined) continue;
    const amount = integer(number);
    if (key === 'Port' && amount !== undefined) {
      const named = given(name);
      ports.push({ ...(named === undefined ? {} : { name: named }), port: amount, protocol });
    }
    const last = ports.at(-1);
    if (last === undefined) continue;
    if (key === 'TargetPort') last['targetPort'] = portOf(number) ?? number;
    if (key === 'NodePort' && amount !== undefined) last['nodePort'] = amount;
  }
  return ports;
}

function subsetsIn(section: Section): readonly JsonObject[] {
  const subsets: Record<string, Json>[] = [];
  for (const part of sectionsOf(section.body)) {
    if (part.key === 'Addresses') subsets.push({});
    const subset = subsets.at(-1);
    if (subset === undefined) continue;
    const addresses = (given(part.value)?.split(',') ?? []).map((ip) => ({ ip: ip.trim() }));
    if (part.key === 'Addresses' && addresses.length > 0) subset['addresses'] = addresses;
    if (part.key === 'NotReadyAddresses' && addresses.length > 0) subset['notReadyAddresses'] = addresses;
    if (part.key === 'Ports') subset['ports'] = portTable(part);
  }
  return subsets;
}

function portTable(section: Section): readonly JsonObject[] {
  return describedTable(section.body).flatMap(({ cells }) => {
    const [name, port, protocol] = [given(cells.get('Name')), integer(cells.get('Port')), given(cells.get('Protocol'))];
    if (port === undefined) return [];
    return [{ ...(name === undefined ? {} : { name }), port, ...(protocol === undefined ? {} : { protocol }) }];
  });
}

/** `- Addresses:  10.0.0.1` begins each endpoint; the dash stands where its other keys have spaces. */
function endpointsIn(section: Section): readonly JsonObject[] {
  const lines = section.body.map((line) => ({ ...line, text: line.text.replace(/^(\s*)- /, '$1  ') }));
  const endpoints: Record<string, Json>[] = [];
  for (const section of sectionsOf(lines)) {
    if (section.key === 'Addresses')
      endpoints.push({ addresses: (given(section.value)?.split(',') ?? []).map((address) => address.trim()) });
    Object.assign(endpoints.at(-1) ?? {}, endpointField(section));
  }
  return endpoints;
}

const ENDPOINT_TEXTS: Readonly<Record<string, string>> = { Hostname: 'hostname', NodeName: 'nodeName', Zone: 'zone' };

function endpointField({ key, value, body }: Section): JsonObject {
  if (key === 'Conditions') {
    const ready = new Sections(body).value('Ready');
    return ready === 'true' || ready === 'false' ? { conditions: { ready: ready === 'true' } } : {};
  }
  const text = given(value);
  if (text === undefined) return {};
  if (key === 'TargetRef') {
    const [kind = '', name = ''] = text.split('/');
    return { targetRef: { kind, name } };
  }
  const field = own(ENDPOINT_TEXTS, key);
  return field === undefined ? {} : { [field]: text };
}

/** Hosts stand at the table's margin, their paths below and further right. */
function ingressRules(section: Section): readonly JsonObject[] {
  const rules: { host?: string; http: { paths: JsonObject[] } }[] = [];
  const rows = section.body.filter(({ text }) => !/^\s*-{2,}/.test(text) && !/^\s*Host\s+Path/.test(text) && text.trim() !== '');
  const margin = marginOf(rows);
  for (const { text } of rows) {
    const words = text.trim().split(/\s+/);
    if (text.length - text.trimStart().length === margin) {
      const host = words.shift();
      rules.push({ ...(host === undefined || host === '*' ? {} : { host }), http: { paths: [] } });
    }
    const path = words[0]?.startsWith('/') === true ? words.shift() : undefined;
    const backend = serviceBackend(words.join(' '));
    if (backend !== undefined) rules.at(-1)?.http.paths.push({ ...(path === undefined ? {} : { path }), backend });
  }
  return rules;
}

/** What kubectl says instead of the addresses behind a path: `(<error: services "web" not found>)`, earlier of its Endpoints. */
const MISSING = /<error: (service|endpoint)s "([a-z0-9][a-z0-9.-]{0,252})" not found>/;

/** Backends of an Ingress that do not exist. The default backend that it names of old was never needed. */
export function missingBackends(fields: Sections, { metadata: { namespace } }: KubeObject): readonly ObjectRef[] {
  return (fields.get('Rules')?.body ?? []).flatMap(({ text }) => {
    const [, resource, name] = MISSING.exec(text) ?? [];
    if (name === undefined) return [];
    return [{ kind: resource === 'service' ? 'Service' : 'Endpoints', ...inNamespace(namespace), name }];
  });
}

/** `web:http (10.0.0.1:8080)`, or a resource: `APIGroup: g, Kind: K, Name: n`. */
function serviceBackend(text: string): JsonObject | undefined {
  const [, apiGroup, resourceKind, resource] = /^APIGroup: (\S*), Kind: (\S+), Name: (\S+)$/.exec(text) ?? [];
  if (resourceKind !== undefined) return { resource: { apiGroup: apiGroup ?? '', kind: resourceKind, name: resource ?? '' } };
  const [, name, port] = /^([a-z0-9][a-z0-9.-]*):([\w-]+)(?:\s|$)/.exec(text) ?? [];
  if (name === undefined || port === undefined) return undefined;
  const number = integer(port);
  return { service: { name, port: number === undefined ? { name: port } : { number } } };
}

function tlsIn({ text }: { readonly text: string }): readonly JsonObject[] {
  const [, secretName, hosts] = /^(\S+)\s+terminates(?:\s+(\S+))?$/.exec(text.trim()) ?? [];
  if (secretName === undefined) return [];
  return [{ ...(secretName === 'SNI' ? {} : { secretName }), hosts: hosts === undefined || hosts === '' ? [] : hosts.split(',') }];
}

function addressOf(text: string): JsonObject {
  const bare = text.endsWith(')') ? (text.split(' (', 1)[0] ?? '') : text;
  return /^[\d.]+$|:/.test(bare) ? { ip: bare } : { hostname: bare };
}
