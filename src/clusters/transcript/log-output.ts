import { parseInteger } from '../../base/number.ts';
import type { Unread } from '../../model/cluster-reader.ts';
import type { Line } from './clean-lines.ts';
import type { Command } from './command.ts';
import { flagOf, hasFlag } from './command.ts';

/** What one command printed of the logs of one or several containers. Which pods a selector or a workload meant is not known yet. */
export interface LogSighting {
  readonly namespace?: string;
  readonly of:
    | { readonly by: 'pod'; readonly pod: string }
    | { readonly by: 'workload'; readonly kind: string; readonly name: string }
    | { readonly by: 'selector'; readonly selector: string };
  /** Undefined: the pod's default container. */
  readonly container?: string;
  /** Lines of all containers without saying which is whose. */
  readonly all: boolean;
  readonly previous: boolean;
  readonly lines: readonly string[];
  readonly filtered: boolean;
  readonly unread?: Unread;
  /** Reason for which the container waits, where that is why there is no log. */
  readonly waitsFor?: string;
  readonly segment: number;
}

/** Lines kept of each container's log: its end. */
const MAX_LOG_LINES = 5000;
const NO_PREVIOUS =
  /^Error from server \((?:BadRequest|NotFound)\): previous terminated container "([^"]{1,253})" in pod "([^"]{1,253})" not found/;
const WAITING =
  /^Error from server(?: \(BadRequest\))?: container "([^"]{1,253})" in pod "([^"]{1,253})" is (?:waiting to start(?:: (.{1,200}))?|not available|terminated)/;
const UNREACHABLE =
  /^Error from server(?: \(\w+\))?: Get "?https?:\/\/[^\s"]{1,300}\/containerLogs\/([^/\s"]{1,253})\/([^/\s"]{1,253})\/([^?\s"]{1,253})[^\s"]{0,500}"?: (.{1,2000})/;
const CHOOSE = /^error: a container name must be specified for pod ([^\s,]{1,253}), choose one of: /;
const GONE = /^(?:unable to retrieve container logs for |failed to try resolving symlinks in path |rpc error: code = \w+ desc = )/;
/** A kubelet that cannot ask the API server whether its caller may read. Source: pkg/kubelet/server/server.go (InstallAuthFilter). */
const UNASKED = /^Error from server \(InternalError\): Internal error occurred: Authorization error \(user=/;
const NO_CONTAINER = /^error: container \S+ is not valid for pod /;
const OTHER =
  /^(?:Error from server \((?:NotFound|Forbidden|BadRequest|InternalError|Unauthorized|Timeout)\): |error: (?:expected|timed out|cannot get|no pods|selector|You must)|Unable to connect to the server|No resources found)/;
const DEFAULTED = /^Defaulted container "([^"]{1,253})" out of: /;
const OLD_DEFAULT = /^Defaulting container name to (\S{1,253})\.$/;
const USING = /^Found \d+ pods, using pod\/(\S{1,253})/;
const PREFIXED = /^\[pod\/([^/\]\s]{1,253})\/([^\]\s]{1,253})\] ?(.*)$/s;

/** The arguments of a `logs` command: what it asked for. */
interface Asked {
  readonly of: LogSighting['of'];
  readonly container?: string;
  readonly all: boolean;
  readonly previous: boolean;
  /** Lines asked for from the end; undefined for all. */
  readonly tail?: number;
  readonly narrowed: boolean;
}

