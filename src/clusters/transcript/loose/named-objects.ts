import type { ObjectRef } from '../../../model/kube-object.ts';

/** What a text names in passing: the pod it is about, its container, its node. */
export interface Named {
  readonly pod?: ObjectRef;
  readonly container?: string;
  readonly node?: string;
}

const NAME = '[a-z0-9][a-z0-9.-]{0,252}';
/**
 * The kubelet's way to write a pod, `web-1_shop(uid)`, where a call such as `import_module(name)` is none. Without the UID only where the
 * word pod stands before it: names in programs have the same form. Source: pkg/kubelet/util/format/pod.go.
 */
const POD = new RegExp(
  `(?:^|[\\s"'=:(])(${NAME})_(${NAME})\\((?=[0-9a-f]{6}|[0-9a-f-]{1,40}\\)|[0-9a-f-]{0,36}(?:$|["'\\s…]|\\.\\.)|[xX*]{3}|<)`,
);
const POD_WITHOUT_UID = new RegExp(`\\b[Pp]od[s:=]{0,2} ?["'(]{0,2}(${NAME})_(${NAME})(?=["'\\s),;:]|$)`);
/**
 * As CRI-O names a sandbox and dockershim a container, and the library with which CRI-O calls plugins. Sources: cri-o/cri-o
 * internal/factory/sandbox, cri-o/ocicni pkg/ocicni, pkg/kubelet/dockershim/naming.go.
 */
const CRIO_SANDBOX = new RegExp(`\\bk8s_(?:${NAME}_)??(${NAME})_(${NAME})_[0-9a-f-]{1,40}_\\d{1,9}\\b`);
const OF_OCICNI = new RegExp(`\\b(?:adding|removing) pod (${NAME})_(${NAME}) (?:to|from) CNI network`);
const ASSIGNED = new RegExp(`Successfully assigned (?:(${NAME})/)?(${NAME}) to (${NAME})`);
const QUOTED = new RegExp(`[Pp]ods? "(?:(${NAME})/)?(${NAME})"`);
/** Until 1.6 the volume manager called a pod by its UID. */
const UID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SPLIT = new RegExp(`for pod "(${NAME})"/"(${NAME})"`);
/** How the kubelet began until 1.6. Source: pkg/kubelet/pod_workers.go. */
const SYNCED_OF_OLD = /Error syncing pod, skipping: /;
/** As containerd writes the sandbox that it was asked for. */
const SANDBOX = new RegExp(`PodSandboxMetadata\\{Name:(${NAME}),Uid:[0-9a-f-]{0,40},Namespace:(${NAME}),`);
/** Source: pkg/scheduler/factory (until 1.16). */
const SCHEDULED = new RegExp(`Error scheduling (${NAME})[/ ](${NAME})[:;] `);
/** Source: cluster-autoscaler core/scaleup/orchestrator, simulator/scheduling. */
const UNPLACED = new RegExp(
  `(?:[Pp]od (?:(${NAME})/)?(${NAME}) (?:can't be scheduled on|is unschedulable)|find place for (${NAME})/(${NAME}): )`,
);
/** What a CNI plugin gets, and asks its server. Sources: the CNI specification (CNI_ARGS), aws/amazon-vpc-cni-k8s rpc, cmd/routed-eni-cni-plugin. */
const CNI_ARGS = new RegExp(`K8S_POD_NAMESPACE=(${NAME});K8S_POD_NAME=(${NAME})`);
const CNI_REQUEST = new RegExp(`(?:K8S_POD_NAME:"(${NAME})" K8S_POD_NAMESPACE:"(${NAME})"|to pod (${NAME}), namespace (${NAME}) )`);
/** As a controller logs the pod of a request. Source: sigs.k8s.io/controller-runtime pkg/log/zap (kubeObjectWrapper). */
const REQUESTED = new RegExp(`"Pod": ?\\{"name": ?"(${NAME})", ?"namespace": ?"(${NAME})"`);
const CREATED = new RegExp(`create Pod (${NAME}) in `);
/** What stands behind the slash may be a subresource, as in `pods/log web-1`. */
const SUBRESOURCE = '(?:log|exec|attach|portforward|proxy|status|eviction|binding)';
const SLASHED = new RegExp(`(?:^|[\\s"'(\`─])[Pp]ods?/(?:${SUBRESOURCE} )?(?!${SUBRESOURCE}(?![\\w.-]))(${NAME})`);
/** A row of Argo CD's list of resources. */
const SYNCED = new RegExp(
  `(?:^|\\s)Pod\\s{1,200}(${NAME})\\s{1,200}(${NAME})\\s{1,200}(?:Synced|OutOfSync|Healthy|Degraded|Progressing)\\b`,
);
/** A sentence about a command may go on behind it. */
const SENTENCE =
  '(?:an?|and|as|at|but|for|from|gives?|had|has|i|in|is|it|of|on|output|prints?|says?|shows?|tells?|that|the|this|to|was|with)\\b(?![.-])';
