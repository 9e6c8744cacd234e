import { asText, dig } from '../../../base/json.ts';
import type { Prng } from '../../../base/prng.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { decodeBase64, encodeBase64, looseBytesOfBase64 } from '../../../base/base64.ts';
import { readCertificate } from '../../x509/certificates.ts';
import type { ComponentHost } from '../../components/component.ts';
import { connected } from '../../components/component.ts';
import { isTrue } from '../../controllers/conditions.ts';
import type { RequestWish } from '../../x509/request-writer.ts';
import { writeRequest } from '../../x509/request-writer.ts';
import type { Routine } from '../../time/routine.ts';
import { wait } from '../../time/routine.ts';
import type { Certificate } from '../../x509/simulated-certificate.ts';

/** One certificate that a kubelet looks after: what it is called here, who signs it, and what is asked for. */
interface Managed {
  readonly name: string;
  readonly prng: Prng;
  readonly signer: string;
  readonly usages: readonly string[];
  readonly wish: RequestWish;
}

/**
 * Renews a kubelet's certificates: at a random point between 70 and 90 % of a certificate's life it makes a request, waits a
 * quarter of an hour for somebody to approve and sign it, and asks again.
 * Source: staging/src/k8s.io/client-go/util/certificate/certificate_manager.go, pkg/kubelet/certificate/kubelet.go.
 */
export function manageCertificates(host: ComponentHost): void {
  const { configuration, machines } = host.world;
  const subject = { commonName: `system:node:${host.node}`, organizations: ['system:nodes'] };
  if (configuration.rotateCertificates)
    manage(host, {
      name: `kubelet-${host.node}`,
      prng: host.prng.split('client certificate'),
      signer: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
      wish: subject,
    });
  if (!configuration.serverTlsBootstrap) return;
  const address = machines.get(host.node)?.spec.address;
  const wish = { ...subject, dnsNames: [host.node], ipAddresses: address === undefined ? [] : [address] };
  manage(host, {
    name: `kubelet-serving-${host.node}`,
    prng: host.prng.split('serving certificate'),
    signer: 'kubernetes.io/kubelet-serving',
    usages: ['digital signature', 'server auth'],
    wish,
  });
}

/** The deadline is drawn once for a certificate; a certificate that is missing is asked for at once. */
function manage(host: ComponentHost, managed: Managed): void {
  const current = host.world.certificates.get(managed.name);
  const rotate = (): void => {
    if (host.world.certificates.get(managed.name) !== current) manage(host, managed);
    else if (current?.unattended !== true) host.spawn(renewed(host, managed));
  };
  if (current === undefined) rotate();
  else
    host.at(
      current.notBefore + (current.notAfter - current.notBefore) * managed.prng.between(0.7, 0.9),
      `${managed.name} is renewed`,
      rotate,
      { background: true },
    );
}

const TRY_MILLISECONDS = [2000, 4000, 8000, 16_000] as const;
const AGAIN_MILLISECONDS = 32_000;
const WAIT_MILLISECONDS = 900_000;

function* renewed(host: ComponentHost, managed: Managed): Routine {
  for (let tries = 0; ; tries++) {
    yield* connected(host);
    const certificate = yield* requested(host, managed);
    if (certificate !== undefined) {
      host.world.certificates.put(certificate);
      break;
    }
    yield* pause(host, (TRY_MILLISECONDS[tries] ?? AGAIN_MILLISECONDS) * managed.prng.between(1, 1.1));
  }
  manage(host, managed);
}

/** Nothing is settled or not by somebody who waits for an approval. */
function pause(host: ComponentHost, milliseconds: number): Routine {
  return wait<void>((resume) => void host.after(milliseconds, 'ask for a certificate again', () => resume(), { background: true }));
}

function* requested(host: ComponentHost, { name, prng, signer, usages, wish }: Managed): Routine<Certificate | undefined> {
  const spec = { request: encodeBase64(writeRequest(wish, prng)), signerName: signer, usages };
  const made = yield* host.client.create({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { generateName: 'csr-' },
    spec,
  });
  if (!made.ok) return undefined;
  const issued = yield* signed(host, made.object);
  const bytes = issued === undefined ? undefined : firstCertificate(issued);
  return bytes === undefined ? undefined : readCertificate(name, bytes);
}

/** `status.certificate` as soon as it is there; undefined when it is refused or time is up. */
function* signed(host: ComponentHost, request: KubeObject): Routine<string | undefined> {
  const watched = { kind: 'CertificateSigningRequest', fieldSelector: `metadata.name=${request.metadata.name}` };
  return yield* wait<string | undefined>((resume) => {
    let over = false;
    const end = (certificate: string | undefined): void => {
      if (over) return;
      over = true;
      late.cancel();
      host.release(watched);
      resume(certificate);
    };
    const late = host.after(WAIT_MILLISECONDS, 'no certificate came', () => end(undefined), { background: true });
    host.informer(watched).onChange(({ type, object }) => {
      const certificate = asText(dig(object, 'status', 'certificate'));
      if (certificate !== undefined && isTrue(object, 'Approved')) end(certificate);
      else if (type === 'DELETED' || isTrue(object, 'Denied') || isTrue(object, 'Failed')) end(undefined);
    });
  });
}

function firstCertificate(certificate: string): Uint8Array | undefined {
  const pem = decodeBase64(certificate);
  const body = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/.exec(pem)?.[1];
  return body === undefined ? undefined : looseBytesOfBase64(body);
}
