import { describe, expect, it } from 'vitest';
import type { Course, PastCourse, WatchView } from '../../src/model/watch-change.ts';
import { watchPage } from '../../src/report/html/watch-page.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';
import { causesJson } from '../../src/report/watching/causes-json.ts';
import { changeJson } from '../../src/report/watching/change-json.ts';
import { changeText } from '../../src/report/watching/change-text.ts';
import { watchMetrics } from '../../src/report/watching/watch-metrics.ts';
import { watchTable } from '../../src/report/watching/watch-table.ts';
import { schemaProblems } from '../support/schema-problems.ts';
import { STOPPED } from '../support/diagnoses.ts';

const AT = Date.parse('2026-01-14T09:20:00Z');
const [FULL] = STOPPED.causes;
const COURSE: Course = {
  cause: {
    fingerprint: '0123456789abcdef0123456789abcdef',
    rule: 'volumes/configmap-not-found',
    stage: 'volumes',
    title: 'FailedMount: ConfigMap not found',
    says: 'Volume settings requires ConfigMap web-settings.',
    workload: { kind: 'Deployment', namespace: 'shop', name: 'web' },
    object: { kind: 'ConfigMap', namespace: 'shop', name: 'web-settings' },
    fix: [{ say: 'Create it.', run: 'kubectl -n shop create configmap web-settings' }],
    evidence: [],
    needs: [],
    stages: STOPPED.stages,
    ...(FULL === undefined ? {} : { full: FULL }),
  },
  since: AT - 300_000,
  foundAt: AT - 60_000,
  pods: 2,
  reasons: ['0/2 ready'],
  times: 1,
};
const PAST: PastCourse = { ...COURSE, endedAt: AT - 1000, ended: 'well' };
const GAP = { verb: 'list', resource: 'jobs.batch', detail: 'jobs is forbidden', needs: 'list jobs.batch in all namespaces' } as const;
const VIEW: WatchView = {
  at: AT,
  scope: 'all namespaces',
  complete: true,
  objects: 40,
  courses: [COURSE],
  past: [PAST],
  pending: 1,
  gaps: [{ gap: GAP, since: AT - 5000 }],
  lagSeconds: 1.5,
};

/** A workload whose every word wants to be something else. */
function hostile(): Course {
  const text = 'we"b\\\n# x <script>alert(1)</script>\u001B[2J\u202E';
  const workload = { kind: 'Deployment', namespace: text, name: text };
  return { ...COURSE, cause: { ...COURSE.cause, rule: text, title: text, says: text, workload } };
}

describe('what a watch tells', () => {
  it('is one line each, with what is needed to go on', () => {
    const line = (change: Parameters<typeof changeText>[0]): string => changeText(change, PLAIN);
    expect(line({ type: 'found', at: AT, course: COURSE })).toBe(
      '2026-01-14T09:20:00Z found   Deployment shop/web: FailedMount: ConfigMap not found (volumes/configmap-not-found, 2 pods, since 5m); fix: kubectl -n shop create configmap web-settings\n',
    );
    expect(line({ type: 'cured', at: AT, course: PAST })).toContain('healthy again after 4m59s)');
    expect(line({ type: 'gap', at: AT, gap: GAP })).toContain('gap     list jobs.batch failed: jobs is forbidden (needs: list jobs.batch');
    expect(line({ type: 'gap-closed', at: AT, gap: GAP, since: AT - 90_000 })).toContain('resumed list jobs.batch works again after 90s');
    expect(line({ type: 'found', at: AT, course: hostile() }).split('\n')).toHaveLength(2);
  });

  it('follows its schema, whatever it is', () => {
    const changes = [
      { type: 'found', at: AT, course: COURSE },
      { type: 'changed', at: AT, course: COURSE, before: COURSE.cause },
      { type: 'cured', at: AT, course: PAST },
      { type: 'gap', at: AT, gap: GAP },
      { type: 'gap-closed', at: AT, gap: GAP, since: AT },
      { type: 'missed', at: AT, detail: 'The watch expired.' },
    ] as const;
    for (const change of changes) expect(schemaProblems('watch.v1.json', changeJson(change))).toEqual([]);
    expect(schemaProblems('watch.v1.json', { ...changeJson(changes[0]), more: 1 })).not.toEqual([]);
    expect(schemaProblems('causes.v1.json', causesJson(VIEW))).toEqual([]);
    expect(schemaProblems('causes.v1.json', { ...causesJson(VIEW), more: 1 })).not.toEqual([]);
  });
});

