import type { Prng } from '../../../src/base/prng.ts';
import { request } from 'node:https';
import type { Serving } from '../../../src/server/serve.ts';
import { startServing } from '../../../src/server/serve.ts';
import { createCluster } from '../../../src/simulator/index.ts';
import { WireClient } from '../../server/client.ts';
import type { LiveWorld } from '../live-case.ts';
import { hostileText, pick, shareOf, spoilt, torn } from '../mutation.ts';
import type { Outcome } from '../runner.ts';

interface Served {
  readonly serving: Serving;
  /** Bugs of podcheck's own that requests hit. */
  readonly failures: string[];
}

/** Requests of a case. */
const REQUESTS = 12;
/** One request may not take the cluster longer than this, on a machine that is busy with other things. */
const MAX_MILLISECONDS = 10_000;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'];
const PATHS = [
  '/',
  '/api',
  '/apis',
  '/version',
  '/openapi/v2',
  '/openapi/v3/apis/apps/v1',
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/pods/web/log',
  '/api/v1/namespaces/default/pods/web/exec?command=sh&stdin=true',
  '/api/v1/namespaces/default/configmaps/web',
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/apps/v1/namespaces/default/deployments/web/scale',
  '/api/v1/nodes/worker-1/proxy/metrics',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/authentication.k8s.io/v1/tokenreviews',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/api/v1/pods?watch=true&timeoutSeconds=1',
  '/api/v1/pods?limit=1&continue=x',
  '/api/v1/pods?labelSelector=',
  '/podcheck/v1/stop',
  '/../../etc/passwd',
];
const TYPES = [
  'application/json',
  'application/yaml',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/vnd.kubernetes.protobuf',
  'text/html',
  '',
];
const BODIES = [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: {
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'a', operator: 'Exists' }],
      containers: [
        {
          name: 'web',
          image: 'nginx:1.27',
          ports: [{ containerPort: 80 }],
          resources: { requests: { cpu: '100m', memory: '1Gi' } },
          env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'web', key: 'a' } } }],
        },
      ],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } },
    },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, data: { a: 'b' }, binaryData: { c: 'AAAA' } },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'web' },
    spec: {
      matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
      validations: [{ expression: "object.metadata.name.matches('^(a+)+$') && object.spec.containers.all(c, c.image != '')" }],
    },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'orders.shop.example' },
    spec: {
      group: 'shop.example',
      scope: 'Namespaced',
      names: { plural: 'orders', kind: 'Order' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
          },
        },
      ],
    },
  },
  [
    { op: 'replace', path: '/metadata/labels/app', value: 'x' },
    { op: 'copy', from: '/spec', path: '/spec/copy' },
  ],
] as const;

/** Whatever is sent, the server answers, stays itself, and serves the next one. */
export async function requestCase(prng: Prng, world: LiveWorld): Promise<Outcome> {
  const { serving, failures } = await served(world);
  const [fell, said]: [string[], string[]] = [[], []];
  const client = new WireClient(serving.kubeconfig, prng.fraction() < 0.8);
  for (let index = 0; index < REQUESTS; index++) {
    const [method, path, type] = [
      pick(METHODS, prng),
      prng.fraction() < 0.7 ? pick(PATHS, prng) : `${pick(PATHS, prng)}/${escaped(hostileText(prng)).slice(0, 4000)}`,
      pick(TYPES, prng),
    ];
    const json = JSON.stringify(spoilt(JSON.parse(JSON.stringify(pick<unknown>(BODIES, prng))) as never, prng, shareOf(prng)) ?? null);
    const body = prng.fraction() < 0.3 ? torn(json, prng) : json;
    const begun = performance.now();
    const code = await asked(client, {
      method,
      path,
      headers: {
        ...(type === '' ? {} : { 'content-type': type }),
        accept: pick(['*/*', 'application/json', 'application/json;as=Table;v=v1;g=meta.k8s.io', 'text/html'], prng),
      },
      body,
    });
    const words = `${method} ${path.slice(0, 300)} as ${type}: ${String(code)}`;
    said.push(words);
    if (code === 500) fell.push(`${words} for ${body.slice(0, 500)}`);
    if (performance.now() - begun > MAX_MILLISECONDS)
      fell.push(`${words} after ${String(Math.round(performance.now() - begun))} ms, for ${body.slice(0, 500)}`);
  }
  fell.push(...failures.splice(0).map((failure) => `a bug: ${failure}`));
  if ((await asked(new WireClient(serving.kubeconfig), { method: 'GET', path: '/api/v1/nodes', headers: {} })) !== 200)
    fell.push('the cluster does not answer its administrator any more');
  return { fell, refused: false, said: said.join('\n') };
}