const TYPED = new RegExp(
  `(?:kubectl|oc|\\bk) (?:-n ${NAME} )?(?:describe|logs?|get) (?:pods?|po)(?: (?:-n|--namespace)[ =](${NAME}))?[ /](?!${SENTENCE})(${NAME})(?: (?:-n|--namespace)[ =](${NAME}))?`,
);
/** The log of a pod needs no word for its kind; options of one letter but for `-f` and `-p` have a value. */
const LOGGED = new RegExp(
  `(?:kubectl|oc|\\bk) (?:-n (${NAME}) )?logs?(?: (?:-[a-eg-oq-z] [^\\s\`]{1,253}|--?[a-z][^\\s\`]{0,253})){0,6} (?!${SENTENCE}|pods? )(${NAME}-[a-z0-9]{1,10})(?: -n (${NAME}))?(?=[\\s\`'",;:)]|$)`,
);
/** A container between marks that components write around names, and one as a sentence calls it. */
const CONTAINER_MARKED = new RegExp(
  `(?:container[ =]"|container=|(?<!\\b(?:containerd|create|in|run|start|stop) )container: |"StartContainer" for ")(${NAME})`,
);
const CONTAINER_CALLED = new RegExp(`(?<![Ss]andbox )container (${NAME})`);
/** Runtimes call a container by its ID. */
const CONTAINER_ID = /^[0-9a-f]{12,64}$/;

/** Longer texts name what they are about at their beginning. */
const MAX_TEXT = 8192;

/** Finds the names in a text by the forms in which components write them. */
export function namedIn(whole: string): Named {
  const text = whole.slice(0, MAX_TEXT);
  const container = containerIn(text);
  const [, assignedIn, assigned, node] = ASSIGNED.exec(text) ?? [];
  const pod = assigned === undefined ? podIn(text) : podRef(assigned, assignedIn);
  return {
    ...(pod === undefined ? {} : { pod }),
    ...(container === undefined ? {} : { container }),
    ...(node === undefined ? {} : { node }),
  };
}

function containerIn(text: string): string | undefined {
  return [CONTAINER_MARKED, CONTAINER_CALLED]
    .map((form) => form.exec(text)?.[1])
    .find((name) => name !== undefined && !NO_NAMES.has(name) && !CONTAINER_ID.test(name));
}

/** An object with the namespace that a text tells of it. */
export function inOwnNamespace(involved: ObjectRef, { pod }: Named): ObjectRef {
  const same = pod?.namespace !== undefined && involved.namespace === undefined && involved.kind === 'Pod' && involved.name === pod.name;
  return same ? pod : involved;
}

/** The pod that a row of its own events names: where it was assigned to a node, or is started again and again. */
export function podOfOwnEvent(text: string): ObjectRef | undefined {
  const [, namespace, assigned] = ASSIGNED.exec(text) ?? [];
  if (assigned !== undefined) return podRef(assigned, namespace);
  const [, name, within] = (text.includes('restarting failed container') ? POD.exec(text) : null) ?? [];
  return name === undefined ? undefined : podRef(name, within);
}

