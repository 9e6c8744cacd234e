import { certificatesInText } from '../base/x509/certificates-in.ts';
import type { ReadX509 } from '../base/x509/certificate.ts';

/** Reads the certificates of texts; one that comes again, as bundles do in dozens of namespaces, is read once. */
export type CertificateReader = (text: string) => readonly ReadX509[];

export function certificateReader(): CertificateReader {
  const known = new Map<string, readonly ReadX509[]>();
  return (text) => {
    if (!text.includes('-----BEGIN ')) return [];
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = certificatesInText(text);
    if (known.size < MAX_KNOWN) known.set(text, found);
    return found;
  };
}

/** Clusters have some hundreds of different ones. */
const MAX_KNOWN = 20_000;
