import { parseInteger } from '../../base/number.ts';
import type { Unread } from '../../model/cluster-reader.ts';
import type { Line } from './clean-lines.ts';
import type { Command } from './command.ts';
import { flagOf, hasFlag } from './command.ts';
import { sortLines } from './log-lines.ts';

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
  const hasWords = found.lines.some((line) => line.trim() !== '');
  const printed = hasWords || (found.unread.length === 0 && found.errors.length === 0 && found.prefixed.size === 0);
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
