import { asList, asText, asTextMap, dig, isJsonObject } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { ComponentHost } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { decodeBase64 } from '../../../base/base64.ts';
import { fieldValue } from '../containers/downward.ts';
import type { FileEntry } from '../../programs/file-tree.ts';
import type { ObjectCache } from '../object-cache.ts';

export type Content =
  | { readonly ok: true; readonly files: ReadonlyMap<string, FileEntry> }
  | { readonly ok: false; readonly trouble: string };

/** The files of a volume that is made from API objects. Source: pkg/volume/{configmap,secret,projected,downwardapi}. */
export function* contentOf(kind: string, source: JsonObject, pod: KubeObject, host: ComponentHost, objects: ObjectCache): Routine<Content> {
  switch (kind) {
    case 'configMap':
      return yield* fromObject('ConfigMap', asText(source['name']) ?? '', source, pod, objects);
    case 'secret':
      return yield* fromObject('Secret', asText(source['secretName']) ?? asText(source['name']) ?? '', source, pod, objects);
    case 'downwardAPI':
      return { ok: true, files: downwardFiles(source, pod) };
    default:
      return yield* projected(source, pod, host, objects);
  }
}

function* projected(source: JsonObject, pod: KubeObject, host: ComponentHost, objects: ObjectCache): Routine<Content> {
  const files = new Map<string, FileEntry>();
  const troubles: string[] = [];
  for (const part of asList(source['sources']).filter(isJsonObject)) {
    const kind = Object.keys(part).find((field) => part[field] !== undefined);
    const inner = kind === undefined ? undefined : part[kind];
    if (kind === undefined || !isJsonObject(inner)) continue;
    const withMode = { defaultMode: source['defaultMode'], ...inner };
    const content =
      kind === 'serviceAccountToken'
        ? yield* token(withMode, pod, host)
        : kind === 'clusterTrustBundle'
          ? EMPTY
          : yield* contentOf(kind, withMode, pod, host, objects);
    if (content.ok) for (const [path, entry] of content.files) files.set(path, entry);
    else troubles.push(content.trouble);
  }
  const [only] = troubles;
  if (only === undefined) return { ok: true, files };
  return { ok: false, trouble: troubles.length === 1 ? only : `[${[...new Set(troubles)].join(', ')}]` };
}

const EMPTY: Content = { ok: true, files: new Map() };

function* fromObject(
  kind: 'ConfigMap' | 'Secret',
  name: string,
  source: JsonObject,
  pod: KubeObject,
  objects: ObjectCache,
): Routine<Content> {
  const optional = source['optional'] === true;
  const fetched = yield* objects.get({ kind, namespace: pod.metadata.namespace ?? '', name });
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
  return { ok: true, files: new Map([[asText(source['path']) ?? 'token', { type: 'file', content, mode: 0o644 }]]) };
}

function audiencesOf(source: JsonObject): readonly Json[] {
  const audience = source['audience'];
  return typeof audience === 'string' && audience !== '' ? [audience] : [];
}

function downwardFiles(source: JsonObject, pod: KubeObject): ReadonlyMap<string, FileEntry> {
  return new Map(
    asList(source['items']).map((item): [string, FileEntry] => {
      const value = fieldValue(asText(dig(item, 'fieldRef', 'fieldPath')) ?? '', pod, { hostIp: '', podIp: '' }) ?? '';
      return [asText(dig(item, 'path')) ?? '', { type: 'file', content: value, mode: 0o644 }];
    }),
  );
}
