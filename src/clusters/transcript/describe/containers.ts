import type { Json, JsonObject } from '../../../base/json.ts';
import { formatInstant } from '../../../base/instant.ts';
import { append } from '../../../base/lists.ts';
import { given, integer } from '../draft.ts';
import { rfc1123 } from '../segment-times.ts';
import { envOf, envFromOf } from './environment.ts';
import { probeOf } from './probes.ts';
import type { Section } from './sections.ts';
import { Sections, sectionsOf, textOf, valuesOf } from './sections.ts';

/** Containers of one list of a pod: what of their spec and what of their status is printed. */
export interface DescribedContainers {
  readonly specs: readonly JsonObject[];
  readonly statuses: readonly JsonObject[];
  /** Fields of the specs that are shown. */
  readonly shown: readonly string[];
}

/** Fields of a container's spec that describe always prints, or prints whenever they are set. */
const CONTAINER_SHOWN: readonly string[] = [
  'name',
  'image',
  'ports.containerPort',
  'ports.protocol',
  'ports.hostPort',
  'command',
  'args',
  'resources',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'envFrom',
  'env',
  'volumeMounts',
  'volumeDevices',
];

/** Fields of a container's status that describe prints; the message of a waiting state is not among them. */
export const STATUS_SHOWN: readonly string[] = [
  'name',
  'imageID',
  'containerID',
  'ready',
  'restartCount',
  ...['state', 'lastState'].flatMap((state) => [
    `${state}.waiting.reason`,
    `${state}.running.startedAt`,
    ...['reason', 'message', 'exitCode', 'signal', 'startedAt', 'finishedAt'].map((field) => `${state}.terminated.${field}`),
  ]),
];

/** Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go (describeContainers). */
export function containersOf(section: Section | undefined): DescribedContainers {
  const specs: JsonObject[] = [];
  const statuses: JsonObject[] = [];
  const allPorts: JsonObject[] = [];
  for (const container of section === undefined ? [] : sectionsOf(section.body)) {
    const fields = new Sections(container.body, CONTAINER_KEYS);
    const ports = portsOf(fields);
    append(allPorts, ports);
    specs.push(specOf(container.key, fields, ports));
    const status = statusOf(container.key, fields);
    if (status !== undefined) statuses.push(status);
  }
  return { specs, statuses, shown: [...CONTAINER_SHOWN, ...portsShown(allPorts)] };
}

/** Names of ports are printed since kubectl 1.31, and only for ports that have one: only a name tells that names are printed. */
function portsShown(ports: readonly JsonObject[]): readonly string[] {
  if (ports.length === 0) return ['ports'];
  return ports.some((port) => port['name'] !== undefined) ? ['ports.name'] : [];
}

/** Keys within a container: a command's lines may look like others. */
export const CONTAINER_KEYS: ReadonlySet<string> = new Set([
  'Container ID',
  'Image',
  'Image ID',
  'Port',
  'Ports',
  'Host Port',
  'Host Ports',
  'SeccompProfile',
  'LocalhostProfile',
  'Command',
  'Args',
  'State',
  'Last State',
  'Last Termination State',
  'Ready',
  'Restart Count',
  'Limits',
  'Requests',
  'Liveness',
  'Readiness',
  'Startup',
  'Environment Variables from',
  'Environment',
  'Mounts',
  'Devices',
  'Restart Policy',
  'Resize Policy',
]);

function specOf(name: string, fields: Sections, ports: readonly JsonObject[]): JsonObject {
  const resources = { ...amounts('limits', fields.get('Limits')), ...amounts('requests', fields.get('Requests')) };
  const mounts = fields.get('Mounts');
  const devices = (fields.get('Devices')?.body ?? []).flatMap(({ text }) => {
    const [, devicePath, device] = /^\s*(\S+) from (\S+)\s*$/.exec(text) ?? [];
    return devicePath === undefined || device === undefined ? [] : [{ name: device, devicePath }];
  });
  const env = envOf(fields.get('Environment'));
  const envFrom = envFromOf(fields.get('Environment Variables from'));
  return {
    name,
    ...optional('image', given(fields.value('Image'))),
    ...list('command', linesOf(fields.get('Command'))),
    ...list('args', linesOf(fields.get('Args'))),
    ...list('ports', ports),
    ...list('envFrom', envFrom),
    ...list('env', env),
    resources,
    ...list(
      'volumeMounts',
      (mounts?.body ?? []).flatMap(({ text }) => mountOf(text)),
    ),
    ...list('volumeDevices', devices),
    ...optional('livenessProbe', probeIn(fields.get('Liveness'))),
    ...optional('readinessProbe', probeIn(fields.get('Readiness'))),
    ...optional('startupProbe', probeIn(fields.get('Startup'))),
    ...optional('restartPolicy', given(fields.value('Restart Policy'))),
  };
}

