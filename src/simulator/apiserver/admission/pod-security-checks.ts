import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';

/**
 * What of a pod a level forbids, in the order of the checks: those of baseline, then those of restricted, which take the place of some.
 * `minor` is that of the policy's version, infinite for the latest. Source:
 * staging/src/k8s.io/pod-security-admission/policy/check_*.go and registry.go.
 */
export function podSecurityViolations(pod: JsonObject, level: 'baseline' | 'restricted', minor: number): readonly string[] {
  const spec = asObject(pod['spec']);
  const around: Checked = { pod, spec, containers: containersOf(spec), minor };
  const checks =
    level === 'baseline' ? BASELINE : [...BASELINE.filter((check) => !(minor >= (REPLACED.get(check) ?? Number.NaN))), ...RESTRICTED];
  return checks.flatMap((check) => check(around) ?? []);
}

interface Checked {
  readonly pod: JsonObject;
  readonly spec: JsonObject;
  readonly containers: readonly JsonObject[];
  readonly minor: number;
}

type Check = (checked: Checked) => string | undefined;

/** Init containers first, then containers, then ephemeral ones. */
function containersOf(spec: JsonObject): readonly JsonObject[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => asList(spec[field]).map(asObject));
}

const BASELINE: readonly Check[] = [
  appArmor,
  capabilitiesBaseline,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  privileged,
  procMount,
  seLinux,
  seccompBaseline,
  sysctls,
  windowsHostProcess,
];
const RESTRICTED: readonly Check[] = [
  allowPrivilegeEscalation,
  capabilitiesRestricted,
  procMountRestricted,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompRestricted,
];

/** Checks of baseline that restricted has its own ones for, since which minor version. */
const REPLACED: ReadonlyMap<Check, number> = new Map([
  [capabilitiesBaseline, 22],
  [hostPathVolumes, 0],
  [procMount, 35],
  [seccompBaseline, 19],
]);

/** Root of a user namespace is no root of the node. */
function isInUserNamespace({ spec, minor }: Checked): boolean {
  return minor >= 35 && spec['hostUsers'] === false;
}

/** Linux' fields are no fields of Windows' pods. */
function isOfWindows({ spec, minor }: Checked): boolean {
  return minor >= 25 && dig(spec, 'os', 'name') === 'windows';
}

const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

