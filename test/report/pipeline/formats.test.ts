import { describe, expect, it } from 'vitest';
import { dataText } from '../../../src/commands/output-format.ts';
import type { Check } from '../../../src/report/pipeline/check.ts';
import { diagnosisChecks, scanChecks } from '../../../src/report/pipeline/diagnosis-checks.ts';
import { githubAnnotations } from '../../../src/report/pipeline/github.ts';
import { gitlabJson } from '../../../src/report/pipeline/gitlab.ts';
import { junitXml } from '../../../src/report/pipeline/junit.ts';
import { sarifJson } from '../../../src/report/pipeline/sarif.ts';
import { sarifSeconds } from '../../commands/preflight/loads.ts';
import { CAUSE, ENDED, HEALTHY, NOW, SCAN, STOPPED } from '../../support/diagnoses.ts';
import { HOSTILE, withTexts } from '../../support/hostile.ts';
import { qualityProblems, sarifProblems } from '../../support/sarif-schema.ts';
import type { Element } from '../../support/xml.ts';
import { parseXml } from '../../support/xml.ts';

const PLACE = { file: 'shop/web.yaml', line: 12, column: 7 };
const DIAGNOSED = diagnosisChecks(STOPPED, PLACE);
const TARGET = { state: 'unhealthy', members: [], reason: '0/2 ready' } as const;
const SCANNED = scanChecks(
  { ...SCAN, certificates: [ENDED], gaps: STOPPED.gaps },
  [
    { ...TARGET, ref: STOPPED.target },
    { ...TARGET, ref: { kind: 'StatefulSet', namespace: 'shop', name: 'db' } },
    { ...TARGET, ref: { kind: 'Pod', namespace: 'shop', name: 'till' }, state: 'healthy' },
  ],
  PLACE,
);
const ALL: readonly (readonly [string, readonly Check[]])[] = [
  ['a diagnosis', DIAGNOSED],
  ['a healthy diagnosis', diagnosisChecks(HEALTHY)],
  ['a scan', SCANNED],
  ['nothing', []],
];

interface Result {
  readonly ruleId: string;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [
    { readonly physicalLocation?: object; readonly logicalLocations: readonly { fullyQualifiedName: string }[] },
  ];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}

async function resultsOf(checks: readonly Check[]): Promise<readonly Result[]> {
  const log = JSON.parse(await dataText(sarifJson(checks, '0.1.0'), 'json')) as { runs: [{ results: Result[] }] };
  expect(sarifProblems(log)).toEqual([]);
  return log.runs[0].results;
}

describe('SARIF', () => {
  it.each(ALL)('of %s is valid', async (_, checks) => {
    await resultsOf(checks);
  });

  it('has the cause as an error at its place, and a gap as a note', async () => {
    const [cause, candidate, gap] = await resultsOf(DIAGNOSED);
    expect(cause).toMatchObject({ ruleId: 'volumes/configmap-not-found', level: 'error' });
    expect(cause?.message.text).toContain('Fix: kubectl -n shop create configmap web-settings');
    expect(cause?.locations[0]).toEqual({
      physicalLocation: { artifactLocation: { uri: 'shop/web.yaml' }, region: { startLine: 12, startColumn: 7 } },
      logicalLocations: [
        { fullyQualifiedName: 'Deployment/shop/web', kind: 'resource' },
        { fullyQualifiedName: 'ConfigMap/shop/web-settings', kind: 'resource' },
      ],
    });
    expect(candidate?.level).toBe('warning');
    expect(gap).toMatchObject({ ruleId: 'podcheck/not-checked', level: 'note' });
  });

  it('has only a logical location for what was read from a cluster', async () => {
    const [cause] = await resultsOf(diagnosisChecks(STOPPED));
    expect(cause?.locations[0].physicalLocation).toBeUndefined();
  });

  it('has each of 1,000 findings', () => {
    expect(sarifSeconds().results).toBe(1000);
  });

  it('writes paths as URIs', async () => {
    const [cause] = await resultsOf(diagnosisChecks(STOPPED, { file: '/shop/50% off#1/wéb.yaml' }));
    expect(cause?.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'file:///shop/50%25%20off%231/w%C3%A9b.yaml' },
    });
  });
});

describe('a fingerprint', () => {
  const fingerprints = async (checks: readonly Check[]): Promise<readonly (string | undefined)[]> =>
    (await resultsOf(checks)).map((one) => one.partialFingerprints['podcheck/v1']);

  it('stays when words, times, pods and lines change', async () => {
    const pod = { kind: 'Pod', namespace: 'shop', name: 'web-77f9c-zzzzz' };
    const later = {
      ...STOPPED,
      at: NOW + 86_400_000,
      causes: STOPPED.causes.map((cause) => ({
        ...cause,
        title: 'Other words',
        what: 'Other words.',
        object: cause.object.kind === 'Pod' ? pod : cause.object,
        evidence: [],
      })),
    };
    expect(await fingerprints(diagnosisChecks(later, { file: 'other.yaml', line: 99 }))).toEqual(await fingerprints(DIAGNOSED));
  });

  it('tells rules, targets and objects apart, and two problems of which all three are the same', async () => {
    const checks = diagnosisChecks({ ...STOPPED, causes: [CAUSE, { ...CAUSE, rank: 2 }, { ...CAUSE, rule: 'volumes/other' }] });
    const found = await fingerprints([...checks, ...diagnosisChecks({ ...STOPPED, target: HEALTHY.target })]);
    expect(new Set(found).size).toBe(found.length);
    expect(found.every((one) => /^[\da-f]{32}$/.test(one ?? ''))).toBe(true);
  });
});

