import { deployment } from '../shop.ts';
import type { WrongObject } from './wrong-object-parts.ts';
import { LABELS, CONTAINER, TEMPLATE, SELECTOR, workload, job, cron } from './wrong-object-parts.ts';

export const WRONG_WORKLOADS: readonly WrongObject[] = [
  [
    'a selector for nothing',
    workload('Deployment', { selector: {} }),
    'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
  ],
  [
    'fewer than no replicas',
    workload('Deployment', { replicas: -1 }),
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a label of the template that is none',
    workload('Deployment', {}, { ...TEMPLATE, metadata: { labels: { ...LABELS, tier: 'not ok' } } }),
    `spec.template.labels: Invalid value: "not ok": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  ],
  [
    'a rolling update that recreates',
    workload('Deployment', { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ],
  [
    'a rollout that cannot move',
    workload('Deployment', { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } }),
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
  ],
  [
    'a strategy there is not',
    workload('Deployment', { strategy: { type: 'BlueGreen' } }),
    'spec.strategy: Unsupported value: {"Type":"BlueGreen","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
  ],
  [
    'a percentage that is none',
    workload('Deployment', { strategy: { rollingUpdate: { maxSurge: 'half' } } }),
    `spec.strategy.rollingUpdate.maxSurge: Invalid value: "half": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
  ],
  [
    'a deadline before it may be ready',
    workload('Deployment', { minReadySeconds: 60, progressDeadlineSeconds: 30 }),
    'spec.progressDeadlineSeconds: Invalid value: 30: must be greater than minReadySeconds',
  ],
  [
    'pods that end',
    workload('Deployment', {}, { ...TEMPLATE, spec: { containers: [CONTAINER], restartPolicy: 'Never' } }),
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ],
  [
    'pods with a deadline',
    workload('Deployment', {}, { ...TEMPLATE, spec: { containers: [CONTAINER], activeDeadlineSeconds: 5 } }),
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
  ],
  [
    'a StatefulSet managed as none is',
    workload('StatefulSet', { serviceName: 'web', podManagementPolicy: 'Random' }),
    `spec.podManagementPolicy: Invalid value: "Random": must be 'OrderedReady' or 'Parallel'`,
  ],
  [
    'a StatefulSet updated as none is',
    workload('StatefulSet', { serviceName: 'web', updateStrategy: { type: 'Recreate' } }),
    `spec.updateStrategy: Invalid value: {"Type":"Recreate","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`,
  ],
  [
    'a StatefulSet with a partition nobody asks for',
    workload('StatefulSet', { serviceName: 'web', updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }),
    `spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
  ],
  [
    'a StatefulSet counted from below zero',
    workload('StatefulSet', { serviceName: 'web', ordinals: { start: -1 } }),
    'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a StatefulSet whose pods have a deadline',
    workload('StatefulSet', { serviceName: 'web' }, { ...TEMPLATE, spec: { containers: [CONTAINER], activeDeadlineSeconds: 5 } }),
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
  ],
  [
    'a DaemonSet updated as none is',
    workload('DaemonSet', { updateStrategy: { type: 'Recreate' } }),
    'spec.updateStrategy: Unsupported value: {"Type":"Recreate","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
  ],
  [
    'a job whose pods go on',
    job({}, { restartPolicy: 'Always' }),
    'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  [
    'a job of no tries',
    job({ backoffLimit: -1, parallelism: -1 }),
    '[spec.parallelism: Invalid value: -1: must be greater than or equal to 0, spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0]',
  ],
  [
    'a job completed as none is',
    job({ completionMode: 'Sometimes' }),
    'spec.completionMode: Unsupported value: "Sometimes": supported values: "NonIndexed", "Indexed"',
  ],
  [
    'a rule of nothing',
    job({ podFailurePolicy: { rules: [{ action: 'Ignore' }] } }),
    'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
  ],
  [
    'a rule of both',
    job({
      podFailurePolicy: {
        rules: [
          {
            action: 'Ignore',
            onExitCodes: { operator: 'In', values: [1] },
            onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }],
          },
        ],
      },
    }),
    'spec.podFailurePolicy.rules[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported',
  ],
  [
    'codes out of order',
    job({ podFailurePolicy: { rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [3, 1] } }] } }),
    'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [3,1]: must be ordered',
  ],
  [
    'success of a job that does not count',
    job({ successPolicy: { rules: [{ succeededCount: 1 }] } }),
    'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode',
  ],
  [
    'success of more than there is',
    job({ completions: 2, completionMode: 'Indexed', successPolicy: { rules: [{ succeededCount: 3, succeededIndexes: '0-5' }] } }),
    '[spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-5": error parsing succeededIndexes: too large index: "5", spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of specified completions), spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 0 (the number of indexes in the specified succeededIndexes field)]',
  ],
  [
    'a schedule of four fields',
    cron({ schedule: '* * * *' }),
    'spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]',
  ],
  ['a schedule in no zone', cron({ timeZone: '' }), 'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string'],
  [
    'a schedule with a zone',
    cron({ schedule: 'TZ=UTC 0 0 * * *' }),
    'spec.schedule: Invalid value: "TZ=UTC 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
  ],
  [
    'a policy there is not',
    cron({ concurrencyPolicy: 'Queue' }),
    'spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"',
  ],
  [
    'a history below zero',
    cron({ successfulJobsHistoryLimit: -1 }),
    'spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'jobs that select for themselves',
    cron({}, { selector: SELECTOR, manualSelector: true }),
    '[spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"app":"web"}}: `selector` will be auto-generated, spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"]',
  ],
  [
    'a deployment of a label too long',
    { ...deployment('web'), metadata: { name: 'web', namespace: 'shop', labels: { app: 'a'.repeat(64) } } },
    'metadata.labels: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 bytes',
  ],
  [
    'a surge of no words',
    workload('Deployment', { strategy: { rollingUpdate: { maxSurge: '' } } }),
    "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
  ],
  [
    'words that are no share count as none',
    workload('DaemonSet', { updateStrategy: { rollingUpdate: { maxUnavailable: 'some' } } }),
    "[spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: \"some\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%'), spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0]",
  ],
  ['a job that nobody manages', job({ managedBy: '' }), 'spec.managedBy: Required value'],
  [
    'no preemption policy',
    workload('Deployment', {}, { ...TEMPLATE, spec: { containers: [CONTAINER], preemptionPolicy: '' } }),
    'spec.template.spec.preemptionPolicy: Required value',
  ],
];