/** `8080/TCP, 53/UDP`, since kubectl 1.31 `8080/TCP (http)`; host ports in the same order, 0 for none. */
function portsOf(fields: Sections): readonly JsonObject[] {
  const hostPorts = (given(fields.value('Host Port', 'Host Ports')) ?? '').split(',').map((text) => integer(text.split('/')[0]));
  return (given(fields.value('Port', 'Ports')) ?? '').split(',').flatMap((text, index) => {
    const [, port, protocol, name] = /^\s*(\d+)\/(\w+)(?: \(([^)]+)\))?/.exec(text) ?? [];
    if (port === undefined || protocol === undefined) return [];
    const hostPort = hostPorts[index];
    return [
      {
        ...optional('name', name),
        ...(hostPort === undefined || hostPort === 0 ? {} : { hostPort }),
        containerPort: integer(port),
        protocol,
      },
    ];
  });
}

/** `/etc/conf from conf (ro,path="a")`. */
function mountOf(text: string): readonly JsonObject[] {
  const [, mountPath, name, mode = ''] = /^(\S.{0,1024}?) from (\S{1,253}) \(([^)]{0,4096})\)?$/.exec(text.trim()) ?? [];
  if (mountPath === undefined || name === undefined) return [];
  const subPath = /path="([^"]*)"/.exec(mode)?.[1];
  return [{ name, mountPath, ...(mode.startsWith('ro') ? { readOnly: true } : {}), ...optional('subPath', subPath) }];
}

/** Command and arguments stand one to a line; one with line breaks takes several lines. */
function linesOf(section: Section | undefined): readonly string[] {
  if (section === undefined) return [];
  return section.body.map(({ text }) => text.trim()).filter((text) => text !== '');
}

function amounts(field: string, section: Section | undefined): JsonObject {
  if (section === undefined) return {};
  const resources: Record<string, string> = {};
  for (const { key, value } of sectionsOf(section.body)) if (value !== '') resources[key] = value;
  return { [field]: resources };
}

function probeIn(section: Section | undefined): JsonObject | undefined {
  return section === undefined ? undefined : probeOf(textOf(section));
}

function statusOf(name: string, fields: Sections): JsonObject | undefined {
  // Until 1.1 in more words.
  const last = fields.get('Last State', 'Last Termination State');
  if (!fields.has('State') && last === undefined && !fields.has('Ready') && !fields.has('Restart Count')) return undefined;
  const state = stateOf(fields.get('State'));
  return {
    name,
    ...optional('containerID', given(fields.value('Container ID'))),
    imageID: given(fields.value('Image ID')) ?? '',
    ...optional('ready', readyIn(fields, state)),
    ...optional('restartCount', integer(fields.value('Restart Count'))),
    state,
    lastState: stateOf(last),
  };
}

/** A container that waits is not ready, also where the text ends before that line. */
function readyIn(fields: Sections, { waiting }: JsonObject): boolean | undefined {
  const printed = fields.value('Ready');
  return printed === undefined ? (waiting === undefined ? undefined : false) : printed === 'True';
}

/** Keys under a state of a container. */
export const STATE_KEYS: ReadonlySet<string> = new Set(['Reason', 'Message', 'Exit Code', 'Signal', 'Started', 'Finished']);

function stateOf(section: Section | undefined): JsonObject {
  if (section === undefined) return {};
  const [state = ''] = valuesOf(section);
  const fields = new Sections(section.body, STATE_KEYS);
  const reason = optional('reason', given(fields.value('Reason')));
  switch (state) {
    case 'Running':
      return { running: { ...timeIn('startedAt', fields.value('Started')) } };
    case 'Waiting':
      return { waiting: reason };
    case 'Terminated':
      return {
        terminated: {
          ...reason,
          ...optional('message', given(fields.text('Message'))),
          ...optional('exitCode', integer(fields.value('Exit Code'))),
          ...optional('signal', integer(fields.value('Signal'))),
          ...timeIn('startedAt', fields.value('Started')),
          ...timeIn('finishedAt', fields.value('Finished')),
        },
      };
    default:
      return {};
  }
}

function timeIn(field: string, text: string | undefined): JsonObject {
  const at = text === undefined ? undefined : rfc1123(text);
  return at === undefined ? {} : { [field]: formatInstant(at.instant) };
}

function optional(field: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [field]: value };
}

function list(field: string, values: readonly Json[]): JsonObject {
  return values.length === 0 ? {} : { [field]: values };
}
