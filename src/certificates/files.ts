import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { certificatesInBytes } from '../base/x509/certificates-in.ts';
import { DER } from '../base/x509/der.ts';
import { PodcheckError, reasonOf } from '../base/errors.ts';
import { append } from '../base/lists.ts';
import { systemReason } from '../base/system-error.ts';
import { nearest } from '../base/text.ts';
import { parseKubeYaml } from '../base/yaml/kube-yaml.ts';
import { TooLong, readBounded, readBoundedSync } from '../files/read-bounded.ts';
import { withAuthorities } from './file-authorities.ts';
import { FILE_PRESETS, KUBEADM_ETCD_FILES, KUBEADM_FILES } from './file-presets.ts';
import { fileUse, kubeconfigRole } from './file-roles.ts';
import { kubeconfigParts, kubeconfigSightings } from './kubeconfig.ts';
import type { CertificateReader } from './read-once.ts';
import { certificateReader } from './read-once.ts';
import { roleOfSubject } from './secret-uses.ts';
import type { Sighting } from './seen-certificate.ts';
import { sightingsOf } from './seen-certificate.ts';
import type { TierFindings, Unseen } from './tier-findings.ts';
import { findings } from './tier-findings.ts';

/** A certificate has a few kilobytes, a bundle of all public authorities half a megabyte. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 200_000;
const MAX_DEPTH = 24;
const TURN = 256;
/** From this many on a file is a bundle of public authorities. */
const PUBLIC_BUNDLE = 30;

/** Endings of what holds certificates; what is called `.key` is never opened. */
const CERTIFICATE = /\.(?:crt|cer|cert|pem|der|p7b|p7c|ca-bundle)$/i;
const KUBECONFIG = /\.(?:conf|kubeconfig|ya?ml)$|(?:^|\/)(?:kubeconfig|config)$/i;

/**
 * Certificates and kubeconfigs in files and folders; words of `FILE_PRESETS` stand for the places of a distribution. Throws a
 * PodcheckError (bad-input) for a path that does not exist.
 */
export async function fileFindings(paths: readonly string[], workingFolder: string): Promise<TierFindings> {
  const walk: Walk = { files: new Map(), unseen: [], certificates: certificateReader() };
  for (const path of paths) await enter(walk, path, workingFolder);
  const files = [...walk.files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const found: Sighting[] = [];
  for (const [index, [path, named]] of files.entries()) {
    append(found, await readOne(path, named, walk));
    // Whoever wants to stop it gets a turn now and then.
    if (index % TURN === 0) await setImmediate();
  }
  const sightings = [...withAuthorities(withoutReplaced(found)), ...missingOfKubeadm(walk)];
  return findings('files', sightings, walk.unseen, Math.max(1, files.length));
}

interface Walk {
  /** By path; whether a person named the file itself, so that it has to hold something. */
  readonly files: Map<string, boolean>;
  readonly unseen: Unseen[];
  readonly certificates: CertificateReader;
}

async function enter(walk: Walk, path: string, workingFolder: string): Promise<void> {
  const whole = resolve(workingFolder, path);
  const found = await stat(whole).catch((error: unknown) => error);
  if (found instanceof Error) return enterPreset(walk, path, found);
  if (isStats(found) && found.isDirectory()) return visit(walk, whole, 0);
  walk.files.set(whole, true);
}

function isStats(value: unknown): value is Awaited<ReturnType<typeof stat>> {
  return typeof value === 'object' && value !== null && 'isDirectory' in value;
}

async function enterPreset(walk: Walk, word: string, error: Error): Promise<void> {
  const places = Object.hasOwn(FILE_PRESETS, word) ? FILE_PRESETS[word] : undefined;
  if (places === undefined) {
    if ('code' in error && error.code !== 'ENOENT') {
      walk.unseen.push({ what: word, detail: reasonOf(error), notCollected: false });
      return;
    }
    const near = nearest(word, Object.keys(FILE_PRESETS));
    throw new PodcheckError(
      'bad-input',
      `${word} does not exist`,
      near.length === 0
        ? `Give a file, a folder, or one of ${Object.keys(FILE_PRESETS).join(', ')}.`
        : `Did you mean ${near.join(' or ')}?`,
    );
  }
  const before = walk.files.size + walk.unseen.length;
  for (const place of places) {
    const found = await stat(place).catch(() => undefined);
    if (found?.isDirectory() === true) await visit(walk, place, 0);
    else if (found?.isFile() === true) walk.files.set(place, true);
  }
  if (walk.files.size + walk.unseen.length === before)
    walk.unseen.push({ what: word, detail: `none of these paths exist on this machine: ${places.join(', ')}`, notCollected: false });
}

async function visit(walk: Walk, folder: string, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) return;
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    walk.unseen.push({ what: folder, detail: reasonOf(error), notCollected: false });
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await visit(walk, path, depth + 1);
    else if (!CERTIFICATE.test(entry.name) && !KUBECONFIG.test(entry.name)) continue;
    else if (walk.files.size >= MAX_FILES) return;
    else if (entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path)))) walk.files.set(path, false);
  }
}