function appArmor({ pod, spec, containers }: Checked): string | undefined {
  const badType = (context: Json | undefined): string | undefined => {
    const type = asText(dig(context, 'appArmorProfile', 'type'));
    return type === undefined || ['RuntimeDefault', 'Localhost'].includes(type) ? undefined : type;
  };
  const ofPod = badType(spec['securityContext']);
  const wrong = containers.filter((container) => badType(container['securityContext']) !== undefined);
  const annotations = Object.entries(asTextMap(dig(pod, 'metadata', 'annotations')))
    .filter(([key, value]) => key.startsWith(APP_ARMOR) && !/^(?:$|runtime\/default$|localhost\/)/.test(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const who = [
    ...(ofPod === undefined ? [] : ['pod']),
    ...(wrong.length === 0 ? [] : [named(wrong)]),
    ...(annotations.length === 0 ? [] : [plural(annotations, 'annotation')]),
  ];
  if (who.length === 0) return undefined;
  const types = [...new Set([ofPod, ...wrong.map((container) => badType(container['securityContext']))])].filter(
    (type) => type !== undefined,
  );
  const values = [...types.sort(), ...annotations];
  // Go's joinQuote only puts marks around: those within are not escaped.
  const quotedValues = values.map((value) => `"${value}"`).join(', ');
  return `forbidden AppArmor ${plural(values, 'profile')} (${who.join(' and ')} must not set AppArmor profile type to ${quotedValues})`;
}

const BASELINE_CAPABILITIES: readonly string[] = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

function capabilitiesBaseline({ containers }: Checked): string | undefined {
  return capabilities(containers, BASELINE_CAPABILITIES, 'non-default capabilities');
}

function capabilities(containers: readonly JsonObject[], allowed: readonly string[], reason: string): string | undefined {
  const words = addedBeyond(containers, allowed);
  return words === undefined ? undefined : `${reason} (${words})`;
}

function addedBeyond(containers: readonly JsonObject[], allowed: readonly string[]): string | undefined {
  const added = (container: JsonObject): readonly string[] =>
    asList(dig(container, 'securityContext', 'capabilities', 'add'))
      .map(String)
      .filter((one) => !allowed.includes(one));
  const wrong = containers.filter((container) => added(container).length > 0);
  if (wrong.length === 0) return undefined;
  return `${named(wrong)} must not include ${quoted([...new Set(wrong.flatMap(added))].sort())} in securityContext.capabilities.add`;
}

function hostNamespaces({ spec }: Checked): string | undefined {
  const set = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true).map((field) => `${field}=true`);
  return set.length === 0 ? undefined : `host namespaces (${set.join(', ')})`;
}

function hostPathVolumes({ spec }: Checked): string | undefined {
  const names = asList(spec['volumes'])
    .filter((volume) => dig(volume, 'hostPath') !== undefined)
    .map((volume) => textOf(dig(volume, 'name')));
  return names.length === 0 ? undefined : `hostPath volumes (${plural(names, 'volume')} ${quoted(names)})`;
}

function hostPorts({ containers }: Checked): string | undefined {
  const ports = (container: JsonObject): readonly number[] =>
    asList(container['ports'])
      .map((port) => asNumber(dig(port, 'hostPort')) ?? 0)
      .filter((port) => port !== 0);
  const wrong = containers.filter((container) => ports(container).length > 0);
  if (wrong.length === 0) return undefined;
  const all = [...new Set(wrong.flatMap(ports))].map(String).sort();
  return `hostPort (${named(wrong)} ${wrong.length === 1 ? 'uses' : 'use'} ${plural(all, 'hostPort')} ${all.join(', ')})`;
}

function hostProbes({ containers, minor }: Checked): string | undefined {
  if (minor < 34) return undefined;
  const hosts = (container: JsonObject): readonly string[] => {
    const handlers = [
      ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((field) => container[field]),
      dig(container, 'lifecycle', 'postStart'),
      dig(container, 'lifecycle', 'preStop'),
    ];
    return handlers
      .flatMap((handler) => [asText(dig(handler, 'httpGet', 'host')), asText(dig(handler, 'tcpSocket', 'host'))])
      .filter((host): host is string => host !== undefined && host !== '');
  };
  const wrong = containers.filter((container) => hosts(container).length > 0);
  if (wrong.length === 0) return undefined;
  const all = [...new Set(wrong.flatMap(hosts))].sort();
  return `probe or lifecycle host (${named(wrong)} ${wrong.length === 1 ? 'uses' : 'use'} probe or lifecycle ${plural(all, 'host')} ${quoted(all)})`;
}

function privileged({ containers }: Checked): string | undefined {
  const wrong = containers.filter((container) => dig(container, 'securityContext', 'privileged') === true);
  return wrong.length === 0 ? undefined : `privileged (${named(wrong)} must not set securityContext.privileged=true)`;
}

function procMount(checked: Checked): string | undefined {
  return isInUserNamespace(checked) ? undefined : unmasked(checked);
}

function procMountRestricted(checked: Checked): string | undefined {
  return checked.minor < 35 ? undefined : unmasked(checked);
}

function unmasked({ containers }: Checked): string | undefined {
  const wrong = containers.filter((container) => (asText(dig(container, 'securityContext', 'procMount')) ?? 'Default') !== 'Default');
  if (wrong.length === 0) return undefined;
  const values = [...new Set(wrong.map((container) => textOf(dig(container, 'securityContext', 'procMount'))))].sort();
  return `procMount (${named(wrong)} must not set securityContext.procMount to ${quoted(values)})`;
}

const SE_LINUX_TYPES: readonly string[] = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

function seLinux({ spec, containers, minor }: Checked): string | undefined {
  const types = minor < 31 ? SE_LINUX_TYPES : [...SE_LINUX_TYPES, 'container_engine_t'];
  const problems = (context: Json | undefined): readonly string[] => {
    const options = asTextMap(dig(context, 'seLinuxOptions'));
    const type = options['type'] ?? '';
    return [
      ...(types.includes(type) ? [] : [`type "${type}"`]),
      ...(options['user'] === undefined ? [] : ['user may not be set']),
      ...(options['role'] === undefined ? [] : ['role may not be set']),
    ];
  };
  const wrong = containers.filter((container) => problems(container['securityContext']).length > 0);
  const ofPod = problems(spec['securityContext']);
  if (wrong.length === 0 && ofPod.length === 0) return undefined;
  const who = [...(ofPod.length === 0 ? [] : ['pod']), ...(wrong.length === 0 ? [] : [named(wrong)])].join(' and ');
  const all = [...new Set([...ofPod, ...wrong.flatMap((container) => problems(container['securityContext']))])];
  return `seLinuxOptions (${who} set forbidden securityContext.seLinuxOptions: ${all.join('; ')})`;
}

function seccompBaseline({ pod, spec, containers, minor }: Checked): string | undefined {
  if (minor < 19) return seccompAnnotations(pod, containers);
  const unconfined = (context: Json | undefined): boolean => dig(context, 'seccompProfile', 'type') === 'Unconfined';
  const wrong = containers.filter((container) => unconfined(container['securityContext']));
  const who = [...(unconfined(spec['securityContext']) ? ['pod'] : []), ...(wrong.length === 0 ? [] : [named(wrong)])];
  return who.length === 0
    ? undefined
    : `seccompProfile (${who.join(' and ')} must not set securityContext.seccompProfile.type to "Unconfined")`;
}

/** Before the field there were annotations. */
function seccompAnnotations(pod: JsonObject, containers: readonly JsonObject[]): string | undefined {
  const annotations = asTextMap(dig(pod, 'metadata', 'annotations'));
  const keys = [
    'seccomp.security.alpha.kubernetes.io/pod',
    ...containers.map((container) => `container.seccomp.security.alpha.kubernetes.io/${textOf(container['name'])}`),
  ];
  const wrong = keys
    .filter((key) => annotations[key] !== undefined && !/^(?:runtime\/default$|docker\/default$|localhost\/)/.test(annotations[key]))
    .map((key) => `${key}=${JSON.stringify(annotations[key])}`)
    .sort();
  return wrong.length === 0 ? undefined : `seccompProfile (forbidden ${plural(wrong, 'annotation')} ${wrong.join(', ')})`;
}

/** Safe ones, and the minor version whose policy first has them. */
const SAFE_SYSCTLS: ReadonlyMap<string, number> = new Map([
  ['kernel.shm_rmid_forced', 0],
  ['net.ipv4.ip_local_port_range', 0],
  ['net.ipv4.tcp_syncookies', 0],
  ['net.ipv4.ping_group_range', 0],
  ['net.ipv4.ip_unprivileged_port_start', 0],
  ['net.ipv4.ip_local_reserved_ports', 27],
  ['net.ipv4.tcp_keepalive_time', 29],
  ['net.ipv4.tcp_fin_timeout', 29],
  ['net.ipv4.tcp_keepalive_intvl', 29],
  ['net.ipv4.tcp_keepalive_probes', 29],
  ['net.ipv4.tcp_rmem', 32],
  ['net.ipv4.tcp_wmem', 32],
]);

function sysctls({ spec, minor }: Checked): string | undefined {
  const names = asList(dig(spec, 'securityContext', 'sysctls'))
    .map((one) => textOf(dig(one, 'name')))
    .filter((name) => !(minor >= (SAFE_SYSCTLS.get(name) ?? Number.NaN)));
  return names.length === 0 ? undefined : `forbidden sysctls (${names.join(', ')})`;
}

function windowsHostProcess({ spec, containers }: Checked): string | undefined {
  const set = (context: Json | undefined): boolean => dig(context, 'windowsOptions', 'hostProcess') === true;
  const wrong = containers.filter((container) => set(container['securityContext']));
  const who = [...(set(spec['securityContext']) ? ['pod'] : []), ...(wrong.length === 0 ? [] : [named(wrong)])];
  return who.length === 0 ? undefined : `hostProcess (${who.join(' and ')} must not set securityContext.windowsOptions.hostProcess=true)`;
}

function allowPrivilegeEscalation(checked: Checked): string | undefined {
  const { containers, minor } = checked;
  if (minor < 8 || isOfWindows(checked)) return undefined;
  const wrong = containers.filter((container) => dig(container, 'securityContext', 'allowPrivilegeEscalation') !== false);
  return wrong.length === 0
    ? undefined
    : `allowPrivilegeEscalation != false (${named(wrong)} must set securityContext.allowPrivilegeEscalation=false)`;
}

function capabilitiesRestricted(checked: Checked): string | undefined {
  const { containers, minor } = checked;
  if (minor < 22 || isOfWindows(checked)) return undefined;
  const keeping = containers.filter((container) => !asList(dig(container, 'securityContext', 'capabilities', 'drop')).includes('ALL'));
  const parts = [
    ...(keeping.length === 0 ? [] : [`${named(keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    addedBeyond(containers, ['NET_BIND_SERVICE']),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `unrestricted capabilities (${parts.join('; ')})`;
}

const FREE_VOLUMES: readonly string[] = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
  'image',
];

function restrictedVolumes({ spec }: Checked): string | undefined {
  const typeOf = (volume: Json): string =>
    Object.keys(asObject(volume)).find((field) => field !== 'name' && dig(volume, field) !== undefined) ?? 'unknown';
  const wrong = asList(spec['volumes']).filter((volume) => !FREE_VOLUMES.includes(typeOf(volume)));
  if (wrong.length === 0) return undefined;
  const names = wrong.map((volume) => textOf(dig(volume, 'name')));
  const types = [...new Set(wrong.map(typeOf))].sort();
  return `restricted volume types (${plural(names, 'volume')} ${quoted(names)} ${names.length === 1 ? 'uses' : 'use'} ${plural(types, 'restricted volume type')} ${quoted(types)})`;
}

function runAsNonRoot(checked: Checked): string | undefined {
  const { spec, containers } = checked;
  if (isInUserNamespace(checked)) return undefined;
  const ofPod = dig(spec, 'securityContext', 'runAsNonRoot');
  const explicit = containers.filter((container) => dig(container, 'securityContext', 'runAsNonRoot') === false);
  const silent = containers.filter((container) => dig(container, 'securityContext', 'runAsNonRoot') === undefined);
  const bad = [...(ofPod === false ? ['pod'] : []), ...(explicit.length === 0 ? [] : [named(explicit)])];
  if (bad.length > 0) return `runAsNonRoot != true (${bad.join(' and ')} must not set securityContext.runAsNonRoot=false)`;
  if (ofPod === true || silent.length === 0) return undefined;
  return `runAsNonRoot != true (pod or ${named(silent)} must set securityContext.runAsNonRoot=true)`;
}

function runAsUser(checked: Checked): string | undefined {
  const { spec, containers, minor } = checked;
  if (minor < 23 || isInUserNamespace(checked)) return undefined;
  const wrong = containers.filter((container) => dig(container, 'securityContext', 'runAsUser') === 0);
  const who = [...(dig(spec, 'securityContext', 'runAsUser') === 0 ? ['pod'] : []), ...(wrong.length === 0 ? [] : [named(wrong)])];
  return who.length === 0 ? undefined : `runAsUser=0 (${who.join(' and ')} must not set runAsUser=0)`;
}

function seccompRestricted(checked: Checked): string | undefined {
  const { spec, containers, minor } = checked;
  if (minor < 19 || isOfWindows(checked)) return undefined;
  const typeOf = (context: Json | undefined): string | undefined => asText(dig(context, 'seccompProfile', 'type'));
  const fine = (type: string | undefined): boolean => type === 'RuntimeDefault' || type === 'Localhost';
  const ofPod = typeOf(spec['securityContext']);
  const explicit = containers.filter(
    (container) => typeOf(container['securityContext']) !== undefined && !fine(typeOf(container['securityContext'])),
  );
  const silent = containers.filter((container) => typeOf(container['securityContext']) === undefined);
  const bad = [...(ofPod !== undefined && !fine(ofPod) ? ['pod'] : []), ...(explicit.length === 0 ? [] : [named(explicit)])];
  if (bad.length > 0) return `seccompProfile (${bad.join(' and ')} must not set securityContext.seccompProfile.type to "Unconfined")`;
  if (fine(ofPod) || silent.length === 0) return undefined;
  return `seccompProfile (pod or ${named(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`;
}

/** `container "web"`, `containers "web", "log"`. */
function named(containers: readonly JsonObject[]): string {
  const names = containers.map((container) => textOf(container['name']));
  return `${plural(names, 'container')} ${quoted(names)}`;
}

function plural(list: readonly string[], word: string): string {
  return list.length === 1 ? word : `${word}s`;
}

function quoted(list: readonly string[]): string {
  return list.map((one) => JSON.stringify(one)).join(', ');
}
