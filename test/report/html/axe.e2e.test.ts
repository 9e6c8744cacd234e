import { join, resolve } from 'node:path';
import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../support/built-program.ts';
import type { Tab } from '../../support/chromium.ts';
import { CHROMIUM, openPage } from '../../support/chromium.ts';
import { folderWith } from '../../support/folder.ts';

const MANIFEST = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: web, image: nginx, envFrom: [{ configMapRef: { name: missing } }], resources: { requests: { cpu: '900' } } }
`;

/** One of each kind of page, and those with the most on them. */
const PAGES: readonly (readonly string[])[] = [
  ['diagnose', 'web', '--scenario', 'volumes/configmap-not-found'],
  ['diagnose', '--scenario', 'endpoints/selector-matches-no-pod'],
  ['scan', '--scenario', 'scheduling/insufficient-resource'],
  ['cert-expiry', '--scenario', 'volumes/configmap-not-found'],
  ['sim', 'run', 'volumes/configmap-not-found'],
  ['sim', 'try', '-f', 'web.yaml'],
  ['preflight', '-f', 'web.yaml'],
];

const VIEWS = [
  { width: 320, scheme: 'light' },
  { width: 1000, scheme: 'dark' },
] as const;

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const MISSING = CHROMIUM === undefined ? ' (NOT RUN: no Chromium is installed)' : '';
describe.runIf(CHROMIUM !== undefined)(`axe${MISSING}`, () => {
  it.each(PAGES)('finds nothing serious on the page of podcheck %s …', async (...args) => {
    const folder = folderWith({ 'web.yaml': MANIFEST });
    const { out, err } = runProgram(process.execPath, [resolve('dist/podcheck.js'), ...args, '-o', 'html'], { cwd: folder });
    expect(err).toBe('');
    const tab = await openPage(join(folderWith({ 'page.html': out }), 'page.html'));
    await tab.value(`${axe.source}; 0`);
    for (const { width, scheme } of VIEWS) {
      await tab.send('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: width < 500 });
      await tab.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
      expect(serious(await violations(tab)), `${width} columns, ${scheme}`).toEqual([]);
    }
  });

  it('finds what is wrong with a page', async () => {
    const tab = await openPage(
      join(folderWith({ 'page.html': '<title>x</title><p style="color:#999">grey</p><img src="x">' }), 'page.html'),
    );
    await tab.value(`${axe.source}; 0`);
    expect(serious(await violations(tab)).map(([id]) => id)).toEqual(['color-contrast', 'html-has-lang', 'image-alt']);
  });
});

async function violations(tab: Tab): Promise<readonly Violation[]> {
  const { result } = await tab.send('Runtime.evaluate', { expression: 'axe.run()', awaitPromise: true, returnByValue: true });
  return (result as { readonly value: { readonly violations: readonly Violation[] } }).value.violations;
}

function serious(found: readonly Violation[]): readonly (readonly string[])[] {
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`)]);
}
