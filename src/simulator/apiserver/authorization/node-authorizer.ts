import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { allDeviceClaimsOf } from '../../devices/device-claims.ts';
import type { Store } from '../../store/store.ts';
import type { Attributes, Decision } from './attributes.ts';

/**
 * What kubelets may do: read what the pods bound to their node use, and write about their node and pods. Undefined for anyone
 * who is no node. Source: plugin/pkg/auth/authorizer/node/node_authorizer.go, plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go
 * (NodeRules).
 */
export function authorizeNode(store: Store, asked: Attributes): Decision | undefined {
  if (!asked.user.groups.includes('system:nodes')) return undefined;
  if (!asked.user.name.startsWith(PREFIX)) return no(`unknown node for user ${JSON.stringify(asked.user.name)}`);
  if (asked.path !== undefined) return no('');
  const node = asked.user.name.slice(PREFIX.length);
  switch (resourceOf(asked, undefined)) {
    case 'secrets':
    case 'configmaps':
    case 'persistentvolumeclaims':
      return read(store, node, asked);
    case 'persistentvolumes':
    case 'resource.k8s.io/resourceclaims':
      return asked.verb === 'get' ? related(store, node, asked) : no('can only get individual resources of this type');
    case 'serviceaccounts':
      return serviceAccounts(store, node, asked);
    case 'coordination.k8s.io/leases':
      return leases(node, asked);
    case 'nodes':
      return nodes(node, asked);
    case 'pods':
      return pods(store, node, asked);
    case 'storage.k8s.io/volumeattachments':
      return asked.verb === 'get' ? yes() : no('can only get individual resources of this type');
    default: {
      const resource = resourceOf(asked, asked.subresource);
      return RULES.some((rule) => rule.verbs.includes(asked.verb) && rule.resources.includes(resource)) ? yes() : no('');
    }
  }
}

const PREFIX = 'system:node:';

/** `pods`, `coordination.k8s.io/leases`, `pods/status`: nothing is put together for most. */
function resourceOf({ group, resource }: Attributes, subresource: string | undefined): string {
  const whole = group === '' ? resource : `${group}/${resource}`;
  return subresource === undefined ? whole : `${whole}/${subresource}`;
}

const RULES: readonly { readonly verbs: readonly string[]; readonly resources: readonly string[] }[] = [
  // First what is asked most.
  { verbs: ['create', 'update', 'patch'], resources: ['events'] },
  {
    verbs: ['create'],
    resources: [
      'authentication.k8s.io/tokenreviews',
      'authorization.k8s.io/subjectaccessreviews',
      'authorization.k8s.io/localsubjectaccessreviews',
    ],
  },
  {
    verbs: ['get', 'list', 'watch'],
    resources: [
      'services',
      'endpoints',
      'node.k8s.io/runtimeclasses',
      'storage.k8s.io/csidrivers',
      'certificates.k8s.io/certificatesigningrequests',
    ],
  },
  { verbs: ['create', 'get', 'list', 'watch'], resources: ['certificates.k8s.io/certificatesigningrequests'] },
  { verbs: ['create', 'get', 'update', 'patch', 'delete'], resources: ['storage.k8s.io/csinodes'] },
  { verbs: ['create', 'get', 'list', 'watch', 'update', 'patch', 'delete'], resources: ['resource.k8s.io/resourceslices'] },
];

function read(store: Store, node: string, asked: Attributes): Decision {
  if (asked.subresource !== undefined)
    return asked.resource === 'persistentvolumeclaims' && asked.subresource === 'status' ? yes() : no('cannot get subresource');
  if (!['get', 'list', 'watch'].includes(asked.verb)) return no('can only read resources of this type');
  if (asked.name === undefined && !(asked.fieldSelector ?? '').startsWith('metadata.name=')) return no('No Object name found');
  return related(store, node, { ...asked, name: asked.name ?? (asked.fieldSelector ?? '').slice('metadata.name='.length) });
}

function related(store: Store, node: string, asked: Attributes): Decision {
  const uses = store.listPartition('pods', node).some((pod) => podUses(store, pod, asked));
  return uses ? yes() : no(`no relationship found between node '${node}' and this object`);
}

