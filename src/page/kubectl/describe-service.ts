import { asList, asText, dig } from '../../base/json.ts';
import { textOf } from '../../base/json-text.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Call } from './call.ts';
import { itemsOf } from './call.ts';
import { labelsText } from './get.ts';
import { mapLines, withoutApplied } from './metadata-lines.ts';

/** Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go (describeService). */
export function describeService(service: KubeObject, call: Call): readonly string[] {
  const { metadata } = service;
  const spec = service['spec'] ?? {};
  const selector = dig(spec, 'selector');
  const slices = call.kube.send({
    verb: 'list',
    group: 'discovery.k8s.io',
    version: 'v1',
    resource: 'endpointslices',
    namespace: metadata.namespace,
    labelSelector: `kubernetes.io/service-name=${metadata.name}`,
  });
  return [
    `Name:\t${metadata.name}`,
    `Namespace:\t${metadata.namespace ?? ''}`,
    ...mapLines('Labels', metadata['labels']),
    ...mapLines('Annotations', withoutApplied(metadata['annotations'])),
    `Selector:\t${labelsText(selector)}`,
    `Type:\t${asText(dig(spec, 'type')) ?? ''}`,
    `IP Family Policy:\t${asText(dig(spec, 'ipFamilyPolicy')) ?? '<none>'}`,
    `IP Families:\t${asList(dig(spec, 'ipFamilies')).map(textOf).join(',')}`,
    `IP:\t${asText(dig(spec, 'clusterIP')) ?? ''}`,
    `IPs:\t${asList(dig(spec, 'clusterIPs')).map(textOf).join(',')}`,
    ...asList(dig(spec, 'ports')).flatMap((port) => {
      const protocol = asText(dig(port, 'protocol')) ?? 'TCP';
      return [
        `Port:\t${asText(dig(port, 'name')) ?? '<unset>'}\t${textOf(dig(port, 'port'))}/${protocol}`,
        `TargetPort:\t${textOf(dig(port, 'targetPort'))}/${protocol}`,
        ...(dig(port, 'nodePort') === undefined
          ? []
          : [`NodePort:\t${asText(dig(port, 'name')) ?? '<unset>'}\t${textOf(dig(port, 'nodePort'))}/${protocol}`]),
        `Endpoints:\t${endpoints(slices.ok ? itemsOf(slices.object) : [], asText(dig(port, 'name')) ?? '')}`,
      ];
    }),
    `Session Affinity:\t${asText(dig(spec, 'sessionAffinity')) ?? ''}`,
    `Internal Traffic Policy:\t${asText(dig(spec, 'internalTrafficPolicy')) ?? ''}`,
  ];
}

/** Ready addresses, the first three of them. */
function endpoints(slices: readonly KubeObject[], name: string): string {
  const all = slices.flatMap((slice) => {
    const port = asList(slice['ports']).find((one) => (asText(dig(one, 'name')) ?? '') === name);
    if (port === undefined) return [];
    const ready = asList(slice['endpoints']).filter((one) => dig(one, 'conditions', 'ready') !== false);
    return ready.flatMap((one) => asList(dig(one, 'addresses')).map((address) => `${textOf(address)}:${textOf(dig(port, 'port'))}`));
  });
  return all.length <= 3 ? all.join(',') : `${all.slice(0, 3).join(',')} + ${all.length - 3} more...`;
}
