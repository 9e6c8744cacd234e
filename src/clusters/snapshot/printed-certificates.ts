import { formatInstant, parseDate } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../base/json.ts';
import { certificateBlocks } from '../../base/x509/pem.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { CERTIFICATE_RECORD, RECORD_API_VERSION } from '../../model/record-kinds.ts';
import type { Documents } from './documents.ts';

/** Whether a text is what `openssl x509 -text` prints, or PEM. */
export function showsCertificates(sample: string): boolean {
  return /^\s*Certificate:[^\S\n]*\n\s+Data:/.test(sample) || sample.includes('-----BEGIN CERTIFICATE-----');
}

/** The certificates of such a text, as documents. Rancher's log collector writes one file of it for each certificate of a node. */
export function printedCertificates(path: string, text: string): Documents {
  const pem = certificateBlocks(text);
  const specs: readonly JsonObject[] =
    pem === ''
      ? text
          .split(/^Certificate:\s*$/m)
          .slice(1, MAX_CERTIFICATES)
          .flatMap((part) => described(part) ?? [])
          .map((value) => ({ described: value }))
      : [{ pem }];
  return {
    documents: specs.map((spec, index) => ({ value: record(`${path}#${index + 1}`, { ...placeOf(path), ...spec }), line: 1 })),
    faults: [],
    syntax: 'json',
    logs: [],
    values: 0,
  };
}

/** A file of a node; the Insights operator writes the values of ConfigMaps as files too. */
function placeOf(path: string): JsonObject {
  const [, namespace = '', name = '', key = ''] = /(?:^|\/)configmaps\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  return name === '' ? { tier: 'node', place: path } : { tier: 'api', place: `ConfigMap/${namespace}/${name} ${key}` };
}

/** Nobody prints more into one file. */
const MAX_CERTIFICATES = 1000;

function record(name: string, spec: JsonObject): KubeObject {
  return { apiVersion: RECORD_API_VERSION, kind: CERTIFICATE_RECORD, metadata: { name }, spec };
}

/** Source: OpenSSL's X509_print_ex. */
function described(text: string): JsonObject | undefined {
  const field = (name: RegExp): string | undefined => name.exec(text)?.[1]?.trim();
  const [notBefore, notAfter] = [/^[ \t]*Not Before[ \t]*:(.*)$/m, /^[ \t]*Not After[ \t]*:(.*)$/m].map((name) => parseDate(field(name)));
  if (notBefore === undefined || notAfter === undefined) return undefined;
  const serial = field(/^[ \t]*Serial Number:\s{0,100}(\d+ \(0x[0-9a-f]+\)|[0-9a-f:]{2,80})/m) ?? '';
  const names = field(/^[^\n]{0,40}Subject Alternative Name:[^\n]*\n([^\n]*)/m)?.split(/,\s*/) ?? [];
  return {
    subject: nameOf(field(/^[ \t]*Subject:(.*)$/m) ?? ''),
    issuer: nameOf(field(/^[ \t]*Issuer:(.*)$/m) ?? ''),
    serial: (/\(0x([0-9a-f]+)\)/.exec(serial)?.[1] ?? serial.replaceAll(':', '')).toUpperCase(),
    names: names.map((name) => name.replace(/^(?:DNS|IP Address):/, '')),
    isCa: /^[ \t]*CA:TRUE/m.test(text),
    notBefore: formatInstant(notBefore),
    notAfter: formatInstant(notAfter),
  };
}

/** `O = system:masters, CN = kubernetes-admin` as RFC 4514 has it, the other way round. */
function nameOf(printed: string): string {
  return printed
    .split(/,\s*(?=[A-Za-z.\d]+\s*=)/)
    .map((part) => part.trim().replace(/ ?= ?/, '='))
    .toReversed()
    .join(',');
}

/**
 * Records of a document in which a collector wrote what it read of certificates: troubleshoot's `certificates.json`, the list of
 * the Insights operator. Empty for any other document.
 */
export function certificateRecordsIn(document: Json, path: string): readonly KubeObject[] {
  if (!Array.isArray(document)) return [];
  const specs = (document as readonly Json[])
    .slice(0, MAX_CERTIFICATES)
    .flatMap((entry) => [...ofTroubleshoot(entry), ...ofInsights(entry)]);
  return specs.map((spec, index) => record(`${path}#${index + 1}`, spec));
}

/** Source: troubleshoot's pkg/collect/certificates.go. */
function ofTroubleshoot(entry: Json): readonly JsonObject[] {
  const source = dig(entry, 'source');
  const [secret, configMap, namespace] = ['secret', 'configMap', 'namespace'].map((field) => asText(dig(source, field)));
  if (!isJsonObject(source) || (secret ?? configMap) === undefined) return [];
  const place = secret === undefined ? `ConfigMap/${namespace ?? ''}/${configMap ?? ''}` : `Secret/${namespace ?? ''}/${secret}`;
  const tier = secret === undefined ? 'api' : 'secret';
  const chain = asList(dig(entry, 'certificateChain')).map((link) => ({
    tier,
    place: `${place} ${asText(dig(link, 'certificate')) ?? ''}`.trim(),
    described: {
      subject: dig(link, 'subject'),
      issuer: dig(link, 'issuer'),
      names: dig(link, 'subjectAlternativeNames'),
      isCa: dig(link, 'isCA'),
      notBefore: dig(link, 'notBefore'),
      notAfter: dig(link, 'notAfter'),
    },
  }));
  const [error] = asList(dig(entry, 'errors'));
  return chain.length > 0 || asText(error) === undefined ? chain : [{ tier, place, error }];
}

/** Source: insights-operator's pkg/gatherers/clusterconfig/gather_cluster_ingress_certificates.go. */
function ofInsights(entry: Json): readonly JsonObject[] {
  const [name, namespace, notBefore, notAfter] = ['name', 'namespace', 'not_before', 'not_after'].map((field) => asText(dig(entry, field)));
  if (name === undefined || namespace === undefined || notAfter === undefined) return [];
  return [
    {
      tier: 'metadata',
      place: `Secret/${namespace}/${name}`,
      role: 'ingress-serving',
      rotatedBy: 'operator',
      described: { subject: name, notBefore, notAfter },
    },
  ];
}