/** Words that follow `container` in sentences. */
const NO_NAMES: ReadonlySet<string> = new Set([
  'process',
  'runtime',
  'image',
  'has',
  'with',
  'init',
  'in',
  'is',
  'name',
  'task',
  'start',
  'failed',
  'error',
  'no',
  'volume',
  'create',
  'creation',
  'for',
  'operating',
  'permission',
  'status',
  'state',
]);

function podIn(text: string): ObjectRef | undefined {
  const written = podOfCrio(text) ?? podWritten(text);
  if (written !== undefined) return written;
  const other = podOfSandbox(text) ?? podWithoutNode(text);
  if (other !== undefined) return other;
  const quoted = QUOTED.exec(text);
  // A controller names the pod it could not create by the beginning of its name.
  if (quoted !== null && quoted[2]?.endsWith('-') !== true && !UID.test(quoted[2] ?? '')) return podRef(quoted[2] ?? '', quoted[1]);
  const [, before, typed, behind] = TYPED.exec(text) ?? LOGGED.exec(text) ?? [];
  if (typed !== undefined) return podRef(typed, before ?? behind);
  return podOfRow(text);
}

function podWithoutNode(text: string): ObjectRef | undefined {
  const [, namespace, name, soughtIn, sought] = SCHEDULED.exec(text) ?? UNPLACED.exec(text) ?? [];
  const found = name ?? sought;
  return found === undefined ? undefined : podRef(found, namespace ?? soughtIn);
}

function podOfSandbox(text: string): ObjectRef | undefined {
  const sandbox = SANDBOX.exec(text);
  if (sandbox !== null) return podRef(sandbox[1] ?? '', sandbox[2]);
  const [, within, name] = CNI_ARGS.exec(text) ?? [];
  if (name !== undefined) return podRef(name, within);
  const [, requested, requestedIn] = REQUESTED.exec(text) ?? [];
  if (requested !== undefined) return podRef(requested, requestedIn);
  const [, asked, askedIn, failed, failedIn] = CNI_REQUEST.exec(text) ?? [];
  const found = asked ?? failed;
  return found === undefined ? undefined : podRef(found, askedIn ?? failedIn);
}

/** Its library writes the namespace first, and its sandboxes the name. */
function podOfCrio(text: string): ObjectRef | undefined {
  const [, within, name] = OF_OCICNI.exec(text) ?? [];
  if (name !== undefined) return podRef(name, within);
  const sandbox = CRIO_SANDBOX.exec(text);
  return sandbox === null ? undefined : podRef(sandbox[1] ?? '', sandbox[2]);
}

function podWritten(text: string): ObjectRef | undefined {
  const [split, written] = [SPLIT.exec(text), POD.exec(text) ?? POD_WITHOUT_UID.exec(text)];
  // Until 1.6 the name came first; the same message writes the pod whole, too.
  const isTurned = written !== null && written[1] === split?.[1] && written[2] === split?.[2];
  // The namespace `default` is seen far more often than a pod of that name.
  if (split !== null && (SYNCED_OF_OLD.test(text) || split[2] === 'default')) return podRef(split[1] ?? '', split[2]);
  if (split !== null && !isTurned) return podRef(split[2] ?? '', split[1]);
  return written === null ? undefined : podRef(written[1] ?? '', written[2]);
}

function podOfRow(text: string): ObjectRef | undefined {
  const [, namespace, synced] = SYNCED.exec(text) ?? [];
  if (synced !== undefined) return podRef(synced, namespace);
  const name = CREATED.exec(text)?.[1] ?? SLASHED.exec(text)?.[1];
  return name === undefined ? undefined : podRef(name, undefined);
}

export function podRef(name: string, namespace: string | undefined): ObjectRef {
  return { kind: 'Pod', ...(namespace === undefined ? {} : { namespace }), name };
}

/** `shop/web-1`, `web-1_shop(uid)`, or the name alone: a pod as the fields of a log name it. */
export function podNamed(text: string): ObjectRef {
  const [, written, within] = POD.exec(text) ?? [];
  if (written !== undefined) return podRef(written, within);
  const slash = text.indexOf('/');
  return slash < 0 ? { kind: 'Pod', name: text } : { kind: 'Pod', namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
