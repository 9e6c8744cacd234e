/**
 * How long things take, in milliseconds, where the cluster's configuration does not say. Measured on a real cluster of version
 * 1.36 with all components on one machine; jitter of a quarter is added to each.
 */
export const TIMING = {
  /** From a component's call until the API server has carried it out. */
  requestMilliseconds: 1.6,
  /**
   * What a list from the store adds to it: the first pod or claim of a namespace without limits takes so much longer than anything else
   * that is made.
   */
  limitLookupMilliseconds: 4,
  /**
   * From then until the component has the answer. Not sooner than its own watch tells of the change: a controller that looks again
   * at once finds in its cache what it has just written.
   */
  responseMilliseconds: 1.2,
  /** From a change in the store until a watch has delivered it. */
  watchMilliseconds: 0.8,
  /** From the scheduler taking a pod off its queue until it has chosen a node. */
  schedulingCycleMilliseconds: 0.4,
  /** Volumes of a pod that need no attaching: set up by the reconciler (100 ms loop) and seen by the pod's worker. */
  mountVolumesMilliseconds: 300,
  /** RunPodSandbox with a local CNI plugin. */
  createSandboxMilliseconds: 80,
  /** StopPodSandbox: the pause container is killed and the network taken down. */
  stopSandboxMilliseconds: 65,
  createContainerMilliseconds: 15,
  startContainerMilliseconds: 50,
  /** From a container's start until the kubelet's status reaches the API server. */
  statusMilliseconds: 5,
} as const;
