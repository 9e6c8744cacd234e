import { parseInstant } from '../../base/instant.ts';
import type { Json } from '../../base/json.ts';
import { asList, asText, asTextMap, dig, isJsonObject } from '../../base/json.ts';
import { textOf } from '../../base/json-text.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf } from '../../model/kube-object.ts';
import { longTime, mapLines, withoutApplied } from './metadata-lines.ts';

/** Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go (describePod). */
export function describePod(pod: KubeObject): readonly string[] {
  const { metadata } = pod;
  const [spec, status] = [pod['spec'] ?? {}, pod['status'] ?? {}];
  const deleting = parseInstant(metadata['deletionTimestamp']);
  const owner = controllerOf(pod);
  const priority = dig(spec, 'priority');
  const node = asText(dig(spec, 'nodeName'));
  const ips = asList(dig(status, 'podIPs')).map((ip) => asText(dig(ip, 'ip')) ?? '');
  return [
    `Name:\t${metadata.name}`,
    `Namespace:\t${metadata.namespace ?? ''}`,
    ...(priority === undefined ? [] : [`Priority:\t${textOf(priority)}`]),
    ...given('Priority Class Name', dig(spec, 'priorityClassName')),
    ...given('Runtime Class Name', dig(spec, 'runtimeClassName')),
    `Service Account:\t${asText(dig(spec, 'serviceAccountName')) ?? ''}`,
    `Node:\t${node === undefined ? '<none>' : `${node}/${asText(dig(status, 'hostIP')) ?? ''}`}`,
    ...(dig(status, 'startTime') === undefined ? [] : [`Start Time:\t${longTime(dig(status, 'startTime'))}`]),
    ...mapLines('Labels', metadata['labels']),
    ...mapLines('Annotations', withoutApplied(metadata['annotations'])),
    ...(deleting === undefined
      ? [`Status:\t${asText(dig(status, 'phase')) ?? ''}`]
      : [`Status:\tTerminating (lasts ${textOf(metadata['deletionGracePeriodSeconds'])}s)`]),
    ...given('Reason', dig(status, 'reason')),
    ...given('Message', dig(status, 'message')),
    `IP:\t${asText(dig(status, 'podIP')) ?? ''}`,
    ...(ips.length === 0 ? ['IPs:\t<none>'] : ['IPs:', ...ips.map((ip) => `  IP:\t${ip}`)]),
    ...(owner === undefined ? [] : [`Controlled By:\t${owner.kind}/${owner.name}`]),
    ...containersLines('Init Containers', dig(spec, 'initContainers'), dig(status, 'initContainerStatuses')),
    ...containersLines('Containers', dig(spec, 'containers'), dig(status, 'containerStatuses')),
    ...gateLines(dig(spec, 'readinessGates'), dig(status, 'conditions')),
    ...conditionLines(dig(status, 'conditions')),
    ...volumeLines(dig(spec, 'volumes')),
    `QoS Class:\t${asText(dig(status, 'qosClass')) ?? ''}`,
    ...mapLines('Node-Selectors', dig(spec, 'nodeSelector')),
    ...tolerationLines(dig(spec, 'tolerations')),
  ];
}

function gateLines(gates: Json | undefined, conditions: Json | undefined): readonly string[] {
  const lines = asList(gates).map((gate) => {
    const type = asText(dig(gate, 'conditionType')) ?? '';
    const condition = asList(conditions).find((one) => dig(one, 'type') === type);
    return `  ${type}\t${asText(dig(condition, 'status')) ?? '<none>'}`;
  });
  return lines.length === 0 ? [] : ['Readiness Gates:', '  Type\tStatus', ...lines];
}

function given(title: string, value: Json | undefined): readonly string[] {
  return value === undefined ? [] : [`${title}:\t${textOf(value).replaceAll('\n', ' ')}`];
}

