/**
 * Events about attaching volumes. Source: pkg/volume/util/operationexecutor/operation_generator.go,
 * pkg/controller/volume/attachdetach/reconciler/reconciler.go, pkg/volume/csi/csi_attacher.go.
 */
export const ATTACH_WORDS = {
  attached: (volume: string) =>
    ({ type: 'Normal', reason: 'SuccessfulAttachVolume', message: `AttachVolume.Attach succeeded for volume "${volume}" ` }) as const,
  failed: (volume: string, error: string) =>
    ({ type: 'Warning', reason: 'FailedAttachVolume', message: `AttachVolume.Attach failed for volume "${volume}" : ${error}` }) as const,
  multiAttach: (volume: string, why: string) =>
    ({ type: 'Warning', reason: 'FailedAttachVolume', message: `Multi-Attach error for volume "${volume}" ${why}` }) as const,
} as const;

export const EXCLUSIVELY_ATTACHED = "Volume is already exclusively attached to one node and can't be attached to another";

/** Pods of other namespaces are counted, not named. */
export function usedByPods(names: readonly string[], elsewhere: number): string {
  if (names.length === 0) return `Volume is already used by ${elsewhere} pod(s) in different namespaces`;
  const others = elsewhere === 0 ? '' : ` and ${elsewhere} pod(s) in different namespaces`;
  return `Volume is already used by pod(s) ${names.join(', ')}${others}`;
}

export function noAttacher(driver: string, handle: string): string {
  return `timed out waiting for external-attacher of ${driver} CSI driver to attach volume ${handle}`;
}
