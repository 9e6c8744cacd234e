/**
 * Short names and categories, which the paths do not say: `resource.group|short,short|category,category`.
 * Source: ShortNames and Categories of pkg/registry/<group>/<kind>/storage/storage.go.
 */
const NAMES = `
componentstatuses|cs|
configmaps|cm|
endpoints|ep|
events|ev|
limitranges|limits|
namespaces|ns|
nodes|no|
persistentvolumeclaims|pvc|
persistentvolumes|pv|
pods|po|all
replicationcontrollers|rc|all
resourcequotas|quota|
serviceaccounts|sa|
services|svc|all
customresourcedefinitions.apiextensions.k8s.io|crd,crds|api-extensions
apiservices.apiregistration.k8s.io||api-extensions
mutatingadmissionpolicies.admissionregistration.k8s.io||api-extensions
mutatingadmissionpolicybindings.admissionregistration.k8s.io||api-extensions
mutatingwebhookconfigurations.admissionregistration.k8s.io||api-extensions
validatingadmissionpolicies.admissionregistration.k8s.io||api-extensions
validatingadmissionpolicybindings.admissionregistration.k8s.io||api-extensions
validatingwebhookconfigurations.admissionregistration.k8s.io||api-extensions
daemonsets.apps|ds|all
deployments.apps|deploy|all
replicasets.apps|rs|all
statefulsets.apps|sts|all
horizontalpodautoscalers.autoscaling|hpa|all
cronjobs.batch|cj|all
jobs.batch||all
certificatesigningrequests.certificates.k8s.io|csr|
ingresses.networking.k8s.io|ing|
networkpolicies.networking.k8s.io|netpol|
ipaddresses.networking.k8s.io|ip|
poddisruptionbudgets.policy|pdb|
priorityclasses.scheduling.k8s.io|pc|
storageclasses.storage.k8s.io|sc|
volumeattributesclasses.storage.k8s.io|vac|
`;

export interface ResourceNames {
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

const NONE: ResourceNames = { shortNames: [], categories: [] };

const TABLE: ReadonlyMap<string, ResourceNames> = new Map(
  NAMES.trim()
    .split('\n')
    .map((line): [string, ResourceNames] => {
      const [key = '', shortNames = '', categories = ''] = line.split('|');
      return [key, { shortNames: words(shortNames), categories: words(categories) }];
    }),
);

export function namesOf(resource: { readonly group: string; readonly plural: string }): ResourceNames {
  return TABLE.get(resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`) ?? NONE;
}

function words(text: string): readonly string[] {
  return text === '' ? [] : text.split(',');
}

/**
 * Built-in groups in the order in which they are listed, and clients prefer them; others follow by name.
 * Source: pkg/controlplane/apiserver/aggregator.go (apiVersionPriorities).
 */
export const GROUP_ORDER: readonly string[] = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'resource.k8s.io',
];