/** The containers of a pod, or of a template, which has no statuses. */
export function containersLines(title: string, containers: Json | undefined, statuses: Json | undefined, indent = ''): readonly string[] {
  const all = asList(containers);
  if (all.length === 0) return [];
  const lines = all.flatMap((container) => {
    const name = asText(dig(container, 'name')) ?? '';
    const status = asList(statuses).find((one) => dig(one, 'name') === name);
    return [`  ${name}:`, ...containerLines(container, status)];
  });
  return [`${title}:`, ...lines].map((line) => indent + line);
}

function containerLines(container: Json, status: Json | undefined): readonly string[] {
  const ports = (field: 'containerPort' | 'hostPort'): string =>
    asList(dig(container, 'ports'))
      .map((port) => `${textOf(dig(port, field) ?? 0)}/${asText(dig(port, 'protocol')) ?? 'TCP'}`)
      .join(', ') || '<none>';
  const plural = asList(dig(container, 'ports')).length > 1 ? 's' : '';
  return [
    ...(status === undefined ? [] : [`    Container ID:\t${asText(dig(status, 'containerID')) ?? ''}`]),
    `    Image:\t${asText(dig(container, 'image')) ?? ''}`,
    ...(status === undefined ? [] : [`    Image ID:\t${asText(dig(status, 'imageID')) ?? ''}`]),
    `    Port${plural}:\t${ports('containerPort')}`,
    `    Host Port${plural}:\t${ports('hostPort')}`,
    ...wordLines('Command', dig(container, 'command')),
    ...wordLines('Args', dig(container, 'args')),
    ...(status === undefined
      ? []
      : [
          ...stateLines('State', dig(status, 'state')),
          ...(dig(status, 'lastState') === undefined || Object.keys(dig(status, 'lastState') ?? {}).length === 0
            ? []
            : stateLines('Last State', dig(status, 'lastState'))),
          `    Ready:\t${dig(status, 'ready') === true ? 'True' : 'False'}`,
          `    Restart Count:\t${textOf(dig(status, 'restartCount'))}`,
        ]),
    ...amountLines('Limits', dig(container, 'resources', 'limits')),
    ...amountLines('Requests', dig(container, 'resources', 'requests')),
    ...(['liveness', 'readiness', 'startup'] as const).flatMap((kind) => probeLine(kind, dig(container, `${kind}Probe`))),
    ...environmentLines(container),
    ...listLines('    Mounts', asList(dig(container, 'volumeMounts')), (mount) => {
      const how = [
        dig(mount, 'readOnly') === true ? 'ro' : 'rw',
        ...(dig(mount, 'subPath') === undefined ? [] : [`path="${textOf(dig(mount, 'subPath'))}"`]),
      ];
      return `      ${asText(dig(mount, 'mountPath')) ?? ''} from ${asText(dig(mount, 'name')) ?? ''} (${how.join(',')})`;
    }),
  ];
}

function wordLines(title: string, words: Json | undefined): readonly string[] {
  const lines = asList(words).flatMap((word) => (asText(word) ?? '').split('\n').map((line) => `      ${line.replaceAll('\t', ' ')}`));
  return lines.length === 0 ? [] : [`    ${title}:`, ...lines];
}

function stateLines(title: string, state: Json | undefined): readonly string[] {
  const [name = 'waiting', about = {}] = Object.entries(isJsonObject(state) ? state : {})[0] ?? [];
  const of = (field: string): string => asText(dig(about, field)) ?? '';
  const reason = of('reason') === '' ? [] : [`      Reason:\t${of('reason')}`];
  const message = of('message') === '' ? [] : [`      Message:\t${of('message').replaceAll('\n', ' ')}`];
  if (name === 'running') return [`    ${title}:\tRunning`, `      Started:\t${longTime(dig(about, 'startedAt'))}`];
  if (name === 'waiting') return [`    ${title}:\tWaiting`, ...reason];
  return [
    `    ${title}:\tTerminated`,
    ...reason,
    ...message,
    `      Exit Code:\t${textOf(dig(about, 'exitCode'))}`,
    `      Started:\t${longTime(dig(about, 'startedAt'))}`,
    `      Finished:\t${longTime(dig(about, 'finishedAt'))}`,
  ];
}

