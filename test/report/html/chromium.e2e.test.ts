import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STAGE_IDS } from '../../../src/model/stage.ts';
import { PALETTES } from '../../../src/report/html/style.ts';
import { runProgram } from '../../support/built-program.ts';
import type { Tab } from '../../support/chromium.ts';
import { CHROMIUM, openPage } from '../../support/chromium.ts';
import { folderWith } from '../../support/folder.ts';

const WIDTHS = [320, 1000];

/** Pages as the built program writes them. */
const PAGES: readonly (readonly string[])[] = [
  ['diagnose', 'web', '--scenario', 'volumes/configmap-not-found'],
  ['scan', '--scenario', 'scheduling/insufficient-resource'],
  ['cert-expiry', '--scenario', 'volumes/configmap-not-found'],
  ['sim', 'run', 'volumes/configmap-not-found'],
];

const MISSING = CHROMIUM === undefined ? ' (NOT RUN: no Chromium is installed)' : '';
describe.runIf(CHROMIUM !== undefined)(`a page in a browser${MISSING}`, () => {
  it.each(PAGES)('podcheck %s … fits a phone and a desk, breaks no policy, and follows the reader into the dark', async (...args) => {
    const tab = await opened(args);
    for (const width of WIDTHS) {
      await tab.send('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: width < 500 });
      expect(await tab.value('document.documentElement.scrollWidth'), `${width} columns`).toBeLessThanOrEqual(width);
    }
    expect(await ground(tab)).toBe(rgb(PALETTES.light.bg));
    await tab.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
    expect(await ground(tab)).toBe(rgb(PALETTES.dark.bg));
    await tab.send('Emulation.setEmulatedMedia', { media: 'print', features: [{ name: 'prefers-color-scheme', value: 'dark' }] });
    expect(await ground(tab)).toBe(rgb(PALETTES.light.bg));
    expect(tab.complaints).toEqual([]);
    expect(await tab.value('document.scripts.length + performance.getEntriesByType("resource").length')).toBe(0);
  });

  it('is read out in the order of the stages, with a verdict for each', async () => {
    const tab = await opened(PAGES[0] ?? []);
    await tab.send('Accessibility.enable');
    const { nodes } = (await tab.send('Accessibility.getFullAXTree')) as unknown as { nodes: readonly AxNode[] };
    const spoken = nodes.filter(({ ignored, role }) => !ignored && role?.value === 'StaticText').map(({ name }) => name?.value ?? '');
    const stages = spoken.flatMap((text) => STAGE_IDS.filter((id) => text === `${text.slice(0, 1)} ${id}`));
    expect(stages).toEqual(STAGE_IDS);
    const first = spoken.findIndex((text) => text.endsWith(` ${STAGE_IDS[0]}`));
    expect(spoken.slice(first).filter((text) => ['passed', 'blocked', 'not reached'].includes(text))).toHaveLength(STAGE_IDS.length);
  });

  it('refuses what somebody smuggles into it', async () => {
    const html = page(PAGES[0] ?? []).replace(
      '</main>',
      '<script>document.title = "taken"</script><p style="color:red" id="x">x</p></main>',
    );
    const file = join(folderWith(), 'page.html');
    writeFileSync(file, html);
    const tab = await openPage(file);
    expect(await tab.value('document.title')).not.toBe('taken');
    expect(await tab.value('getComputedStyle(document.getElementById("x")).color')).toBe(rgb(PALETTES.light.text));
    expect(tab.complaints.some((text) => text.includes('Content Security Policy'))).toBe(true);
  });
});

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
}

function page(args: readonly string[]): string {
  const { out, err } = runProgram(process.execPath, [resolve('dist/podcheck.js'), ...args, '-o', 'html'], { cwd: folderWith() });
  expect(err).toBe('');
  return out;
}

async function opened(args: readonly string[]): Promise<Tab> {
  return openPage(join(folderWith({ 'page.html': page(args) }), 'page.html'));
}

function ground(tab: Tab): Promise<unknown> {
  return tab.value('getComputedStyle(document.body).backgroundColor');
}

function rgb(color: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `rgb(${red}, ${green}, ${blue})`;
}
