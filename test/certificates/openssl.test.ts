import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

/** OpenSSL's version, where its program is at hand. */
const OPENSSL = versionOf();
const NOT_RUN = OPENSSL === undefined ? 'NOT RUN, for there is no openssl here: ' : '';

function versionOf(): string | undefined {
  try {
    return execFileSync('openssl', ['version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

function openssl(...argv: readonly string[]): string {
  return execFileSync('openssl', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

const KEYS: readonly (readonly [name: string, key: string, options: readonly string[]])[] = [
  ['rsa', 'RSA 2048', ['-newkey', 'rsa:2048']],
  ['rsa-pss', 'RSA-PSS 2048', ['-newkey', 'rsa-pss', '-pkeyopt', 'rsa_keygen_bits:2048']],
  ['p256', 'EC P-256', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
  ['p521', 'EC P-521', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-521']],
  ['ed25519', 'Ed25519', ['-newkey', 'ed25519']],
  ['ed448', 'Ed448', ['-newkey', 'ed448']],
];

const SHAPES: readonly (readonly [name: string, options: readonly string[]])[] = [
  ['negative', ['-set_serial', '-4660']],
  ['zero', ['-set_serial', '0']],
  ['long', ['-set_serial', '0x7fffffffffffffffffffffffffffffffffffffff', '-days', '2900000']],
  ['short', ['-days', '1']],
  ['utf8', ['-utf8', '-subj', '/O=Bäckerei Süd, GmbH/OU=a+b/CN=カート']],
  ['odd', ['-subj', '/C=KR/ST=Seoul/L=x/O= lead/emailAddress=ops@shop.example/serialNumber=7/DC=shop/UID=u1/CN=#hash']],
  [
    'names',
    [
      '-addext',
      'subjectAltName=DNS:web.shop.svc,DNS:*.shop.example,IP:10.0.0.1,IP:2001:db8::1,IP:fd00:0:0:1::,IP:::ffff:10.0.0.1,URI:spiffe://shop/web,email:ops@shop.example',
    ],
  ],
  ['usages', ['-addext', 'extendedKeyUsage=serverAuth,clientAuth', '-addext', 'basicConstraints=CA:FALSE']],
];

interface Row {
  readonly fingerprint: string;
  readonly serial: string;
  readonly subject: string;
  readonly issuer: string;
  readonly key: string;
  readonly names: readonly string[];
  readonly notBefore: string;
  readonly notAfter: string;
  readonly isCa: boolean;
  readonly places: readonly { readonly where: string }[];
}

describe('beside openssl', () => {
  it(`${NOT_RUN}every certificate is read as ${OPENSSL ?? 'openssl'} reads it`, async () => {
    if (OPENSSL === undefined) return;
    const folder = folderWith();
    const make = (name: string, options: readonly string[]): void => {
      openssl(
        'req',
        '-x509',
        '-nodes',
        '-keyout',
        join(folder, `${name}.key`),
        '-out',
        join(folder, `${name}.pem`),
        ...(options.includes('-subj') ? [] : ['-subj', '/O=shop/CN=web']),
        ...(options.includes('-newkey') ? [] : ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']),
        ...options,
      );
    };
    for (const [name, , options] of KEYS) make(name, options);
    for (const [name, options] of SHAPES) make(name, options);
    const rows = await rowsOf(folder);
    for (const [name, key] of KEYS) expect(rows.get(`${name}.pem`)?.key, name).toBe(key);
    expect(rows.size).toBe(KEYS.length + SHAPES.length);
    for (const [file, row] of rows) expect(shape(row), file).toEqual(shown(join(folder, file)));
  }, 120_000);

  it(`${NOT_RUN}DER, PKCS#7 and a text before the PEM are the same certificates`, async () => {
    if (OPENSSL === undefined) return;
    const source = folderWith();
    const pem = join(source, 'web.pem');
    openssl(
      'req',
      '-x509',
      '-nodes',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-keyout',
      join(source, 'web.key'),
      '-out',
      pem,
      '-subj',
      '/CN=web',
    );
    const folder = join(source, 'forms');
    mkdirSync(folder);
    openssl('x509', '-in', pem, '-outform', 'DER', '-out', join(folder, 'web.der'));
    openssl('crl2pkcs7', '-nocrl', '-certfile', pem, '-out', join(folder, 'web.p7b'));
    openssl('crl2pkcs7', '-nocrl', '-certfile', pem, '-outform', 'DER', '-out', join(folder, 'web.p7c'));
    writeFileSync(join(folder, 'text.pem'), openssl('x509', '-in', pem, '-text'));
    writeFileSync(join(folder, 'crlf.crt'), readFileSync(pem, 'utf8').replaceAll('\n', '\r\n'));
    const { out } = await podcheck(['cert-expiry', '--dir', folder, '-o', 'json']);
    const { certificates } = JSON.parse(out) as { certificates: readonly Row[] };
    expect(certificates.map(({ places }) => places.map(({ where }) => where.slice(folder.length + 1)).toSorted())).toEqual([
      ['crlf.crt', 'text.pem', 'web.der', 'web.p7b', 'web.p7c'],
    ]);
  }, 120_000);
});

async function rowsOf(folder: string): Promise<ReadonlyMap<string, Row>> {
  const { out } = await podcheck(['cert-expiry', '--dir', folder, '-o', 'json']);
  const { certificates } = JSON.parse(out) as { certificates: readonly Row[] };
  return new Map(certificates.map((row) => [row.places[0]?.where.slice(folder.length + 1) ?? '', row]));
}

type Shape = Omit<Row, 'places' | 'key'>;

function shape({ fingerprint, serial, subject, issuer, names, notBefore, notAfter, isCa }: Row): Shape {
  return { fingerprint, serial, subject, issuer, names: names.toSorted(), notBefore, notAfter, isCa };
}

/** The same read out of what openssl prints. */
function shown(file: string): Shape {
  const text = openssl(
    'x509',
    '-in',
    file,
    '-noout',
    '-fingerprint',
    '-sha256',
    '-serial',
    '-subject',
    '-issuer',
    '-dates',
    '-nameopt',
    'RFC2253,-esc_msb,utf8',
    '-ext',
    'subjectAltName,basicConstraints',
  );
  const field = (name: string): string => new RegExp(`^${name}=(.*)$`, 'im').exec(text)?.[1] ?? '';
  const date = (name: string): string => new Date(field(name)).toISOString().replace('.000', '');
  const alternatives = /Subject Alternative Name:[^\n]*\n\s*(.*)/.exec(text)?.[1]?.split(', ') ?? [];
  return {
    fingerprint: field('sha256 Fingerprint').replaceAll(':', '').toLowerCase(),
    serial: field('serial'),
    subject: field('subject'),
    issuer: field('issuer'),
    names: alternatives
      .map((name) => (name.startsWith('IP Address:') ? shortAddress(name.slice('IP Address:'.length)) : name.replace(/^DNS:/, '')))
      .toSorted(),
    notBefore: date('notBefore'),
    notAfter: date('notAfter'),
    isCa: text.includes('CA:TRUE'),
  };
}

/** OpenSSL writes IPv6 addresses in full; a URL has them as RFC 5952 does. */
function shortAddress(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
