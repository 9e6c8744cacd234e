import type { Access, ClusterChanger, WriteRequest } from '../model/cluster-changer.ts';
import { withVersion } from '../model/cluster-changer.ts';
import type { JsonObject } from '../base/json.ts';
import { dig } from '../base/json.ts';
import type { Cluster, Credential, OutsideRequest } from '../simulator/index.ts';
import { addressOfKind } from '../simulator/index.ts';
import { inNamespace } from '../model/kube-object.ts';

/** Changes a simulated cluster, with someone's rights (the administrator's when not given). */
export function simulatedChanger(cluster: Cluster, credential?: Credential): ClusterChanger {
  const who = credential === undefined ? {} : { credential };
  return {
    send: (request, dryRun) => {
      if (cluster.server.resources.named(request.kind) === undefined)
        return Promise.resolve({ ok: false, reason: 'NotFound', message: `unknown kind ${request.kind}` });
      const answer = cluster.request({ ...toRequest(request, cluster), ...who, dryRun });
      if (!answer.ok) return Promise.resolve({ ok: false, reason: answer.reason, message: answer.message });
      const own = answer.object.kind === request.kind ? answer.object : undefined;
      return Promise.resolve({ ok: true, object: own });
    },
    allowed: (access) => {
      if (cluster.server.resources.named(access.kind) === undefined) return Promise.resolve(undefined);
      const { group, resource } = addressOfKind(cluster.server.resources, access.kind);
      const answer = cluster.request({
        verb: 'create',
        group: 'authorization.k8s.io',
        version: 'v1',
        resource: 'selfsubjectaccessreviews',
        body: accessReview(access, group, resource),
        ...who,
      });
      const allowed = answer.ok ? dig(answer.object, 'status', 'allowed') : undefined;
      return Promise.resolve(typeof allowed === 'boolean' ? allowed : undefined);
    },
  };
}

function accessReview({ verb, subresource, namespace, name }: Access, group: string, resource: string): JsonObject {
  const resourceAttributes = {
    verb,
    group,
    resource,
    ...(subresource === undefined ? {} : { subresource }),
    ...inNamespace(namespace),
    ...(name === undefined ? {} : { name }),
  };
  return { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec: { resourceAttributes } };
}

function toRequest(
  { verb, kind, namespace, name, subresource, patch, body, uid, resourceVersion, propagation, graceSeconds }: WriteRequest,
  cluster: Cluster,
): OutsideRequest {
  const isDelete = verb === 'delete';
  return {
    verb,
    ...addressOfKind(cluster.server.resources, kind),
    ...inNamespace(namespace),
    // A new object is named in its body; a subresource is of an object that is there.
    ...(verb === 'create' && subresource === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
    ...(patch === undefined ? {} : { patch: { type: patch.type, body: withVersion(patch, resourceVersion) } }),
    ...(body === undefined ? {} : { body }),
    ...(isDelete
      ? {
          delete: {
            preconditions: { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) },
            ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
            ...(graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }),
          },
        }
      : {}),
    manager: 'podcheck',
  };
}
