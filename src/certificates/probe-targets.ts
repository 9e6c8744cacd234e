import { bytesOfBase64 } from '../base/base64.ts';
import { latin1 } from '../base/x509/der.ts';
import type { Json } from '../base/json.ts';
import { asList, asNumber, asText, dig } from '../base/json.ts';
import { parseInteger } from '../base/number.ts';
import type { X509 } from '../base/x509/certificate.ts';
import type { ClusterReader, Scope } from '../model/cluster-reader.ts';
import type { CertificateRoleId } from '../model/certificate-roles.ts';
import type { KubeObject } from '../model/kube-object.ts';
import type { Sighting } from './seen-certificate.ts';
import { isFor } from './served.ts';
import type { Unseen } from './tier-findings.ts';
import { unseenOf } from './tier-findings.ts';

/** A server other than the API server that serves a certificate, and how it can be asked for it. */
export interface ProbeTarget {
  readonly where: string;
  readonly role: CertificateRoleId;
  /** Hosts to try, in order; the first that answers counts. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** The name its clients ask for; undefined where they take any. */
  readonly host: string | undefined;
  /** PEM of what its clients trust; undefined where that is not known. */
  readonly ca: string | undefined;
  /** What is stored for it, where it was read. */
  readonly stored: X509 | undefined;
}

export interface ProbeTargets {
  readonly targets: readonly ProbeTarget[];
  readonly unseen: readonly Unseen[];
}

/**
 * Webhooks of admission and conversion, aggregated APIs, kubelets, and hosts of Ingresses and Gateways. `stored`: certificates found in
 * Secrets.
 */
export async function probeTargets(reader: ClusterReader, scope: Scope, stored: readonly Sighting[]): Promise<ProbeTargets> {
  const unseen: Unseen[] = [];
  const all = async (kind: string, where: Scope, optional: boolean): Promise<readonly KubeObject[]> => {
    const read = await reader.list(kind, where);
    if (read.ok) return read.value;
    if (!optional || read.why === 'forbidden') unseen.push(unseenOf(kind, read));
    return [];
  };
  const addresses = new Map(
    (await all('Service', {}, false)).map((service) => [
      `${service.metadata.name}.${service.metadata.namespace ?? ''}.svc`,
      asText(dig(service, 'spec', 'clusterIP')),
    ]),
  );
  const known: Known = {
    addresses,
    stored: stored.flatMap(({ where, seen }) => (seen.kind === 'certificate' ? [{ where, certificate: seen.value }] : [])),
  };
  const targets = new Map<string, ProbeTarget>();
  const add = (target: ProbeTarget | undefined): void => {
    if (target !== undefined && !targets.has(`${target.where} ${target.role}`)) targets.set(`${target.where} ${target.role}`, target);
  };
  for (const kind of ['Mutating', 'Validating'] as const) {
    for (const configuration of await all(`${kind}WebhookConfiguration`, {}, false)) {
      for (const webhook of asList(dig(configuration, 'webhooks')))
        add(
          clientTarget(
            dig(webhook, 'clientConfig'),
            kind === 'Mutating' ? 'mutating-webhook-serving' : 'validating-webhook-serving',
            known,
          ),
        );
    }
  }
  for (const service of await all('APIService', {}, false)) add(clientTarget(dig(service, 'spec'), 'apiservice-serving', known));
  for (const definition of await all('CustomResourceDefinition', {}, false))
    if (dig(definition, 'spec', 'conversion', 'strategy') === 'Webhook')
      add(clientTarget(dig(definition, 'spec', 'conversion', 'webhook', 'clientConfig'), 'conversion-webhook-serving', known));
  for (const node of await all('Node', {}, false)) add(kubeletTarget(node));
  for (const ingress of await all('Ingress', scope, true)) for (const target of ingressTargets(ingress, known)) add(target);
  for (const gateway of await all('Gateway', scope, true)) for (const target of gatewayTargets(gateway, known)) add(target);
  return { targets: [...targets.values()], unseen };
}

interface Known {
  readonly addresses: ReadonlyMap<string, string | undefined>;
  readonly stored: readonly { readonly where: string; readonly certificate: X509 }[];
}

