import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { NetworkNamespace } from '../network/sockets.ts';
import type { Certificate } from '../x509/simulated-certificate.ts';
import { behaviourTrouble } from '../programs/behaviour-check.ts';
import type { Datacenter } from './storage-backend.ts';
import type { FileEntry } from '../programs/file-tree.ts';
import type { HostHandler } from './host-handler.ts';
import { files } from '../images/image-catalog.ts';
import { parseImage } from '../images/image-reference.ts';
import { amountOf } from '../kubelet/pods/pod-fields.ts';
import type { RegistrySpec, RepositorySpec } from '../images/registry.ts';
import type { NodeRuntime } from '../kubelet/runtime/runtime.ts';

/**
 * Faults as data (`{ fault: 'part', part, what, with }`):
 * - `behaviour`: `what` is the image (or `image#container`), `with` a Behaviour; amounts of bytes may be quantities (`200Mi`).
 * - `registry`: `what` is its host, `with` a RegistrySpec; an image's `files` are texts by path, a certificate's dates are RFC 3339.
 * - `machine`: `what` is the node; `with` has RuntimeFaults, `memoryBytes`, `diskFraction`, `reboot: true`, `files` (text, or `{type}` by
 * path; null removes), `ports` (TCP ports a process of the machine itself listens on), `images` (names that are there from the start),
 * `staticPod: {file, pod}` (without `pod` it is taken away).
 * - `network`: `what` is `dns` with `{answers}`, or a host outside with `{address, ports, exports?}`: the paths an NFS server shares.
 * - `storage`: `what` is a CSI driver, `with` `{provision?, attach?, stage?, publish?}`: what its provisioner, its attacher and its node
 * part fail with; none heals it.
 * - `device-driver`: `what` is a driver for devices, `with` `{unregisteredOn?, prepare?, unprepare?}`: the nodes where its node part does
 * not run, and what it fails with; none heals it.
 */
export function hostHandlers(datacenter: Datacenter): Map<string, HostHandler> {
  return new Map<string, HostHandler>([
    ['behaviour', (what, given) => setBehaviour(datacenter, what, given)],
    ['registry', (what, given) => setRegistry(datacenter, what, asObject(given as Json))],
    ['machine', (what, given) => setMachine(datacenter, what, asObject(given as Json))],
    ['network', (what, given) => setNetwork(datacenter, what, asObject(given as Json))],
    ['device-driver', (what, given) => setDeviceDriver(datacenter, what, asObject(given as Json))],
    ['storage', (what, given) => setStorage(datacenter, what, asObject(given as Json))],
  ]);
}

function setBehaviour(datacenter: Datacenter, what: string, given: Readonly<Record<string, unknown>>): string | undefined {
  const trouble = behaviourTrouble(given as Json);
  if (trouble !== undefined) return `behaviour of ${what}: ${trouble}`;
  const amounts = Object.fromEntries(
    ['memory', 'writes'].filter((field) => given[field] !== undefined).map((field) => [field, amountsOf(given[field] as Json)]),
  );
  datacenter.behaviours.set(what, { ...given, ...amounts });
  return undefined;
}

function amountsOf(given: Json): readonly { readonly afterSeconds: number; readonly bytes: number }[] {
  return asList(given).map((use) => ({ afterSeconds: asNumber(dig(use, 'afterSeconds')) ?? 0, bytes: amountOf(dig(use, 'bytes')) ?? 0 }));
}

function setRegistry(datacenter: Datacenter, what: string, given: Readonly<Record<string, Json | undefined>>): string | undefined {
  const unknown = Object.keys(given).find((field) => !REGISTRY_FIELDS.has(field));
  if (unknown !== undefined) return `registry ${what}: ${unknown} is not known; fields are ${[...REGISTRY_FIELDS].join(', ')}`;
  const { repositories, certificate, ...others } = given;
  const rest = certificate === undefined ? others : { ...others, certificate: certificateOf(what, certificate) };
  const made =
    repositories === undefined
      ? undefined
      : Object.fromEntries(Object.entries(asObject(repositories)).map(([name, repository]) => [name, repositoryOf(repository)]));
  datacenter.registries.set(what, { ...(rest as unknown as RegistrySpec), ...(made === undefined ? {} : { repositories: made }) });
  return undefined;
}

const REGISTRY_FIELDS: ReadonlySet<string> = new Set([
  'network',
  'address',
  'certificate',
  'trusted',
  'repositories',
  'users',
  'rateLimit',
  'milliseconds',
  'status',
  'failing',
]);

/** What a scenario does not say of a certificate holds: it is for the registry's host, and good for years. */
function certificateOf(host: string, given: Json): Certificate {
  const names = (field: string): readonly string[] | undefined =>
    dig(given, field) === undefined ? undefined : asList(dig(given, field)).map((name) => asText(name) ?? '');
  return {
    name: asText(dig(given, 'name')) ?? host,
    commonName: asText(dig(given, 'commonName')) ?? host,
    organizations: names('organizations') ?? [],
    issuer: asText(dig(given, 'issuer')) ?? 'registry-ca',
    notBefore: timeOf(dig(given, 'notBefore')) ?? Number.NEGATIVE_INFINITY,
    notAfter: timeOf(dig(given, 'notAfter')) ?? Number.POSITIVE_INFINITY,
    dnsNames: names('dnsNames') ?? [host.split(':')[0] ?? host],
    ipAddresses: names('ipAddresses') ?? [],
  };
}

