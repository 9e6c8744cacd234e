import type { Json, JsonObject } from '../../base/json.ts';
import type { Draft } from './draft.ts';
import { given, integer, labelMap } from './draft.ts';
import { endpointSubsets, labelSelectorJson } from './printed-values.ts';
import type { RowReader } from './row-reader.ts';
import { showGiven, showNumber } from './table-rows-workloads.ts';

/** Rows of what leads traffic to pods. Source: pkg/printers/internalversion/printers.go. */
export const SERVING_ROWS: Readonly<Record<string, RowReader>> = {
  Service(cell, draft) {
    const type = given(cell('TYPE'));
    showGiven(draft, 'spec.type', cell('TYPE'));
    const clusterIP = cell('CLUSTER-IP');
    if (clusterIP !== undefined) draft.show('spec.clusterIP', clusterIP === 'None' ? 'None' : given(clusterIP));
    externalIP(cell('EXTERNAL-IP'), type, draft);
    const ports = cell('PORT(S)');
    if (ports !== undefined) {
      draft.set('spec.ports', (given(ports)?.split(',') ?? []).flatMap(servicePort));
      draft.covers('spec.ports.port', 'spec.ports.nodePort', 'spec.ports.protocol');
    }
    if (cell('SELECTOR') !== undefined) draft.show('spec.selector', labelMap(given(cell('SELECTOR'))?.split(',') ?? []));
  },
  Endpoints(cell, draft) {
    const subsets = cell('ENDPOINTS') === undefined ? undefined : endpointSubsets(cell('ENDPOINTS'));
    if (subsets !== undefined) draft.set('subsets', subsets).covers('subsets.addresses.ip');
  },
  EndpointSlice(cell, draft) {
    showGiven(draft, 'addressType', cell('ADDRESSTYPE'));
    const ports = listed(cell('PORTS'));
    if (ports !== undefined)
      draft
        .set(
          'ports',
          ports.flatMap((port) => {
            const number = integer(port);
            return number === undefined ? [] : { port: number };
          }),
        )
        .covers('ports.port');
    const addresses = listed(cell('ENDPOINTS'));
    if (addresses !== undefined)
      draft
        .set(
          'endpoints',
          addresses.map((address) => ({ addresses: [address] })),
        )
        .covers('endpoints.addresses');
  },
  Ingress(cell, draft) {
    showGiven(draft, 'spec.ingressClassName', cell('CLASS'));
    const hosts = listed(cell('HOSTS'));
    if (hosts !== undefined)
      draft
        .set(
          'spec.rules',
          hosts.map((host) => (host === '*' ? {} : { host })),
        )
        .covers('spec.rules.host');
    const addresses = cell('ADDRESS') === undefined ? undefined : listed(cell('ADDRESS'));
    if (addresses !== undefined) draft.show('status.loadBalancer.ingress', addresses.map(ingressAddress));
  },
  NetworkPolicy(cell, draft) {
    if (cell('POD-SELECTOR') !== undefined) draft.show('spec.podSelector', labelSelectorJson(cell('POD-SELECTOR')) ?? {});
  },
  HorizontalPodAutoscaler(cell, draft) {
    const [kind, name] = given(cell('REFERENCE'))?.split('/') ?? [];
    if (kind !== undefined && name !== undefined)
      draft.set('spec.scaleTargetRef', { kind, name }).covers('spec.scaleTargetRef.kind', 'spec.scaleTargetRef.name');
    showNumber(draft, 'spec.minReplicas', integer(cell('MINPODS')));
    showNumber(draft, 'spec.maxReplicas', integer(cell('MAXPODS')));
    showNumber(draft, 'status.currentReplicas', integer(cell('REPLICAS')));
  },
  PodDisruptionBudget(cell, draft) {
    for (const [path, title] of [
      ['spec.minAvailable', 'MIN AVAILABLE'],
      ['spec.maxUnavailable', 'MAX UNAVAILABLE'],
    ] as const) {
      const text = cell(title);
      if (text !== undefined) draft.show(path, text === 'N/A' ? undefined : (integer(text) ?? text));
    }
    showNumber(draft, 'status.disruptionsAllowed', integer(cell('ALLOWED DISRUPTIONS')));
  },
};

/** EXTERNAL-IP means another field for each type of Service. */
function externalIP(text: string | undefined, type: string | undefined, draft: Draft): void {
  if (text === undefined || type === undefined) return;
  if (type === 'ExternalName') draft.show('spec.externalName', given(text));
  else if (type === 'LoadBalancer') {
    const addresses = listed(text);
    if (addresses !== undefined) draft.show('status.loadBalancer.ingress', addresses.map(ingressAddress));
  }
}

/** `80:30000/TCP`, `53/UDP`. */
function servicePort(text: string): readonly JsonObject[] {
  const [numbers = '', protocol] = text.split('/');
  const [port, nodePort] = numbers.split(':').map(integer);
  if (port === undefined) return [];
  return [{ port, ...(nodePort === undefined ? {} : { nodePort }), ...(protocol === undefined ? {} : { protocol }) }];
}

/** Members of a list; undefined when it was cut (` + 3 more...`) or is not there. */
function listed(text: string | undefined): readonly string[] | undefined {
  if (text === undefined || /\+ \d+ more|\.\.\.$/.test(text)) return undefined;
  return (
    given(text)
      ?.split(',')
      .map((member) => member.trim()) ?? []
  );
}

function ingressAddress(text: string): Json {
  return /^[\d.]+$|:/.test(text) ? { ip: text } : { hostname: text };
}
