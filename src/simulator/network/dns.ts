import { asList, asNumber, asText, dig } from '../../base/json.ts';
import type { ClusterView } from './cluster-view.ts';

export type Resolution =
  | { readonly ok: true; readonly ips: readonly string[] }
  | { readonly ok: false; readonly trouble: 'no such host' | 'timeout' };

/** Names the cluster DNS knows: Services, endpoints of headless ones, ExternalNames, and hosts outside that a scenario gives. */
export function resolveName(
  view: ClusterView,
  outside: ReadonlyMap<string, string>,
  domain: string,
  namespace: string | undefined,
  name: string,
): Resolution {
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  for (const candidate of candidates(bare, name.endsWith('.'), domain, namespace)) {
    const found = exact(view, outside, domain, candidate, 0);
    if (found.length > 0) return { ok: true, ips: found };
  }
  return { ok: false, trouble: 'no such host' };
}

/** Records of other types than addresses, as `dig +short` prints them. Source: plugin/kubernetes of CoreDNS. */
export function recordsOf(view: ClusterView, domain: string, name: string, type: string): readonly string[] {
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  if (type === 'PTR') return reverse(view, domain, bare);
  const suffix = `.svc.${domain}`;
  const full = bare.endsWith('.svc') ? `${bare}.${domain}` : bare.endsWith(suffix) ? bare : `${bare}${suffix}`;
  const parts = full.slice(0, -suffix.length).split('.');
  const service = view.service(parts.at(-1) ?? '', parts.at(-2) ?? '');
  const external = asText(dig(service, 'spec', 'externalName'));
  if (type === 'CNAME') return external === undefined ? [] : [`${external.replace(/\.$/, '')}.`];
  const [, port = '', protocol = ''] = /^_([\w-]+)\._(tcp|udp|sctp)\./.exec(full) ?? [];
  const found = asList(dig(service, 'spec', 'ports')).find(
    (one) => dig(one, 'name') === port && (asText(dig(one, 'protocol')) ?? 'TCP').toLowerCase() === protocol,
  );
  if (type !== 'SRV' || found === undefined) return [];
  return [`0 100 ${asNumber(dig(found, 'port')) ?? 0} ${parts.slice(-2).join('.')}${suffix}.`];
}

/** `10.0.96.10.in-addr.arpa` of the Service 10.96.0.10. */
function reverse(view: ClusterView, domain: string, name: string): readonly string[] {
  const ip = name
    .replace(/\.in-addr\.arpa$/, '')
    .split('.')
    .toReversed()
    .join('.');
  for (const [address, { service }] of view.services().byAddress)
    if (address.startsWith(`${ip}:`)) return [`${service.metadata.name}.${service.metadata.namespace ?? ''}.svc.${domain}.`];
  return [];
}

/** The search list of a pod (ndots:5): names with fewer dots are tried with its domains first. */
function candidates(name: string, absolute: boolean, domain: string, namespace: string | undefined): readonly string[] {
  if (absolute || namespace === undefined) return [name];
  const searched = [`${name}.${namespace}.svc.${domain}`, `${name}.svc.${domain}`, `${name}.${domain}`];
  return name.split('.').length > 5 ? [name, ...searched] : [...searched, name];
}

function exact(view: ClusterView, outside: ReadonlyMap<string, string>, domain: string, name: string, depth: number): readonly string[] {
  const suffix = `.svc.${domain}`;
  if (!name.endsWith(suffix)) {
    const ip = outside.get(name);
    return ip === undefined ? [] : [ip];
  }
  const parts = name.slice(0, -suffix.length).split('.');
  const [namespace, serviceName] = [parts.at(-1) ?? '', parts.at(-2) ?? ''];
  const service = view.service(namespace, serviceName);
  if (service === undefined || parts.length > 3) return [];
  if (dig(service, 'spec', 'type') === 'ExternalName') {
    if (parts.length !== 2 || depth > 8) return [];
    return exact(view, outside, domain, (asText(dig(service, 'spec', 'externalName')) ?? '').replace(/\.$/, ''), depth + 1);
  }
  if (dig(service, 'spec', 'clusterIP') !== 'None')
    return parts.length === 2 ? asList(dig(service, 'spec', 'clusterIPs')).map((ip) => asText(ip) ?? '') : [];
  return view.headless(service, parts.length === 3 ? parts[0] : undefined);
}
