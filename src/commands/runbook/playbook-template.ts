/** A playbook to begin with: it loads as it is, and has an example of every kind of step. */
export const PLAYBOOK_TEMPLATE = `# The problem as a sentence; then when to use this playbook.
title: A ConfigMap that a pod needs does not exist
use: A pod stays in ContainerCreating, and an event says that a ConfigMap was not found.

# When this playbook is chosen: names of alerts, rules and stages. stage/* means all rules of a stage.
# A rule can also name its playbook with \`playbook:\`.
for:
  alerts: [KubeContainerWaiting]
  rules: [volumes/configmap-not-found]
  stages: [volumes]

# Parameters. A value comes from --param, else from the parameter \`cause\` of the diagnosed cause, else from the default,
# else from a question. Types: text, number, flag, name, object, duration, quantity. A secret is never shown or recorded.
# Every run sets: {{ target }} {{ kind }} {{ name }} {{ namespace }} {{ workload }} {{ pod }} {{ container }} {{ node }}
# and, once diagnosed, {{ outcome }} {{ cause }} {{ object }} {{ objectKind }} {{ objectName }}.
params:
  configMap: { type: name, says: the ConfigMap that is missing, cause: configMap }
  ticket: { type: text, says: the ticket for this run, default: none, pattern: "[A-Za-z0-9-]+" }

# Checked before the first step, and before an interrupted run is resumed.
preconditions:
  - say: The target is unhealthy.
    when: { not: { outcome: healthy } }

# How many objects the changes of one run may touch.
limits: { objects: 2 }

steps:
  # diagnose: diagnoses the target or another object; the branches choose the next step.
  - id: look
    diagnose: target
    branches:
      - { when: { outcome: healthy }, goto: end }
    else: which

  # decide: takes the first branch whose condition is true. \`else\` is required. Loops are not allowed.
  # A condition has patterns over facts as in a rule (all, any, none). Or it has one of: outcome, cause, stage + is, step + is,
  # variable + is, known, not.
  - id: which
    decide:
      - { when: { cause: volumes/configmap-not-found }, goto: seen }
    else: help

  # check: patterns over facts. The result is passed, failed, or unknown if required evidence is missing.
  - id: seen
    say: Is it only this one ConfigMap?
    check:
      all:
        - { fact: reference, where: { refKind: ConfigMap, exists: false, refName: $configMap, optional: false } }
    tells: The variable configMap now has the missing name.
    fail: help

  # show: a read through podcheck: get, describe or events of an object, list of a kind, logs of a pod.
  - say: List the ConfigMaps.
    show: { list: ConfigMap, namespace: "{{ namespace }}" }
    within: 1m

  # run: the words of a command, without a shell. With \`on\` you run it on that node and paste its output, which becomes
  # evidence. Without \`on\` it runs on this machine after you confirm it. Only read-only kubectl commands (get, describe,
  # logs, events, top, explain, version, rollout status …) run without confirmation. effect: destructive needs a stricter
  # confirmation.
  - say: Read the kubelet log.
    run: [journalctl, -u, kubelet, -n, "50", --no-pager]
    effect: read
    on: "{{ node }}"

  # ask: stores the answer in a variable.
  - id: whose
    say: May you make the ConfigMap {{ configMap }} yourself?
    ask: { as: mine, type: flag, default: "no" }

  - decide:
      - { when: { variable: mine, is: true }, goto: create }
    else: theirs

  # change: patch, scale, restart, rollout-undo, set-image, create, delete, cordon, uncordon, drain, evict, approve,
  # allow-clients or fix. It is shown, confirmed, made, and then verified by \`verify\`. \`undo\` is how to undo it:
  # restore, another change, or { none: why }.
  - id: create
    say: Make the ConfigMap.
    change:
      create:
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: "{{ configMap }}", namespace: "{{ namespace }}" }
        data: { ticket: "{{ ticket }}" }
    verify: { until: { all: [{ fact: reference, where: { refKind: ConfigMap, refName: $configMap, exists: true } }] }, limit: 1m }
    undo: restore
    fail: help                             # next step if it is declined, rejected or does not help; default: the run fails
    then: ready

  # manual: tells you what to do and waits until you confirm it. Your note is recorded. Copy the commands.
  - id: theirs
    manual: Ask the owner of the workload for the ConfigMap, and wait until it exists.
    commands: ["kubectl -n {{ namespace }} get configmap {{ configMap }}"]

  # wait: checks a condition at an interval until it is true, at most until the limit.
  - id: ready
    say: Wait until the pods are ready.
    wait: { outcome: healthy }
    every: 5s
    limit: 3m
    timeout: help

  # note: a text for the journal.
  - note: "{{ target }} is healthy again; the ConfigMap {{ configMap }} was missing."

  # include: runs another playbook, then continues.
  - include: first-response
    then: end

  # escalate: ends the run and names the next responsible team.
  - id: help
    escalate: Call the owner of the workload.
    to: the team in the label app.kubernetes.io/part-of
    bring: [the diagnosis, the last events]

# Runs after the undo steps of all changes, if you choose to undo.
rollback:
  - note: The ConfigMap was deleted again.

escalation:
  say: If the owner of the ConfigMap is unknown, call the platform team.
  bring: ["podcheck diagnose -n {{ namespace }} {{ workload }} -o markdown"]
`;
