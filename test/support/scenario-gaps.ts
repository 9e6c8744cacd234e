const NODE_SERVICES = 'nobody looks at the services of a node';
const NOT_MODELLED = 'the simulated kubelet has no such mechanism';

/** Rules whose failure no scenario produces yet, and why. Only ever shorter. */
export const RULES_WITHOUT_SCENARIO: Readonly<Record<string, string>> = {
  'containers/ephemeral-storage-exceeded': NOT_MODELLED,
  'containers/start-failed': NOT_MODELLED,
  'containers/user-not-in-image': NOT_MODELLED,
  'controllers/deployment-name-reuse': 'no step deletes an owner and leaves what it owns',
  'controllers/hpa-no-metrics': 'no scenario stops the metrics server',
  'controllers/pdb-blocks-eviction': 'no step evicts',
  'controllers/pod-creation-refused': 'every refusal the simulated admission knows has a rule of its own',
  'controllers/progress-deadline-exceeded': 'a symptom: it is always explained by what stopped the pods',
  'images/no-space-for-image': NOT_MODELLED,
  'images/pull-secret-not-found': 'no scenario pulls from a registry that answers nothing to those who name no login',
  'kubelet/device-unavailable': NOT_MODELLED,
  'kubelet/kubelet-not-running': NODE_SERVICES,
  'kubelet/node-deleted': 'no scenario deletes a node',
  'persistence/object-too-large': 'no scenario has an object of a megabyte',
  'sandbox/container-runtime-not-running': NODE_SERVICES,
  'scheduling/claim-provisioning-failed': 'the simulated provisioner never fails',
  'scheduling/claim-unbound': 'a symptom: it is always explained by what keeps the claim unbound',
  'traffic/app-listens-on-loopback': 'nobody tries a connection',
  'traffic/gateway-route-mismatch': 'a scenario looks at one object, gateways are seen in a namespace only',
  'traffic/kube-proxy-not-running': NODE_SERVICES,
  'validating-admission/request-refused': 'every refusal the simulated admission knows has a rule of its own',
  'volumes/nfs-mount-failed': NOT_MODELLED,
  'volumes/subpath-failure': NOT_MODELLED,
};

/** Scenarios whose trouble nothing undoes, and why. Only ever shorter. */
export const SCENARIOS_WITHOUT_CURE: Readonly<Record<string, string>> = {
  'scheduling/no-nodes': 'no step adds a machine to the cluster',
};