function podUses(store: Store, pod: KubeObject, asked: Attributes): boolean {
  const name = asked.name ?? '';
  if (asked.resource === 'persistentvolumes') {
    return claimsOf(pod).some(
      (claim) => asText(dig(store.get('persistentvolumeclaims', pod.metadata.namespace, claim), 'spec', 'volumeName')) === name,
    );
  }
  if (pod.metadata.namespace !== asked.namespace) return false;
  if (asked.resource === 'resourceclaims') return allDeviceClaimsOf(pod).some((claim) => claim.name === name);
  if (asked.resource === 'persistentvolumeclaims') return claimsOf(pod).includes(name);
  return namesIn(pod, asked.resource === 'secrets' ? SECRET_FIELDS : CONFIG_MAP_FIELDS).has(name);
}

/** Where a pod names Secrets and ConfigMaps: field of the reference, and of its name. */
const SECRET_FIELDS: Readonly<Record<string, string>> = {
  secret: 'secretName',
  secretKeyRef: 'name',
  secretRef: 'name',
  nodePublishSecretRef: 'name',
  imagePullSecrets: 'name',
};
const CONFIG_MAP_FIELDS: Readonly<Record<string, string>> = { configMap: 'name', configMapKeyRef: 'name', configMapRef: 'name' };

function namesIn(pod: KubeObject, fields: Readonly<Record<string, string>>): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: Json | undefined, field: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const key = fields[field];
    if (key !== undefined && !Array.isArray(value)) {
      const name = asText(dig(value, key)) ?? asText(dig(value, 'name'));
      if (name !== undefined) names.add(name);
    }
    if (Array.isArray(value)) for (const member of value as readonly Json[]) visit(member, field);
    else for (const [inner, member] of Object.entries(value)) visit(member, inner);
  };
  visit(pod['spec'], 'spec');
  return names;
}

function claimsOf(pod: KubeObject): readonly string[] {
  return asList(dig(pod, 'spec', 'volumes')).flatMap((volume) => {
    const claim = asText(dig(volume, 'persistentVolumeClaim', 'claimName'));
    if (claim !== undefined) return [claim];
    return dig(volume, 'ephemeral') === undefined ? [] : [`${pod.metadata.name}-${textOf(dig(volume, 'name'))}`];
  });
}

function serviceAccounts(store: Store, node: string, asked: Attributes): Decision {
  if (asked.verb === 'create' && asked.subresource === 'token') {
    const own = store
      .listPartition('pods', node)
      .some((pod) => pod.metadata.namespace === asked.namespace && dig(pod, 'spec', 'serviceAccountName') === asked.name);
    return own ? yes() : no(`no relationship found between node '${node}' and this object`);
  }
  return asked.verb === 'get' ? yes() : no('can only create tokens for individual service accounts');
}

function leases(node: string, asked: Attributes): Decision {
  if (asked.namespace !== 'kube-node-lease') return no('can only access leases in the "kube-node-lease" system namespace');
  if (asked.verb !== 'create' && asked.name !== node) return no('can only access node lease with the same name as the requesting node');
  return ['get', 'create', 'update', 'patch', 'delete'].includes(asked.verb)
    ? yes()
    : no('can only get, create, update, patch, or delete a node lease');
}

function nodes(node: string, asked: Attributes): Decision {
  if (asked.subresource === 'status') return ['update', 'patch'].includes(asked.verb) ? yes() : no('can only update status subresource');
  if (['create', 'update', 'patch'].includes(asked.verb)) return yes();
  const own = asked.name === node || asked.fieldSelector === `metadata.name=${node}`;
  if (['get', 'list', 'watch'].includes(asked.verb))
    return own
      ? yes()
      : no(`node '${node}' cannot read ${asked.name === undefined ? 'all nodes' : `'${asked.name}'`}, only its own Node object`);
  return no('');
}

function pods(store: Store, node: string, asked: Attributes): Decision {
  if (asked.subresource === 'status') return ['update', 'patch'].includes(asked.verb) ? yes() : no('can only update status subresource');
  if (asked.subresource === 'eviction') return asked.verb === 'create' ? yes() : no('');
  if (asked.subresource !== undefined) return no('');
  if (['list', 'watch'].includes(asked.verb))
    return (asked.fieldSelector ?? '').includes(`spec.nodeName=${node}`)
      ? yes()
      : no('can only list/watch pods with spec.nodeName field selector');
  if (asked.verb !== 'get') return ['create', 'delete'].includes(asked.verb) ? yes() : no('');
  const pod = store.get('pods', asked.namespace, asked.name ?? '');
  return pod === undefined || dig(pod, 'spec', 'nodeName') === node
    ? yes()
    : no(`no relationship found between node '${node}' and this object`);
}

function yes(): Decision {
  return { allowed: true, reason: '' };
}

function no(reason: string): Decision {
  return { allowed: false, reason };
}