function amountLines(title: string, amounts: Json | undefined): readonly string[] {
  const pairs = Object.entries(asTextMap(amounts)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? [] : [`    ${title}:`, ...pairs.map(([name, amount]) => `      ${name}:\t${amount}`)];
}

function probeLine(kind: 'liveness' | 'readiness' | 'startup', probe: Json | undefined): readonly string[] {
  if (probe === undefined) return [];
  const seconds = (field: string, otherwise: string): string => (dig(probe, field) === undefined ? otherwise : textOf(dig(probe, field)));
  const title = kind.replace(/^./, (letter) => letter.toUpperCase());
  const numbers = `delay=${seconds('initialDelaySeconds', '0')}s timeout=${seconds('timeoutSeconds', '1')}s period=${seconds('periodSeconds', '10')}s #success=${seconds('successThreshold', '1')} #failure=${seconds('failureThreshold', '3')}`;
  return [`    ${title}:\t${probeWords(probe)} ${numbers}`];
}

function probeWords(probe: Json): string {
  const [http, tcp, exec, grpc] = [dig(probe, 'httpGet'), dig(probe, 'tcpSocket'), dig(probe, 'exec'), dig(probe, 'grpc')];
  if (http !== undefined) {
    const scheme = (asText(dig(http, 'scheme')) ?? 'HTTP').toLowerCase();
    return `http-get ${scheme}://${asText(dig(http, 'host')) ?? ''}:${textOf(dig(http, 'port'))}${asText(dig(http, 'path')) ?? ''}`;
  }
  if (tcp !== undefined) return `tcp-socket ${asText(dig(tcp, 'host')) ?? ''}:${textOf(dig(tcp, 'port'))}`;
  if (exec !== undefined) return `exec [${asList(dig(exec, 'command')).map(textOf).join(' ')}]`;
  return grpc === undefined ? 'unknown' : `grpc <pod>:${textOf(dig(grpc, 'port'))}`;
}

function environmentLines(container: Json): readonly string[] {
  const from = asList(dig(container, 'envFrom')).flatMap((one) =>
    (['configMapRef', 'secretRef'] as const).flatMap((field) => {
      const source = dig(one, field);
      if (source === undefined) return [];
      return [
        `      ${textOf(dig(source, 'name'))}\t${field === 'configMapRef' ? 'ConfigMap' : 'Secret'}\tOptional: ${String(dig(source, 'optional') === true)}`,
      ];
    }),
  );
  const variables = asList(dig(container, 'env')).map((one) => `      ${textOf(dig(one, 'name'))}:\t${valueWords(one)}`);
  return [
    ...(from.length === 0 ? [] : ['    Environment Variables from:', ...from]),
    ...(variables.length === 0 ? ['    Environment:\t<none>'] : ['    Environment:', ...variables]),
  ];
}

function valueWords(variable: Json): string {
  const from = dig(variable, 'valueFrom');
  if (from === undefined) return textOf(dig(variable, 'value')).replaceAll('\n', ' ');
  const [map, secret, field] = [dig(from, 'configMapKeyRef'), dig(from, 'secretKeyRef'), dig(from, 'fieldRef')];
  const key = map ?? secret;
  if (key !== undefined) {
    const kind = map === undefined ? 'secret' : 'config map';
    return `<set to the key '${textOf(dig(key, 'key'))}' of ${kind} '${textOf(dig(key, 'name'))}'>\tOptional: ${String(dig(key, 'optional') === true)}`;
  }
  return field === undefined ? '' : ` (${asText(dig(field, 'apiVersion')) ?? 'v1'}:${textOf(dig(field, 'fieldPath'))})`;
}

function listLines(title: string, items: readonly Json[], line: (item: Json) => string): readonly string[] {
  return items.length === 0 ? [`${title}:\t<none>`] : [`${title}:`, ...items.map(line)];
}

export function conditionLines(conditions: Json | undefined): readonly string[] {
  const all = asList(conditions);
  if (all.length === 0) return [];
  return ['Conditions:', '  Type\tStatus', ...all.map((one) => `  ${textOf(dig(one, 'type'))}\t${textOf(dig(one, 'status'))} `)];
}

/** What each kind of volume is called and which of its fields are shown. */
const VOLUMES: Readonly<Record<string, readonly [words: string, fields: Readonly<Record<string, string>>]>> = {
  configMap: ['ConfigMap (a volume populated by a ConfigMap)', { Name: 'name', Optional: 'optional' }],
  secret: ['Secret (a volume populated by a Secret)', { SecretName: 'secretName', Optional: 'optional' }],
  emptyDir: ["EmptyDir (a temporary directory that shares a pod's lifetime)", { Medium: 'medium', SizeLimit: 'sizeLimit' }],
  hostPath: ['HostPath (bare host directory volume)', { Path: 'path', HostPathType: 'type' }],
  persistentVolumeClaim: [
    'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    { ClaimName: 'claimName', ReadOnly: 'readOnly' },
  ],
  projected: ['Projected (a volume that contains injected data from multiple sources)', {}],
};

export function volumeLines(volumes: Json | undefined): readonly string[] {
  const all = asList(volumes);
  if (all.length === 0) return ['Volumes:\t<none>'];
  return [
    'Volumes:',
    ...all.flatMap((volume) => {
      const kind = Object.keys(VOLUMES).find((one) => dig(volume, one) !== undefined);
      const [words, fields] = VOLUMES[kind ?? ''] ?? ['<unknown>', {}];
      const lines = Object.entries(fields).map(([title, field]) => {
        const value = dig(volume, kind ?? '', field);
        const unset = ['optional', 'readOnly'].includes(field) ? 'false' : field === 'sizeLimit' ? '<unset>' : '';
        return `    ${title}:\t${value === undefined ? unset : textOf(value)}`;
      });
      return [`  ${textOf(dig(volume, 'name'))}:`, `    Type:\t${words}`, ...lines, ...sourceLines(dig(volume, 'projected'))];
    }),
  ];
}

function sourceLines(projected: Json | undefined): readonly string[] {
  return asList(dig(projected, 'sources')).flatMap((source) => {
    const [token, map, secret] = [dig(source, 'serviceAccountToken'), dig(source, 'configMap'), dig(source, 'secret')];
    if (token !== undefined) return [`    TokenExpirationSeconds:\t${textOf(dig(token, 'expirationSeconds'))}`];
    if (dig(source, 'downwardAPI') !== undefined) return ['    DownwardAPI:\ttrue'];
    const [kind, named] = map === undefined ? ['Secret', secret] : ['ConfigMap', map];
    const optional = dig(named, 'optional');
    return [
      `    ${kind}Name:\t${textOf(dig(named, 'name'))}`,
      `    ${kind === 'Secret' ? 'SecretOptionalName' : 'ConfigMapOptional'}:\t${optional === undefined ? '<nil>' : String(optional === true)}`,
    ];
  });
}

export function tolerationLines(tolerations: Json | undefined): readonly string[] {
  const sorted = asList(tolerations).toSorted((a, b) => (textOf(dig(a, 'key')) < textOf(dig(b, 'key')) ? -1 : 1));
  const words = sorted.map((one) => {
    const [key, value, effect] = [asText(dig(one, 'key')) ?? '', asText(dig(one, 'value')), asText(dig(one, 'effect'))];
    const seconds = dig(one, 'tolerationSeconds');
    const exists = dig(one, 'operator') === 'Exists' ? ' op=Exists' : '';
    return `${key}${value === undefined ? '' : `=${value}`}${effect === undefined ? '' : `:${effect}`}${exists}${seconds === undefined ? '' : ` for ${textOf(seconds)}s`}`;
  });
  return words.length === 0 ? ['Tolerations:\t<none>'] : words.map((word, at) => `${at === 0 ? 'Tolerations:' : ''}\t${word}`);
}
