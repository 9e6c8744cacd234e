import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import { mapContainers } from '../defaulting/pod-spec.ts';
import { forbidden } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';

/**
 * Gives pods their service account, its token as a volume, and its pull secrets.
 * Source: plugin/pkg/admission/serviceaccount/admission.go.
 */
export const SERVICE_ACCOUNT: AdmissionPlugin = { name: 'ServiceAccount', kinds: new Set(['pods']), admit };

function admit(request: AdmissionRequest, { store, prng }: AdmissionSurroundings): Failure | undefined {
  if (request.operation !== 'CREATE' || request.subresource !== undefined) return undefined;
  const pod = request.object;
  if (annotationsOf(pod)['kubernetes.io/config.mirror'] !== undefined) return undefined;
  let spec = asObject(pod['spec']);
  const name = asText(spec['serviceAccountName']) ?? 'default';
  const account = store.get('serviceaccounts', request.namespace, name);
  if (account === undefined) {
    // A client of Go does not ask for a name that is no part of a path.
    const why = name.includes('/') ? `invalid resource name "${name}": [may not contain '/']` : `serviceaccount "${name}" not found`;
    return forbidden(
      { group: '', resource: 'pods' },
      request.name,
      `error looking up service account ${request.namespace ?? ''}/${name}: ${why}`,
    );
  }
  spec = withFields(spec, { serviceAccountName: name, serviceAccount: name });
  const mounts = spec['automountServiceAccountToken'] ?? account['automountServiceAccountToken'] ?? true;
  if (mounts === true) spec = withToken(spec, `kube-api-access-${prng.text(SUFFIX, 5)}`);
  const pullSecrets = asList(account['imagePullSecrets']);
  if (asList(spec['imagePullSecrets']).length === 0 && pullSecrets.length > 0) spec = withFields(spec, { imagePullSecrets: pullSecrets });
  request.object = withFields(pod, { spec });
  return undefined;
}

/** The alphabet of generated names: no vowels, so that no words come out. Source: apimachinery/pkg/util/rand. */
export const SUFFIX = 'bcdfghjklmnpqrstvwxz2456789';

const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';

/** One value for the volumes of all pods. */
const TOKEN_SOURCE: JsonObject = {
  defaultMode: 420,
  sources: [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
    { downwardAPI: { items: [{ fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' }, path: 'namespace' }] } },
  ],
};

/** Whether a volume is one for the pod's token, made here. */
export function isTokenVolume(volume: Json): boolean {
  return dig(volume, 'projected') === TOKEN_SOURCE;
}

/** Whether a mount is that of the pod's token. */
export function isTokenMount(mount: Json): boolean {
  return dig(mount, 'mountPath') === MOUNT_PATH;
}

function withToken(spec: JsonObject, volumeName: string): JsonObject {
  let needed = false;
  const mount: Json = { mountPath: MOUNT_PATH, name: volumeName, readOnly: true };
  const mounted = mapContainers(spec, (container) => {
    const mounts = asList(container['volumeMounts']);
    if (mounts.some((one) => dig(one, 'mountPath') === MOUNT_PATH)) return container;
    needed = true;
    return withFields(container, { volumeMounts: mounts.concat(mount) });
  });
  return needed ? withFields(mounted, { volumes: asList(spec['volumes']).concat({ name: volumeName, projected: TOKEN_SOURCE }) }) : spec;
}
