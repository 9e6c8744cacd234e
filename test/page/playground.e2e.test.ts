import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../support/built-program.ts';
import type { Tab } from '../support/chromium.ts';
import { CHROMIUM, openAddress } from '../support/chromium.ts';
import { folderWith } from '../support/folder.ts';

const PROGRAM = resolve('dist/podcheck.js');
const MISSING = CHROMIUM === undefined ? ' (NOT RUN: no Chromium is installed)' : '';

let url = '';
let stop = async (): Promise<void> => undefined;
beforeAll(async () => {
  const child = spawn(process.execPath, [PROGRAM, 'sim', 'serve', '--page'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const part of child.stdout) {
    said += String(part);
    url = /http:\S+/.exec(said)?.[0] ?? '';
    if (said.includes('\nIt runs')) break;
  }
  stop = async () => {
    child.kill('SIGINT');
    if (child.exitCode === null) await once(child, 'exit');
  };
});
afterAll(() => stop());

describe.runIf(CHROMIUM !== undefined)(`the playground in a browser${MISSING}`, () => {
  it('lets a drill be solved from start to end', async () => {
    const tab = await openAddress(url);
    await seen(tab, 'document.querySelectorAll("#scenario option").length > 300');
    await tab.value(
      `document.getElementById('scenario').value = 'volumes/configmap-not-found'; document.getElementById('drill').checked = true; document.getElementById('open').click()`,
    );
    await seen(tab, `document.getElementById('title').textContent.startsWith('Drill')`);
    await seen(tab, `${LOG}.includes('ALERT')`);
    await typed(tab, 'kubectl get pods -A');
    await seen(tab, `${LOG}.includes('ContainerCreating')`);
    await typed(tab, 'kubectl describe pods -n shop');
    await seen(tab, `${LOG}.includes('configmap "web-settings" not found')`);
    await typed(tab, 'podcheck drill answer configmap-not-found');
    await seen(tab, `${LOG}.includes('Right: volumes/configmap-not-found')`);
    await typed(tab, 'kubectl apply -f settings.yaml');
    await seen(tab, `document.getElementById('editor').open`);
    await tab.value(
      `document.getElementById('draft').value = ${JSON.stringify(`${SETTINGS}data: {a: "b"\n`)}; document.getElementById('save').click()`,
    );
    await seen(tab, `/^line \\d+, column \\d+: /.test(document.getElementById('broken').textContent)`);
    await tab.value(
      `document.getElementById('draft').value = ${JSON.stringify(`${SETTINGS}data: {a: "b"}\n`)}; document.getElementById('save').click()`,
    );
    await seen(tab, `${LOG}.includes('configmap/web-settings created')`);
    await typed(tab, 'sleep 5m');
    await typed(tab, 'podcheck drill check');
    await seen(tab, `${LOG}.includes('All faults are fixed.')`);
    await seen(tab, `document.getElementById('summary').textContent.includes('2 ready')`);
    expect(tab.complaints).toEqual([]);
  });

  it('shows hostile text as text', async () => {
    const tab = await openAddress(`${url}#clusters/one-node`);
    await seen(tab, `document.getElementById('title').textContent.startsWith('clusters/one-node')`);
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    await typed(tab, 'kubectl apply -f -');
    await seen(tab, `document.getElementById('editor').open`);
    const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bad, annotations: {note: '${hostile}'}}\ndata: {a: '${hostile}'}\n`;
    await tab.value(`document.getElementById('draft').value = ${JSON.stringify(manifest)}; document.getElementById('save').click()`);
    await seen(tab, `${LOG}.includes('configmap/bad created')`);
    await typed(tab, 'kubectl get cm bad -o yaml');
    await typed(tab, 'kubectl describe cm bad');
    await seen(tab, `${LOG}.split('<script>').length > 4`);
    await typed(tab, hostile);
    await seen(tab, `${LOG}.includes('one command at a time')`);
    expect(await tab.value('document.querySelectorAll("img, #log script").length')).toBe(0);
    expect(await tab.value('document.title')).toContain('podcheck');
    expect(tab.complaints).toEqual([]);
  });

  it('runs a link that it made, and nothing of one that was changed', async () => {
    const tab = await openAddress(`${url}#volumes/configmap-not-found@7`);
    await seen(tab, `document.getElementById('title').textContent.endsWith('seed 7')`);
    // The title is there before the scenario has taken its first step.
    await seen(tab, `document.getElementById('summary').textContent.includes('2 pods')`);
    await typed(tab, 'kubectl scale deploy/web -n shop --replicas=3');
    await seen(tab, `${LOG}.includes('deployment.apps/web scaled')`);
    await tab.value(`document.getElementById('share').click()`);
    await seen(tab, `location.hash.startsWith('#v1.')`);
    const link = String(await tab.value('location.href'));
    await visited(tab, link);
    await seen(tab, `${LOG}.includes('deployment.apps/web scaled')`);
    expect(await tab.value(`document.getElementById('title').textContent`)).toBe('volumes/configmap-not-found, seed 7');
    await visited(tab, `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`);
    await seen(tab, `document.getElementById('trouble').textContent.includes('Nothing was run')`);
    expect(await tab.value(LOG)).not.toContain('scaled');
  });

  it('fits a phone, and is silent in the dark', async () => {
    const tab = await openAddress(url);
    await seen(tab, `document.getElementById('summary').textContent !== ''`);
    for (const width of [320, 1200]) {
      await tab.send('Emulation.setDeviceMetricsOverride', { width, height: 700, deviceScaleFactor: 1, mobile: width < 500 });
      await typed(tab, 'kubectl get pods -A -o wide');
      expect(await tab.value('document.documentElement.scrollWidth'), `${width} columns`).toBeLessThanOrEqual(width);
    }
    await tab.send('Accessibility.enable');
    const { nodes } = (await tab.send('Accessibility.getFullAXTree')) as unknown as {
      nodes: readonly {
        readonly ignored: boolean;
        readonly role?: { readonly value: string };
        readonly name?: { readonly value: string };
      }[];
    };
    const named = nodes.filter(
      ({ ignored, role }) => !ignored && ['button', 'textbox', 'combobox', 'slider', 'log'].includes(role?.value ?? ''),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ name }) => (name?.value ?? '') === '')).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });

  it('says so where there are no Workers', async () => {
    const tab = await openAddress(url, (send) => send('Page.addScriptToEvaluateOnNewDocument', { source: 'delete globalThis.Worker' }));
    await seen(tab, `document.getElementById('trouble').textContent.includes('Web Workers')`);
  });

  it('asks for nothing but its own files', async () => {
    const tab = await openAddress(url);
    await seen(tab, `document.getElementById('summary').textContent !== ''`);
    const asked = (await tab.value('JSON.stringify(performance.getEntriesByType("resource").map(({ name }) => name))')) as string;
    for (const one of JSON.parse(asked) as readonly string[]) expect(one.startsWith(url)).toBe(true);
    expect((await fetch(url)).headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${url}../package.json`)).status).toBe(404);
  });
});

describe('podcheck sim page', () => {
  it('writes a folder of at most 800 kB, with all that its files import and nothing of Node', () => {
    const folder = folderWith();
    const { code, out, err } = runProgram(process.execPath, [PROGRAM, 'sim', 'page', '-o', 'playground'], { cwd: folder });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^playground has the playground: \d+ files\./);
    const root = join(folder, 'playground');
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    let packed = 0;
    for (const { parentPath, name } of files) {
      const text = readFileSync(join(parentPath, name), 'utf8');
      packed += gzipSync(text, { level: 9 }).length;
      if (!name.endsWith('.js')) continue;
      expect(text).not.toMatch(/(?:from|import\()\s*["']node:|podcheckRequire/);
      for (const [, imported = ''] of text.matchAll(/\b(?:from|import)\s*"(\.[^"]+)"/g))
        expect(existsSync(join(parentPath, imported)), imported).toBe(true);
    }
    expect(packed).toBeLessThanOrEqual(800_000);
    const scenarios = JSON.parse(readFileSync(join(root, 'data/scenarios.json'), 'utf8')) as readonly { readonly id: string }[];
    expect(scenarios.length).toBeGreaterThan(300);
    expect(scenarios.filter(({ id }) => id.includes('.near-'))).toEqual([]);
    expect(runProgram(process.execPath, [PROGRAM, 'sim', 'page', '-o', 'playground'], { cwd: folder }).code).toBe(0);
    const odd = runProgram(process.execPath, [PROGRAM, 'sim', 'page', '-o', 'a; b'], { cwd: folder });
    expect([odd.code, odd.out.trimEnd().split('\n').at(-1)]).toEqual([0, '  python3 -m http.server -d <folder>']);
  });

  it('leaves other files alone', () => {
    const folder = folderWith();
    writeFileSync(join(folder, 'letter.txt'), 'mine');
    const { code, err } = runProgram(process.execPath, [PROGRAM, 'sim', 'page', '-o', '.'], { cwd: folder });
    expect({ code, err }).toEqual({ code: 2, err: 'error: . has other files in it\nhint: choose a new or empty folder with -o\n' });
    expect(readdirSync(folder)).toEqual(['letter.txt']);
    expect(runProgram(process.execPath, [PROGRAM, 'sim', 'page'], { cwd: folder }).err).toContain(
      'error: sim page needs a folder to write',
    );
  });
});

const LOG = `document.getElementById('log').textContent`;
const SETTINGS = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web-settings, namespace: shop}\n';

async function typed(tab: Tab, line: string): Promise<void> {
  await tab.value(`document.getElementById('line').value = ${JSON.stringify(line)}; document.getElementById('prompt').requestSubmit()`);
}

/** Another address: a page of its own, even where only what stands behind `#` is another. */
async function visited(tab: Tab, address: string): Promise<void> {
  await tab.send('Page.navigate', { url: 'about:blank' });
  await tab.send('Page.navigate', { url: address });
  await seen(tab, `document.readyState === 'complete' && location.protocol === 'http:'`);
}

/** Waits until it is so, and says what the page showed where that does not come. */
async function seen(tab: Tab, expression: string): Promise<void> {
  const end = performance.now() + PATIENCE_MILLISECONDS;
  while ((await tab.value(expression)) !== true) {
    if (performance.now() > end) throw new Error(`never seen: ${expression}\n${String(await tab.value('document.body.innerText'))}`);
    await new Promise((again) => setTimeout(again, 30));
  }
}

const PATIENCE_MILLISECONDS = 60_000;
