import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { asText, dig } from '../../src/base/json.ts';
import type { Serving, ServingOptions } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/index.ts';
import { WireClient } from './client.ts';

const servings: Serving[] = [];
afterEach(async () => {
  for (const serving of servings.splice(0)) await serving.close();
});

async function served(options: Partial<ServingOptions> = {}, tokenSecret?: string): Promise<Serving> {
  const serving = await startServing({
    cluster: createCluster({ seed: 1, preset: 'one-node' }, tokenSecret === undefined ? {} : { tokenSecret }),
    ...options,
  });
  servings.push(serving);
  return serving;
}

const PATHS = ['/api/v1/nodes', '/version', '/api', '/api/v1/namespaces/default/pods/web/log', '/openapi/v2'];

/** Without credentials of its own. */
async function codesWith(serving: Serving, authorization: string): Promise<readonly number[]> {
  const client = new WireClient(serving.kubeconfig, false);
  const codes = new Set<number>();
  for (const path of PATHS) codes.add((await client.ask(path, { headers: { authorization } })).code);
  return [...codes];
}

async function tokenOf(serving: Serving, seconds = 3600): Promise<string> {
  const { json } = await new WireClient(serving.kubeconfig).ask('/api/v1/namespaces/default/serviceaccounts/default/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: seconds } }),
  });
  return asText(dig(json, 'status', 'token')) ?? '';
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const CLAIMS = {
  iss: 'https://kubernetes.default.svc.cluster.local',
  sub: 'system:serviceaccount:kube-system:default',
  aud: ['https://kubernetes.default.svc.cluster.local'],
  exp: 4_102_444_800,
  'kubernetes.io': { namespace: 'kube-system', serviceaccount: { name: 'default', uid: 'x' } },
  groups: ['system:masters'],
};

