import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate } from '../support/certificates.ts';

/** How many certificates, and at how many places altogether. */
export interface Amount {
  readonly unique: number;
  readonly occurrences: number;
}

/** What .build/bench.mjs measures, by name. */
export const CERTIFICATE_LOADS: Readonly<Record<string, (folder: string) => Amount>> = {
  'cert-snapshot': (folder) => writeSnapshot(folder, { unique: 250, occurrences: 12_000 }),
  'cert-files': (folder) => writeFiles(folder, { unique: 2500, occurrences: 10_000 }),
};

const NAMESPACES = 60;

/** A must-gather of bundles and Secrets, one file of each a namespace. */
export function writeSnapshot(folder: string, amount: Amount): Amount {
  const certificates = issued(amount.unique);
  const each = Math.ceil(amount.occurrences / NAMESPACES);
  let made = 0;
  for (let namespace = 0; namespace < NAMESPACES; namespace++) {
    const [configMaps, secrets]: [string[], string[]] = [[], []];
    for (let index = 0; index < each && made < amount.occurrences; index++, made++) {
      const pem = certificates[made % certificates.length] ?? '';
      if (index % 2 === 0) configMaps.push(item('ConfigMap', namespace, index, `ca.crt: |\n${pem.trimEnd().replaceAll(/^/gm, '      ')}`));
      else secrets.push(item('Secret', namespace, index, `tls.crt: ${Buffer.from(pem).toString('base64')}`));
    }
    const core = join(folder, `namespaces/shop-${namespace}/core`);
    mkdirSync(core, { recursive: true });
    writeFileSync(join(core, 'configmaps.yaml'), list('ConfigMapList', configMaps));
    writeFileSync(join(core, 'secrets.yaml'), list('SecretList', secrets));
  }
  return amount;
}

/** A tree of PEM files. */
export function writeFiles(folder: string, amount: Amount): Amount {
  const certificates = issued(amount.unique);
  for (let index = 0; index < amount.occurrences; index++) {
    const place = join(folder, `node-${index % 100}`);
    if (index < 100) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `web-${index}.pem`), certificates[index % certificates.length] ?? '');
  }
  return amount;
}

function issued(count: number): readonly string[] {
  const authority = issueCertificate({ commonName: 'shop-authority', isAuthority: true });
  return Array.from(
    { length: count },
    (_, index) => issueCertificate({ commonName: `web-${index}`, names: [`web-${index}.shop.svc`], issuer: authority }).cert,
  );
}

function list(kind: string, items: readonly string[]): string {
  return `apiVersion: v1\nkind: ${kind}\nitems:\n${items.join('')}`;
}

function item(kind: string, namespace: number, index: number, data: string): string {
  return `- apiVersion: v1\n  kind: ${kind}\n  metadata:\n    name: web-${index}\n    namespace: shop-${namespace}\n    uid: ${kind}-${namespace}-${index}\n    creationTimestamp: "2026-01-14T09:00:00Z"\n  data:\n    ${data}\n`;
}
