import type { ComponentDefinition } from '../component.ts';
import { DEPLOYMENT_CONTROLLER } from './deployment/deployment.ts';
import { ENDPOINT_SLICE_CONTROLLER } from './endpoints/endpoint-slices.ts';
import { ENDPOINTS_CONTROLLER } from './endpoints/endpoints.ts';
import { GARBAGE_COLLECTOR } from './garbage-collector.ts';
import { NAMESPACE_CONTROLLER } from './namespace.ts';
import { ROOT_CA_PUBLISHER, SERVICE_ACCOUNT_CONTROLLER } from './namespaced-objects.ts';
import { REPLICASET_CONTROLLER } from './replicaset/replicaset.ts';

/** All that runs in kube-controller-manager, and what provisions and measures beside it. */
export const CONTROLLERS: readonly ComponentDefinition[] = [
  SERVICE_ACCOUNT_CONTROLLER,
  ROOT_CA_PUBLISHER,
  NAMESPACE_CONTROLLER,
  DEPLOYMENT_CONTROLLER,
  REPLICASET_CONTROLLER,
  ENDPOINT_SLICE_CONTROLLER,
  ENDPOINTS_CONTROLLER,
  GARBAGE_COLLECTOR,
];
