import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '../../src/base/instant.ts';
import { asText, dig, isJsonObject } from '../../src/base/json.ts';
import { parseKubeYaml } from '../../src/base/yaml/kube-yaml.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { Cluster, Credential, Impersonation } from '../../src/simulator/index.ts';
import { isReady } from '../../src/simulator/controllers/pod-state.ts';
import { createCluster } from '../../src/simulator/index.ts';
import type { Fault } from '../../src/simulator/outside/faults.ts';
import type { CommandLine } from './command-line.ts';
import { parseCommand } from './command-line.ts';
import type { CommandAnswer } from './kubectl-terminal.ts';
import { runKubectl } from './kubectl-command.ts';
import { maskFor } from './mask.ts';
import { happeningsOf } from './neighbours.ts';
import type { Recording, Step } from './recording.ts';
import { DUMP } from './recording.ts';
import type { CaptureSetup, KubeconfigSetup, Setups } from './setups.ts';
import { NO_SETUP } from './setups.ts';

/** What came of playing a recording's commands and faults at their times. */
export interface Played {
  /** An answer for each command of the recording; undefined for one that could not be given. */
  readonly answers: readonly { readonly step: Step & { readonly kind: 'command' }; readonly answer: CommandAnswer | undefined }[];
  /** Objects and events as they were at the dump mark. */
  readonly objects: readonly KubeObject[];
  readonly events: readonly KubeObject[];
}

/** How long before the first command the cluster begins, in milliseconds: it has come up by then. */
const LEAD_MILLISECONDS = 600_000;

export function playRecording(recording: Recording, setups: Setups, seed: number): Played {
  const setup = setups.captures.get(recording.name) ?? NO_SETUP;
  const cluster = clusterFor(recording, setups, setup, seed);
  const tokens = new Map<string, string>();
  const answers: { readonly step: Step & { readonly kind: 'command' }; readonly answer: CommandAnswer | undefined }[] = [];
  let objects: readonly KubeObject[] = [];
  let events: readonly KubeObject[] = [];
  const start = startOf(recording);
  const others = [...happeningsOf(recording, setups, start)];
  for (const { at, faults } of setup.meanwhile)
    others.push({
      at,
      happen: (cluster) => {
        for (const fault of faults) cluster.inject(fault);
      },
    });
  others.sort((a, b) => a.at - b.at);
  const pass = (until: Instant): void => {
    for (let next = others[0]; next !== undefined && next.at <= until; next = others[0]) {
      if (next.at > cluster.now()) cluster.advanceTo(next.at);
      next.happen(cluster);
      others.shift();
    }
    if (until > cluster.now()) cluster.advanceTo(until);
  };
  let fixed: Instant | undefined;
  for (const step of recording.steps) {
    const waited = fixed === undefined ? undefined : waitBefore(step, fixed, recording);
    if (waited === undefined) pass(step.at);
    else pass(readyAgain(waited.pods, recording, cluster, pass) ? cluster.now() + waited.after : step.at);
    if (step.kind === 'mark' && /^(?:FAULT\/NODE: )?FIX\b/.test(step.text)) fixed = step.at;
    if (step.kind === 'command') {
      answers.push({ step, answer: answerTo(step.line, recording, setups, cluster, tokens) });
      if (step.line.includes(' apply ')) publish(cluster, setups);
    } else if (step.text === DUMP) {
      pass(recording.listed.objects);
      [objects] = collect(cluster, recording);
      pass(recording.listed.events);
      [, events] = collect(cluster, recording);
    } else if (/^static manifest (?:written|removed)/.test(step.text))
      putStaticPods(step.text.includes('written'), recording, setups, cluster);
    else
      for (const mark of [...setup.marks, ...setups.marks]
        .filter(({ says }) => says.every((word) => step.text.toLowerCase().includes(word)))
        .slice(0, 1))
        for (const fault of mark.faults) cluster.inject(asConfigured(fault, recording));
  }
  return { answers, objects, events };
}

/**
 * Who recorded waited after a fix until pods were ready, and asked then: so many had become it, and the question came so long after.
 * The moment is the cluster's, not the clock's, and it is asked for in the same way here.
 */
function waitBefore(step: Step, fixed: Instant, { readied }: Recording): { readonly pods: number; readonly after: number } | undefined {
  const since = readied.filter((at) => at > fixed && at <= step.at);
  const after = step.at - (since.at(-1) ?? 0);
  return step.kind === 'command' && step.line.includes(' get ') && after <= POLL_MILLISECONDS ? { pods: since.length, after } : undefined;
}

/** The recorder looked so often, and so long. */
const POLL_MILLISECONDS = 1000;
const PATIENCE_MILLISECONDS = 90_000;

