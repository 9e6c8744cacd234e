import type { FactKindSpec } from './spec.ts';
import { flag, number, text } from './spec.ts';

/** Facts about scheduling, nodes and their services, claims, sandbox and network. */
export const PLACEMENT_FACTS = {
  node: {
    says: 'A node as its object shows it, or the absence of one that a pod or a command names.',
    fields: {
      exists: flag('the Node object exists'),
      ready: text('condition Ready: True, False or Unknown'),
      reason: text('reason of condition Ready (KubeletReady, KubeletNotReady, NodeStatusUnknown, …)'),
      message: text('message of condition Ready'),
      sinceSeconds: number('seconds since condition Ready became so'),
      schedulable: flag('spec.unschedulable is not set'),
      memoryPressure: flag('condition MemoryPressure is True'),
      diskPressure: flag('condition DiskPressure is True'),
      pidPressure: flag('condition PIDPressure is True'),
      networkUnavailable: flag('condition NetworkUnavailable is True'),
      taints: text('its taints as kubectl describes them, joined by commas'),
      kubelet: text('version of the kubelet'),
      runtime: text('container runtime and its version'),
      evidence: text('for a node that does not exist: deleted (it was there before) or named (nothing shows that it ever was)'),
    },
  },
  'node-use': {
    says: 'A pod that needs a node that is not well: it is bound there, or a taint that stands for the trouble keeps it off.',
    fields: {
      node: text('name of the node'),
      how: text('bound (the pod runs or should run there), kept-off (its taint does not let the pod in) or named (spec.nodeName of a manifest or template)'),
      started: flag('the kubelet of the node has begun with the pod'),
      ready: flag('the pod is ready'),
    },
  },
  'node-trouble': {
    says: 'What is wrong with a node: from its conditions, or from what its kubelet did to pods.',
    fields: {
      node: text('name of the node'),
      trouble: text(
        'kubelet-silent, runtime-down, runtime-slow, shutting-down, not-ready, disk-pressure, memory-pressure, pid-pressure, network-unavailable, cni-config, cni-binary, cni-agent, cni-failed, ip-exhausted, sandbox-image, runtime-handler, sandbox-timeout or sandbox-other',
      ),
      via: text('condition, sandbox (a pod there got no sandbox), eviction (a pod was evicted there) or event (its pods were marked)'),
      message: text('what the kubelet or the node controller said'),
      detail: text('the plugin, handler, image, socket or address range it names'),
      pod: text('the pod it happened to'),
    },
  },
  'node-service': {
    says: 'What systemd of a node said of one of its services.',
    fields: {
      service: text('its name without .service: kubelet, containerd, crio, docker, kube-proxy, kube-scheduler, …'),
      active: text('as systemd has it: active, inactive, failed, activating, …'),
      sub: text('running, dead, exited, auto-restart, …'),
      running: flag('active and running'),
      sinceSeconds: number('seconds since it became so'),
      log: text('its journal lines that tell of trouble, newest last; all its last lines when it does not run'),
    },
  },
  'kubelet-credentials': {
    says: 'A kubelet that runs and is not believed by the API server: from its journal, from what it answers, or from a certificate request that waits.',
    fields: {
      node: text('name of the node'),
      via: text('journal, answer (it cannot ask the API server who may read a log) or request (nobody has approved its request for a certificate)'),
      message: text('the words that tell it'),
    },
  },
  'control-plane': {
    says: 'Whether a component of the control plane works: from its lease, its static pod or the status of its service.',
    fields: {
      component: text('kube-scheduler, kube-controller-manager, …'),
      running: flag('it works'),
      via: text('lease, pod or service'),
      node: text('the node it runs on, if known'),
      sinceSeconds: number('seconds since it was last heard of'),
    },
  },
  unscheduled: {
    says: 'A pod that has no node yet, and what its scheduler did about it.',
    fields: {
      scheduler: text('spec.schedulerName; default-scheduler where no source shows it'),
      custom: flag('it is known to ask for another scheduler than default-scheduler'),
      tried: flag('the scheduler has looked at it: there is a PodScheduled condition or a FailedScheduling event'),
      ageSeconds: number('seconds since creation'),
      gates: text('scheduling gates that are left, joined by commas'),
      said: text("the scheduler's message: why no node was found"),
      displaced: flag('a pod of the same workload was preempted: something more important took its place'),
    },
  },
  'missing-scheduler': {
    says: 'A scheduler that does not work: its service is stopped on its node, a pod names one nobody has heard of, or pods wait without a word of it.',
    fields: {
      scheduler: text('its name as spec.schedulerName has it'),
      via: text('service, name or silence (about the pod that has waited longest)'),
      node: text('the node of the service'),
      ageSeconds: number('seconds the pod has waited for it'),
    },
  },
  'node-fit': {
    says: 'Whether one node would take an unscheduled pod, by the filter plugins of the scheduler computed from the objects.',
    fields: {
      node: text('name of the node'),
      fits: flag('no plugin refuses; absent when a plugin could not be computed'),
      plugin: text('the first plugin that refuses, in the order of the scheduler'),
      plugins: text('all plugins that refuse, joined by commas'),
      reason: text("the first plugin's reason as the scheduler words it"),
      detail: text('why, with the values'),
    },
  },
  'fit-summary': {
    says: 'The one thing that keeps an unscheduled pod from all nodes, computed from the nodes or read from the words of its scheduler.',
    fields: {
      blocker: text('unschedulable, taint, node-selector, node-affinity, node-name, host-port, resource, pod-count, volume-node, volume-limit, volume-in-use, no-volume, claim, spread, pod-affinity, pod-anti-affinity, existing-anti-affinity, no-nodes or other'),
      nodes: number('nodes there are'),
      blocked: number('nodes this blocker keeps the pod from'),
      node: text('one of them: the one that is nearest to fitting'),
      resource: text('the resource that is short: cpu, memory, nvidia.com/gpu, …'),
      requested: text('how much of it the pod asks for'),
      free: text('the most that is free on one of these nodes'),
      largest: text('the most that one of these nodes has in all'),
      extended: flag('the resource is neither cpu, memory nor storage: a device plugin must offer it'),
      taint: text('the taint as kubectl describes it'),
      taintKey: text('its key'),
      condition: flag('the taint stands for a condition of the node (node.kubernetes.io/…)'),
      wanted: text('the label, term, port or constraint that the pod asks for'),
      similar: text('what comes nearest to it: a label with another value, …'),
      claim: text('the claim whose volume does not fit'),
      volume: text('the volume of that claim'),
      holder: text('the pod that holds the port or the claim: `namespace/name`'),
      detail: text('why, with the values, node by node'),
      displaced: flag('a pod of the same workload was preempted: something more important took its place'),
      said: text("the scheduler's own words"),
      from: text('nodes (computed) or scheduler (its words alone)'),
    },
  },
  claim: {
    says: 'A claim that pods use or will use and that has no volume, or lost it, and what stands in the way.',
    fields: {
      claim: text('its name'),
      exists: flag('the claim exists; absent when that could not be told'),
      phase: text('status.phase'),
      obstacle: text('not-found, lost, class-not-found, provisioner, provisioning-failed, no-volume, capacity, access-mode, selector, class, volume-mode, reserved, node-affinity, named-volume, waiting, deleting or unknown'),
      class: text('name of the storage class it asks for; empty for none'),
      provisioner: text('provisioner of that class'),
      requested: text('storage it asks for'),
      volume: text('the volume that would do but for the obstacle, or that it names'),
      has: text('what that volume has'),
      wants: text('what the claim asks for instead'),
      volumes: number('volumes there are in the cluster'),
      holder: text('the claim that volume is bound to or reserved for: `namespace/name`'),
      similar: text('the nearest existing name'),
      message: text('what the volume controller or the provisioner said last'),
      ageSeconds: number('seconds since its creation'),
    },
  },
  'claim-use': {
    says: 'A pod, or a workload whose pods do not exist, that uses a claim.',
    fields: {
      claim: text('name of the claim'),
      volume: text('name of the volume in the pod'),
      scheduled: flag('the pod has a node'),
    },
  },
  'claim-volume': {
    says: 'A volume of the cluster as a candidate for a claim that waits for one.',
    fields: {
      claim: text('name of the claim'),
      claimNamespace: text('its namespace'),
      obstacles: text('why it cannot be bound, joined by commas: capacity, access-mode, selector, class, volume-mode, reserved, node-affinity; empty when it can'),
      nearest: flag('it is the candidate with the fewest obstacles'),
    },
  },
  'runtime-class': {
    says: 'The runtime class that a pod asks for.',
    fields: {
      class: text('its name'),
      handler: text('the handler it names in the configuration of the container runtime'),
      exists: flag('the RuntimeClass exists; absent when that could not be told'),
    },
  },
} as const satisfies Record<string, FactKindSpec>;
