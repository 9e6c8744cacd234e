import type { FactKindSpec } from './spec.ts';
import { flag, number, text, word } from './spec.ts';

/** Facts about what the request path showed: client answers, manifests, admission, quota, controllers. */
export const REQUEST_FACTS = {
  answer: {
    says: 'A command that failed before the API server judged an object: no connection, no identity, no readable manifest. About the object it was for, or the Cluster.',
    fields: {
      reason: word('why the command failed', ['kubeconfig-not-found', 'kubeconfig-not-parsable', 'context-not-found', 'credential-file-not-found', 'credential-program-failed', 'server-certificate-expired', 'server-certificate-name-mismatch', 'server-certificate-untrusted', 'server-unreachable', 'unauthorized', 'manifest-not-found', 'manifest-not-parsable', 'manifest-without-kind', 'manifest-without-name', 'namespace-mismatch', 'kind-not-served']),
      command: text('the command line'),
      verb: text("kubectl's verb"),
      file: text('the manifest named'),
      subject: text('what the words name: an address, a path, a context, a program'),
      detail: text('the rest of the words'),
      credential: word('what the command identified itself with', ['token', 'client-certificate', 'kubeconfig']),
      workedBefore: flag('an earlier command with the same identity was answered'),
      recovered: flag('a later command with the same identity was answered'),
      line: number('line of the manifest'),
      kubeKind: text('the kind the words name'),
      apiVersion: text('the apiVersion the words name'),
    },
  },
  refusal: {
    says: 'A request that the API server rejected or will reject. It is about the rejected object, or the workload of the rejected pods.',
    fields: {
      reason: word('why it was rejected', ['already-exists', 'conflict', 'disruption-budget', 'etcd-down', 'forbidden', 'immutable-field', 'invalid-value', 'limit-range-violated', 'mutating-policy-failed', 'name-being-deleted', 'name-missing', 'namespace-not-found', 'namespace-terminating', 'object-too-large', 'other', 'pod-security-violated', 'policy-denied', 'policy-error', 'priority-class-not-found', 'privilege-escalation', 'quota-exceeded', 'quota-requires-resources', 'required-field', 'role-not-found', 'runtime-class-not-found', 'selector-mismatch', 'service-account-not-found', 'unknown-field', 'webhook-bad-patch', 'webhook-certificate-expired', 'webhook-certificate-name-mismatch', 'webhook-certificate-untrusted', 'webhook-denied', 'webhook-error-response', 'webhook-no-endpoints', 'webhook-service-not-found', 'webhook-timeout', 'webhook-unreachable', 'wrong-type']),
      via: word('a command failed, a controller failed (event or condition), or the specs cannot agree', ['answer', 'event', 'condition', 'derived']),
      blame: text('`Kind/name` of the object at fault; of the refused object itself when none other is known'),
      by: text('name of the quota, webhook, policy, class, account or user the words name'),
      field: text('path of the field that is wrong'),
      parent: text('path in which a field is missing'),
      value: text('the value that is wrong'),
      wanted: text('what the words say would be right'),
      detail: text('the rest of the words'),
      message: text('all of the words'),
      resource: text('the resource that was asked for, or is short'),
      verb: text('what was to be done with it: get, create, …'),
      user: text('who asked'),
      where: text('the namespace that was asked for, or "the cluster"'),
      service: text('the Service, or the address, that a webhook is called at'),
      config: text('`Kind/name` of the webhook configuration, when it was found'),
      webhookType: word('which kind of webhook rejected it', ['mutating', 'validating', 'unknown']),
      eitherType: text('"mutating or validating", when reading the configurations that would tell was refused or failed'),
      kubeKind: text('the kind in the message, else the kind of the object'),
      file: text('the manifest that was refused'),
      blocking: flag('something should have been made or changed; not only read'),
      exists: flag('the object that was refused is there all the same'),
      similar: text('an existing name near the one that is missing'),
    },
  },
  manifest: {
    says: 'A document of a manifest as a person gave it to apply, about the object it declares.',
    fields: {
      file: text('the file'),
      exists: flag('the object is there; absent when that could not be told'),
      proof: text('how it is known that it is not there'),
    },
  },
  quota: {
    says: 'One resource of a ResourceQuota: how much of it is used, and whether something that should be made does not fit.',
    fields: {
      quota: text('its name'),
      resource: text('cpu, memory, storage, pods, services, configmaps, …'),
      constraint: text('the resource as the quota has it: requests.cpu, count/configmaps, …'),
      hard: text('the most that may be used'),
      used: text('what is used'),
      requested: text('what the rejected object requests'),
      needed: text('what the quota must allow for all that is missing'),
      exceeded: flag('used and requested together are more than the most'),
      refused: text('`Kind/name` of what does not fit'),
      refusedName: text('its name'),
    },
  },
  webhook: {
    says: 'One webhook of a configuration, about that configuration.',
    fields: {
      webhook: text('its name'),
      type: word('which kind of webhook it is', ['mutating', 'validating']),
      failurePolicy: text('failurePolicy', ['Fail', 'Ignore']),
      service: text('`namespace/name` of the Service it is called at'),
      url: text('the address it is called at'),
      serviceExists: flag('that Service exists'),
      forPods: flag('its rules are for the creation of pods'),
    },
  },
  idle: {
    says: 'A workload that makes no pods because its own spec says so.',
    fields: {
      why: word('what its spec says; no-node: the nodes that a DaemonSet would run on do not exist', ['replicas', 'paused', 'suspended', 'no-node', 'managed-by']),
      manager: text('the controller that spec.managedBy of a Job names'),
      suspicion: text('why it is likely that pods are wanted all the same; absent when nothing says so'),
      wanted: number('pods that something else says there should be; 1 where nothing says how many'),
      service: text('a Service that selects its pods and has no others'),
    },
  },
  unobserved: {
    says: 'A controller has not done what it does within a second for everything else.',
    fields: {
      what: text('what is missing'),
      component: text('who should have done it'),
      ageSeconds: number('how long it has been due'),
    },
  },
  lease: {
    says: 'The Lease a component of the control plane holds while it works.',
    fields: {
      component: text('kube-controller-manager or kube-scheduler'),
      holder: text('who holds it'),
      renewedSeconds: number('seconds since it was renewed'),
      stale: flag('it has expired'),
    },
  },
  schedule: {
    says: 'A CronJob: what it has started and what it should have.',
    fields: {
      policy: text('concurrencyPolicy', ['Allow', 'Forbid', 'Replace']),
      suspended: flag('spec.suspend'),
      active: number('jobs that still run'),
      job: text('the oldest of them'),
      runningSeconds: number('seconds it has run'),
      missed: number('starts that were due since the last one; absent when the schedule could not be read'),
      suspicion: text('why it is likely that it should run, if suspended'),
    },
  },
  autoscaler: {
    says: 'A HorizontalPodAutoscaler.',
    fields: {
      target: text('`Kind/name` of what it scales'),
      active: flag('condition ScalingActive'),
      reason: text('its reason'),
      message: text('its message'),
      metrics: text('the metrics it is to use'),
      unrequested: text('containers of its target that request none of the resource it watches'),
    },
  },
  budget: {
    says: 'A PodDisruptionBudget.',
    fields: {
      allowed: number('disruptions that it allows now'),
      healthy: number('pods that are well'),
      needed: number('pods that must be well'),
      expected: number('pods it counts'),
      rule: text('minAvailable or maxUnavailable as the spec has it'),
      covers: text('`Kind/name` of a workload whose pods it selects'),
    },
  },
  deletion: {
    says: 'An object that is being deleted and waits for its finalizers.',
    fields: {
      finalizers: text('those that are left'),
      sinceSeconds: number('how long it has been waiting'),
      holds: text('a namespace that cannot go before it does'),
      stuck: flag('it has waited longer than this finalizer normally takes'),
    },
  },
  orphan: {
    says: 'A ReplicaSet left by a deleted Deployment of the same name. Or a Deployment that was applied while the old one of the same name was being deleted.',
    fields: {
      replicaSet: text('its name'),
      pods: number('pods it still runs'),
      why: text('why the Deployment does not take it over'),
    },
  },
  injected: {
    says: 'A part of a pod that its template does not have: it was injected.',
    fields: {
      part: text('the container, or the field that is wrong'),
      container: text('the name of the container, if it is one'),
      trouble: text('what is wrong with it; absent while it works'),
      blame: text('`Kind/name` of the webhook configuration that changes pods here; of the object itself when none is known'),
    },
  },
} as const satisfies Record<string, FactKindSpec>;
