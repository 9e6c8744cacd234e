// Serves a cluster once, asks it what kubectl asks first, and keeps what V8 compiled meanwhile. node warm-up.mjs DIST.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const [, , dist] = process.argv;
const { CACHE, compiled } = await import(pathToFileURL(join(dist, 'compiled.js')).href);
const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const WAYS = [['/api', DISCOVERY], ['/apis', DISCOVERY], ['/api/v1/pods?limit=500', TABLE]];

const folder = mkdtempSync(join(tmpdir(), 'podcheck-warm-up-'));
const kubeconfig = join(folder, 'kubeconfig');
process.env.XDG_STATE_HOME = folder;
process.argv = [process.execPath, join(dist, 'podcheck.js'), 'sim', 'serve', 'volumes/configmap-not-found', '--kubeconfig', kubeconfig];
const write = process.stdout.write.bind(process.stdout);
const serves = new Promise((resolve) => {
  process.stdout.write = () => {
    resolve();
    return true;
  };
});
// What was compiled must not be thrown away as long unused; the flag is part of what a cache is checked against, so it is taken back.
setFlagsFromString('--no-flush-bytecode');
const { script, run } = compiled(undefined);
run();
await serves;
process.stdout.write = write;
for (const [path, accept] of WAYS) await asked(path, accept);
setFlagsFromString('--flush-bytecode');
writeFileSync(join(dist, CACHE), script.createCachedData());
process.exitCode = 0;
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = 0;
});
process.kill(process.pid, 'SIGINT');

/** As the kubeconfig says: it is JSON below its first line. */
function asked(path, accept) {
  const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8').replace(/^#.*/, ''));
  const [{ cluster }, { user }] = [clusters[0], users[0]];
  const [ca, cert, key] = [cluster['certificate-authority-data'], user['client-certificate-data'], user['client-key-data']].map((text) => Buffer.from(text, 'base64'));
  return new Promise((resolve, reject) => {
    const sent = request(`${cluster.server}${path}`, { ca, cert, key, agent: false, headers: { accept } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} was answered with ${response.statusCode}`));
      response.resume().once('end', resolve);
    });
    sent.once('error', reject);
    sent.end();
  });
}