/** Everything that a `logs` command printed, and the lines that kubectl added to it (for error messages of other kinds). */
export function readLogOutput(
  command: Command,
  output: readonly Line[],
  namespace: string | undefined,
  segment: number,
): { readonly sightings: readonly LogSighting[]; readonly errors: readonly Line[] } {
  const asked = askedFor(command);
  if (asked === undefined) return { sightings: [], errors: [] };
  const found = sortLines(output);
  const container = asked.container ?? found.container;
  const base = { ...(namespace === undefined ? {} : { namespace }), previous: asked.previous, segment };
  const of: LogSighting['of'] = found.using === undefined ? asked.of : { by: 'pod', pod: found.using };
  const sightings: LogSighting[] = found.unread.map(({ pod, container: of, previous, unread, waitsFor }) => ({
    ...base,
    of: { by: 'pod', pod },
    ...(of === undefined ? {} : { container: of }),
    previous: previous ?? asked.previous,
    all: false,
    lines: [],
    filtered: false,
    unread,
    ...(waitsFor === undefined ? {} : { waitsFor }),
  }));
  for (const { pod, container: name, lines } of found.prefixed.values()) {
    sightings.push({ ...base, of: { by: 'pod', pod }, container: name, all: false, ...boundLines(lines, asked, command) });
  }
  const printed = found.lines.length > 0 || (found.unread.length === 0 && found.errors.length === 0 && found.prefixed.size === 0);
  if (found.gone !== undefined) {
    const unread: Unread = { ok: false, why: 'failed', detail: found.gone };
    sightings.push({ ...base, of, ...(container === undefined ? {} : { container }), all: asked.all, lines: [], filtered: false, unread });
  } else if (printed)
    sightings.push({
      ...base,
      of,
      ...(container === undefined ? {} : { container }),
      all: asked.all,
      ...boundLines(found.lines, asked, command),
    });
  return { sightings, errors: found.errors };
}

/** Without a number of lines kubectl prints all of one pod's log, but the last ten of each when it was given a selector. */
function askedFor(command: Command): Asked | undefined {
  const selector = flagOf(command, 'l', 'selector');
  const [target, second] = command.args;
  const of = selector === undefined ? targetOf(target) : ({ by: 'selector', selector } as const);
  if (of === undefined) return undefined;
  const container = flagOf(command, 'c', 'container') ?? (selector === undefined ? second : undefined);
  const tail = parseInteger(flagOf(command, 'tail') ?? (selector === undefined ? '-1' : '10'));
  return {
    of,
    ...(container === undefined ? {} : { container }),
    all: hasFlag(command, 'all-containers'),
    previous: hasFlag(command, 'p', 'previous'),
    ...(tail !== undefined && tail >= 0 ? { tail } : {}),
    narrowed: hasFlag(command, 'since', 'since-time', 'limit-bytes'),
  };
}

const WORKLOADS: Readonly<Record<string, string>> = {
  deploy: 'Deployment',
  deployment: 'Deployment',
  deployments: 'Deployment',
  'deployment.apps': 'Deployment',
  rs: 'ReplicaSet',
  replicaset: 'ReplicaSet',
  replicasets: 'ReplicaSet',
  'replicaset.apps': 'ReplicaSet',
  sts: 'StatefulSet',
  statefulset: 'StatefulSet',
  statefulsets: 'StatefulSet',
  'statefulset.apps': 'StatefulSet',
  ds: 'DaemonSet',
  daemonset: 'DaemonSet',
  daemonsets: 'DaemonSet',
  'daemonset.apps': 'DaemonSet',
  job: 'Job',
  jobs: 'Job',
  'job.batch': 'Job',
  svc: 'Service',
  service: 'Service',
  services: 'Service',
};

function targetOf(target: string | undefined): LogSighting['of'] | undefined {
  if (target === undefined || target === '') return undefined;
  const slash = target.indexOf('/');
  if (slash < 0) return { by: 'pod', pod: target };
  const [word, name] = [target.slice(0, slash).toLowerCase(), target.slice(slash + 1)];
  const kind = WORKLOADS[word];
  return kind === undefined ? { by: 'pod', pod: name } : { by: 'workload', kind, name };
}

interface Sorted {
  readonly lines: readonly string[];
  readonly errors: readonly Line[];
  readonly unread: readonly {
    readonly pod: string;
    readonly container?: string;
    readonly previous?: boolean;
    readonly waitsFor?: string;
    readonly unread: Unread;
  }[];
  readonly prefixed: ReadonlyMap<string, { readonly pod: string; readonly container: string; readonly lines: readonly string[] }>;
  readonly container?: string;
  readonly using?: string;
  readonly gone?: string;
}

