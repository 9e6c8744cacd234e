import { afterEach, describe, expect, it } from 'vitest';
import { asList, dig } from '../../src/base/json.ts';
import type { AuditEntry } from '../../src/model/audit.ts';
import type { Serving, ServingOptions } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/cluster.ts';
import { WireClient } from './client.ts';

const servings: Serving[] = [];

async function served(options: Partial<ServingOptions> = {}): Promise<Serving> {
  const serving = await startServing({ cluster: createCluster({ seed: 1, preset: 'one-node' }), ...options });
  servings.push(serving);
  return serving;
}

afterEach(async () => {
  for (const serving of servings.splice(0)) await serving.close();
});

describe('a served cluster', () => {
  it('answers the administrator of its kubeconfig', async () => {
    const serving = await served();
    const reply = await new WireClient(serving.kubeconfig).ask('/api/v1/nodes');
    expect(reply.code).toBe(200);
    expect(asList(dig(reply.json, 'items')).map((node) => dig(node, 'metadata', 'name'))).toEqual(['worker-1']);
  });

  it('stores what is written, as the one who wrote it, and says so in its audit log', async () => {
    const entries: AuditEntry[] = [];
    const serving = await served({ audit: (entry) => entries.push(entry) });
    const client = new WireClient(serving.kubeconfig);
    const made = await client.ask('/api/v1/namespaces', { method: 'POST', headers: { 'content-type': 'application/json', 'user-agent': 'kubectl/v1.32.4' }, body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }) });
    expect(made.code).toBe(201);
    expect(dig((await client.ask('/api/v1/namespaces/shop')).json, 'metadata', 'name')).toBe('shop');
    expect(entries[0]).toMatchObject({ user: 'kubernetes-admin', verb: 'create', resource: 'namespaces', code: 201, userAgent: 'kubectl/v1.32.4' });
  });

  it('knows a user and the groups by the certificate, and refuses what they may not do', async () => {
    const serving = await served();
    const reply = await new WireClient(serving.kubeconfigFor('jane', ['shop-team'])).ask('/api/v1/namespaces/shop/pods');
    expect(reply.code).toBe(403);
    expect(dig(reply.json, 'message')).toContain('User "jane" cannot list resource "pods"');
  });

  it('refuses a token that is none with 401, and lets nobody in without credentials', async () => {
    const serving = await served();
    const client = new WireClient(serving.kubeconfig, false);
    expect((await client.ask('/api/v1/nodes', { headers: { authorization: 'Bearer nothing' } })).code).toBe(401);
    const anonymous = await client.ask('/api/v1/nodes');
    expect([anonymous.code, dig(anonymous.json, 'reason')]).toEqual([403, 'Forbidden']);
  });
});
