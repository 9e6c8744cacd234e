import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { dig } from '../../src/base/json.ts';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/index.ts';
import { WireClient } from './client.ts';

const IMAGE = 'registry.k8s.io/e2e-test-images/agnhost:2.63.0';
let serving: Serving;
let client: WireClient;

beforeAll(async () => {
  const cluster = createCluster({ seed: 3, preset: 'one-node' });
  const pod: JsonObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: {
      containers: [
        {
          name: 'web',
          image: IMAGE,
          args: ['porter', '--json-response'],
          env: [
            { name: 'SERVE_PORT_80', value: 'shop' },
            { name: 'SERVE_TLS_PORT_443', value: 'safe' },
          ],
        },
        {
          name: 'page',
          image: IMAGE,
          command: ['/agnhost', 'porter'],
          env: [{ name: 'SERVE_PORT_81', value: '<a href="/goods">goods</a>' }],
        },
      ],
    },
  };
  const service: JsonObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: {
      selector: { app: 'web' },
      ports: [
        { name: 'http', port: 8080, targetPort: 80 },
        { name: 'tls', port: 8443, targetPort: 443 },
      ],
    },
  };
  cluster.apply([pod, service], { namespace: 'default' });
  cluster.advance(60_000);
  serving = await startServing({ cluster });
  client = new WireClient(serving.kubeconfig);
});
afterAll(() => serving.close());

const PLACE = '/api/v1/namespaces/default';

test.each([
  ['a pod, on the port of its number', 'pods/web:80/proxy/any', 'GET', { Method: 'GET', Body: 'shop' }],
  ['a pod, by another method', 'pods/web:80/proxy/any', 'DELETE', { Method: 'DELETE', Body: 'shop' }],
  ['a pod, by a method that the API has no verb for', 'pods/web:80/proxy/any', 'OPTIONS', { Method: 'OPTIONS', Body: 'shop' }],
  ['a pod, by a patch', 'pods/web:80/proxy/any', 'PATCH', { Method: 'PATCH', Body: 'shop' }],
  ['a Service, by the name of a port', 'services/web:http/proxy/', 'POST', { Method: 'POST', Body: 'shop' }],
  ['a Service, by TLS', 'services/https:web:tls/proxy/', 'GET', { Method: 'GET', Body: 'safe' }],
])('a request is handed on to %s', async (_, path, method, body) => {
  const { code, json } = await client.ask(`${PLACE}/${path}`, { method });
  expect([code, json]).toEqual([200, body]);
});

test('a page without a path is looked for at the root', async () => {
  const { code, headers } = await client.ask(`${PLACE}/pods/web:80/proxy?method=GET`);
  expect([code, headers['location']]).toEqual([301, `${PLACE}/pods/web:80/proxy/?method=GET`]);
  expect((await client.ask(`${PLACE}/pods/web:80/proxy`, { method: 'POST' })).code).toBe(200);
  expect((await client.ask(`${PLACE}/pods/none/proxy`)).code).toBe(404);
});

test('links of a page lead through the proxy', async () => {
  const { text } = await client.ask(`${PLACE}/pods/web:81/proxy/`);
  expect(text).toBe(`<a href="${PLACE}/pods/web:81/proxy/goods">goods</a>`);
});

test('where nothing listens, the answer says so; where nothing is, too', async () => {
  const refused = await client.ask(`${PLACE}/pods/web:82/proxy/`);
  expect([refused.code, dig(refused.json, 'reason')]).toEqual([503, 'ServiceUnavailable']);
  expect(dig(refused.json, 'message')).toContain('connect: connection refused');
  expect((await client.ask(`${PLACE}/pods/none/proxy/`)).code).toBe(404);
  expect((await client.ask(`${PLACE}/services/web:none/proxy/`)).code).toBe(503);
});

test('who may not use the proxy of pods is refused', async () => {
  const jane = new WireClient(serving.kubeconfigFor('jane', []));
  expect((await jane.ask(`${PLACE}/pods/web:80/proxy/`)).code).toBe(403);
});