function sortLines(output: readonly Line[]): Sorted {
  const [lines, errors]: [string[], Line[]] = [[], []];
  const unread: Sorted['unread'][number][] = [];
  const prefixed = new Map<string, { pod: string; container: string; lines: string[] }>();
  let [container, using, gone]: (string | undefined)[] = [];
  for (const line of output) {
    const prefix = line.text.startsWith('[pod/') ? PREFIXED.exec(line.text) : null;
    if (prefix !== null) {
      const [, pod = '', name = '', text = ''] = prefix;
      const log = prefixed.get(`${pod}/${name}`) ?? { pod, container: name, lines: [] };
      prefixed.set(`${pod}/${name}`, log);
      log.lines.push(text);
      continue;
    }
    const said = line.text.replace(/^Error: (?=Error|error|unable|Defaulted|Found)/, '');
    const refusal = /^(?:Err|err)/.test(said) ? unreadIn(said) : undefined;
    const chosen = DEFAULTED.exec(said) ?? OLD_DEFAULT.exec(said);
    if (refusal !== undefined) unread.push(refusal);
    else if (chosen !== null) container = chosen[1];
    else if (USING.test(said)) using = USING.exec(said)?.[1];
    else if (GONE.test(said) || UNASKED.test(said)) gone = said;
    else if (OTHER.test(said) || NO_CONTAINER.test(said)) errors.push({ number: line.number, text: said });
    else lines.push(line.text);
  }
  return {
    lines,
    errors,
    unread,
    prefixed,
    ...(container === undefined ? {} : { container }),
    ...(using === undefined ? {} : { using }),
    ...(gone === undefined || lines.some((line) => line.trim() !== '') ? {} : { gone }),
  };
}

/** What kubectl answers instead of a log. Source of the words: facts/node.yaml. */
function unreadIn(text: string): Sorted['unread'][number] | undefined {
  const previous = NO_PREVIOUS.exec(text);
  if (previous !== null)
    return { container: previous[1] ?? '', pod: previous[2] ?? '', previous: true, unread: { ok: false, why: 'absent', detail: text } };
  const waiting = WAITING.exec(text);
  if (waiting !== null)
    return {
      container: waiting[1] ?? '',
      pod: waiting[2] ?? '',
      ...reasonIn(waiting[3]),
      unread: { ok: false, why: 'absent', detail: text },
    };
  const node = UNREACHABLE.exec(text);
  if (node !== null) return { pod: node[2] ?? '', container: node[3] ?? '', unread: { ok: false, why: 'failed', detail: text } };
  const choose = CHOOSE.exec(text);
  return choose === null
    ? undefined
    : {
        pod: choose[1] ?? '',
        unread: { ok: false, why: 'not-collected', detail: text, needs: `kubectl logs ${choose[1] ?? ''} -c <container>` },
      };
}

/** Source: pkg/kubelet/kubelet_pods.go (validateContainerLogStatus). */
const PULL_WORDS: Readonly<Record<string, string>> = {
  "image can't be pulled": 'ErrImagePull',
  'trying and failing to pull image': 'ImagePullBackOff',
};

function reasonIn(printed: string | undefined): { readonly waitsFor?: string } {
  const words = printed?.endsWith('`') === true ? printed.slice(0, -1) : printed;
  const reason = PULL_WORDS[words ?? ''] ?? (/^[A-Z][A-Za-z]{2,80}$/.test(words ?? '') ? words : undefined);
  return reason === undefined ? {} : { waitsFor: reason };
}

/** A log asked for by its last lines is whole when it has fewer. */
function boundLines(
  lines: readonly string[],
  asked: Asked,
  command: Command,
): { readonly lines: readonly string[]; readonly filtered: boolean } {
  const cut = asked.tail !== undefined && lines.length >= asked.tail;
  return {
    lines: lines.slice(-MAX_LOG_LINES),
    filtered: command.filtered || command.reshaped || asked.narrowed || cut || lines.length > MAX_LOG_LINES,
  };
}