function jwt(header: object, claims: object, signature: (text: string) => Buffer | string): string {
  const text = `${part(header)}.${part(claims)}`;
  const signed = signature(text);
  return `${text}.${typeof signed === 'string' ? signed : signed.toString('base64url')}`;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rsa = (text: string): Buffer => sign('sha256', Buffer.from(text), privateKey);

describe('a token that the cluster has not issued', () => {
  it('is refused everywhere, whatever it says of itself', async () => {
    const serving = await served();
    const forged = {
      'signed with a key of its own': jwt({ alg: 'RS256', kid: '1' }, CLAIMS, rsa),
      'without a signature': jwt({ alg: 'none' }, CLAIMS, () => ''),
      'with an odd spelling of none': jwt({ alg: 'nOnE' }, CLAIMS, () => ''),
      'signed with the public certificate as the key of an HMAC': jwt({ alg: 'HS256' }, CLAIMS, (text) =>
        createHmac('sha256', serving.authority).update(text).digest(),
      ),
      'with its own key in the header': jwt(
        { alg: 'RS256', jwk: { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(256, 7).toString('base64url') } },
        CLAIMS,
        rsa,
      ),
      'of another issuer': jwt({ alg: 'RS256' }, { ...CLAIMS, iss: 'https://evil.example' }, rsa),
      'that has expired': jwt({ alg: 'RS256' }, { ...CLAIMS, exp: 1 }, rsa),
      'that is no JWT': 'sim.000000000000000000000000',
      'named like a property': '__proto__',
      'of quotes': '"\'{}',
    };
    for (const [what, token] of Object.entries(forged)) expect([what, await codesWith(serving, `Bearer ${token}`)]).toEqual([what, [401]]);
  });

  it('does not become one by what stands around it', async () => {
    const serving = await served();
    const token = await tokenOf(serving);
    expect(
      (await new WireClient(serving.kubeconfig, false).ask('/api/v1/nodes', { headers: { authorization: `Bearer ${token}` } })).code,
    ).toBe(403);
    for (const near of [`${token}x`, token.slice(0, -1), token.toUpperCase(), `${token}.`, Buffer.from(token).toString('base64')])
      expect(await codesWith(serving, `Bearer ${near}`)).toEqual([401]);
    // Of another cluster, where it is good.
    expect(await codesWith(await served({ cluster: createCluster({ seed: 2, preset: 'one-node' }) }), `Bearer ${token}`)).toEqual([401]);
  });

  it('is refused once it has expired, or its account is gone', async () => {
    const serving = await served();
    const [short, long] = [await tokenOf(serving, 600), await tokenOf(serving, 86_400)];
    const codes = async (token: string): Promise<readonly number[]> => [
      ...new Set(
        await Promise.all(
          ['/api/v1/nodes', '/api/v1/secrets'].map(
            async (path) =>
              (await new WireClient(serving.kubeconfig, false).ask(path, { headers: { authorization: `Bearer ${token}` } })).code,
          ),
        ),
      ),
    ];
    expect([await codes(short), await codes(long)]).toEqual([[403], [403]]);
    await serving.clock.advance(601_000);
    expect([await codes(short), await codes(long)]).toEqual([[401], [403]]);
    await new WireClient(serving.kubeconfig).ask('/api/v1/namespaces/default/serviceaccounts/default', { method: 'DELETE' });
    expect(await codes(long)).toEqual([401]);
  });

  it('cannot be foretold by who knows the seed, where the cluster has a secret', async () => {
    const [known, kept, again] = [await served(), await served({}, 'a'.repeat(64)), await served({}, 'b'.repeat(64))];
    const [guess, token, other] = [await tokenOf(known), await tokenOf(kept), await tokenOf(again)];
    expect(new Set([guess, token, other]).size).toBe(3);
    expect(await codesWith(kept, `Bearer ${guess}`)).toEqual([401]);
    expect(await codesWith(kept, `Bearer ${other}`)).toEqual([401]);
    // The secret decides nothing else.
    const [plain, secret] = [{}, { tokenSecret: 'a'.repeat(64) }].map((surroundings) =>
      createCluster({ seed: 1, preset: 'one-node' }, surroundings).digest(),
    );
    expect(secret).toBe(plain);
  });

  it('of a size that no token has ends the request, and not the server', async () => {
    const serving = await served();
    const answer = async (letters: number): Promise<number> =>
      new WireClient(serving.kubeconfig, false).ask('/api/v1/nodes', { headers: { authorization: `Bearer ${'x'.repeat(letters)}` } }).then(
        ({ code }) => code,
        () => 0,
      );
    expect(await answer(200_000)).toBe(401);
    expect([0, 431]).toContain(await answer(1_500_000));
    expect((await new WireClient(serving.kubeconfig).ask('/api/v1/nodes')).code).toBe(200);
  });
});

describe('a cluster that is served on all addresses', () => {
  it('answers nobody without TLS, and nobody without credentials but as anonymous', async () => {
    const serving = await served({ listen: '0.0.0.0' });
    const client = new WireClient(serving.kubeconfig, false);
    for (const path of ['/api/v1/secrets', '/api/v1/nodes', '/apis/apps/v1/deployments', '/logs', '/metrics', '/debug/pprof/'])
      expect([path, (await client.ask(path)).code]).toEqual([path, 403]);
    expect(
      (
        await client.ask('/api/v1/namespaces', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'impersonate-user': 'kubernetes-admin', 'impersonate-group': 'system:masters' },
          body: '{}',
        })
      ).code,
    ).toBe(403);
    const plain = await new Promise<string>((resolve) => {
      const socket = connect(serving.port, '127.0.0.1', () => socket.write('GET /version HTTP/1.1\r\nHost: shop\r\n\r\n'));
      let said = '';
      socket
        .on('data', (data: Buffer) => (said += data.toString()))
        .on('error', () => undefined)
        .on('close', () => resolve(said));
    });
    expect(plain).not.toContain('gitVersion');
  });
});
