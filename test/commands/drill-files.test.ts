import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { dirname, join, resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../src/base/json.ts';
import { asText, dig } from '../../src/base/json.ts';
import { runDrillAnswer, runDrillCheck, runDrillStatus, runDrillStop } from '../../src/commands/drill/drill-ask.ts';
import { liveRuns, runsFolder } from '../../src/server/run-folder.ts';
import type { WrittenContext } from '../support/context.ts';
import { folderWith } from '../support/folder.ts';
import { closeShell, opened, startDrill, surroundings } from '../support/drill-shell.ts';

const TIMEOUT = 60_000;

let folder = '';
let running: Promise<unknown> = Promise.resolve();

/** Whatever came of it, nothing goes on being served. */
afterEach(async () => {
  closeShell(folder);
  await running;
});

function begin(word: string): WrittenContext {
  folder = folderWith();
  const started = startDrill(word, folder);
  running = started.running;
  return started.context;
}

it(
  'hands the command that failed to the trainee, with the kubeconfig it was given with',
  async () => {
    const context = begin('authentication/client-certificate-expired');
    const files = await filesOf(context);
    expect(context.out()).toContain('DeployFailed: `kubectl --kubeconfig anna.yaml -n shop apply -f web.yaml`');
    expect(readFileSync(join(files, 'terminal.txt'), 'utf8')).toContain('the server has asked for the client to provide credentials');
    expect(parse(readFileSync(join(files, 'web.yaml'), 'utf8'))).toMatchObject({ kind: 'Deployment', metadata: { name: 'web' } });
    expect(await ask(join(files, 'anna.yaml'))).toBe(401);
    expect(await ask(join(files, 'break-glass.yaml'))).toBe(200);
    const during = surroundings(folder);
    expect(await runDrillCheck({}, during)).toBe(1);
    expect(await runDrillAnswer(['client-certificate-expired'], {}, during)).toBe(0);
    expect(await ask(join(files, 'renewed.yaml'))).toBe(200);
    await runDrillStatus({}, during);
    expect(during.out()).toContain(`files: ${files}`);
    await runDrillStop({}, during);
  },
  TIMEOUT,
);

it(
  'lists the tags of the registries, which kubectl cannot show',
  async () => {
    const context = begin('images/image-not-found');
    const files = await filesOf(context);
    expect(readFileSync(join(files, 'registry.txt'), 'utf8')).toBe('registry.shop.example/web\n  1.3\n');
    const during = surroundings(folder);
    await runDrillStatus({}, during);
    expect(during.out()).toContain(`files: ${files}`);
    expect(during.out()).toMatch(/does not match the expected number of\s+replicas\. Firing for \d+[sm]/);
    await runDrillStop({}, during);
  },
  TIMEOUT,
);

it(
  'fills the addresses and files of the served cluster into a kubeconfig of the scenario',
  async () => {
    const context = begin('apply/server-certificate-untrusted');
    const files = await filesOf(context);
    await expect(ask(join(files, 'shop.yaml'))).rejects.toThrow(/certificate|signature/);
    const config = parse(readFileSync(join(files, 'shop.yaml'), 'utf8')) as Json;
    expect(dig(config, 'clusters', 0, 'cluster', 'certificate-authority')).toBe('pki/old-shop-ca.crt');
    expect(dig(config, 'users', 0, 'user', 'client-key')).toBe('pki/anna.key');
  },
  TIMEOUT,
);

async function filesOf(context: WrittenContext): Promise<string> {
  await opened(context);
  const [run] = await liveRuns(runsFolder(context.env, context.homeFolder));
  return join(dirname(run?.kubeconfig ?? ''), 'trainee');
}

/** The status of an answer to a request with a kubeconfig. */
function ask(file: string): Promise<number> {
  const config = parse(readFileSync(file, 'utf8')) as Json;
  const [cluster, user] = [dig(config, 'clusters', 0, 'cluster'), dig(config, 'users', 0, 'user')];
  const held = (holder: Json | undefined, name: string): string => {
    const data = asText(dig(holder, `${name}-data`));
    return data === undefined
      ? readFileSync(resolve(dirname(file), asText(dig(holder, name)) ?? ''), 'utf8')
      : Buffer.from(data, 'base64').toString();
  };
  return new Promise((answered, failed) => {
    const sent = request(
      `${asText(dig(cluster, 'server')) ?? ''}/api/v1/namespaces`,
      { ca: held(cluster, 'certificate-authority'), cert: held(user, 'client-certificate'), key: held(user, 'client-key'), agent: false },
      (response) => {
        response.resume();
        answered(response.statusCode ?? 0);
      },
    );
    sent.on('error', failed);
    sent.end();
  });
}
