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

/** Bodies as Go's types of Kubernetes 1.36 write themselves. */
const OF_GO_TYPES = {
  definition:
    'azhzAAozChdhcGlleHRlbnNpb25zLms4cy5pby92MRIYQ3VzdG9tUmVzb3VyY2VEZWZpbml0aW9uEqwDCiQKFGJhc2tldHMuc2hvcC5leGFtcGxlEgAaACIAKgAyADgAQgAS9QIKDHNob3AuZXhhbXBsZRoVCgdiYXNrZXRzEgAiBkJhc2tldCoAIgpOYW1lc3BhY2VkOr8CCgJ2MRABGAEirgIKqwIKABIAIgAqBm9iamVjdDIAOgBQAGAAegCQAQDqAWEKBWl0ZW1zElgKABIAIgAqBWFycmF5MgA6AFAAYAB6AJABAMIBMgowCgASACIAKgZzdHJpbmcyADoAUABgAHoAkAEAogEJCgciYXBwbGUiqAIAuAIAwAIAqAIAuAIAwAIA6gExCgRvcGVuEikKABIAIgAqBm9iamVjdDIAOgBQAGAAegCQAQDyAQIIAagCALgCAMACAOoBaQoGcHJpY2VzEl8KABIAIgAqBm9iamVjdDIAOgBCDQoLeyJhcHBsZSI6M31QAGAAegCQAQDyASkIARIlCgASACIAKgdpbnRlZ2VyMgA6AFAAYAB6AJABAKgCALgCAMACAKgCALgCAMACAKgCALACAbgCAMACACoCCgA4AFAAGgwSCAoAEgAiACoAIAAaACIA',
  policy:
    'azhzAApBCh9hZG1pc3Npb25yZWdpc3RyYXRpb24uazhzLmlvL3YxEh5NdXRhdGluZ0FkbWlzc2lvblBvbGljeUJpbmRpbmcSWwodCg1sYWJlbC1iYXNrZXRzEgAaACIAKgAyADgAQgASOgoNbGFiZWwtYmFza2V0cxopGicSJQoGQ1JFQVRFEhsKDHNob3AuZXhhbXBsZRICdjEaB2Jhc2tldHMaACIA',
  binding:
    'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtSb2xlQmluZGluZxJAChsKB3JlYWRlcnMSABoEc2hvcCIAKgAyADgAQgASDwoEVXNlchIAGgNhbm4iABoQCgASBFJvbGUaBnJlYWRlchoAIgA=',
  service: 'azhzAAoNCgJ2MRIHU2VydmljZRI9ChMKA3dlYhIAGgAiACoAMgA4AEIAEiIKEAoAEgAYUCIGCAAQABoAKAAaACIAOgBCAFIAWgBgAGgAGgIKABoAIgA=',
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

  it('is known of every kind that is served', () => {
    const known = new Resources();
    const models = known.all().filter(({ model }) => model !== undefined);
    expect(models.length).toBeGreaterThan(60);
    for (const { group, version, kind, model } of models) {
      const apiVersion = group === '' ? version : `${group}/${version}`;
      expect(readProtobuf(envelope(apiVersion, kind), () => model)).toEqual({ ok: true, body: { apiVersion, kind } });
    }
    expect(body(OF_GO_TYPES.policy)).toMatchObject({
      kind: 'MutatingAdmissionPolicyBinding',
      spec: {
        policyName: 'label-baskets',
        matchResources: {
          resourceRules: [{ operations: ['CREATE'], apiGroups: ['shop.example'], apiVersions: ['v1'], resources: ['baskets'] }],
        },
      },
    });
  });

  it('has schemas with what JSON has in the place of a message', () => {
    expect(body(OF_GO_TYPES.definition)).toMatchObject({
      spec: {
        group: 'shop.example',
        versions: [
          {
            subresources: { status: {} },
            schema: {
              openAPIV3Schema: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                properties: {
                  items: { type: 'array', items: { type: 'string', enum: ['apple'] } },
                  prices: { default: { apple: 3 }, additionalProperties: { type: 'integer' } },
                  open: { additionalProperties: true },
                },
              },
            },
          },
        ],
      },
    });
  });

  it('leaves out what is zero, where JSON leaves it out', () => {
    expect(body(OF_GO_TYPES.service)).toMatchObject({ spec: { ports: [{ port: 80, targetPort: 0 }] } });
    expect(body(OF_GO_TYPES.service)).not.toHaveProperty('spec.ports.0.protocol');
    expect(body(OF_GO_TYPES.service)).not.toHaveProperty('metadata.generateName');
    expect(body(OF_GO_TYPES.binding)).toMatchObject({ roleRef: { apiGroup: '', kind: 'Role', name: 'reader' } });
    expect(body(OF_GO_TYPES.binding)).not.toHaveProperty('subjects.0.apiGroup');
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

/** An empty object of a kind. */
function envelope(apiVersion: string, kind: string): Uint8Array {
  const text = (number: number, value: string): readonly number[] => [number * 8 + 2, value.length, ...new TextEncoder().encode(value)];
  const type = [...text(1, apiVersion), ...text(2, kind)];
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, 10, type.length, ...type]);
}
