import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { FileEntry, Files } from '../../programs/file-tree.ts';
import type { ContainerSettings } from './runtime-options.ts';

/**
 * The files of a container's image with those that the kubelet and the runtime write for pods that have a network of their own: /etc/hosts,
 * /etc/resolv.conf and /etc/hostname. `dnsServer` is the address of the cluster's name server.
 */
export function withNetworkFiles(
  settings: ContainerSettings,
  sandbox: { readonly hostNetwork: boolean; readonly netns: { readonly ip: string } } | undefined,
  dnsServer: string,
): Files {
  const { image, pod, mounts } = settings;
  if (sandbox === undefined || sandbox.hostNetwork || mounts.some(({ path }) => path === '/etc' || path === '/etc/hosts'))
    return image.files;
  const hosts: FileEntry = { type: 'file', content: hostsOf(settings, sandbox.netns.ip) };
  const resolver: FileEntry = { type: 'file', content: resolverOf(pod, dnsServer) };
  // Source: containerd internal/cri/server/sandbox_run_linux.go (setupSandboxFiles).
  const name: FileEntry = { type: 'file', content: `${settings.hostname}\n` };
  return new Map([...image.files, ['/etc/hosts', hosts], ['/etc/resolv.conf', resolver], ['/etc/hostname', name]]);
}

/** Source: pkg/kubelet/kubelet_pods.go (managedHostsFileContent). */
function hostsOf({ pod, hostname }: ContainerSettings, ip: string): string {
  const subdomain = asText(dig(pod, 'spec', 'subdomain')) ?? '';
  const full = subdomain === '' ? '' : `${hostname}.${subdomain}.${pod.metadata.namespace ?? ''}.svc.cluster.local\t`;
  const aliases = asList(dig(pod, 'spec', 'hostAliases')).map(
    (alias) => `${asText(dig(alias, 'ip')) ?? ''}\t${asList(dig(alias, 'hostnames')).map(String).join('\t')}\n`,
  );
  const added = aliases.length === 0 ? '' : `\n# Entries added by HostAliases.\n${aliases.join('')}`;
  return `${MANAGED}${ip}\t${full}${hostname}\n${added}`;
}

/** Source: pkg/kubelet/network/dns/dns.go (GetPodDNS). */
function resolverOf(pod: KubeObject, dnsServer: string): string {
  const own = dig(pod, 'spec', 'dnsConfig');
  const words = (field: string): readonly string[] => asList(dig(own, field)).map(String);
  const alone = dig(pod, 'spec', 'dnsPolicy') === 'None';
  const servers = [...(alone ? [] : [dnsServer]), ...words('nameservers')];
  const domain = 'svc.cluster.local';
  const searches = [...(alone ? [] : [`${pod.metadata.namespace ?? ''}.${domain}`, domain, 'cluster.local']), ...words('searches')];
  const given = asList(dig(own, 'options')).map((option) => {
    const value = asText(dig(option, 'value'));
    return `${asText(dig(option, 'name')) ?? ''}${value === undefined ? '' : `:${value}`}`;
  });
  const options = [...(alone ? [] : ['ndots:5']), ...given];
  return [
    ...servers.map((server) => `nameserver ${server}\n`),
    ...(searches.length === 0 ? [] : [`search ${searches.join(' ')}\n`]),
    ...(options.length === 0 ? [] : [`options ${options.join(' ')}\n`]),
  ].join('');
}

const MANAGED = `# Kubernetes-managed hosts file.
127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
`;
