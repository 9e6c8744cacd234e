// The playground in a real browser: the time to its first picture, the time between pictures while 500 pods start, its size when packed,
// and the scenario that takes longest to be played to its end.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

export const PAGE_LOADS = [
  { name: 'page-size', unit: 'kB', bound: 800 },
  { name: 'page-first', unit: 'ms', bound: 1500 },
  // 60 pictures a second, less one that is late.
  { name: 'page-picture', unit: 'ms', bound: 17 },
  { name: 'page-scenario', unit: 's', bound: 3 },
];

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'].find((name) => spawnSync(name, ['--version']).status === 0);
const PODS = 500;
const MANIFEST = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${PODS}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1.27"}]}
`;

export async function measuredPage(loads, { program, folder, bundled }) {
  const results = [];
  for (const { name, unit, bound } of loads) {
    if (unit === 'ms' && CHROMIUM === undefined) {
      console.error(`${name} was not run: there is no Chromium on this machine`);
      continue;
    }
    const measure = { 'page-size': size, 'page-first': first, 'page-picture': betweenPictures, 'page-scenario': slowest }[name];
    const [value, beside] = await measure({ program, folder, bundled });
    results.push({ name, value: Math.round(value * 100) / 100, unit, bound, beside, holds: value <= bound });
  }
  return results;
}

function size({ program, folder }) {
  execFileSync(process.execPath, [program, 'sim', 'page', '-o', join(folder, 'playground')]);
  const files = readdirSync(join(folder, 'playground'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  let bytes = 0;
  for (const { parentPath, name } of files) bytes += gzipSync(readFileSync(join(parentPath, name)), { level: 9 }).length;
  return [bytes / 1000, `gzip, ${files.length} files`];
}

function first({ program, folder }) {
  return inBrowser({ program, folder, path: '' }, async ({ seen, since }) => {
    await seen(`document.getElementById('summary')?.textContent !== '' && document.getElementById('summary') !== null`);
    return [since(), 'from the address to all pods, scenario opened'];
  });
}

function betweenPictures({ program, folder }) {
  return inBrowser({ program, folder, path: '#clusters/six-nodes' }, async ({ seen, value }) => {
    await seen(`document.getElementById('title')?.textContent.startsWith('clusters/') === true`);
    await value(`document.getElementById('line').value = 'kubectl apply -f web.yaml'; document.getElementById('prompt').requestSubmit()`);
    await seen(`document.getElementById('editor').open`);
    await value(`document.getElementById('draft').value = ${JSON.stringify(MANIFEST)}; document.getElementById('save').click()`);
    await seen(`document.getElementById('summary').textContent.includes('ready')`);
    const drawn = async () => JSON.parse(await value('JSON.stringify([picturesDrawn, performance.now()])'));
    const before = await drawn();
    await pause(5000);
    const after = await drawn();
    return [(after[1] - before[1]) / (after[0] - before[0]), `${await value(`document.getElementById('summary').textContent`)}`];
  });
}

async function slowest({ program, folder, bundled }) {
  execFileSync(process.execPath, [program, 'sim', 'page', '-o', join(folder, 'played')]);
  const module = await bundled(
    'page-scenarios',
    `import { readFileSync } from 'node:fs';
import { unpackedScenario } from './src/page/packed-scenarios.ts';
import { Play } from './src/page/play.ts';
const slowest = { seconds: 0, id: '' };
for (const scenario of JSON.parse(readFileSync(process.argv[2], 'utf8')).map(unpackedScenario)) {
  const start = performance.now();
  new Play({ scenario, seed: 1 }).finish();
  const seconds = (performance.now() - start) / 1000;
  if (seconds > slowest.seconds) Object.assign(slowest, { seconds, id: scenario.id });
}
process.stdout.write(JSON.stringify(slowest));`,
  );
  const { seconds, id } = JSON.parse(
    execFileSync(process.execPath, [module, join(folder, 'played/data/scenarios.json')], { encoding: 'utf8' }),
  );
  return [seconds, id];
}

/** Serves the playground, opens it in a browser of its own, and ends both. */
async function inBrowser({ program, folder, path }, work) {
  const server = spawn(process.execPath, [program, 'sim', 'serve', '--page'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const profile = join(folder, `browser-${server.pid}`);
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'];
  const browser = spawn(CHROMIUM, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  try {
    const [said] = await once(server.stdout, 'data');
    const url = /http:\S+/.exec(String(said))[0];
    const send = spoken(browser);
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const value = async (expression) => (await send('Runtime.evaluate', { expression, returnByValue: true }, sessionId)).result?.value;
    const start = performance.now();
    await send('Page.navigate', { url: url + path }, sessionId);
    const seen = async (expression) => {
      while ((await value(expression)) !== true) await pause(10);
    };
    return await work({ value, seen, since: () => performance.now() - start });
  } finally {
    const ended = once(browser, 'exit');
    browser.kill();
    server.kill('SIGINT');
    await ended;
  }
}

function spoken(browser) {
  const [input, output] = [browser.stdio[3], browser.stdio[4]];
  const waiting = new Map();
  let [rest, next] = ['', 1];
  output.setEncoding('utf8').on('data', (text) => {
    const pieces = (rest + text).split('\0');
    rest = pieces.pop();
    for (const { id, result } of pieces.map((piece) => JSON.parse(piece))) waiting.get(id)?.(result ?? {});
  });
  return (method, params, sessionId) =>
    new Promise((resolve) => {
      waiting.set(next, resolve);
      input.write(`${JSON.stringify({ id: next++, method, params, sessionId })}\0`);
    });
}