function timeOf(given: Json | undefined): Instant | undefined {
  return asNumber(given) ?? parseInstant(given);
}

/** Tags are a list of names, or images by tag. */
function repositoryOf(given: Json | undefined): RepositorySpec {
  const tags = dig(given, 'tags');
  const open = dig(given, 'open') === true ? { open: true } : {};
  if (Array.isArray(tags)) return { ...open, tags: Object.fromEntries(asList(tags).map((tag) => [asText(tag) ?? '', {}])) };
  const images = Object.entries(asObject(tags)).map(([tag, image]) => {
    const { files: given, ...rest } = asObject(image);
    return [
      tag,
      { ...rest, ...(given === undefined ? {} : { files: files(asObject(given) as Readonly<Record<string, string | FileEntry>>) }) },
    ];
  });
  return { ...open, tags: Object.fromEntries(images) as RepositorySpec['tags'] };
}

function setMachine(datacenter: Datacenter, what: string, given: Readonly<Record<string, Json | undefined>>): string | undefined {
  if (!datacenter.has(what)) return `there is no machine ${what}`;
  const runtime = datacenter.runtime(what);
  const { memoryBytes, diskFraction, reboot, files: changed, ports, images, staticPod, ...faults } = given;
  const unknown = Object.keys(faults).find((field) => !FAULT_FIELDS.has(field));
  if (unknown !== undefined) return `machine ${what}: ${unknown} is not known`;
  if (memoryBytes !== undefined) runtime.usage.memoryBytes = amountOf(memoryBytes) ?? 0;
  if (diskFraction !== undefined) runtime.usage.diskFraction = asNumber(diskFraction) ?? 0;
  for (const [path, entry] of Object.entries(asObject(changed))) changeFile(runtime, path, entry);
  for (const port of asList(ports))
    runtime.netns.open('', asNumber(port) ?? 0, {
      kind: 'tcp',
      respond: () => ({ status: 200, body: '', afterMilliseconds: 1 }),
      changesIn: () => undefined,
    });
  for (const image of asList(images)) preload(runtime, asText(image) ?? '');
  if (isJsonObject(staticPod)) setManifest(datacenter, what, staticPod);
  if (reboot === true) runtime.reboot();
  const isOver = (value: Json | undefined): boolean => value === false || value === null;
  runtime.breakWith(Object.fromEntries(Object.entries(faults).map(([name, value]) => [name, isOver(value) ? undefined : value])));
  return undefined;
}

function setManifest(datacenter: Datacenter, machine: string, { file, pod }: JsonObject): void {
  datacenter.setManifest(machine, asText(file) ?? 'pod.yaml', isJsonObject(pod) ? (pod as unknown as KubeObject) : undefined);
}

const FAULT_FIELDS: ReadonlySet<string> = new Set([
  'down',
  'cniConfigMissing',
  'cniBinaryMissing',
  'cniError',
  'podNetwork',
  'sandboxError',
  'cgroupError',
  'specError',
  'sandboxImage',
  'handlers',
  'backOffFactor',
  'unregisteredDevices',
  'pressures',
  'numaCpus',
  'appArmorMissing',
  'appArmorProfiles',
]);

function changeFile(runtime: NodeRuntime, path: string, entry: Json | undefined): void {
  if (entry === null || entry === undefined) runtime.hostFiles.delete(path);
  else runtime.hostFiles.set(path, typeof entry === 'string' ? { type: 'file', content: entry } : (entry as unknown as FileEntry));
}

function preload(runtime: NodeRuntime, name: string): void {
  const reference = parseImage(name);
  if ('trouble' in reference) return;
  const pulled = runtime.options.registries.present(reference);
  if (pulled !== undefined) runtime.images.set(reference.normalized, pulled);
}

function setNetwork(datacenter: Datacenter, what: string, given: Readonly<Record<string, Json | undefined>>): string | undefined {
  if (what === 'dns') {
    datacenter.network.dnsAnswers = given['answers'] !== false;
    return undefined;
  }
  const address = asText(given['address']);
  if (address === undefined) return `network ${what}: address is missing`;
  const netns = new NetworkNamespace(address, '');
  for (const port of asList(given['ports']))
    netns.open('', asNumber(port) ?? 0, {
      kind: 'http',
      respond: () => ({ status: 200, body: 'ok', afterMilliseconds: 1 }),
      changesIn: () => undefined,
    });
  datacenter.network.addOutside(
    what,
    netns,
    given['exports'] === undefined ? undefined : asList(given['exports']).map((path) => asText(path) ?? ''),
  );
  return undefined;
}

function setDeviceDriver(datacenter: Datacenter, what: string, given: Readonly<Record<string, Json | undefined>>): string | undefined {
  const unregisteredOn = asList(given['unregisteredOn']).map((node) => asText(node) ?? '');
  const stranger = unregisteredOn.find((node) => !datacenter.has(node));
  if (stranger !== undefined) return `driver ${what}: there is no machine ${stranger}`;
  datacenter.deviceDrivers.breakWith(what, { unregisteredOn, prepare: asText(given['prepare']), unprepare: asText(given['unprepare']) });
  return undefined;
}

function setStorage(datacenter: Datacenter, what: string, given: Readonly<Record<string, Json | undefined>>): string | undefined {
  datacenter.storageFaults.set(what, asTextMap(given));
  return undefined;
}
