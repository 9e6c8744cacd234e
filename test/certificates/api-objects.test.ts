import { describe, expect, it } from 'vitest';
import { apiFindings, LIGHT_KINDS } from '../../src/certificates/api-objects.ts';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { AUTHORITY, base64, linesOf, objectOf } from './objects.ts';

const CA = base64(AUTHORITY.cert);
const KINDS = [
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'APIService',
  'CustomResourceDefinition',
  'CertificateSigningRequest',
  'ConfigMap',
];

function reader(objects: readonly KubeObject[], collected: readonly string[] = KINDS): ReturnType<typeof memoryReader> {
  const kinds = collected.map((kind) => ({ kind, complete: true }));
  return memoryReader({ objects, collected: kinds, absent: [], refused: [], logs: [], now: 0 });
}

function webhooks(
  kind: string,
  name: string,
  bundles: readonly (string | undefined)[],
  annotations: Readonly<Record<string, string>> = {},
): KubeObject {
  const hooks = bundles.map((caBundle, index) => ({ name: `hook-${String(index)}.example`, clientConfig: { caBundle } }));
  return objectOf(kind, name, { webhooks: hooks }, { annotations });
}

describe('certificates in objects that anybody may read', () => {
  it('are the bundles of webhooks, APIs and conversions, each with its place, role and who puts it there', async () => {
    const { sightings, tier } = await apiFindings(
      reader([
        webhooks('MutatingWebhookConfiguration', 'inject', [CA, undefined, ''], { 'cert-manager.io/inject-ca-from': 'mesh/ca' }),
        webhooks('ValidatingWebhookConfiguration', 'guard', [CA], { 'service.beta.openshift.io/inject-cabundle': 'true' }),
        objectOf('APIService', 'v1beta1.metrics.k8s.io', { spec: { caBundle: CA } }),
        objectOf('CustomResourceDefinition', 'carts.shop.example', {
          spec: { conversion: { webhook: { clientConfig: { caBundle: CA } } } },
        }),
      ]),
      {},
    );
    expect(linesOf(sightings)).toEqual([
      'MutatingWebhookConfiguration/inject webhook hook-0.example | mutating-webhook-ca | cert-manager | CN=shop-ca',
      'ValidatingWebhookConfiguration/guard webhook hook-0.example | validating-webhook-ca | service-ca | CN=shop-ca',
      'APIService/v1beta1.metrics.k8s.io caBundle | apiservice-ca | - | CN=shop-ca',
      'CustomResourceDefinition/carts.shop.example conversion caBundle | conversion-webhook-ca | - | CN=shop-ca',
    ]);
    expect(sightings.map(({ renews }) => renews)).toEqual([
      { name: 'inject' },
      { name: 'guard' },
      { name: 'v1beta1.metrics.k8s.io' },
      { name: 'carts.shop.example' },
    ]);
    expect(tier).toEqual({ id: 'api', state: 'CHECKED', asked: true, found: 4 });
  });

  it('are not taken for bad where a dump hides them, and named where they are bad', async () => {
    const { sightings } = await apiFindings(
      reader([webhooks('MutatingWebhookConfiguration', 'inject', [base64('xxxxxxxx'), base64('****'), base64('xxxy'), '%%%'])]),
      {},
      new Set(['MutatingWebhookConfiguration']),
    );
    expect(sightings.map(({ seen }) => seen.kind)).toEqual(['unchecked', 'unchecked', 'unreadable', 'unreadable']);
    expect(sightings.at(-1)?.seen).toEqual({ kind: 'unreadable', reason: 'the caBundle is not base64' });
  });

  it('are unknown, not absent, where a kind was not read; what an add-on brings may be missing', async () => {
    const some = await apiFindings(
      reader([webhooks('ValidatingWebhookConfiguration', 'guard', [CA])], ['ValidatingWebhookConfiguration']),
      {},
    );
    expect(some.tier).toMatchObject({ state: 'PARTIAL', asked: false, found: 1 });
    expect(some.tier.reason).toMatch(
      /^MutatingWebhookConfiguration: .*; nor APIService, CustomResourceDefinition, CertificateSigningRequest, ConfigMap$/,
    );
    for (const kind of KINDS)
      expect((await apiFindings(reader([], []), {}, new Set([kind, 'Certificate']))).tier.reason, kind).toContain(`${kind}: `);
    const none = await apiFindings(reader([], []), {});
    expect(none.tier).toMatchObject({ state: 'NOT_CHECKED', asked: true, found: 0 });
  });

  it('are known in part where only some objects of a kind were read', async () => {
    const objects = [objectOf('ConfigMap', 'own', { data: { 'ca.crt': AUTHORITY.cert } }, { namespace: 'shop' })];
    const some = memoryReader({ objects, collected: [{ kind: 'ConfigMap', complete: false }], absent: [], refused: [], logs: [], now: 0 });
    const { tier } = await apiFindings(some, {}, new Set(['ConfigMap']));
    expect(tier).toMatchObject({ state: 'PARTIAL', found: 1, reason: expect.stringMatching(/^ConfigMap: /) as string });
  });

  it('have their place also in a webhook without a name', async () => {
    const nameless = objectOf('MutatingWebhookConfiguration', 'inject', { webhooks: [{ clientConfig: { caBundle: CA } }] });
    const { sightings } = await apiFindings(reader([nameless]), {});
    expect(sightings.map(({ where }) => where)).toEqual(['MutatingWebhookConfiguration/inject webhook ?']);
  });

  it('are unchecked as a whole where no kind could be read, and in part where one could', async () => {
    const two = new Set(['APIService', 'ConfigMap']);
    expect((await apiFindings(reader([], []), {}, two)).tier).toMatchObject({
      state: 'NOT_CHECKED',
      reason: expect.stringMatching(/^APIService: .*; nor ConfigMap$/) as string,
    });
    expect((await apiFindings(reader([], ['ConfigMap']), {}, two)).tier).toMatchObject({
      state: 'PARTIAL',
      reason: expect.stringMatching(/^APIService: [^;]*$/) as string,
    });
    expect((await apiFindings(reader([], ['APIService']), {}, two)).tier).toMatchObject({ state: 'PARTIAL' });
  });

  it('are read without much ado of webhooks and requests', async () => {
    const { sightings } = await apiFindings(
      reader([
        webhooks('MutatingWebhookConfiguration', 'inject', [CA]),
        webhooks('ValidatingWebhookConfiguration', 'guard', [CA]),
        objectOf('CertificateSigningRequest', 'csr', { spec: {}, status: { certificate: CA } }),
        objectOf('APIService', 'v1beta1.metrics.k8s.io', { spec: { caBundle: CA } }),
        objectOf('ConfigMap', 'own', { data: { 'ca.crt': AUTHORITY.cert } }, { namespace: 'shop' }),
      ]),
      {},
      LIGHT_KINDS,
    );
    expect(sightings.map(({ where }) => where.split('/')[0])).toEqual([
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration',
      'CertificateSigningRequest',
    ]);
  });

  it('are read only of the kinds that are asked for', async () => {
    const { tier } = await apiFindings(reader([], ['APIService']), {}, new Set(['APIService']));
    expect(tier).toEqual({ id: 'api', state: 'CHECKED', asked: true, found: 0 });
  });
});
