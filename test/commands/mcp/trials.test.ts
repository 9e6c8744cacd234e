import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import { connected, textOf } from './connected.ts';

const MISSING = { scenario: 'volumes/configmap-not-found' };
const SETTINGS = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web-settings, namespace: shop }\ndata: { a: b }\n';

async function rehearsed(
  options: { readonly scenario: string },
  target: string,
  change: string,
): Promise<{ data: Json; text: string; isError: boolean }> {
  const { call, close } = await connected(options);
  const answer = await call('rehearse_fix', { target, change });
  await close();
  return { data: (answer.structuredContent ?? {}) as Json, text: textOf(answer), isError: answer.isError === true };
}

describe('rehearse_fix', () => {
  it('tells that an object cures, and how soon', async () => {
    const { data } = await rehearsed(MISSING, 'Deployment/shop/web', SETTINGS);
    expect(data).toMatchObject({ target: 'Deployment/shop/web', before: 'volumes/configmap-not-found', result: 'cured' });
    expect(dig(data, 'seconds')).toBeGreaterThan(0);
  });

  it.each(['endpoints/target-port-mismatch', 'endpoints/selector-matches-no-pod', 'scheduling/untolerated-taint'])(
    'takes the command that diagnose prints: %s',
    async (rule) => {
      const { call, close } = await connected({ scenario: rule });
      const found = (await call('diagnose')).structuredContent as Json;
      const run = asText(dig(asList(dig(asList(dig(found, 'causes'))[0], 'fix'))[0], 'run')) ?? '';
      const { kind, namespace, name } = dig(found, 'target') as { kind: string; namespace: string; name: string };
      const answer = await call('rehearse_fix', { target: [kind, namespace, name].join('/'), change: run });
      expect([run, answer.structuredContent]).toEqual([run, expect.objectContaining({ before: rule, result: 'cured' })]);
      await close();
    },
  );

  it('tells that a change does not help', async () => {
    const { data, text } = await rehearsed(MISSING, 'Deployment/shop/web', 'kubectl -n shop scale deployment/web --replicas=3');
    expect(data).toMatchObject({ result: 'not-cured', after: 'volumes/configmap-not-found' });
    expect(text).toContain('does not cure');
  });

  it('tells that the cluster refuses a change', async () => {
    const { data } = await rehearsed(MISSING, 'Deployment/shop/web', SETTINGS.replace('web-settings', 'Web_Settings'));
    expect(data).toMatchObject({ result: 'refused', reason: expect.stringContaining('Web_Settings') as string });
  });

  it.each([
    ['kubectl -n shop exec web-1 -- rm -rf /', 'cannot be rehearsed'],
    ['kubectl -n shop create configmap web-settings --from-file=<file>', 'cannot be rehearsed'],
    ['kind: ConfigMap\nmetadata: { name: [\n', 'change:'],
  ])('says what it cannot rehearse: %j', async (change, message) => {
    const { isError, text } = await rehearsed(MISSING, 'Deployment/shop/web', change);
    expect([isError, text]).toEqual([true, expect.stringContaining(message)]);
  });

  it('says that nothing is to be cured', async () => {
    const { data } = await rehearsed({ scenario: 'healthy/deployment' }, 'Deployment/shop/web', SETTINGS);
    expect(data).toMatchObject({ before: 'healthy', result: 'unknown' });
  });
});

const POD = `apiVersion: v1
kind: Pod
metadata: { name: till, namespace: shop }
spec:
  containers:
    - name: till
      image: nginx:1.27
      envFrom:
        - configMapRef: { name: till-settings }
`;

describe('preflight', () => {
  it('names what would stop a workload in this cluster, with its line', async () => {
    const { call, close } = await connected({ scenario: 'healthy/deployment' });
    const answer = await call('preflight', { manifests: POD });
    const [workload] = asList(dig(answer.structuredContent as Json, 'workloads'));
    expect(dig(workload, 'verdict')).toBe('blocked');
    expect(dig(asList(dig(workload, 'obstacles'))[0], 'rule')).toBe('containers/configmap-not-found');
    expect(textOf(answer)).toMatch(/:9\b/);
    await close();
  });

  it.each([
    ['apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n', 'a template that was not rendered'],
    ['just words', 'error: '],
    ['a: [', 'error: '],
  ])('refuses %j', async (manifests, message) => {
    const { call, close } = await connected({ scenario: 'healthy/deployment' });
    const answer = await call('preflight', { manifests });
    expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringContaining(message)]);
    await close();
  });
});
