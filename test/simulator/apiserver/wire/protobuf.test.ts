import { describe, expect, it } from 'vitest';
import { Prng } from '../../../../src/base/prng.ts';
import { Resources } from '../../../../src/simulator/apiserver/resources.ts';
import { decodeWireBody } from '../../../../src/simulator/apiserver/wire/body.ts';
import { readProtobuf } from '../../../../src/simulator/apiserver/wire/protobuf.ts';

/** Bodies as kubectl 1.32 sends them, in base64. */
const BODIES = {
  configMap: 'azhzAAoPCgJ2MRIJQ29uZmlnTWFwEiwKGwoLc2hvcC1jb25maWcSABoAIgAqADIAOABCABINCgZjb2xvdXISA3JlZBoAIgA=',
  deployment:
    'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50ErsBCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEokBCAISDAoKCgNhcHASA3dlYhpvChwKABIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEk8SMQoDd2ViEgpzaG9wL3dlYjoxKgAyCgoAEAAYUCIAKgBCAGoAcgCAAQCIAQCQAQCiAQAaADIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAIgIKACgAOAAaDAgAEAAYACAAKAA4ABoAIgA=',
  service:
    'azhzAAoNCgJ2MRIHU2VydmljZRJsCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEkUKHgoHODAtaHR0cBIDVENQGFAiCggBEAAaBGh0dHAoABIKCgNhcHASA3dlYhoAIglDbHVzdGVySVA6AEIAUgBaAGAAaAAaAgoAGgAiAA==',
  quota: 'azhzAAoTCgJ2MRINUmVzb3VyY2VRdW90YRI0ChEKAXESABoAIgAqADIAOABCABIdCg4KA2NwdRIHCgUxNTAwbQoLCgRwb2RzEgMKATMaABoAIgA=',
  token: 'azhzAAooChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESDFRva2VuUmVxdWVzdBIdChAKABIAGgAiACoAMgA4AEIAEgMgkBwaBAoAEgAaACIA',
};

function body(base64: string): unknown {
  const decoded = decodeWireBody('application/vnd.kubernetes.protobuf', Buffer.from(base64, 'base64'), new Resources());
  return decoded.ok ? decoded.body : decoded.message;
}

describe('a body in protobuf', () => {
  it('is the object it stands for', () => {
    expect(body(BODIES.configMap)).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'shop-config' },
      data: { colour: 'red' },
    });
    expect(body(BODIES.deployment)).toMatchObject({
      kind: 'Deployment',
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [{ name: 'web', image: 'shop/web:1', ports: [{ containerPort: 80 }] }] } },
      },
    });
  });

  it('keeps quantities, ports by name and durations as JSON has them', () => {
    expect(body(BODIES.quota)).toMatchObject({ spec: { hard: { cpu: '1500m', pods: '3' } } });
    expect(body(BODIES.service)).toMatchObject({ spec: { type: 'ClusterIP', ports: [{ port: 80, targetPort: 'http' }] } });
    expect(body(BODIES.token)).toMatchObject({ kind: 'TokenRequest', spec: { expirationSeconds: 3600 } });
  });

  it('has no time where none was set', () => {
    expect(body(BODIES.configMap)).not.toHaveProperty('metadata.creationTimestamp');
  });

  it('never breaks the reader, whatever its bytes are', () => {
    const prng = new Prng(5);
    const whole = Buffer.from(BODIES.deployment, 'base64');
    for (let round = 0; round < 1000; round++) {
      const bytes = Uint8Array.from(whole);
      for (let change = 0; change < 5; change++) bytes[4 + prng.below(bytes.length - 4)] = prng.below(256);
      expect(readProtobuf(bytes, () => 'V1Deployment')).toHaveProperty('ok');
    }
  });

  it('is refused in words when it is cut off, of an unknown kind or no protobuf at all', () => {
    const whole = Buffer.from(BODIES.deployment, 'base64');
    for (let length = 0; length < whole.length; length++) {
      const read = readProtobuf(whole.subarray(0, length), () => 'V1Deployment');
      if (!read.ok) expect(read.error).not.toBe('');
    }
    expect(body(whole.subarray(0, 60).toString('base64'))).toBe('unexpected EOF');
    expect(body(Buffer.from('{"kind":"Pod"}').toString('base64'))).toContain('does not appear to be a protobuf message');
    expect(readProtobuf(whole, () => undefined)).toMatchObject({
      ok: false,
      error: 'no kind "Deployment" is registered for version "apps/v1" in protobuf',
    });
  });
});
