import type { JsonObject } from '../../base/json.ts';
import { asText } from '../../base/json.ts';
import { yamlText } from '../yaml-text.ts';
import type { ManifestParts, ManifestWish } from './manifest.ts';
import { manifestParts, RESOURCES } from './manifest.ts';

/** Words that no object has by itself, and what stands for them in a template. `$` is the root in a `range`, too. */
const MARKS = {
  MARKNAMESPACE: '{{ $.Release.Namespace | quote }}',
  MARKEACH: '{{ . | quote }}',
  MARKIMAGE: '{{ $.Values.image | quote }}',
  MARKREPLICAS: '{{ $.Values.replicas }}',
  MARKRESOURCES: '{{ toJson $.Values.resources }}',
} as const;
const SLOTS = 'range until (int $.Values.replicas)';
const ARGS = `- watch
{{- if $.Values.scope.namespaces }}
- --namespaces
- {{ join "," $.Values.scope.namespaces | quote }}
{{- else }}
- --all-namespaces
{{- end }}
- --serve
- ":8080"
- --state-namespace
- {{ $.Release.Namespace | quote }}
- --replicas
- {{ $.Values.replicas | quote }}
{{- if $.Values.events }}
- --events
{{- end }}
{{- range $.Values.args }}
- {{ . | quote }}
{{- end }}`;

/** A Helm chart, made of the same objects as the plain manifest: the text of each file by its name. The wish gives the default values. */
export function helmChart(wish: ManifestWish): Readonly<Record<string, string>> {
  const { version } = wish;
  const description = 'Watches a cluster and tells why workloads are not healthy';
  return {
    'Chart.yaml': yamlText({ apiVersion: 'v2', name: 'podcheck', description, type: 'application', version, appVersion: version }),
    'values.yaml': valuesText(wish),
    'templates/watch.yaml': templateText(wish),
  };
}

function valuesText({ image, replicas, namespaces = [], logs, events, monitoring, egressPorts = [] }: ManifestWish): string {
  return [
    yamlText({ image }),
    '# They share the work by namespace.',
    yamlText({ replicas }),
    '# Namespaces to watch; empty: the whole cluster.',
    yamlText({ scope: { namespaces } }),
    '# Allow reading the logs of containers.',
    yamlText({ logs }),
    '# Write an Event on the workload of each cause.',
    yamlText({ events }),
    '# Further arguments of podcheck watch, for example --alertmanager and its URL.',
    yamlText({ args: [] }),
    '# egressPorts: allow connections to these ports and DNS only; empty: everywhere.',
    yamlText({ networkPolicy: { enabled: true, egressPorts } }),
    '# ServiceMonitor, PrometheusRule and a dashboard for Grafana.',
    yamlText({ monitoring: { enabled: monitoring } }),
    yamlText({ resources: RESOURCES }),
  ]
    .map((part) => part.trimEnd())
    .join('\n')
    .concat('\n');
}

function templateText({ version }: ManifestWish): string {
  const wish = { namespace: 'MARKNAMESPACE', image: 'MARKIMAGE', version, logs: true, events: true, replicas: 1, monitoring: true };
  const settings = { replicas: 'MARKREPLICAS', args: ['MARKARGS'], resources: 'MARKRESOURCES' };
  const parts = (namespaces: readonly string[] | undefined): ManifestParts =>
    manifestParts({ ...wish, namespaces, egressPorts: undefined }, settings);
  const [whole, named] = [parts(undefined), parts(['MARKEACH'])];
  const [outside, within] = [named.access.filter(isOfCluster), named.access.filter((object) => !isOfCluster(object))];
  const each = 'range $.Values.scope.namespaces';
  return [
    documents([...whole.account, ...whole.stateAccess]),
    block(SLOTS, documents(whole.state)),
    block(
      'if $.Values.scope.namespaces',
      documents(outside) + block(each, documents(within)) + block('else', documents(whole.access)).replace(/\{\{- end \}\}\n$/, ''),
    ),
    block(
      'if $.Values.events',
      block('if $.Values.scope.namespaces', block(each, documents(named.events)) + `{{- else }}\n${documents(whole.events)}`),
    ),
    documents(whole.workload),
    block(
      'if $.Values.networkPolicy.enabled',
      documents(whole.networkPolicy).replace(
        /^ *- Ingress\n/m,
        (line) => line + block('if $.Values.networkPolicy.egressPorts', line.replace('In', 'E')),
      ) + EGRESS,
    ),
    block('if $.Values.monitoring.enabled', documents(whole.monitoring)),
  ].join('');
}

function isOfCluster({ kind }: JsonObject): boolean {
  return asText(kind)?.startsWith('Cluster') === true;
}

/** The policy ends with its spec, so that this belongs to it. */
const EGRESS = `  {{- with $.Values.networkPolicy.egressPorts }}
  egress:
    - ports:
        - { protocol: UDP, port: 53 }
        - { protocol: TCP, port: 53 }
        {{- range . }}
        - { protocol: TCP, port: {{ . }} }
        {{- end }}
  {{- end }}
`;

function block(head: string, body: string): string {
  return `{{- ${head} }}\n${body}{{- end }}\n`;
}

function documents(objects: readonly JsonObject[]): string {
  return objects.map((object) => `---\n${template(object)}`).join('');
}

const LOGS = /^ {2}- apiGroups:\n {6}- ""\n {4}resources:\n {6}- pods\/log\n {4}verbs:\n {6}- get\n/m;

function template(object: JsonObject): string {
  const { kind } = object;
  // Alerts and dashboards have templates of their own.
  let text = yamlText(object).replaceAll(/\{\{|\}\}/g, (braces) => `{{ "${braces}" }}`);
  for (const [mark, value] of Object.entries(MARKS)) text = text.replaceAll(mark, value);
  text = text.replace(/^( *)- MARKARGS$/m, (_, indent: string) => ARGS.replaceAll(/^(?!\{\{-)/gm, indent));
  text = text.replace(LOGS, (rule) => block('if $.Values.logs', rule));
  if (kind === 'Lease' || kind === 'ConfigMap') return text.replace('podcheck-watch-0', 'podcheck-watch-{{ . }}');
  return text.replaceAll(/^ *- podcheck-watch-0\n/gm, (line) => block(SLOTS, line.replace('-0', '-{{ . }}')));
}
