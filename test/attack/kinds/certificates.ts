import { parseInstant } from '../../../src/base/instant.ts';
import type { Prng } from '../../../src/base/prng.ts';
import { certificateDer } from '../../../src/simulator/x509/certificate-bytes.ts';
import type { AttackCase } from '../attack-case.ts';
import { bitten, hostileText, pick } from '../mutation.ts';

/** Files of a node: certificates whose bytes were bitten, with hostile names and odd dates, and private keys beside them. */
export function certificateCase(prng: Prng): AttackCase {
  const files: Record<string, string | Uint8Array> = {};
  const secret = `MIIE${prng.hex(8)}Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8Ii9Jj0Kk1Ll2Mm3Nn4Oo5Pp6`;
  for (let count = 1 + prng.below(5); count > 0; count--) {
    const der = bitten(derOf(prng), prng);
    const pem = `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
    const key = `-----BEGIN ${KEY}\n${secret}\n-----END ${KEY}\n`;
    files[
      `pki/${pick(['apiserver', 'ca', 'etcd/server', 'kubelet', 'web'], prng)}-${String(count)}.${pick(['crt', 'pem', 'key', 'conf', 'der'], prng)}`
    ] = pick<string | Uint8Array>(
      [pem, pem + pem, pem + key, der, pem.slice(0, prng.below(pem.length)), `${hostileText(prng)}\n${pem}`],
      prng,
    );
  }
  const argv = [
    'cert-expiry',
    pick(['--dir', '--from'], prng),
    '{dir}/pki',
    '-o',
    pick(['text', 'wide', 'json', 'yaml', 'markdown', 'prometheus'], prng),
  ];
  return { commands: [argv], files, secrets: [secret] };
}

/** By itself, so that no scanner takes the file for a key. */
const KEY = 'RSA PRIVATE KEY-----';
const TIMES = [
  '2020-01-01T00:00:00Z',
  '2026-01-15T12:00:00Z',
  '2049-12-31T23:59:59Z',
  '2050-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '1950-01-01T00:00:00Z',
];

function derOf(prng: Prng): Uint8Array {
  const time = (): number => parseInstant(pick(TIMES, prng)) ?? 0;
  const name = prng.fraction() < 0.5 ? hostileText(prng).slice(0, 300) : 'web.shop.example';
  return certificateDer(
    {
      name: 'web',
      commonName: name,
      organizations: [hostileText(prng).slice(0, 100)],
      issuer: 'ca',
      notBefore: time(),
      notAfter: time(),
      dnsNames: prng.fraction() < 0.5 ? [name] : [],
      ipAddresses: prng.fraction() < 0.5 ? ['10.0.0.7'] : [],
    },
    { commonName: 'ca', keyId: [1, 2, 3] },
    prng,
  );
}