function readyAgain(pods: number, { namespace }: Recording, cluster: Cluster, pass: (until: Instant) => void): boolean {
  const readyNow = (): Set<string> =>
    new Set(
      cluster.store
        .list('pods')
        .filter((pod) => pod.metadata.namespace === namespace && isReady(pod))
        .map(({ metadata }) => metadata.uid ?? ''),
    );
  const end = cluster.now() + PATIENCE_MILLISECONDS;
  let [became, before] = [0, readyNow()];
  while (became < pods && cluster.now() < end) {
    pass(cluster.now() + STEP_MILLISECONDS);
    const now = readyNow();
    for (const uid of now) if (!before.has(uid)) became++;
    before = now;
  }
  return became >= pods;
}

const STEP_MILLISECONDS = 10;

function publish(cluster: Cluster, { published }: Setups): void {
  for (const { metadata } of cluster.store.list('namespaces'))
    for (const body of published)
      if (cluster.store.get('configmaps', metadata.name, asText(dig(body, 'metadata', 'name')) ?? '') === undefined)
        cluster.request({ verb: 'create', group: '', version: 'v1', resource: 'configmaps', namespace: metadata.name, body });
}

function clusterFor(recording: Recording, setups: Setups, setup: CaptureSetup, seed: number): Cluster {
  const start = startOf(recording);
  const faults = [...setups.faults, ...setup.faults];
  const cluster = createCluster({
    seed,
    start: start - LEAD_MILLISECONDS - sinceRound(start, setups),
    preset: { nodes: setups.machines },
    configuration: {
      aggregatorRouting: true,
      supervised: false,
      ...(setups.serverAddress === undefined ? {} : { serverAddress: setups.serverAddress }),
    },
    setup: faults.filter((fault) => !isOfProcess(fault)),
  });
  // There are no processes before the cluster has been made.
  for (const fault of faults.filter(isOfProcess)) cluster.inject(fault);
  return cluster;
}

/** So that the rounds its controllers make (of 5, 15, 20 and 30 seconds) fall where they fell on the recorded cluster. */
function sinceRound(start: Instant, { controllersStarted }: Setups): number {
  const began = controllersStarted.findLast((at) => at <= start);
  return began === undefined ? 0 : (start - began) % ROUND_MILLISECONDS;
}

const ROUND_MILLISECONDS = 60_000;

function startOf(recording: Recording): Instant {
  return recording.steps[0]?.at ?? 0;
}

function isOfProcess({ fault }: Fault): boolean {
  return fault === 'stop' || fault === 'start' || fault === 'restart' || fault === 'slow';
}

function answerTo(
  line: string,
  recording: Recording,
  setups: Setups,
  cluster: Cluster,
  tokens: Map<string, string>,
): CommandAnswer | undefined {
  const command = parseCommand(line);
  const kubeconfig = command.options.get('kubeconfig');
  const identity = kubeconfig === undefined ? undefined : kubeconfigNamed(kubeconfig, setups);
  if (kubeconfig !== undefined && identity === undefined) return undefined;
  const output = failureBefore(command, identity, setups);
  if (output !== undefined) return { output, exitCode: 1 };
  const token = command.options.get('token');
  return runKubectl(command, {
    cluster,
    folder: recording.folder,
    credential: token === undefined ? credentialOf(identity, tokens, cluster) : { kind: 'token', token },
    impersonate: impersonationOf(command),
    keepToken: (account, token) => void tokens.set(account, token),
    podOf: (name) => podLike(name, recording, cluster),
    addressHere: (text) => addressesHere(text, recording, cluster),
  });
}

/** What kubectl says that cannot even ask: its configuration is wrong, or nobody answers. */
function failureBefore({ options }: CommandLine, identity: KubeconfigSetup | undefined, setups: Setups): string | undefined {
  if (identity !== undefined && 'missing' in identity) return `error: stat ${options.get('kubeconfig') ?? ''}: no such file or directory`;
  const context = options.get('context');
  if (context !== undefined && context !== setups.context)
    return `Error in configuration: context was not found for specified context: ${context}`;
  return identity !== undefined && 'unreachable' in identity ? identity.unreachable : undefined;
}

/** Those of a kubeconfig; undefined for the administrator's, who needs none. */
function credentialOf(
  identity: KubeconfigSetup | undefined,
  tokens: ReadonlyMap<string, string>,
  cluster: Cluster,
): Credential | undefined {
  if (identity === undefined || 'missing' in identity || 'unreachable' in identity) return undefined;
  if ('tokenOf' in identity) return { kind: 'token', token: tokens.get(identity.tokenOf) ?? '' };
  if ('anonymous' in identity) return { kind: 'anonymous' };
  const made = cluster.userCredential(identity.user, identity.groups);
  if (made.kind !== 'certificate' || identity.issuer === undefined) return made;
  return { kind: 'certificate', certificate: { ...made.certificate, issuer: identity.issuer } };
}

