import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import { findProgram, KUBECTL, NOT_RUN } from '../../conformance/kubectl.ts';
import { podcheck } from '../../support/command-line.ts';
import { served } from './served-watch.ts';

const HELM = findProgram('helm');
const NO_HELM = HELM === undefined ? ' (not run: there is no helm on this machine)' : '';

function objectsIn(text: string): readonly JsonObject[] {
  return parseAllDocuments(text)
    .map((one) => one.toJS() as JsonObject | null)
    .filter((one) => one !== null);
}

async function manifest(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await podcheck(['watch', '--manifest', ...words]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

async function written(flag: '--chart' | '--kustomize', ...words: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'podcheck-manifest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { code, out, err } = await podcheck(['watch', flag, folder, ...words]);
  expect({ code, out, err }).toEqual({ code: 0, out: expect.stringContaining(`written to ${folder}`) as unknown, err: '' });
  return folder;
}

/** Objects in one order, and with what only a chart writes left out. */
function comparable(objects: readonly JsonObject[]): readonly string[] {
  return objects
    .filter(({ kind }) => kind !== 'Namespace')
    .map((object) =>
      JSON.stringify(sorted(object))
        .replace(/"--replicas","1",?/, '')
        .replace(',]', ']'),
    )
    .toSorted();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** What Prometheus' operator brings. */
function customKinds(): readonly JsonObject[] {
  return ['ServiceMonitor', 'PrometheusRule'].map((kind) => {
    const [group, plural] = ['monitoring.coreos.com', `${kind.toLowerCase()}s`];
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind, plural, singular: kind.toLowerCase() },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
  });
}

async function expectAccepted(objects: readonly JsonObject[]): Promise<void> {
  const { serving } = await served();
  const apply = (some: readonly JsonObject[]): readonly unknown[] => serving.cluster.apply(some).flatMap(({ failure }) => failure ?? []);
  const namespaces = ['podcheck', 'tools', 'shop', 'carts'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  expect(apply([...namespaces, ...customKinds()])).toEqual([]);
  serving.cluster.advance(10_000);
  expect(objects.length).toBeGreaterThan(10);
  expect(apply(objects)).toEqual([]);
}

const ALL = ['--replicas', '3', '--events', '--logs', '--monitoring', '--egress-ports', '443,6443'];
const SCOPES: readonly (readonly string[])[] = [[], ['--namespaces', 'shop,carts']];

describe('what podcheck watch --manifest prints', { timeout: 120_000 }, () => {
  it.each(SCOPES)('with everything is accepted by the API server, and comes up: %j', async (...words) => {
    const text = await manifest(...ALL, ...words);
    await expectAccepted(objectsIn(text));
    const { out } = await podcheck(['sim', 'try', '-f', '-'], {
      stdin: await manifest('--replicas', '3', '--events', '--egress-ports', '443'),
    });
    expect(out).toContain('Deployment podcheck/podcheck-watch is healthy');
  });

  it('limits connections only to the ports that it is told', async () => {
    const policy = (text: string): JsonObject | undefined => objectsIn(text).find(({ kind }) => kind === 'NetworkPolicy');
    expect(dig(policy(await manifest()), 'spec', 'policyTypes')).toEqual(['Ingress']);
    expect(dig(policy(await manifest('--egress-ports', '16443')), 'spec', 'egress')).toEqual([
      {
        ports: [
          { protocol: 'UDP', port: 53 },
          { protocol: 'TCP', port: 53 },
          { protocol: 'TCP', port: 16_443 },
        ],
      },
    ]);
  });

  it('has alerts and a dashboard on metrics that there are', async () => {
    const objects = objectsIn(await manifest('--monitoring'));
    const { out } = await podcheck(['watch', '--dashboard']);
    const board = objects.find((object) => asText(dig(object, 'metadata', 'name')) === 'podcheck-watch-dashboard');
    expect(JSON.parse(asText(dig(board, 'data', 'podcheck.json')) ?? '')).toEqual(JSON.parse(out));
    const metrics = readFileSync('src/report/watching/watch-metrics.ts', 'utf8');
    const rules = asList(
      dig(
        objects.find(({ kind }) => kind === 'PrometheusRule'),
        'spec',
        'groups',
        0,
        'rules',
      ),
    );
    const panels = asList(dig(JSON.parse(out) as JsonObject, 'panels'));
    const used = [...rules, ...panels.map((panel) => dig(panel, 'targets', 0) ?? null)].map((one) => asText(dig(one, 'expr')) ?? '');
    expect(used.length).toBeGreaterThan(12);
    for (const expr of used)
      for (const [metric] of expr.matchAll(/podcheck_\w+/g)) expect(metrics).toContain(`'${metric.replace(/_bucket$/, '')}'`);
  });
});

describe('the Helm chart', { timeout: 120_000 }, () => {
  it('has a value for all that differs', async () => {
    const template = readFileSync(join(await written('--chart'), 'templates/watch.yaml'), 'utf8');
    expect(template).not.toContain('MARK');
    const [open, closed] = [/\{\{- (?:if|range|with) /g, /\{\{- end \}\}/g].map((wanted) => [...template.matchAll(wanted)].length);
    expect(open).toBe(closed);
  });

  it.runIf(HELM !== undefined).each(SCOPES)(`gives the objects of the plain manifest: %j${NO_HELM}`, async (...words) => {
    const options = { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: tmpdir() } } as const;
    for (const more of [[], ALL]) {
      const folder = await written('--chart', ...more, ...words);
      execFileSync(HELM ?? '', ['lint', folder], options);
      const text = execFileSync(HELM ?? '', ['template', 'podcheck', folder, '-n', 'tools'], options);
      expect(comparable(objectsIn(text))).toEqual(comparable(objectsIn(await manifest('-n', 'tools', ...more, ...words))));
      if (more === ALL) await expectAccepted(objectsIn(text));
    }
  });
});

describe('the base for kustomize', { timeout: 120_000 }, () => {
  it.runIf(KUBECTL !== undefined)(`gives the objects of the plain manifest${NOT_RUN}`, async () => {
    const folder = await written('--kustomize', ...ALL);
    const text = execFileSync(KUBECTL ?? '', ['kustomize', folder], { encoding: 'utf8' });
    expect(comparable(objectsIn(text))).toEqual(comparable(objectsIn(await manifest(...ALL))));
  });
});
