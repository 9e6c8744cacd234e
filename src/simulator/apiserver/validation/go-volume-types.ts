const iscsi = (secret: string): string =>
  `TargetPortal s, IQN s, Lun i, ISCSIInterface s, FSType s, ReadOnly b, Portals p, DiscoveryCHAPAuth b, SessionCHAPAuth b, SecretRef *${secret}, InitiatorName p`;
const rbd = (secret: string): string =>
  `CephMonitors p, RBDImage s, FSType s, RBDPool s, RadosUser s, Keyring s, SecretRef *${secret}, ReadOnly b`;
const flex = (secret: string): string => `Driver s, FSType s, SecretRef *${secret}, ReadOnly b, Options p`;
const cinder = (secret: string): string => `VolumeID s, FSType s, ReadOnly b, SecretRef *${secret}`;
const cephfs = (secret: string): string => `Monitors p, Path s, User s, SecretFile s, SecretRef *${secret}, ReadOnly b`;
const scale = (secret: string): string =>
  `Gateway s, System s, SecretRef *${secret}, SSLEnabled b, ProtectionDomain s, StoragePool s, StorageMode s, VolumeName s, FSType s, ReadOnly b`;
const storageOs = (secret: string): string => `VolumeName s, VolumeNamespace s, FSType s, ReadOnly b, SecretRef *${secret}`;
const GLUSTERFS = 'EndpointsName s, Path s, ReadOnly b';
const AZURE_FILE = 'SecretName s, ShareName s, ReadOnly b';
const DISK = 'FSType s, Partition i, ReadOnly b';

const PERSISTENT =
  'GCEPersistentDisk *GcePD, AWSElasticBlockStore *AwsEbs, HostPath *HostPath, Glusterfs *GlusterfsPV, NFS *NFSVolume, RBD *RbdPV, Quobyte *Quobyte, ISCSI *IscsiPV, FlexVolume *FlexPV, Cinder *CinderPV, CephFS *CephFsPV, FC *Fc, Flocker *Flocker, AzureFile *AzureFilePV, VsphereVolume *Vsphere, AzureDisk *AzureDisk, PhotonPersistentDisk *Photon, PortworxVolume *Portworx, ScaleIO *ScaleIoPV, Local *LocalVolume, StorageOS *StorageOsPV, CSI *CSIPersistentVolume';

/** The internal types of volumes, as `go-types.ts` has them. Source: pkg/apis/core/types.go (VolumeSource, PersistentVolumeSource). */
export const VOLUME_TYPES: Readonly<Record<string, string>> = {
  Volume:
    'Name s, HostPath *HostPath, EmptyDir *EmptyDir, GCEPersistentDisk *GcePD, AWSElasticBlockStore *AwsEbs, GitRepo *GitRepo, Secret *SecretVolume, NFS *NFSVolume, ISCSI *Iscsi, Glusterfs *Glusterfs, PersistentVolumeClaim *ClaimVolume, RBD *Rbd, Quobyte *Quobyte, FlexVolume *Flex, Cinder *Cinder, CephFS *CephFs, Flocker *Flocker, DownwardAPI *DownwardVolume, FC *Fc, AzureFile *AzureFile, ConfigMap *ConfigMapVolume, VsphereVolume *Vsphere, AzureDisk *AzureDisk, PhotonPersistentDisk *Photon, Projected *ProjectedVolume, PortworxVolume *Portworx, ScaleIO *ScaleIo, StorageOS *StorageOs, CSI *CSIVolume, Ephemeral *EphemeralVolume, Image *ImageVolume',
  PersistentVolumeSource: PERSISTENT,
  PersistentVolumeSpec: `Capacity p, ${PERSISTENT}, AccessModes p, ClaimRef *ObjectReference, PersistentVolumeReclaimPolicy s, StorageClassName s, MountOptions p, VolumeMode p, NodeAffinity *VolumeNodeAffinity, VolumeAttributesClassName p`,
  GcePD: `PDName s, ${DISK}`,
  AwsEbs: `VolumeID s, ${DISK}`,
  GitRepo: 'Repository s, Revision s, Directory s',
  Glusterfs: GLUSTERFS,
  GlusterfsPV: `${GLUSTERFS}, EndpointsNamespace p`,
  Quobyte: 'Registry s, Volume s, ReadOnly b, User s, Group s, Tenant s',
  Fc: 'TargetWWNs p, Lun p, FSType s, ReadOnly b, WWIDs p',
  Flocker: 'DatasetName s, DatasetUUID s',
  Vsphere: 'VolumePath s, FSType s, StoragePolicyName s, StoragePolicyID s',
  AzureDisk: 'DiskName s, DataDiskURI s, CachingMode p, FSType p, ReadOnly p, Kind p',
  AzureFile: AZURE_FILE,
  AzureFilePV: `${AZURE_FILE}, SecretNamespace p`,
  Photon: 'PdID s, FSType s',
  Portworx: 'VolumeID s, FSType s, ReadOnly b',
  Iscsi: iscsi('LocalObjectReference'),
  IscsiPV: iscsi('SecretReference'),
  Rbd: rbd('LocalObjectReference'),
  RbdPV: rbd('SecretReference'),
  Flex: flex('LocalObjectReference'),
  FlexPV: flex('SecretReference'),
  Cinder: cinder('LocalObjectReference'),
  CinderPV: cinder('SecretReference'),
  CephFs: cephfs('LocalObjectReference'),
  CephFsPV: cephfs('SecretReference'),
  ScaleIo: scale('LocalObjectReference'),
  ScaleIoPV: scale('SecretReference'),
  StorageOs: storageOs('LocalObjectReference'),
  StorageOsPV: storageOs('ObjectReference'),
};