/** Halves of characters have no UTF-8: they are replaced. */
function escaped(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value) ?? 'null').toString('base64url');

/** No token opens anything but one that the cluster has issued, as it was issued. */
export async function tokenCase(prng: Prng, world: LiveWorld): Promise<Outcome> {
  const { serving } = await served(world);
  const [fell, said]: [string[], string[]] = [[], []];
  const claims = {
    iss: 'https://kubernetes.default.svc.cluster.local',
    sub: pick(['kubernetes-admin', 'system:admin', 'system:serviceaccount:kube-system:generic-garbage-collector'], prng),
    aud: ['https://kubernetes.default.svc.cluster.local'],
    exp: 4_102_444_800,
    groups: ['system:masters'],
  };
  const real = await issued(serving);
  for (let index = 0; index < REQUESTS; index++) {
    const header = { alg: pick(['none', 'None', 'HS256', 'RS256', 'ES256', ''], prng), kid: hostileText(prng).slice(0, 100) };
    const guess = pick(
      [
        `${part(header)}.${part(spoilt(claims, prng, shareOf(prng)) ?? null)}.${pick(['', 'AAAA', part(real)], prng)}`,
        `sim.${prng.hex(24)}`,
        torn(real, prng),
        `${real}${prng.text('abcdef0123456789', 1)}`,
        escaped(hostileText(prng)).slice(0, 2000),
      ],
      prng,
    );
    if (guess === real || !/^[\x21-\x7e]+$/.test(guess)) continue;
    const path = pick(['/api/v1/secrets', '/api/v1/nodes', '/apis', '/api/v1/namespaces/kube-system/serviceaccounts/default/token'], prng);
    const code = await asked(new WireClient(serving.kubeconfig, false), {
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${guess}`, ...(prng.fraction() < 0.3 ? { 'impersonate-user': 'kubernetes-admin' } : {}) },
    });
    said.push(`${guess.slice(0, 120)}: ${String(code)}`);
    if (code !== 401) fell.push(`${guess.slice(0, 500)} at ${path}: ${String(code)}`);
  }
  return { fell, refused: false, said: said.join('\n') };
}

async function issued(serving: Serving): Promise<string> {
  const { json } = await new WireClient(serving.kubeconfig).ask('/api/v1/namespaces/kube-system/serviceaccounts/default/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}',
  });
  return (json as { readonly status?: { readonly token?: string } } | null)?.status?.token ?? '';
}

function served(world: LiveWorld): Promise<Served> {
  return world.once('served', async () => {
    const failures: string[] = [];
    const serving = await startServing({
      cluster: createCluster({ seed: 1, preset: 'one-node' }),
      failed: (error) => void failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    });
    return { value: { serving, failures }, close: () => serving.close() };
  });
}

interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The status; 0 where the server ended the connection without one. What streams is not waited for. */
function asked({ url, tls }: WireClient, { method, path, headers, body }: Wire): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(`${url}/`, { ...tls, method, path, headers, agent: false, timeout: MAX_MILLISECONDS * 2 }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0)).once('error', () => resolve(response.statusCode ?? 0));
      setTimeout(() => sent.destroy(), 3000).unref();
      response.once('close', () => resolve(response.statusCode ?? 0));
    });
    sent.on('timeout', () => sent.destroy()).on('error', () => resolve(0));
    sent.end(method === 'GET' || method === 'HEAD' ? undefined : body);
  });
}
