import { describe, expect, it } from 'vitest';
import { metadataFindings, secretFindings } from '../../src/certificates/secrets.ts';
import { readSecretUses } from '../../src/certificates/secret-uses.ts';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { LEAF, linesOf, objectOf } from './objects.ts';

const USES = await readSecretUses(memoryReader({ objects: [], collected: [], absent: [], refused: [], logs: [], now: 0 }), {});
const [FROM, TO] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];

function secret(name: string, annotations: Readonly<Record<string, string>>, fields: object = {}): KubeObject {
  return objectOf('Secret', name, fields, { namespace: 'shop', annotations, creationTimestamp: FROM });
}

describe('the certificates in Secrets', () => {
  it('name their key, who renews them and where; other values are none', () => {
    const { sightings, tier } = secretFindings(
      {
        ok: true,
        value: [
          secret('web-tls', { 'cert-manager.io/certificate-name': 'web' }, { data: { 'tls.crt': LEAF.cert, note: 'text' } }),
          secret('signed', { 'service.beta.openshift.io/originating-service-name': 'web' }, { data: { 'tls.crt': LEAF.cert } }),
          secret('rotated', { 'auth.openshift.io/certificate-not-after': TO }, { data: { 'tls.crt': LEAF.cert } }),
          secret('own', {}, { data: { 'tls.crt': LEAF.cert } }),
        ],
      },
      USES,
    );
    expect(linesOf(sightings)).toEqual([
      'Secret/shop/web-tls tls.crt | tls-secret | cert-manager | CN=web',
      'Secret/shop/signed tls.crt | service-serving | service-ca | CN=web',
      'Secret/shop/rotated tls.crt | tls-secret | operator | CN=web',
      'Secret/shop/own tls.crt | tls-secret | - | CN=web',
    ]);
    expect(sightings.map(({ renews }) => renews?.name)).toEqual(['web', 'signed', 'rotated', 'own']);
    expect(tier).toEqual({ id: 'secrets', state: 'CHECKED', asked: true, found: 4 });
  });

  it('are beside bootstrap tokens, which may end, if they do', () => {
    const token = (type: string, data: object, name = 'bootstrap-token-abcdef'): KubeObject => secret(name, {}, { type, data });
    const { sightings } = secretFindings(
      {
        ok: true,
        value: [
          token('bootstrap.kubernetes.io/token', { expiration: TO }),
          token('bootstrap.kubernetes.io/token', {}),
          token('Opaque', { expiration: TO }, 'opaque'),
        ],
      },
      USES,
    );
    expect(sightings.map(({ role, seen, harmless }) => [role, seen, harmless])).toEqual([
      [
        'bootstrap-token',
        { kind: 'described', value: { subject: 'bootstrap-token-abcdef', notAfter: Date.parse(TO), notBefore: Date.parse(FROM) } },
        'bootstrap tokens are short-lived; create a new one to join a node',
      ],
    ]);
  });

  it('are unknown where they were refused, cut or not collected', () => {
    const of = (...read: Parameters<typeof secretFindings>[0][]): unknown[] => read.map((one) => secretFindings(one, USES).tier);
    expect(
      of(
        { ok: false, why: 'forbidden', detail: 'secrets is forbidden', needs: 'list secrets' },
        { ok: false, why: 'not-collected', detail: 'not in it', needs: 'list secrets' },
        { ok: true, value: [], partial: 'it was cut', brokeOff: true },
        { ok: true, value: [], partial: 'it is a part' },
      ),
    ).toEqual([
      { id: 'secrets', state: 'NOT_CHECKED', asked: true, reason: 'secrets is forbidden (needs list secrets)', found: 0 },
      { id: 'secrets', state: 'NOT_CHECKED', asked: false, reason: 'not in it', found: 0 },
      { id: 'secrets', state: 'PARTIAL', asked: true, reason: 'Secrets: it was cut', found: 0 },
      { id: 'secrets', state: 'PARTIAL', asked: false, reason: 'Secrets: it is a part', found: 0 },
    ]);
  });

  it('are told by annotations, where their operator writes them', () => {
    const { sightings, tier } = metadataFindings({
      ok: true,
      value: [
        secret('api', {
          'auth.openshift.io/certificate-not-after': TO,
          'auth.openshift.io/certificate-not-before': FROM,
          'auth.openshift.io/certificate-hostnames': 'api,api.shop,',
          'auth.openshift.io/certificate-issuer': 'signer',
        }),
        secret('served', { 'service.alpha.openshift.io/expiry': TO }),
        secret('plain', {}),
      ],
    });
    expect(sightings.map(({ where, of, rotatedBy, seen }) => [where, of, rotatedBy, seen])).toEqual([
      [
        'Secret/shop/api',
        'Secret/shop/api',
        'operator',
        {
          kind: 'described',
          value: { subject: 'api', names: ['api', 'api.shop'], issuer: 'signer', notAfter: Date.parse(TO), notBefore: Date.parse(FROM) },
        },
      ],
      [
        'Secret/shop/served',
        'Secret/shop/served',
        'service-ca',
        { kind: 'described', value: { subject: 'served', names: [], issuer: '', notAfter: Date.parse(TO) } },
      ],
    ]);
    expect(tier).toMatchObject({ state: 'CHECKED', found: 2 });
    expect(metadataFindings({ ok: false, why: 'forbidden', detail: 'no' }).tier).toMatchObject({ state: 'NOT_CHECKED', asked: false });
    expect(metadataFindings({ ok: false, why: 'failed', detail: 'no' }).tier).toMatchObject({ state: 'NOT_CHECKED', asked: true });
    expect(metadataFindings({ ok: true, value: [], partial: 'cut' }).tier).toMatchObject({
      state: 'PARTIAL',
      reason: 'metadata of Secrets: cut',
    });
  });
});
