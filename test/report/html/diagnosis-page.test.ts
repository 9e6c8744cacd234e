import type { DefaultTreeAdapterTypes } from 'parse5';
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '../../../src/model/diagnosis.ts';
import { STAGE_IDS } from '../../../src/model/stage.ts';
import { diagnosisPage } from '../../../src/report/html/diagnosis-page.ts';
import { scanPage } from '../../../src/report/html/scan-page.ts';
import { CAUSE, ENDED, HEALTHY, NOW, SCAN, STOPPED, stagesUpTo } from '../../support/diagnoses.ts';
import { renderedHtml } from '../../support/rendered.ts';

const WEB = STOPPED.target;
const [POD = WEB] = CAUSE.affected;
const AROUND = [
  { from: WEB, to: POD, how: 'owns' },
  { from: WEB, to: CAUSE.object, how: 'volume', missing: true as const },
];
/** Scheduled four minutes before the diagnosis, and blocked at volumes since then. */
const DIAGNOSED: Diagnosis = {
  ...STOPPED,
  around: AROUND,
  stages: stagesUpTo('volumes', 'blocked', CAUSE.title).map((stage) =>
    stage.id === 'persistence' ? { ...stage, at: NOW - 300_000 } : stage,
  ),
};

type Element = DefaultTreeAdapterTypes.Element;

describe('a diagnosis as a page', () => {
  const page = diagnosisPage(DIAGNOSED);
  const all = elements(page);
  const texts = (pick: (element: Element) => boolean): readonly string[] => all.filter(pick).map(textOf);

  it('has the cause in its title and heading, and headings in an order that skips no level', () => {
    const title = 'Deployment shop/web is blocked at volumes: A volume names a ConfigMap that does not exist';
    expect(texts(({ tagName }) => tagName === 'title' || tagName === 'h1')).toEqual([title, title]);
    const levels = all.flatMap(({ tagName }) => /^h(\d)$/.exec(tagName)?.[1] ?? []).map(Number);
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.entries()) expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1);
    expect(texts(({ tagName }) => tagName === 'h2')).toEqual([
      `Cause: ${CAUSE.title}`,
      'Stages',
      'Objects',
      'Other candidates',
      'Not seen',
    ]);
  });

  it('has nothing that acts or loads', () => {
    expect(renderedHtml(page).active).toEqual([]);
    expect(page).not.toMatch(/<script|javascript:|\son\w+=|style="/i);
  });

  it('has a lane for each stage, in their order, with its verdict in words', () => {
    const lanes = texts((element) => hasClass(element, 'lane'));
    expect(lanes.map((lane) => /[a-z-]+/.exec(lane)?.[0])).toEqual(STAGE_IDS);
    expect(lanes[10]).toMatch(/^✖ volumes blocked for 4m12s, normally up to 60s A volume names/);
    expect(lanes[8]).toContain('took 48s');
    expect(lanes[11]).toContain('not reached');
  });

  it('draws how long a stage took against how long it takes normally', () => {
    const [, blocked] = all.filter(({ tagName }) => tagName === 'svg');
    const bars = (blocked?.childNodes ?? []).flatMap((node) => ('attrs' in node ? [attributesOf(node)] : []));
    expect(bars.map((bar) => bar['class'])).toEqual(['axis', 'real', 'usual']);
    // 252 of 300 seconds, of which 60 are normal.
    expect(bars.slice(1).map(({ x, width }) => [x, width])).toEqual([
      ['160', '840'],
      ['160', '200'],
    ]);
  });

  it('draws the objects around the cause, the missing one as missing', () => {
    expect(texts((element) => hasClass(element, 'object'))).toEqual([
      'Deployment shop/web',
      'Pod shop/web-6d4cf56db6-x2x7k',
      'ConfigMap shop/web-settings',
    ]);
    expect(texts((element) => hasClass(element, 'missing') && hasClass(element, 'cause'))).toEqual(['ConfigMap shop/web-settings']);
  });

  it('has each command alone, to be copied, and each quote as it was said', () => {
    expect(texts((element) => hasClass(element, 'command'))).toEqual([CAUSE.fix[0]?.run]);
    expect(texts(({ tagName }) => tagName === 'pre')).toContain(CAUSE.evidence[1]?.quote);
  });

  it('stays below 120 kB, however much there is to tell', () => {
    const long = '"<&'.repeat(5000);
    const many = <Value>(value: Value): Value[] => Array.from({ length: 500 }, () => value);
    const quotes = many({}).map((_, index) => ({ about: POD, source: `event ${'x'.repeat(index)}`, quote: `${'x'.repeat(index)}${long}` }));
    const cause = { ...CAUSE, what: long, why: long, evidence: quotes, affected: many(POD), references: CAUSE.references };
    const gaps = many({}).map((_, index) => ({
      kind: 'event' as const,
      about: { kind: `K${index}`, name: 'x' },
      reason: `${index}${long}`,
    }));
    const large = diagnosisPage({ ...DIAGNOSED, causes: [cause, ...many(CAUSE)], gaps, around: [...AROUND] });
    expect(large.length).toBeGreaterThan(30_000);
    expect(new TextEncoder().encode(large).length).toBeLessThan(120 * 1024);
  });

  it('of a healthy object has no cause, and of several names them', () => {
    expect(
      elements(diagnosisPage(HEALTHY))
        .filter(({ tagName }) => tagName === 'h2')
        .map(textOf),
    ).toEqual(['Stages']);
    const till = { kind: 'Pod', namespace: 'shop', name: 'till' };
    expect(diagnosisPage({ ...HEALTHY, stages: [], others: [{ ref: till, reason: undefined }] })).toContain(
      'Pod shop/web-1, Pod shop/till',
    );
  });
});

describe('a scan as a page', () => {
  it('has a section for each cause, what no rule explains, and certificates', () => {
    const all = elements(scanPage({ ...SCAN, certificates: [ENDED] }));
    expect(all.filter(({ tagName }) => tagName === 'h1' || tagName === 'h2').map(textOf)).toEqual([
      'Namespace shop: 2 of 5 healthy, 1 cause',
      '1. A volume names a ConfigMap that does not exist: Deployment shop/web',
      'Unhealthy, and no rule names the cause',
      'Certificates',
    ]);
    expect(all.filter(({ tagName }) => tagName === 'td').map(textOf)).toEqual(
      expect.arrayContaining(['StatefulSet shop/db', '1/3 ready', 'EXPIRED', 'sudo kubeadm certs renew scheduler.conf']),
    );
  });
});

function elements(page: string): readonly Element[] {
  const found: Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(page));
  return found;
}

function textOf(node: DefaultTreeAdapterTypes.Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('').trim() : '';
}

function attributesOf({ attrs }: Element): Readonly<Record<string, string>> {
  return Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
}

function hasClass(element: Element, name: string): boolean {
  return (attributesOf(element)['class'] ?? '').split(' ').includes(name);
}
