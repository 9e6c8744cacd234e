/**
 * Words of the volume controllers. Source: pkg/controller/volume/persistentvolume/pv_controller.go, pkg/controller/volume/events/event.go.
 */
export const VOLUME_WORDS = {
  noClass: {
    type: 'Normal',
    reason: 'FailedBinding',
    message: 'no persistent volumes available for this claim and no storage class is set',
  },
  waitForConsumer: { type: 'Normal', reason: 'WaitForFirstConsumer', message: 'waiting for first consumer to be created before binding' },
  waitForPods: (pods: readonly string[]) =>
    ({
      type: 'Normal',
      reason: 'WaitForPodScheduled',
      message: `waiting for ${pods.length === 1 ? 'pod' : 'pods'} ${pods.join(',')} to be scheduled`,
    }) as const,
  noSuchClass: (name: string) =>
    ({ type: 'Warning', reason: 'ProvisioningFailed', message: `storageclass.storage.k8s.io "${name}" not found` }) as const,
  external: (provisioner: string) =>
    ({
      type: 'Normal',
      reason: 'ExternalProvisioning',
      message: `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`,
    }) as const,
  taken: (volume: string) =>
    ({ type: 'Warning', reason: 'FailedBinding', message: `volume "${volume}" already bound to a different claim.` }) as const,
  mismatch: (volume: string, why: string) =>
    ({ type: 'Warning', reason: 'VolumeMismatch', message: `Cannot bind to requested volume "${volume}": ${why}` }) as const,
  lost: { type: 'Warning', reason: 'ClaimLost', message: 'Bound claim has lost its PersistentVolume. Data on the volume is lost!' },
  lostReference: {
    type: 'Warning',
    reason: 'ClaimLost',
    message: 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
  },
  misbound: { type: 'Warning', reason: 'ClaimMisbound', message: 'Two claims are bound to the same volume, this one is bound incorrectly' },
  ephemeral: (volume: string, trouble: string) =>
    ({ type: 'Warning', reason: 'FailedBinding', message: `ephemeral volume ${volume}: ${trouble}` }) as const,
  externalExpanding: { type: 'Normal', reason: 'ExternalExpanding', message: 'waiting for an external controller to expand this PVC' },
  resizing: (volume: string) => ({ type: 'Normal', reason: 'Resizing', message: `External resizer is resizing volume ${volume}` }) as const,
  fileSystemRequired: { type: 'Normal', reason: 'FileSystemResizeRequired', message: 'Require file system resize of volume on node' },
  provisioning: (claim: string) =>
    ({ type: 'Normal', reason: 'Provisioning', message: `External provisioner is provisioning volume for claim "${claim}"` }) as const,
  notProvisioned: (storageClass: string, why: string) =>
    ({
      type: 'Warning',
      reason: 'ProvisioningFailed',
      message: `failed to provision volume with StorageClass "${storageClass}": ${why}`,
    }) as const,
  provisioned: (volume: string) =>
    ({ type: 'Normal', reason: 'ProvisioningSucceeded', message: `Successfully provisioned volume ${volume}` }) as const,
} as const;
