/**
 * What the scheduler says, in Kubernetes 1.36's words.
 * Sources: pkg/scheduler/framework/plugins (one folder for each plugin), pkg/scheduler/schedule_one.go, pkg/scheduler/framework/types.go,
 * pkg/scheduler/framework/preemption/preemption.go.
 */
export const WORDS = {
  // nodeunschedulable/node_unschedulable.go
  unschedulable: 'node(s) were unschedulable',
  // nodename/node_name.go
  nodeName: "node(s) didn't match the requested node name",
  // tainttoleration/taint_toleration.go
  taints: 'node(s) had untolerated taint(s)',
  // nodeaffinity/node_affinity.go
  nodeAffinity: "node(s) didn't match Pod's node affinity/selector",
  nodeAffinityConflict: 'pod affinity terms conflict',
  // nodeports/node_ports.go
  ports: "node(s) didn't have free ports for the requested pod ports",
  // noderesources/fit.go
  tooManyPods: 'Too many pods',
  insufficient: (resource: string): string => `Insufficient ${resource}`,
  // volumerestrictions/volume_restrictions.go
  diskConflict: 'node(s) had no available disk',
  onlyOnePod: 'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
  // nodevolumelimits/utils.go
  volumeCount: 'node(s) exceed max volume count',
  // volumebinding/{binder,volume_binding}.go
  claimNotFound: (claim: string): string => `persistentvolumeclaim ${JSON.stringify(claim)} not found`,
  claimEphemeral: (claim: string): string =>
    `waiting for ephemeral volume controller to create the persistentvolumeclaim ${JSON.stringify(claim)}`,
  claimLost: (claim: string, volume: string): string =>
    `persistentvolumeclaim ${JSON.stringify(claim)} bound to non-existent persistentvolume ${JSON.stringify(volume)}`,
  claimDeleting: (claim: string): string => `persistentvolumeclaim ${JSON.stringify(claim)} is being deleted`,
  claimNotOwned: (claim: string, namespace: string, pod: string): string =>
    `PVC ${namespace}/${claim} was not created for pod ${namespace}/${pod} (pod is not owner)`,
  unboundImmediate: 'pod has unbound immediate PersistentVolumeClaims',
  volumeNodeAffinity: "node(s) didn't match PersistentVolume's node affinity",
  bindConflict: "node(s) didn't find available persistent volumes to bind",
  noSpace: 'node(s) did not have enough free storage',
  volumeGone: 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
  bindTimeout: 'binding volumes: context deadline exceeded',
  // volumezone/volume_zone.go
  volumeZone: 'node(s) had no available volume zone',
  claimWithoutClass: 'PersistentVolumeClaim had no pv name and storageClass name',
  // podtopologyspread/filtering.go
  spread: "node(s) didn't match pod topology spread constraints",
  spreadLabel: "node(s) didn't match pod topology spread constraints (missing required label)",
  // interpodaffinity/filtering.go
  podAffinity: "node(s) didn't match pod affinity rules",
  podAntiAffinity: "node(s) didn't match pod anti-affinity rules",
  existingAntiAffinity: "node(s) didn't satisfy existing pods anti-affinity rules",
  // framework/types.go, schedule_one.go
  excluded: (plugins: readonly string[]): string => `node(s) didn't satisfy plugin(s) [${plugins.join(' ')}]`,
  excludedByOne: (plugin: string): string => `node(s) didn't satisfy plugin ${plugin}`,
  excludedTogether: (plugins: readonly string[]): string => `node(s) didn't satisfy plugin(s) [${plugins.join(' ')}] simultaneously`,
  noNodes: 'no nodes available to schedule pods',
  skipDeleting: (pod: string): string => `skip schedule deleting pod: ${pod}`,
  assigned: (pod: string, node: string): string => `Successfully assigned ${pod} to ${node}`,
  running: (point: string, plugin: string, error: string): string => `running ${point} plugin ${JSON.stringify(plugin)}: ${error}`,
  // dynamicresources/dynamicresources.go
  deviceClaimNotFound: (claim: string): string => `could not find ResourceClaim ${JSON.stringify(claim)}`,
  deviceClaimDeleting: (claim: string): string => `resourceclaim ${JSON.stringify(claim)} is being deleted`,
  deviceClaimPending: (claim: string): string => `resource claim ${claim} is in the process of being allocated`,
  deviceClassMissing: (request: string, name: string): string => `request ${request}: device class ${name} does not exist`,
  deviceClaimElsewhere: 'resourceclaim not available on the node',
  cannotAllocate: 'cannot allocate all claims',
  deallocated: 'deallocation of ResourceClaim completed',
  claimsKeep: 'still not schedulable',
  bindingPending: (node: string): string => `waiting for binding conditions for device on node ${node}`,
  bindingFailed: (claim: string, reason: string, message: string): string =>
    `claim ${claim} binding failed: reason=${reason}, message=${JSON.stringify(message)}`,
  bindingLate: (claim: string): string => `claim ${claim} binding timeout`,
  allocatedMeanwhile: (claim: string): string => `claim ${claim} got allocated elsewhere in the meantime`,
  deletedMeanwhile: (claim: string): string => `claim ${claim} got deleted in the meantime`,
  writeFailed: (what: 'finalizer' | 'allocation and reservation' | 'reservation', claim: string, error: string): string =>
    `add ${what} to claim ${claim}: ${error}`,
  // staging/src/k8s.io/dynamic-resource-allocation/structured/internal/stable/allocator_stable.go
  invalidPools: 'invalid resource pools were encountered',
  allOfUnsound: (claim: string, request: string, pool: string, incomplete: boolean): string =>
    `claim ${claim}, request ${request}: asks for all devices, but resource pool ${pool} is currently ${incomplete ? 'being updated' : 'invalid'}`,
  tooManyDevices: (claim: string, devices: number, most: number): string =>
    `claim ${claim}: number of requested devices ${devices} exceeds the claim limit of ${most}`,
  selectorError: (of: string, index: number, device: string, error: string): string =>
    `${of}: selector #${index} on device ${device}: CEL runtime error: ${error}`,
  filterError: (plugin: string, error: string): string => `running ${JSON.stringify(plugin)} filter plugin: ${error}`,
  // dynamicresources/dynamicresources.go (PostFilter): without its PreFilter its state is "not found"
  noClaims: 'no new claims to deallocate',
  noState: 'not found',
  // framework/preemption/preemption.go, defaultpreemption/default_preemption.go
  notHelpful: 'Preemption is not helpful for scheduling',
  noVictims: 'No preemption victims found for incoming pod',
  never: 'not eligible due to preemptionPolicy=Never.',
  terminatingVictim: 'not eligible due to a terminating pod on the nominated node.',
  preempted: (uid: string, node: string): string => `Preempted by pod ${uid} on node ${node}`,
  preemptedCondition: (scheduler: string): string => `${scheduler}: preempting to accommodate a higher priority pod`,
} as const;
