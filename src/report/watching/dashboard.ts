import type { Json, JsonObject } from '../../base/json.ts';

/** What a panel shows: how, where (24 columns), and by which query. */
interface Panel {
  readonly title: string;
  readonly type: 'stat' | 'timeseries' | 'table';
  /** Columns and rows. */
  readonly size: readonly [width: number, height: number];
  readonly expr: string;
  readonly legend?: string;
  readonly unit?: string;
}

const WIDTH = 24;
const PANELS: readonly Panel[] = [
  { title: 'Causes', type: 'stat', size: [6, 4], expr: 'count(podcheck_cause) or vector(0)' },
  {
    title: 'Unhealthy pods',
    type: 'stat',
    size: [6, 4],
    expr: 'sum(podcheck_cause or podcheck_unexplained) or vector(0)',
  },
  { title: 'Workloads without a known cause', type: 'stat', size: [6, 4], expr: 'count(podcheck_unexplained) or vector(0)' },
  { title: 'Gaps: what cannot be watched', type: 'stat', size: [6, 4], expr: 'sum(podcheck_gap) or vector(0)' },
  { title: 'Open causes: unhealthy pods', type: 'table', size: [24, 9], expr: 'podcheck_cause or podcheck_unexplained' },
  { title: 'Causes by stage', type: 'timeseries', size: [12, 8], expr: 'count by (stage) (podcheck_cause)', legend: '{{stage}}' },
  {
    title: 'Causes by namespace',
    type: 'timeseries',
    size: [12, 8],
    expr: 'topk(10, count by (namespace) (podcheck_cause))',
    legend: '{{namespace}}',
  },
  {
    title: 'Time in a stage, 90th percentile of new pods',
    type: 'timeseries',
    size: [12, 8],
    expr: 'histogram_quantile(0.9, sum by (stage, le) (rate(podcheck_stage_seconds_bucket[30m])))',
    legend: '{{stage}}',
    unit: 's',
  },
  { title: 'Lag of the watch', type: 'timeseries', size: [12, 8], expr: 'podcheck_watch_lag_seconds', legend: '{{pod}}', unit: 's' },
];

/** A dashboard for Grafana 10 and later, on the metrics of `watch --serve`. */
export function dashboard(): JsonObject {
  let [x, y, id] = [0, 0, 0];
  const panels = PANELS.map((panel): Json => {
    const { title, type, size, expr, legend, unit } = panel;
    const [w, h] = size;
    const gridPos = { x, y, w, h };
    [x, y] = x + w >= WIDTH ? [0, y + h] : [x + w, y];
    id += 1;
    const isTable = type === 'table';
    return {
      id,
      title,
      type,
      gridPos,
      datasource: SOURCE,
      targets: [
        {
          refId: 'A',
          expr,
          datasource: SOURCE,
          legendFormat: legend ?? '',
          instant: type !== 'timeseries',
          format: isTable ? 'table' : 'time_series',
        },
      ],
      fieldConfig: { defaults: { min: 0, ...(unit === undefined ? {} : { unit }) }, overrides: [] },
      ...(isTable ? { transformations: [TIDY] } : {}),
    };
  });
  return {
    uid: 'podcheck-watch',
    title: 'podcheck: why workloads are not healthy',
    tags: ['kubernetes', 'podcheck'],
    schemaVersion: 39,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }] },
    panels,
  };
}

const SOURCE = { type: 'prometheus', uid: '${datasource}' };
/** Labels of the scrape say nothing about a cause. */
const TIDY = {
  id: 'organize',
  options: {
    excludeByName: {
      Time: true,
      __name__: true,
      fingerprint: true,
      instance: true,
      job: true,
      endpoint: true,
      container: true,
      service: true,
      pod: true,
    },
  },
};
