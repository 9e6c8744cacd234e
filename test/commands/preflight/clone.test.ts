import { describe, expect, it } from 'vitest';
import { podcheck } from '../../support/command-line.ts';
import { folderWith } from '../../support/folder.ts';
import { qualityProblems, sarifProblems } from '../../support/sarif-schema.ts';
import { renderedHtml } from '../../support/rendered.ts';
import { parseXml } from '../../support/xml.ts';

const TIMEOUT = 60_000;
const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'oak', labels: { 'kubernetes.io/hostname': 'oak' } },
  status: {
    capacity: { cpu: '2', memory: '4Gi', pods: '110' },
    allocatable: { cpu: '2', memory: '4Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True' }],
  },
};
const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

function running(name: string, cpu: string, startedAt: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', uid: name, labels: { app: 'till' } },
    spec: { nodeName: 'oak', containers: [{ name: 'till', image: 'shop/till:1', resources: { requests: { cpu } } }] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        {
          name: 'till',
          image: 'shop/till:1',
          imageID: 'sha256:1',
          ready: true,
          restartCount: 0,
          state: { running: { startedAt } },
        },
      ],
    },
  };
}

function list(...items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

function pod(name: string, cpu: string, more: object = {}): string {
  const spec = { containers: [{ name: 'till', image: 'shop/till:1', resources: { requests: { cpu } } }], ...more };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop', labels: { app: 'kiosk' } }, spec });
}

/** Files in a folder with a snapshot that is as old as is said. */
function saved(files: Readonly<Record<string, string>>, ageSeconds = 0): string {
  const startedAt = new Date(Date.now() - ageSeconds * 1000).toISOString().replace(/\.\d+Z/, 'Z');
  const snapshot = list(NODE, NAMESPACE, running('till-1', '900m', startedAt), running('till-2', '900m', startedAt));
  return folderWith({ 'saved.json': snapshot, ...files });
}

describe('podcheck preflight --from', () => {
  it(
    'finds no room where the saved pods leave none, and looks further with a smaller request',
    async () => {
      const folder = saved({ 'kiosk.json': pod('kiosk', '500m', { volumes: [{ name: 'keys', secret: { secretName: 'keys' } }] }) });
      const { code, out } = await podcheck(['preflight', '-f', `${folder}/kiosk.json`, '--from', `${folder}/saved.json`, '-o', 'json']);
      const [kiosk] = (JSON.parse(out) as { workloads: readonly { obstacles: readonly { rule: string; assumed?: string }[] }[] }).workloads;
      expect(code).toBe(1);
      expect(kiosk?.obstacles[0]?.rule).toBe('scheduling/insufficient-resource');
      expect(kiosk?.obstacles[0]?.assumed).toContain('requests hardly any cpu');
    },
    TIMEOUT,
  );

  it(
    'says that a pod would start whose image runs there today, unless the snapshot is too old',
    async () => {
      const asked = async (ageSeconds: number): Promise<string> => {
        const folder = saved({ 'kiosk.json': pod('kiosk', '100m') }, ageSeconds);
        const { code, out } = await podcheck(['preflight', '-f', `${folder}/kiosk.json`, '--from', `${folder}/saved.json`]);
        expect(code).toBe(0);
        return out;
      };
      expect(await asked(3600)).toMatch(/✔ Pod shop\/kiosk would start/);
      const old = await asked(21 * 86_400);
      expect(old).toMatch(/\? Pod shop\/kiosk has no known obstacle/);
      expect(old).toContain('21d old; what changed since is not known');
      expect(old).toContain('the snapshot is older than 1 day');
    },
    TIMEOUT,
  );

  it(
    'tells what it takes from what runs today: pods that are preempted, selectors and budgets',
    async () => {
      const manifests = list(
        { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'urgent' }, value: 1000 },
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'kiosk', namespace: 'shop', labels: { app: 'kiosk' } },
          spec: {
            priorityClassName: 'urgent',
            containers: [{ name: 'till', image: 'shop/till:1', resources: { requests: { cpu: '500m' } } }],
          },
        },
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'web', namespace: 'shop' },
          spec: {
            replicas: 1,
            selector: { matchLabels: { app: 'till' } },
            template: { metadata: { labels: { app: 'till' } }, spec: { containers: [{ name: 'till', image: 'shop/till:1' }] } },
          },
        },
        {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'kiosk', namespace: 'shop' },
          spec: { minAvailable: 1, selector: { matchLabels: { app: 'kiosk' } } },
        },
      );
      const folder = saved({ 'shop.json': manifests });
      const { out } = await podcheck(['preflight', '-f', `${folder}/shop.json`, '--from', `${folder}/saved.json`, '-o', 'json']);
      const { effects } = JSON.parse(out) as { effects: readonly { rule: string; says: string; place?: { line: number } }[] };
      const rules = effects.map(({ rule }) => rule);
      expect(rules).toContain('podcheck/evicts');
      expect(rules).toContain('podcheck/selects-others');
      expect(rules).toContain('podcheck/blocks-drain');
      expect(effects.find(({ rule }) => rule === 'podcheck/evicts')?.says).toMatch(/1 running pod is evicted or deleted: Pod shop\/till-/);
    },
    TIMEOUT,
  );
});

describe('podcheck preflight for a pipeline', () => {
  const run = async (format: string): Promise<{ readonly out: string; readonly file: string }> => {
    const folder = saved({ 'kiosk.json': pod('kiosk', '500m') });
    const file = `${folder}/kiosk.json`;
    const { code, out } = await podcheck(['preflight', '-f', file, '--from', `${folder}/saved.json`, '-o', format]);
    expect(code).toBe(1);
    return { out, file };
  };

  it(
    'writes valid SARIF, JUnit, code quality and annotations with file and line, and a page',
    async () => {
      const sarif = await run('sarif');
      const log = JSON.parse(sarif.out) as { runs: readonly [{ results: readonly object[] }] };
      expect(sarifProblems(log)).toEqual([]);
      expect(log.runs[0].results[0]).toMatchObject({
        ruleId: 'scheduling/insufficient-resource',
        locations: [{ physicalLocation: { artifactLocation: { uri: `file://${sarif.file}` }, region: { startLine: 1 } } }],
      });
      const junit = await run('junit');
      expect(parseXml(junit.out).attributes).toMatchObject({ tests: '1', failures: '1' });
      const quality = await run('gitlab');
      expect(qualityProblems(JSON.parse(quality.out))).toEqual([]);
      const github = await run('github');
      expect(github.out).toMatch(/^::error file=[^,]*,line=1,col=\d+,title=Pod shop\/kiosk%3A FailedScheduling/);
      const page = await run('html');
      expect(renderedHtml(page.out).active).toEqual([]);
      expect(page.out).toContain('is blocked by 1 obstacle');
    },
    TIMEOUT,
  );
});
