import { asList, asNumber, asObject, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { ComponentHost } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { decodeBase64 } from '../../../base/base64.ts';
import { fieldValue, resourceValue } from '../containers/downward.ts';
import type { FileEntry } from '../../programs/file-tree.ts';
import type { Fetched, ObjectCache } from '../object-cache.ts';

export type Content =
  | { readonly ok: true; readonly files: ReadonlyMap<string, FileEntry> }
  | { readonly ok: false; readonly trouble: string };

type Objects = Pick<ObjectCache, 'get'>;

/** Objects of a pod that no worker has registered. Source: pkg/kubelet/util/manager/watch_based_manager.go (Get). */
export const UNREGISTERED: Objects = {
  *get({ namespace, name }): Routine<Fetched> {
    return { ok: false, trouble: `object "${namespace}"/"${name}" not registered`, missing: false };
  },
};

/** What content is made from beside its source. */
export interface ContentInput {
  readonly pod: KubeObject;
  readonly host: ComponentHost;
  readonly objects: Objects;
  /** What pods can use of the node: the limit of a container that has none. */
  readonly allocatable: Json | undefined;
}

/** The files of a volume that is made from API objects. Source: pkg/volume/{configmap,secret,projected,downwardapi}. */
export function* contentOf(kind: string, source: JsonObject, input: ContentInput): Routine<Content> {
  const content = yield* plainContent(kind, source, input);
  const group = asNumber(dig(input.pod, 'spec', 'securityContext', 'fsGroup'));
  if (!content.ok || group === undefined) return content;
  // Source: pkg/volume/volume_linux.go (changeFilePermission), for volumes that are read-only.
  const files = [...content.files].map(([path, entry]) => [path, { ...entry, group, mode: (entry.mode ?? 0o644) | 0o440 }] as const);
  return { ok: true, files: new Map(files) };
}

function* plainContent(kind: string, source: JsonObject, input: ContentInput): Routine<Content> {
  const { pod, host, objects } = input;
  switch (kind) {
    case 'configMap':
      return yield* fromObject('ConfigMap', asText(source['name']) ?? '', source, pod, objects);
    case 'secret':
      return yield* fromObject('Secret', asText(source['secretName']) ?? asText(source['name']) ?? '', source, pod, objects);
    case 'downwardAPI':
      return { ok: true, files: downwardFiles(source, pod, input.allocatable) };
    default:
      return yield* projected(source, input, host);
  }
}

function* projected(source: JsonObject, input: ContentInput, host: ComponentHost): Routine<Content> {
  const files = new Map<string, FileEntry>();
  const troubles: string[] = [];
  for (const part of asList(source['sources']).filter(isJsonObject)) {
    const kind = Object.keys(part).find((field) => part[field] !== undefined);
    const inner = kind === undefined ? undefined : part[kind];
    if (kind === undefined || !isJsonObject(inner)) continue;
    const withMode = { defaultMode: source['defaultMode'], ...inner };
    const content =
      kind === 'serviceAccountToken'
        ? yield* token(withMode, input.pod, host)
        : kind === 'clusterTrustBundle'
          ? EMPTY
          : yield* plainContent(kind, withMode, input);
    if (content.ok) for (const [path, entry] of content.files) files.set(path, entry);
    else troubles.push(content.trouble);
  }
  const [only] = troubles;
  if (only === undefined) return { ok: true, files };
  return { ok: false, trouble: troubles.length === 1 ? only : `[${[...new Set(troubles)].join(', ')}]` };
}

const EMPTY: Content = { ok: true, files: new Map() };

function* fromObject(kind: 'ConfigMap' | 'Secret', name: string, source: JsonObject, pod: KubeObject, objects: Objects): Routine<Content> {
  const optional = source['optional'] === true;
  const fetched = yield* objects.get({ kind, namespace: pod.metadata.namespace ?? '', name }, optional);
  if (!fetched.ok) return fetched.missing && optional ? EMPTY : { ok: false, trouble: fetched.trouble };
  const data = dataOf(fetched.object);
  const mode = typeof source['defaultMode'] === 'number' ? source['defaultMode'] : 0o644;
  const files = new Map<string, FileEntry>();
  const items = asList(source['items']);
  if (items.length === 0) for (const [key, content] of data) files.set(key, { type: 'file', content, mode });
  for (const item of items) {
    const key = asText(dig(item, 'key')) ?? '';
    const content = data.get(key);
    const own = dig(item, 'mode');
    if (content !== undefined)
      files.set(asText(dig(item, 'path')) ?? key, { type: 'file', content, mode: typeof own === 'number' ? own : mode });
    else if (!optional)
      return {
        ok: false,
        trouble:
          kind === 'ConfigMap' ? `configmap references non-existent config key: ${key}` : `references non-existent secret key: ${key}`,
      };
  }
  return { ok: true, files };
}

/** Keys and texts of a ConfigMap or Secret. */
export function dataOf(object: KubeObject): ReadonlyMap<string, string> {
  const data = new Map(Object.entries(asTextMap(object['data'])));
  if (object.kind === 'Secret') for (const [key, value] of data) data.set(key, decodeBase64(value));
  else for (const [key, value] of Object.entries(asTextMap(object['binaryData']))) data.set(key, decodeBase64(value));
  return data;
}

function* token(source: JsonObject, pod: KubeObject, host: ComponentHost): Routine<Content> {
  const account = asText(dig(pod, 'spec', 'serviceAccountName')) ?? 'default';
  const namespace = pod.metadata.namespace ?? '';
  const body: JsonObject = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {
      audiences: audiencesOf(source),
      expirationSeconds: 3607,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, uid: pod.metadata.uid },
    },
  };
  const answer = yield* host.client.createSubresource({ kind: 'ServiceAccount', namespace, name: account }, 'token', body);
  if (!answer.ok) return { ok: false, trouble: `failed to fetch token: ${answer.message}` };
  const content = asText(dig(answer.object, 'status', 'token')) ?? '';
  return { ok: true, files: new Map([[asText(source['path']) ?? 'token', { type: 'file', content, mode: tokenMode(source, pod) }]]) };
}

