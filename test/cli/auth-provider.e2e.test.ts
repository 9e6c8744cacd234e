import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder } from '../support/built-program.ts';
import { issueCertificate } from '../support/certificates.ts';

// The bundle holds only those parts of client-node that podcheck uses: this is about what is left.
const folder = emptyFolder();
const heard: (string | undefined)[] = [];
const server = createServer(
  issueCertificate({ commonName: 'kube-apiserver', names: ['127.0.0.1'], isAuthority: true }),
  (request, response) => {
    heard.push(request.headers.authorization);
    response.writeHead(403, { 'content-type': 'application/json' }).end('{"kind":"Status","status":"Failure","code":403}');
  },
);

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  folder.remove();
});

describe('the built program', () => {
  it.each(['gcp', 'azure'])('asks the command of an auth-provider %s for its token', async (name) => {
    heard.splice(0);
    const { port } = server.address() as AddressInfo;
    const command = join(folder.path, 'cloud');
    writeFileSync(command, `#!/bin/sh\necho '{"credential":{"access_token":"ya29.'$1'","token_expiry":"2999-01-01T00:00:00Z"}}'\n`);
    chmodSync(command, 0o755);
    const kubeconfig = join(folder.path, 'config');
    const settings = {
      'cmd-path': command,
      'cmd-args': 'print',
      'token-key': '{.credential.access_token}',
      'expiry-key': '{.credential.token_expiry}',
    };
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        'current-context': 'shop',
        contexts: [{ name: 'shop', context: { cluster: 'shop', user: 'shop' } }],
        clusters: [{ name: 'shop', cluster: { server: `https://127.0.0.1:${String(port)}`, 'insecure-skip-tls-verify': true } }],
        users: [{ name: 'shop', user: { 'auth-provider': { name, config: settings } } }],
      }),
    );
    const child = spawn(process.execPath, [resolve('dist/podcheck.js'), 'diagnose', 'pod/web', '--kubeconfig', kubeconfig], {
      stdio: 'ignore',
    });
    await once(child, 'exit');
    expect(new Set(heard)).toEqual(new Set(['Bearer ya29.print']));
  });
});
