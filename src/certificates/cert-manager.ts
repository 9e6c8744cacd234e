import { parseInstant } from '../base/instant.ts';
import { asList, asText, dig } from '../base/json.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef, refOf } from '../model/kube-object.ts';
import type { Sighting } from './seen-certificate.ts';

/** What cert-manager says of its Certificates: their ends, when it means to renew them, and why it cannot. */
export function certManagerSightings(certificates: readonly KubeObject[]): readonly Sighting[] {
  return certificates.flatMap((certificate): readonly Sighting[] => {
    const { namespace, name } = certificate.metadata;
    const secret = asText(dig(certificate, 'spec', 'secretName'));
    const [notBefore, notAfter, dueAt] = ['notBefore', 'notAfter', 'renewalTime'].map((field) =>
      parseInstant(dig(certificate, 'status', field)),
    );
    const place = {
      tier: 'api',
      where: formatRef(refOf(certificate)),
      role: dig(certificate, 'spec', 'isCA') === true ? 'issuer-ca' : 'tls-secret',
      rotatedBy: 'cert-manager',
      renews: { namespace, name },
      ...(secret === undefined ? {} : { of: `Secret/${namespace ?? ''}/${secret}` }),
      ...(dueAt === undefined ? {} : { dueAt }),
    } as const;
    const trouble = notReady(certificate);
    if (notAfter === undefined)
      return trouble === undefined ? [] : [{ ...place, seen: { kind: 'missing', reason: `the certificate was never issued: ${trouble}` } }];
    const names = ['dnsNames', 'ipAddresses'].flatMap((field) =>
      asList(dig(certificate, 'spec', field)).flatMap((value) => asText(value) ?? []),
    );
    const described = {
      subject: `CN=${asText(dig(certificate, 'spec', 'commonName')) ?? names[0] ?? name}`,
      names,
      issuer: issuerOf(certificate),
      notAfter,
      ...(notBefore === undefined ? {} : { notBefore }),
    };
    return [{ ...place, seen: { kind: 'described', value: described } }];
  });
}

function notReady(certificate: KubeObject): string | undefined {
  const ready = asList(dig(certificate, 'status', 'conditions')).find((condition) => asText(dig(condition, 'type')) === 'Ready');
  return ready === undefined || asText(dig(ready, 'status')) === 'True'
    ? undefined
    : (asText(dig(ready, 'message')) ?? asText(dig(ready, 'reason')) ?? 'it is not ready');
}

function issuerOf(certificate: KubeObject): string {
  const name = asText(dig(certificate, 'spec', 'issuerRef', 'name'));
  return name === undefined ? '' : `${asText(dig(certificate, 'spec', 'issuerRef', 'kind')) ?? 'Issuer'} ${name}`;
}