describe('JUnit', () => {
  it.each(ALL)('of %s is well-formed, and counts its cases', (_, checks) => {
    const root = parseXml(junitXml(checks, NOW));
    const cases = elements(root).filter(({ name }) => name === 'testcase');
    const holding = (name: string): number => cases.filter((one) => one.children.some((child) => child.name === name)).length;
    expect(root.name).toBe('testsuites');
    expect(root.attributes).toMatchObject({
      tests: String(checks.length),
      failures: String(holding('failure')),
      skipped: String(holding('skipped')),
    });
    expect(cases).toHaveLength(checks.length);
  });

  it('has a case for each object: failed by a rule, passed, or skipped with the reason', () => {
    const [suite, ...more] = parseXml(junitXml(SCANNED, NOW)).children;
    expect(more).toEqual([]);
    expect(suite?.attributes).toMatchObject({ name: 'shop/web.yaml', timestamp: '2026-01-14T09:16:15' });
    const shown = suite?.children.map(({ attributes, children: [child] }) => [attributes['name'], child?.name, child?.attributes['type']]);
    expect(shown).toEqual([
      ['web', 'failure', 'volumes/configmap-not-found'],
      ['db', 'failure', 'podcheck/unexplained'],
      ['till', undefined, undefined],
      ['a1b2c3d4', 'failure', 'podcheck/certificate-expired'],
      ['not checked', 'skipped', undefined],
    ]);
    expect(suite?.children[4]?.children[0]?.attributes['message']).toContain('events is forbidden');
  });
});

describe('annotations for GitHub', () => {
  it('are a line each, with file, line and column', () => {
    const [first = ''] = githubAnnotations(DIAGNOSED).split('\n');
    expect(first).toMatch(
      /^::error file=shop\/web\.yaml,line=12,col=7,title=Deployment shop\/web%3A A volume names [^:,]*::Volume settings /,
    );
  });

  it('list in the last one what GitHub would not show', () => {
    const many = Array.from({ length: 25 }, (_, index) => ({
      ...STOPPED,
      target: { kind: 'StatefulSet', namespace: 'shop', name: `till-${index}` },
      gaps: [],
    }));
    const lines = githubAnnotations(many.flatMap((one) => diagnosisChecks({ ...one, causes: [CAUSE] })))
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[9]).toMatch(/^::error title=and 16 more::StatefulSet shop\/till-9: .*StatefulSet shop\/till-24: /);
  });
});

describe('a code quality report for GitLab', () => {
  it.each(ALL)('of %s is valid, and has each fingerprint once', async (_, checks) => {
    const report = JSON.parse(await dataText(gitlabJson(checks), 'json')) as readonly { fingerprint: string }[];
    expect(qualityProblems(report)).toEqual([]);
    expect(new Set(report.map(({ fingerprint }) => fingerprint)).size).toBe(report.length);
  });

  it('names the object where there is no file', async () => {
    const [first] = JSON.parse(await dataText(gitlabJson(diagnosisChecks(STOPPED)), 'json')) as readonly { location: object }[];
    expect(first?.location).toEqual({ path: 'Deployment/shop/web', lines: { begin: 1 } });
  });
});

describe.each(HOSTILE.map((text) => [text]))('%j', (text) => {
  const KEEP = ['level', 'verdict'];
  const diagnosed = withTexts(DIAGNOSED, text, KEEP);

  it('stays text in all formats, and moves no cursor', async () => {
    expect(await resultsOf(diagnosed)).toHaveLength((await resultsOf(DIAGNOSED)).length);
    const root = parseXml(junitXml(diagnosed, NOW));
    expect(elements(root).map(({ name }) => name)).toEqual(elements(parseXml(junitXml(DIAGNOSED, NOW))).map(({ name }) => name));
    const lines = githubAnnotations(diagnosed).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/^::(?:error|warning|notice) [^:]*::(?:[^%]|%25|%0A)*$/);
    expect(qualityProblems(JSON.parse(await dataText(gitlabJson(diagnosed), 'json')))).toEqual([]);
    for (const written of [
      await dataText(sarifJson(diagnosed, '0.1.0'), 'json'),
      junitXml(diagnosed, NOW),
      githubAnnotations(diagnosed),
      await dataText(gitlabJson(diagnosed), 'json'),
    ])
      expect(written).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
  });
});

function elements(root: Element): readonly Element[] {
  return [root, ...root.children.flatMap(elements)];
}
