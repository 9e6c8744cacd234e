import type { ComponentDefinition } from '../components/component.ts';
import { METRICS_SERVER } from '../metrics/metrics-server.ts';
import { ATTACH_DETACH_CONTROLLER } from './attach-detach/attach-detach.ts';
import { CSI_ATTACHER } from './attach-detach/attacher.ts';
import { HORIZONTAL_POD_AUTOSCALER } from './autoscaling/horizontal.ts';
import { CERTIFICATE_CONTROLLER } from './certificates/certificate-controller.ts';
import { CLUSTER_ROLE_AGGREGATION_CONTROLLER } from './cluster-role-aggregation.ts';
import { CRONJOB_CONTROLLER } from './cronjob/cronjob.ts';
import { DAEMONSET_CONTROLLER } from './daemonset/daemonset.ts';
import { DEPLOYMENT_CONTROLLER } from './deployment/deployment.ts';
import { DEVICE_TAINT_EVICTION_CONTROLLER } from './device-taint-eviction.ts';
import { DISRUPTION_CONTROLLER } from './disruption/disruption.ts';
import { ENDPOINT_SLICE_CONTROLLER } from './endpoints/endpoint-slices.ts';
import { ENDPOINTS_CONTROLLER } from './endpoints/endpoints.ts';
import { ENDPOINT_SLICE_MIRRORING_CONTROLLER } from './endpoints/mirroring.ts';
import { GARBAGE_COLLECTOR } from './garbage-collector.ts';
import { JOB_CONTROLLER } from './job/job.ts';
import { NAMESPACE_CONTROLLER } from './namespace.ts';
import { ROOT_CA_PUBLISHER, SERVICE_ACCOUNT_CONTROLLER } from './namespaced-objects.ts';
import { NODE_LIFECYCLE_CONTROLLER } from './node/node-lifecycle.ts';
import { POD_GARBAGE_COLLECTOR } from './node/pod-garbage.ts';
import { TAINT_EVICTION_CONTROLLER } from './node/taint-eviction.ts';
import { QUOTA_CONTROLLER } from './quota.ts';
import { REPLICASET_CONTROLLER, REPLICATION_CONTROLLER } from './replicaset/replicaset.ts';
import { RESOURCE_CLAIM_CONTROLLER } from './resource-claim.ts';
import { STATEFULSET_CONTROLLER } from './statefulset/statefulset.ts';
import { TTL_AFTER_FINISHED_CONTROLLER } from './ttl-after-finished.ts';
import { EPHEMERAL_VOLUME_CONTROLLER } from './volume/ephemeral-volumes.ts';
import { CSI_RESIZER, EXPAND_CONTROLLER } from './volume/expansion.ts';
import { CSI_PROVISIONER } from './volume/provisioner.ts';
import { ATTRIBUTES_CLASS_PROTECTION_CONTROLLER, PV_PROTECTION_CONTROLLER, PVC_PROTECTION_CONTROLLER } from './volume/protection.ts';
import { PV_BINDER } from './volume/pv-binder.ts';

/** All that runs in kube-controller-manager, and what provisions beside it. */
export const CONTROLLERS: readonly ComponentDefinition[] = [
  SERVICE_ACCOUNT_CONTROLLER,
  ROOT_CA_PUBLISHER,
  NAMESPACE_CONTROLLER,
  CLUSTER_ROLE_AGGREGATION_CONTROLLER,
  QUOTA_CONTROLLER,
  DEPLOYMENT_CONTROLLER,
  REPLICASET_CONTROLLER,
  REPLICATION_CONTROLLER,
  STATEFULSET_CONTROLLER,
  DAEMONSET_CONTROLLER,
  JOB_CONTROLLER,
  CRONJOB_CONTROLLER,
  TTL_AFTER_FINISHED_CONTROLLER,
  ENDPOINT_SLICE_CONTROLLER,
  ENDPOINTS_CONTROLLER,
  ENDPOINT_SLICE_MIRRORING_CONTROLLER,
  DISRUPTION_CONTROLLER,
  HORIZONTAL_POD_AUTOSCALER,
  NODE_LIFECYCLE_CONTROLLER,
  TAINT_EVICTION_CONTROLLER,
  POD_GARBAGE_COLLECTOR,
  PV_BINDER,
  EPHEMERAL_VOLUME_CONTROLLER,
  EXPAND_CONTROLLER,
  RESOURCE_CLAIM_CONTROLLER,
  DEVICE_TAINT_EVICTION_CONTROLLER,
  ATTACH_DETACH_CONTROLLER,
  PVC_PROTECTION_CONTROLLER,
  PV_PROTECTION_CONTROLLER,
  ATTRIBUTES_CLASS_PROTECTION_CONTROLLER,
  CERTIFICATE_CONTROLLER,
  GARBAGE_COLLECTOR,
  CSI_PROVISIONER,
  CSI_RESIZER,
  CSI_ATTACHER,
  METRICS_SERVER,
];
