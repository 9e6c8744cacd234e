import { describe, expect, it } from 'vitest';
import { classifyMount } from '../../src/collect/mount-failure-classes.ts';

describe('what a failed mount says', () => {
  it.each([
    ['reference', 'MountVolume.SetUp failed for volume "conf" : configmap "app-config" not found', { volume: 'conf' }],
    ['transient', 'MountVolume.SetUp failed for volume "conf" : failed to sync configmap cache: timed out waiting for the condition', { volume: 'conf' }],
    ['path-missing', 'MountVolume.NewMounter initialization failed for volume "disk-1" : path "/mnt/ssd1" does not exist', { subject: '/mnt/ssd1' }],
    ['csi-driver-missing', 'MountVolume.MountDevice failed for volume "disk-1" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ebs.csi.aws.com not found in the list of registered CSI drivers', { subject: 'ebs.csi.aws.com' }],
    ['csi-driver-missing', 'AttachVolume.Attach failed for volume "disk-1" : CSINode worker-1 does not contain driver ebs.csi.aws.com', { subject: 'ebs.csi.aws.com' }],
    ['nfs', 'MountVolume.SetUp failed for volume "share" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs 10.0.0.5:/export /var/lib/x\nOutput: mount.nfs: access denied by server while mounting 10.0.0.5:/export', { subject: '10.0.0.5:/export', detail: 'mount.nfs: access denied by server while mounting 10.0.0.5:/export' }],
    ['in-use', 'Multi-Attach error for volume "disk-1" Volume is already exclusively attached to one node and can\'t be attached to another', {}],
    ['claim', 'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: error processing PVC shop/data: PVC is not bound', { volume: 'data', subject: 'data' }],
    ['csi', 'MountVolume.SetUp failed for volume "data" : rpc error: code = DeadlineExceeded desc = context deadline exceeded', { subject: 'DeadlineExceeded' }],
  ])('is %s for %j', (name, message, fields) => {
    expect(classifyMount(message)).toMatchObject({ class: name, ...fields });
  });
});
