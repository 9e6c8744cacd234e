import type { JsonObject } from '../../src/base/json.ts';
import {
  addressOf,
  digits,
  failureOf,
  hashOf,
  labelsOf,
  metadata,
  namespaceOf,
  nodeName,
  owner,
  podName,
  PODS_A_DEPLOYMENT,
  time,
  uid,
} from './large-cluster-names.ts';
import { templateSpec } from './large-cluster-pods.ts';

/** What every pod mounts: a controller makes it in each namespace. */
export function rootAuthority(namespace: number): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-root-ca.crt', namespace: namespaceOf(namespace) },
    data: { 'ca.crt': 'the certificate of the authority' },
  };
}

export function node(index: number): JsonObject {
  const condition = (type: string, status: string, reason: string): JsonObject => ({
    lastHeartbeatTime: time(14_390),
    lastTransitionTime: time(index % 900),
    message: `kubelet says ${reason}`,
    reason,
    status,
    type,
  });
  const capacity = { cpu: '16', 'ephemeral-storage': '104845292Ki', 'hugepages-2Mi': '0', memory: '64980084Ki', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      annotations: { 'node.alpha.kubernetes.io/ttl': '0', 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
      creationTimestamp: time(index % 900),
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': nodeName(index),
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'm6i.4xlarge',
        'topology.kubernetes.io/region': 'eu-central-1',
        'topology.kubernetes.io/zone': `eu-central-1${'abc'[index % 3] ?? 'a'}`,
      },
      name: nodeName(index),
      resourceVersion: String(500_000 + index),
      uid: uid(500_000 + index),
    },
    spec: { providerID: `aws:///eu-central-1a/i-${digits(index, 17)}` },
    status: {
      addresses: [
        { address: `10.1.${String(index >> 8)}.${String(index & 255)}`, type: 'InternalIP' },
        { address: nodeName(index), type: 'Hostname' },
      ],
      allocatable: { ...capacity, cpu: '15890m', memory: '61845876Ki' },
      capacity,
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
        condition('Ready', 'True', 'KubeletReady'),
      ],
      images: Array.from({ length: 20 }, (_, image) => ({
        names: [
          `registry.example/shop/web-${String(image)}@sha256:${digits(image, 64)}`,
          `registry.example/shop/web-${String(image)}:1.4.2`,
        ],
        sizeBytes: 61_000_000 + image,
      })),
      nodeInfo: {
        architecture: 'amd64',
        containerRuntimeVersion: 'containerd://2.1.4',
        kernelVersion: '6.8.0-1021-aws',
        kubeProxyVersion: 'v1.34.1',
        kubeletVersion: 'v1.34.1',
        machineID: digits(index, 32),
        operatingSystem: 'linux',
        osImage: 'Ubuntu 24.04.1 LTS',
      },
    },
  };
}

export function deployment(app: number): JsonObject {
  const ready = failureOf(app) === undefined ? PODS_A_DEPLOYMENT : 0;
  const condition = (type: string, status: string, reason: string): JsonObject => ({
    lastTransitionTime: time(app % 3000),
    lastUpdateTime: time(app % 3000),
    message: reason,
    reason,
    status,
    type,
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(app, `web-${String(app)}`, 2_000_000 + app),
    spec: {
      progressDeadlineSeconds: 600,
      replicas: PODS_A_DEPLOYMENT,
      revisionHistoryLimit: 10,
      selector: { matchLabels: { 'app.kubernetes.io/name': `web-${String(app)}` } },
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
      template: { metadata: { labels: labelsOf(app) }, spec: templateSpec(app) },
    },
    status: {
      ...(ready === 0 ? { unavailableReplicas: PODS_A_DEPLOYMENT } : { availableReplicas: ready, readyReplicas: ready }),
      conditions: [
        condition('Progressing', 'True', 'NewReplicaSetAvailable'),
        condition('Available', ready > 0 ? 'True' : 'False', ready > 0 ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable'),
      ],
      observedGeneration: 1,
      replicas: PODS_A_DEPLOYMENT,
      updatedReplicas: PODS_A_DEPLOYMENT,
    },
  };
}

export function replicaSet(app: number): JsonObject {
  const ready = failureOf(app) === undefined ? PODS_A_DEPLOYMENT : 0;
  const labels = { ...labelsOf(app), 'pod-template-hash': hashOf(app) };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: metadata(app, `web-${String(app)}-${hashOf(app)}`, 3_000_000 + app, {
      labels,
      ownerReferences: [owner('Deployment', `web-${String(app)}`, uid(2_000_000 + app))],
    }),
    spec: {
      replicas: PODS_A_DEPLOYMENT,
      selector: { matchLabels: { 'app.kubernetes.io/name': `web-${String(app)}`, 'pod-template-hash': hashOf(app) } },
      template: { metadata: { labels }, spec: templateSpec(app) },
    },
    status: {
      ...(ready === 0 ? {} : { availableReplicas: ready, readyReplicas: ready }),
      fullyLabeledReplicas: PODS_A_DEPLOYMENT,
      observedGeneration: 1,
      replicas: PODS_A_DEPLOYMENT,
    },
  };
}

export function service(app: number): JsonObject {
  const address = `172.20.${String(app >> 8)}.${String(app & 255)}`;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(app, `web-${String(app)}`, 4_000_000 + app),
    spec: {
      clusterIP: address,
      clusterIPs: [address],
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }],
      selector: { 'app.kubernetes.io/name': `web-${String(app)}` },
      sessionAffinity: 'None',
      type: 'ClusterIP',
    },
    status: { loadBalancer: {} },
  };
}

export function endpointSlice(app: number, nodes: number): JsonObject {
  const ready = failureOf(app) === undefined;
  const listed = failureOf(app)?.unscheduled === true ? 0 : PODS_A_DEPLOYMENT;
  return {
    addressType: 'IPv4',
    apiVersion: 'discovery.k8s.io/v1',
    endpoints: Array.from({ length: listed }, (_, index) => ({
      addresses: [addressOf(app * PODS_A_DEPLOYMENT + index)],
      conditions: { ready, serving: ready, terminating: false },
      nodeName: nodeName((app * PODS_A_DEPLOYMENT + index) % nodes),
      targetRef: {
        kind: 'Pod',
        name: podName(app, index),
        namespace: namespaceOf(app),
        uid: uid(10_000_000 + app * PODS_A_DEPLOYMENT + index),
      },
      zone: `eu-central-1${'abc'[index % 3] ?? 'a'}`,
    })),
    kind: 'EndpointSlice',
    metadata: metadata(app, `web-${String(app)}-${digits(app, 5)}`, 5_000_000 + app, {
      labels: {
        ...labelsOf(app),
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'kubernetes.io/service-name': `web-${String(app)}`,
      },
      ownerReferences: [{ ...owner('Service', `web-${String(app)}`, uid(4_000_000 + app)), apiVersion: 'v1' }],
    }),
    ports: listed === 0 ? null : [{ name: 'http', port: 8080, protocol: 'TCP' }],
  };
}