describe('the metrics of a watch', () => {
  it('have one series for each cause, with the labels that alerts join on', () => {
    const lines = watchMetrics(VIEW, '1.2.3').split('\n');
    const labels =
      '{rule="volumes/configmap-not-found",stage="volumes",namespace="shop",kind="Deployment",name="web",fingerprint="0123456789abcdef0123456789abcdef"}';
    expect(lines).toContain(`podcheck_cause${labels} 2`);
    expect(lines).toContain(`podcheck_cause_since_timestamp_seconds${labels} ${(AT - 300_000) / 1000}`);
    expect(lines).toContain('podcheck_gap{verb="list",resource="jobs.batch"} 1');
    expect(lines).toContain('podcheck_watch_lag_seconds 1.5');
    expect(lines).toContain('podcheck_build_info{version="1.2.3"} 1');
    expect(watchMetrics({ ...VIEW, courses: [], gaps: [] }, '1.2.3')).not.toContain('podcheck_cause');
  });

  it('count what no rule explains apart, and name the replica and the times of stages', () => {
    const cause = { ...COURSE.cause, rule: 'podcheck/unexplained' };
    const stageTimes = [{ stage: 'probes', counts: [0, 1, 1, 1, 1, 1, 1, 1, 1, 1], sum: 902, count: 2 }] as const;
    const text = watchMetrics({ ...VIEW, courses: [{ ...COURSE, cause }], shard: { shard: 1, of: 3 }, stageTimes }, '1.2.3');
    const lines = text.split('\n');
    expect(text).not.toContain('podcheck_cause');
    expect(lines.find((line) => line.startsWith('podcheck_unexplained{'))).toContain('namespace="shop",kind="Deployment",name="web"');
    expect(lines).toEqual(
      expect.arrayContaining([
        'podcheck_shard_info{shard="1",of="3"} 1',
        '# TYPE podcheck_stage_seconds histogram',
        'podcheck_stage_seconds_bucket{stage="probes",le="1"} 0',
        'podcheck_stage_seconds_bucket{stage="probes",le="2"} 1',
        'podcheck_stage_seconds_bucket{stage="probes",le="+Inf"} 2',
        'podcheck_stage_seconds_sum{stage="probes"} 902',
        'podcheck_stage_seconds_count{stage="probes"} 2',
      ]),
    );
  });

  it('stay readable, whatever a name has in it', () => {
    const text = watchMetrics({ ...VIEW, courses: [hostile()] }, '1.2.3');
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="([^"\\\n]|\\["\\n])*",?)*\})? -?[\d.]+)$/);
    expect(text).not.toMatch(/[\u001B\u202E]/);
  });
});

describe('the live table', () => {
  it('marks what is new and what is cured, and fits the terminal', () => {
    const lines = watchTable(VIEW, PLAIN, 24);
    expect(lines.join('\n')).toContain('Watching all namespaces, 40 objects, 1 cause, 1 being checked');
    expect(lines.find((line) => line.includes('new'))).toContain('Deployment shop/web');
    expect(lines.find((line) => line.includes('cured'))).toContain('Deployment shop/web');
    const gone = watchTable({ ...VIEW, past: [{ ...PAST, ended: 'deleted' }] }, PLAIN, 20);
    expect(gone.filter((line) => / (?:cured|deleted) /.test(line))).toMatchObject([expect.stringMatching(/ deleted /)]);
    const many = { ...VIEW, courses: Array.from({ length: 100 }, () => hostile()) };
    for (const look of [PLAIN, { ...PLAIN, color: true }]) {
      const drawn = watchTable(many, look, 12);
      expect(drawn.length).toBeLessThanOrEqual(12);
      expect(drawn.at(-1)).toContain('more');
      // Colors take no columns.
      for (const line of drawn) expect(line.replaceAll(/\u001B\[\d+m/g, '').length).toBeLessThanOrEqual(80);
      expect(drawn.join('').replaceAll(/\u001B\[\d+m/g, '')).not.toMatch(/[\u001B\u202E]/);
    }
  });
});

describe('the live table of a watch that cannot see', () => {
  it('does not say that all is well, and tells one reason once', () => {
    const blind = (count: number, detail = 'refused'): WatchView['gaps'] =>
      Array.from({ length: count }, (_, index) => ({ gap: { verb: 'watch', resource: `r${index}`, detail }, since: AT }));
    const view = { ...VIEW, courses: [], past: [] };
    expect(watchTable({ ...view, gaps: [] }, PLAIN, 24).at(-1)).toBe('✔ no causes');
    expect(watchTable({ ...view, gaps: blind(7) }, PLAIN, 24).slice(1)).toEqual([
      '7 kinds cannot be watched: refused',
      '? no causes in what can be seen',
    ]);
    const others = ['a', 'b', 'c', 'd'].flatMap((detail) => blind(1, detail));
    expect(watchTable({ ...view, gaps: others }, PLAIN, 24).slice(1, 4)).toEqual([
      'watch r0 failed: a',
      'watch r0 failed: b',
      'and 2 more gaps',
    ]);
  });
});

describe('the page of a watch', () => {
  it('has all causes with their stages, and lets a browser load nothing', () => {
    const text = watchPage({ ...VIEW, courses: [COURSE, hostile()] });
    expect(text).toContain("content=\"default-src 'none'");
    expect(text).toContain('<title>all namespaces: 2 causes</title>');
    expect(text).toContain('<h2>Stages</h2>');
    expect(text).toContain('<h2>Past causes</h2>');
    expect(text).not.toContain('<script');
    expect(text).not.toMatch(/[\u001B\u202E]/);
  });
});