/** Only its reader may read it, where one is named. Source: pkg/volume/projected/projected.go (collectData). */
function tokenMode(source: JsonObject, pod: KubeObject): number {
  const context = dig(pod, 'spec', 'securityContext');
  const users = new Set(
    asList(dig(pod, 'spec', 'containers')).map((one) => dig(one, 'securityContext', 'runAsUser') ?? dig(context, 'runAsUser')),
  );
  if (dig(context, 'fsGroup') !== undefined || (users.size === 1 && !users.has(undefined))) return 0o600;
  return asNumber(source['defaultMode']) ?? 0o644;
}

function audiencesOf(source: JsonObject): readonly Json[] {
  const audience = source['audience'];
  return typeof audience === 'string' && audience !== '' ? [audience] : [];
}

function downwardFiles(source: JsonObject, pod: KubeObject, allocatable: Json | undefined): ReadonlyMap<string, FileEntry> {
  return new Map(
    asList(source['items']).map((item): [string, FileEntry] => {
      const mode = asNumber(dig(item, 'mode')) ?? asNumber(source['defaultMode']) ?? 0o644;
      return [asText(dig(item, 'path')) ?? '', { type: 'file', content: downwardValue(item, pod, allocatable), mode }];
    }),
  );
}

function downwardValue(item: Json, pod: KubeObject, allocatable: Json | undefined): string {
  const resource = dig(item, 'resourceFieldRef');
  if (resource === undefined) return fieldValue(asText(dig(item, 'fieldRef', 'fieldPath')) ?? '', pod, { hostIp: '', podIp: '' }) ?? '';
  const named = asText(dig(resource, 'containerName')) ?? '';
  const container = asList(dig(pod, 'spec', 'containers')).find((each) => dig(each, 'name') === named);
  return resourceValue(asText(dig(resource, 'resource')) ?? '', dig(resource, 'divisor'), asObject(container), allocatable) ?? '';
}
