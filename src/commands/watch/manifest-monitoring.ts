import type { JsonObject } from '../../base/json.ts';
import { dashboard } from '../../report/watching/dashboard.ts';

/** What Prometheus' operator and Grafana's sidecar look for. */
export interface MonitoringWish {
  readonly metadata: JsonObject & { readonly name: string; readonly labels: JsonObject };
  readonly selector: JsonObject;
}

const GROUP = 'monitoring.coreos.com/v1';

/** A ServiceMonitor, a PrometheusRule and a ConfigMap with a dashboard. Source: prometheus-operator's API, Grafana's helm chart (sidecar). */
export function monitoringManifests({ metadata, selector }: MonitoringWish): readonly JsonObject[] {
  return [
    {
      apiVersion: GROUP,
      kind: 'ServiceMonitor',
      metadata,
      // A cause is in the namespace of its workload, not in that of who tells it.
      spec: { selector, endpoints: [{ port: 'http', interval: '30s', honorLabels: true }] },
    },
    { apiVersion: GROUP, kind: 'PrometheusRule', metadata, spec: { groups: [{ name: 'podcheck', rules: ALERTS.map(alertRule) }] } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, name: `${metadata.name}-dashboard`, labels: { ...metadata.labels, grafana_dashboard: '1' } },
      data: { 'podcheck.json': `${JSON.stringify(dashboard())}\n` },
    },
  ];
}

interface Alert {
  readonly name: string;
  readonly expr: string;
  readonly for: string;
  readonly summary: string;
}

const WORKLOAD = '{{ $labels.kind }} {{ $labels.namespace }}/{{ $labels.name }}';
const ALERTS: readonly Alert[] = [
  { name: 'PodcheckCause', expr: 'podcheck_cause >= 0', for: '5m', summary: `${WORKLOAD} is unhealthy: {{ $labels.rule }}` },
  {
    name: 'PodcheckUnexplained',
    expr: 'podcheck_unexplained >= 0',
    for: '15m',
    summary: `${WORKLOAD} is unhealthy, and the cause is not known`,
  },
  { name: 'PodcheckGap', expr: 'podcheck_gap > 0', for: '15m', summary: 'podcheck cannot {{ $labels.verb }} {{ $labels.resource }}' },
  { name: 'PodcheckIncomplete', expr: 'podcheck_watch_complete == 0', for: '15m', summary: 'podcheck has not listed all objects yet' },
  {
    name: 'PodcheckLag',
    expr: 'podcheck_watch_lag_seconds > 300',
    for: '5m',
    summary: 'podcheck has not heard from the API server for 5 min',
  },
  { name: 'PodcheckAbsent', expr: 'absent(podcheck_build_info)', for: '15m', summary: 'podcheck is not running or cannot be scraped' },
];

function alertRule({ name, expr, for: lasting, summary }: Alert): JsonObject {
  return { alert: name, expr, for: lasting, labels: { severity: 'warning' }, annotations: { summary } };
}