/** `podNetwork: recorded`: what the recorded machine was configured with, as its events name it. */
function asConfigured(fault: Fault, { events }: Recording): Fault {
  if (fault.fault !== 'part') return fault;
  const messages = events.map((event) => asText(event['message']) ?? '').join('\n');
  const filled = Object.entries(fault.with).map(([name, value]): readonly [string, unknown] => [
    name,
    value === 'recorded' ? (CONFIGURED[name]?.said.exec(messages)?.[1] ?? CONFIGURED[name]?.usually) : value,
  ]);
  return { ...fault, with: Object.fromEntries(filled) };
}

const CONFIGURED: Readonly<Record<string, { readonly said: RegExp; readonly usually: string }>> = {
  podNetwork: { said: /no IP addresses available in range set: ([\d.]+-[\d.]+)/, usually: '10.88.0.1-10.88.0.6' },
  sandboxImage: { said: /failed to get sandbox image "([^"]+)"/, usually: '127.0.0.1:5000/pause:missing' },
};

function impersonationOf({ options }: CommandLine): Impersonation | undefined {
  const [user, group] = [options.get('as'), options.get('as-group')];
  return user === undefined ? undefined : { user, ...(group === undefined ? {} : { groups: [group] }) };
}

/** By its name, or by a word of it. */
function kubeconfigNamed(file: string, { kubeconfigs }: Setups): KubeconfigSetup | undefined {
  return kubeconfigs.get(file) ?? [...kubeconfigs].find(([word]) => file.includes(word))?.[1];
}

/** A recorded pod's name has another random part here: the pod of the same masked name, or the name itself. */
function podLike(name: string, recording: Recording, cluster: Cluster): string {
  const pods = cluster.store.list('pods').filter((pod) => pod.metadata.namespace === recording.namespace);
  const masked = maskFor(recording.objects)(name);
  const mask = maskFor(pods);
  return (
    pods.find((pod) => pod.metadata.name === name)?.metadata.name ??
    pods.find((pod) => mask(pod.metadata.name) === masked)?.metadata.name ??
    name
  );
}

/** The pods of the manifests that were put where the kubelet of the first machine reads them. */
function putStaticPods(written: boolean, { folder, unnamed }: Recording, { machines }: Setups, cluster: Cluster): void {
  for (const file of unnamed) {
    const pod = parseKubeYaml(readFileSync(join(folder, 'manifests', file), 'utf8'), file).documents[0]?.value;
    if (isJsonObject(pod) && pod['kind'] === 'Pod')
      cluster.inject({
        fault: 'part',
        part: 'machine',
        what: machines[0]?.name ?? '',
        with: { staticPod: { file, ...(written ? { pod } : {}) } },
      });
  }
}

function addressesHere(text: string, recording: Recording, cluster: Cluster): string {
  return text.replace(/\b10(?:\.\d{1,3}){3}\b/g, (address) => {
    const owner = recording.objects.find((object) => addressOf(object) === address);
    if (owner === undefined) return address;
    const name = owner.kind === 'Pod' ? podLike(owner.metadata.name, recording, cluster) : owner.metadata.name;
    const here = cluster.store
      .list(owner.kind === 'Pod' ? 'pods' : 'services')
      .find(({ metadata }) => metadata.name === name && metadata.namespace === owner.metadata.namespace);
    return (here === undefined ? undefined : addressOf(here)) ?? address;
  });
}

function addressOf(object: KubeObject): string | undefined {
  return asText(
    object.kind === 'Pod' ? dig(object, 'status', 'podIP') : object.kind === 'Service' ? dig(object, 'spec', 'clusterIP') : undefined,
  );
}

function collect(cluster: Cluster, { namespace, foreign }: Recording): [readonly KubeObject[], readonly KubeObject[]] {
  const within = (object: KubeObject): boolean => object.metadata.namespace === namespace;
  const objects = KINDS_COLLECTED.flatMap((resource) => cluster.store.list(resource).filter(within));
  const others = new Set(foreign.map(({ object }) => object.metadata.name));
  const wide = [
    ...cluster.store.list('persistentvolumes').filter(({ metadata }) => !others.has(metadata.name)),
    ...cluster.store.list('nodes'),
    ...cluster.store.list('namespaces').filter(({ metadata }) => metadata.name === namespace),
  ];
  return [[...objects, ...wide], cluster.store.list('events').filter(within)];
}

const KINDS_COLLECTED = [
  'pods',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
  'persistentvolumeclaims',
  'endpoints',
  'endpointslices.discovery.k8s.io',
  'services',
  'poddisruptionbudgets.policy',
  'horizontalpodautoscalers.autoscaling',
  'resourcequotas',
] as const;
