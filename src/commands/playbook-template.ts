/** A playbook to begin with: it loads as it is, and has an example of every kind of step. */
export const PLAYBOOK_TEMPLATE = `# What is wrong, as a sentence; then when this is the playbook to take.
title: A ConfigMap that a pod needs is not there
use: A pod stays in ContainerCreating, and an event says that a ConfigMap was not found.

# What leads here: alerts by their names, rules (a rule's own \`playbook:\` does, too; stage/* stands for a whole stage), stages.
for:
  alerts: [KubeContainerWaiting]
  rules: [volumes/configmap-not-found]
  stages: [volumes]

# Values it needs: --param gives them; \`cause\` takes them from the parameter of that name of the diagnosed cause; then the default;
# then the person is asked. Types: text, number, flag, name, object, duration, quantity. A secret is never shown or written down.
# Every run has by itself: {{ target }} {{ kind }} {{ name }} {{ namespace }} {{ workload }} {{ pod }} {{ container }} {{ node }}
# and, once diagnosed, {{ outcome }} {{ cause }} {{ object }} {{ objectKind }} {{ objectName }}.
params:
  configMap: { type: name, says: the ConfigMap that is missing, cause: configMap }
  ticket: { type: text, says: the ticket this is done for, default: none, pattern: "[A-Za-z0-9-]+" }

# Must hold before the first step, and again before an interrupted run goes on.
preconditions:
  - say: The target is not well.
    when: { not: { outcome: healthy } }

# How many objects the changes of one run may touch.
limits: { objects: 2 }

steps:
  # diagnose: podcheck itself, of the target or of another object; goes on by what it says.
  - id: look
    diagnose: target
    branches:
      - { when: { outcome: healthy }, goto: end }
    else: which

  # decide: the first branch that holds is taken; \`else\` is a must, and no way may lead in circles.
  # A condition asks one thing: patterns over facts as in a rule (all, any, none), or outcome, cause, stage + is, step + is,
  # variable + is, known, not.
  - id: which
    decide:
      - { when: { cause: volumes/configmap-not-found }, goto: seen }
    else: help

  # check: patterns over facts. It passes, fails, or is unknown because something could not be looked at.
  - id: seen
    say: Is it only this one ConfigMap?
    check:
      all:
        - { fact: reference, where: { refKind: ConfigMap, exists: false, refName: $configMap, optional: false } }
    tells: The name the pod asks for is now known as configMap.
    fail: help

  # show: a read through podcheck: get, describe or events of an object, list of a kind, logs of a pod.
  - say: See which ConfigMaps there are.
    show: { list: ConfigMap, namespace: "{{ namespace }}" }
    within: 1m

  # run: the words of a command, never a line for a shell. With \`on\` it is shown for that node, and what is pasted back becomes
  # evidence. Without it runs on this machine, after a question: only reading commands of kubectl (get, describe, logs, events, top,
  # explain, version, rollout status …) need none. effect: destructive makes the question stricter.
  - say: See what the kubelet says.
    run: [journalctl, -u, kubelet, -n, "50", --no-pager]
    effect: read
    on: "{{ node }}"

  # ask: the answer is known as a variable from then on.
  - id: whose
    say: May you make the ConfigMap {{ configMap }} yourself?
    ask: { as: mine, type: flag, default: "no" }

  - decide:
      - { when: { variable: mine, is: true }, goto: create }
    else: theirs

  # change: patch, scale, restart, rollout-undo, set-image, create, delete, cordon, uncordon, drain, evict or approve. It is shown,
  # confirmed, done and then proved by \`verify\`; \`undo\` says how to go back: restore, another change, or { none: why }.
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
    fail: help                             # where to go when it is declined, refused or does not help; without it the run ends as failed
    then: ready

  # manual: tells the person what to do and waits for their word; what they note is kept. The commands are to be copied.
  - id: theirs
    manual: Ask the owner of the workload for the ConfigMap, and wait until it is there.
    commands: ["kubectl -n {{ namespace }} get configmap {{ configMap }}"]

  # wait: until a condition holds, looking now and then, and no longer than the limit.
  - id: ready
    say: Wait until the pods are up.
    wait: { outcome: healthy }
    every: 5s
    limit: 3m
    timeout: help

  # note: for the journal, and for who reads it later.
  - note: "{{ target }} came up again; the ConfigMap {{ configMap }} was missing."

  # include: goes through another playbook and comes back.
  - include: first-response
    then: end

  # escalate: the end of what is the on-call's to do.
  - id: help
    escalate: Call the owner of the workload.
    to: the team in the label app.kubernetes.io/part-of
    bring: [the diagnosis, the last events]

# Done, after each change's own undo, when somebody decides to go back.
rollback:
  - note: The ConfigMap was taken away again.

escalation:
  say: When nobody knows who should have made it, call the owner of the platform.
  bring: ["podcheck diagnose -n {{ namespace }} {{ workload }} -o markdown"]
`;