/** A link to a folder is not followed: that folder is visited by itself, or lies elsewhere. */
async function leadsToFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function readOne(path: string, named: boolean, walk: Walk): Promise<readonly Sighting[]> {
  let bytes: Buffer;
  try {
    // Small files that are known to be files are read several times as fast at once; a person may have named a pipe.
    bytes = named ? await readBounded(path, MAX_BYTES) : readBoundedSync(path, MAX_BYTES);
  } catch (error) {
    if (error instanceof TooLong)
      return named
        ? [
            {
              tier: 'files',
              where: path,
              role: 'other',
              seen: { kind: 'unreadable', reason: `the file is too large for certificates: ${error.message}` },
            },
          ]
        : [];
    walk.unseen.push({ what: path, detail: systemReason(error), notCollected: false });
    return [];
  }
  const isKubeconfig = KUBECONFIG.test(path) || (named && !CERTIFICATE.test(path) && bytes.includes('clusters:'));
  return isKubeconfig && !CERTIFICATE.test(path) ? ofKubeconfig(path, bytes) : ofCertificates(path, bytes, named, walk.certificates);
}

function ofCertificates(path: string, bytes: Buffer, named: boolean, certificates: CertificateReader): readonly Sighting[] {
  const found = bytes[0] === DER.sequence ? certificatesInBytes(bytes) : certificates(bytes.toString('latin1'));
  const use = found.length >= PUBLIC_BUNDLE ? ({ role: 'trust-bundle-member' } as const) : fileUse(path);
  const [first] = found;
  const role = use?.role ?? (first?.ok === true ? roleOfSubject(first.value) : undefined) ?? 'other';
  // `.pem` may just as well be the name of a key.
  return sightingsOf(
    found,
    { tier: 'files', where: path, role, ...(use?.rotatedBy === undefined ? {} : { rotatedBy: use.rotatedBy }) },
    { required: /\.(?:crt|cer|cert)$/i.test(path) || (named && found.length === 0 && !/\.pem$/i.test(path)) },
  ).map(asKubeletAuthority);
}

/** A kubelet without certificates from the cluster signs its own, and keeps the CA behind it in the same file. */
function asKubeletAuthority(sighting: Sighting): Sighting {
  const { role, seen } = sighting;
  return role === 'kubelet-serving' && seen.kind === 'certificate' && seen.value.isCa
    ? { ...sighting, role: 'kubelet-serving-ca' }
    : sighting;
}

async function ofKubeconfig(path: string, bytes: Buffer): Promise<readonly Sighting[]> {
  const text = bytes.toString('latin1');
  if (!/certificate-authority|client-certificate|token/.test(text) || !text.includes('clusters')) return [];
  const parts = kubeconfigParts(parseKubeYaml(text, path).documents[0]?.value, path);
  if (parts === undefined) return [];
  const found = await kubeconfigSightings(parts, {
    tier: 'files',
    clientRole: kubeconfigRole(path),
    readFile: (file) => beside(path, file),
  });
  // A tree that was copied from a node names files that are somewhere else here.
  return isInPlace(path) ? found : found.filter(({ seen }) => seen.kind !== 'missing');
}

/** The text of a file a kubeconfig names, relative to it. */
async function beside(path: string, file: string): Promise<string | Error> {
  return readBounded(isAbsolute(file) ? file : join(dirname(path), file), MAX_BYTES).then(
    (bytes) => bytes.toString('latin1'),
    (error: unknown) => (error instanceof Error ? error : new Error(reasonOf(error))),
  );
}

function isInPlace(path: string): boolean {
  return Object.values(FILE_PRESETS)
    .flat()
    .some((place) => path === place || path.startsWith(`${place}/`));
}

/** A kubelet keeps what it had before beside what it has now: a dated file is of no consequence when the current one is another. */
function withoutReplaced(sightings: readonly Sighting[]): readonly Sighting[] {
  const current = new Set(
    sightings.flatMap(({ where, seen }) =>
      where.endsWith('-current.pem') && seen.kind === 'certificate' ? [`${dirname(where)} ${seen.value.fingerprint}`] : [],
    ),
  );
  const folders = new Set([...current].map((key) => key.slice(0, key.lastIndexOf(' '))));
  return sightings.map((sighting) => {
    const { where, seen } = sighting;
    const dated = /\/kubelet-(?:client|server)-\d[^/]*\.pem$/.test(where) && seen.kind === 'certificate' && folders.has(dirname(where));
    return dated && !current.has(`${dirname(where)} ${seen.value.fingerprint}`)
      ? { ...sighting, harmless: 'the kubelet uses a newer one' }
      : sighting;
  });
}

/** What `kubeadm certs check-expiration` would call missing, on a control plane node. */
function missingOfKubeadm({ files }: Walk): readonly Sighting[] {
  const roots = [...files.keys()]
    .filter((path) => path.endsWith('/pki/apiserver.crt') && !path.includes('/k0s/'))
    .map((path) => path.slice(0, -'/pki/apiserver.crt'.length));
  return roots.flatMap((root) => {
    const hasEtcd = [...files.keys()].some((path) => path.startsWith(`${root}/pki/etcd/`));
    const wanted = hasEtcd ? [...KUBEADM_FILES, ...KUBEADM_ETCD_FILES] : KUBEADM_FILES;
    return wanted
      .filter((file) => !files.has(`${root}/${file}`) && !(file.endsWith('.conf') && !files.has(`${root}/admin.conf`)))
      .map((file): Sighting => {
        const path = `${root}/${file}`;
        const role = file.endsWith('.conf') ? kubeconfigRole(path) : (fileUse(path)?.role ?? 'other');
        return {
          tier: 'files',
          where: path,
          role,
          rotatedBy: 'kubeadm',
          seen: { kind: 'missing', reason: 'the file is missing; kubeadm creates it at this path' },
        };
      });
  });
}