/** A webhook's or an APIService's server: a Service, or an address outside of the cluster. */
function clientTarget(config: Json | undefined, role: CertificateRoleId, { addresses, stored }: Known): ProbeTarget | undefined {
  const bundle = asText(dig(config, 'caBundle'));
  const bytes = bundle === undefined || bundle === '' ? undefined : bytesOfBase64(bundle);
  const ca = bytes === undefined ? undefined : latin1(bytes);
  const url = asText(dig(config, 'url'));
  if (url !== undefined && URL.canParse(url)) {
    const { hostname, port } = new URL(url);
    return {
      where: `https://${hostname}:${port === '' ? '443' : port}`,
      role,
      addresses: [hostname],
      port: parseInteger(port) ?? 443,
      host: hostname,
      ca,
      stored: undefined,
    };
  }
  const [name, namespace] = [asText(dig(config, 'service', 'name')), asText(dig(config, 'service', 'namespace'))];
  if (name === undefined || namespace === undefined) return undefined;
  const host = `${name}.${namespace}.svc`;
  const port = asNumber(dig(config, 'service', 'port')) ?? 443;
  const address = addresses.get(host);
  const newest = stored
    .filter(({ certificate }) => !certificate.isCa && isFor(certificate, host))
    .toSorted((a, b) => b.certificate.notBefore - a.certificate.notBefore)[0];
  const verified = dig(config, 'insecureSkipTLSVerify') !== true;
  return {
    where: `https://${host}:${port}`,
    role,
    addresses: [host, ...(isAddress(address) ? [address] : [])],
    port,
    host: verified ? host : undefined,
    ca: verified ? ca : undefined,
    stored: newest?.certificate,
  };
}

function isAddress(address: string | undefined): address is string {
  return address !== undefined && address !== '' && address !== 'None';
}

function kubeletTarget(node: KubeObject): ProbeTarget | undefined {
  const address = asList(dig(node, 'status', 'addresses')).find((one) => asText(dig(one, 'type')) === 'InternalIP');
  const host = asText(dig(address, 'address'));
  const port = asNumber(dig(node, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port')) ?? 10_250;
  // The API server verifies kubelets only where it is told to, so that any certificate will do.
  return host === undefined
    ? undefined
    : {
        where: `kubelet of ${node.metadata.name} (${host}:${port})`,
        role: 'kubelet-serving',
        addresses: [host],
        port,
        host: undefined,
        ca: undefined,
        stored: undefined,
      };
}

function ingressTargets(ingress: KubeObject, known: Known): readonly ProbeTarget[] {
  const entries = asList(dig(ingress, 'status', 'loadBalancer', 'ingress'));
  const balancers = entries.flatMap((entry) => asText(dig(entry, 'ip')) ?? asText(dig(entry, 'hostname')) ?? []);
  return asList(dig(ingress, 'spec', 'tls')).flatMap((tls) => {
    const secret = `Secret/${ingress.metadata.namespace ?? ''}/${asText(dig(tls, 'secretName')) ?? ''}`;
    return asList(dig(tls, 'hosts')).flatMap((host) =>
      hostTarget(asText(host), 443, balancers, { role: 'ingress-serving', secret, known }),
    );
  });
}

function gatewayTargets(gateway: KubeObject, known: Known): readonly ProbeTarget[] {
  const balancers = asList(dig(gateway, 'status', 'addresses')).flatMap((address) => asText(dig(address, 'value')) ?? []);
  return asList(dig(gateway, 'spec', 'listeners')).flatMap((listener) => {
    const [ref] = asList(dig(listener, 'tls', 'certificateRefs'));
    if (ref === undefined) return [];
    const secret = `Secret/${asText(dig(ref, 'namespace')) ?? gateway.metadata.namespace ?? ''}/${asText(dig(ref, 'name')) ?? ''}`;
    return hostTarget(asText(dig(listener, 'hostname')), asNumber(dig(listener, 'port')) ?? 443, balancers, {
      role: 'gateway-serving',
      secret,
      known,
    });
  });
}

interface HostUse {
  readonly role: CertificateRoleId;
  readonly secret: string;
  readonly known: Known;
}

/** A host with a star stands for hosts that nothing names. */
function hostTarget(
  host: string | undefined,
  port: number,
  balancers: readonly string[],
  { role, secret, known }: HostUse,
): readonly ProbeTarget[] {
  if (host === undefined || host.startsWith('*')) return [];
  const stored = known.stored.find(({ where }) => where.startsWith(`${secret} tls.crt`))?.certificate;
  return [{ where: `https://${host}:${port}`, role, addresses: [...balancers, host], port, host, ca: undefined, stored }];
}
