import { PodcheckError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { asText, dig } from '../base/json.ts';
import type { KubeObject } from '../model/kube-object.ts';
import type { Credential } from './apiserver/request.ts';
import type { ServedResource } from './apiserver/resources.ts';
import type { ApiServer } from './apiserver/server.ts';
import type { Store } from './store/store.ts';

/** Creates an object a cluster begins with, as its administrator. Throws a PodcheckError (bad-input) when it is refused. */
export function createInitial(server: ApiServer, credential: Credential, object: JsonObject): void {
  const resource = servedFor(server, object);
  const namespace = asText(dig(object, 'metadata', 'namespace'));
  const place = resource.namespaced ? { namespace: namespace ?? 'default' } : {};
  const answer = server.handle({
    verb: 'create',
    group: resource.group,
    version: resource.version,
    resource: resource.plural,
    ...place,
    body: object,
    credential,
    manager: 'kube-apiserver',
  });
  if (!answer.ok)
    throw new PodcheckError(
      'bad-input',
      `${resource.kind} ${asText(dig(object, 'metadata', 'name')) ?? ''}: ${answer.message}`,
      'correct the object the cluster begins with',
    );
}

/** Puts an object into the store as it is, in the place of one that is there. */
export function restoreObject(server: ApiServer, store: Store, object: JsonObject): void {
  const { key } = servedFor(server, object);
  const whole = object as KubeObject;
  const { namespace, name } = whole.metadata;
  if (store.get(key, namespace, name) === undefined) store.create(key, whole);
  else store.update(key, whole);
}

function servedFor(server: ApiServer, object: JsonObject): ServedResource {
  const [apiVersion, kind] = [asText(object['apiVersion']) ?? '', asText(object['kind']) ?? ''];
  const resource = server.resources.ofKind(apiVersion, kind);
  if (resource === undefined)
    throw new PodcheckError('bad-input', `${apiVersion} ${kind} is not served`, 'begin with the CustomResourceDefinition');
  return resource;
}
