import type { Address } from '../../base/address.ts';
import { parseAddress } from '../../base/address.ts';
import type { Json } from '../../base/json.ts';
import { asList, asText, asTextMap, dig } from '../../base/json.ts';
import { append } from '../../base/lists.ts';
import { parseInteger } from '../../base/number.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef, inNamespace } from '../../model/kube-object.ts';
import { appliedAs } from '../request/answers/manifests.ts';
import type { Scene } from '../survey/scene.ts';

/** An address that a workload's configuration names, and where. */
export interface ConfiguredAddress extends Address {
  /** The variable or key that holds the host. */
  readonly variable: string;
  /** The variable that holds the port, when it is another one. */
  readonly portVariable?: string;
  readonly source: string;
  /** The settings of the host and of the port, where the env of a container has them as they are. */
  readonly literal?: Setting;
  readonly literalPort?: Setting;
}

/** Values of a workload's environment; of Secrets only the addresses that a manifest shows (readers drop all else). */
export interface Setting {
  readonly name: string;
  readonly value: string;
  readonly source: string;
  /** The container whose env has the value. */
  readonly container?: string;
}

/** Names that hold an address; others (a mode, a region, a flag) may look like a host and are none. */
const ADDRESS_NAME = /(?:^|[_.-])(?:hosts?|addrs?|address(?:es)?|ur[il]s?|endpoints?|servers?|hostname|dsn|brokers?|upstream|backend)$/i;
const PORT_NAME = /(?:^|[_.-])port$/i;

/** All addresses that a pod spec's environment names, from values, ConfigMaps, and manifests as applied. */
export async function configuredAddresses(
  podSpec: Json | undefined,
  owner: ObjectRef,
  scene: Scene,
): Promise<readonly ConfiguredAddress[]> {
  const settings: Setting[] = [];
  const containers = ['initContainers', 'containers'].flatMap((field) => asList(dig(podSpec, field)));
  for (const container of containers) append(settings, await containerSettings(container, owner, scene));
  const found = new Map<string, ConfiguredAddress>();
  const ports = settings.filter(({ name, value }) => PORT_NAME.test(name) && /^\d{1,5}$/.test(value));
  for (const setting of settings) {
    const address = addressOf(setting, ports);
    if (address !== undefined) found.set(`${address.variable} ${address.host} ${String(address.port ?? '')}`, address);
  }
  return [...found.values()];
}

function addressOf(setting: Setting, ports: readonly Setting[]): ConfiguredAddress | undefined {
  const { name, value, source } = setting;
  const parsed = parseAddress(value);
  if (parsed === undefined || PORT_NAME.test(name)) return undefined;
  const address = { ...parsed, ...(setting.container === undefined ? {} : { literal: setting }) };
  if (!ADDRESS_NAME.test(name) && address.scheme === undefined && address.port === undefined) return undefined;
  if (address.port !== undefined) return { ...address, variable: name, source };
  const stem = name.replace(ADDRESS_NAME, '');
  const port = stem === '' ? undefined : ports.find((other) => other.name.replace(PORT_NAME, '') === stem);
  const number = parseInteger(port?.value);
  if (port === undefined || number === undefined) return { ...address, variable: name, source };
  return {
    ...address,
    port: number,
    variable: name,
    portVariable: port.name,
    source: port.source,
    ...(port.container === undefined ? {} : { literalPort: port }),
  };
}

async function containerSettings(container: Json, owner: ObjectRef, scene: Scene): Promise<readonly Setting[]> {
  const settings: Setting[] = [];
  const label = asText(dig(container, 'name'));
  for (const entry of asList(dig(container, 'env'))) {
    const [name, value] = [asText(dig(entry, 'name')), asText(dig(entry, 'value'))];
    if (name !== undefined && value !== undefined)
      settings.push({ name, value, source: `${formatRef(owner)} env ${name}`, ...(label === undefined ? {} : { container: label }) });
  }
  for (const entry of asList(dig(container, 'envFrom'))) {
    const [configMap, secret] = [asText(dig(entry, 'configMapRef', 'name')), asText(dig(entry, 'secretRef', 'name'))];
    const prefix = asText(dig(entry, 'prefix')) ?? '';
    if (configMap !== undefined) append(settings, await configMapSettings(configMap, prefix, owner, scene));
    if (secret !== undefined) append(settings, await secretManifestSettings(secret, prefix, owner, scene));
  }
  return settings;
}

async function configMapSettings(name: string, prefix: string, owner: ObjectRef, scene: Scene): Promise<readonly Setting[]> {
  const read = await scene.survey.get({
    kind: 'ConfigMap',
    ...inNamespace(owner.namespace),
    name,
  });
  const data = read.ok ? asTextMap(dig(read.value, 'data')) : {};
  return Object.entries(data).map(([key, value]) => ({ name: `${prefix}${key}`, value, source: `ConfigMap ${name} key ${key}` }));
}

async function secretManifestSettings(name: string, prefix: string, owner: ObjectRef, scene: Scene): Promise<readonly Setting[]> {
  const applied = (await appliedAs({ kind: 'Secret', ...inNamespace(owner.namespace), name }, scene)).at(-1);
  const open = Object.entries(asTextMap(dig(applied, 'stringData'))).filter(([, value]) => value !== '');
  return open.map(([key, value]) => ({ name: `${prefix}${key}`, value, source: `manifest of Secret ${name}, key ${key}` }));
}
