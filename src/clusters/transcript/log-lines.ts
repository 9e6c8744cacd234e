import type { Unread } from '../../model/cluster-reader.ts';
import { withoutUndefined } from '../../base/without-undefined.ts';
import type { Line } from './clean-lines.ts';

/** What `kubectl logs` printed: lines of the log, and what kubectl says itself. */
export interface SortedLines {
  readonly lines: readonly string[];
  readonly errors: readonly Line[];
  readonly unread: readonly UnreadLog[];
  /** Lines of several containers, each with its pod and container in front; by `pod/container`. */
  readonly prefixed: ReadonlyMap<string, PrefixedLog>;
  readonly container?: string;
  /** The pod that kubectl chose of a workload's. */
  readonly using?: string;
  /** Why there is no log. */
  readonly gone?: string;
}

/** A log that kubectl could not read. */
interface UnreadLog {
  readonly pod: string;
  readonly container?: string;
  readonly previous?: boolean;
  readonly waitsFor?: string;
  readonly unread: Unread;
}

interface PrefixedLog {
  readonly pod: string;
  readonly container: string;
  readonly lines: readonly string[];
}

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
  /^(?:Error from server(?: \((?:NotFound|Forbidden|BadRequest|InternalError|Unauthorized|Timeout)\):|: error dialing backend:) |error: (?:expected|timed out|cannot get|no pods|selector|You must)|Unable to connect to the server|No resources found)/;
/** A kubectl in the container: one that reads its log gets the pod, and then the log. */
const OF_PROGRAM = /^Error from server \(Forbidden\): .{1,900}: User "system:serviceaccount:\S{1,300}" cannot (?!get resource "pods)/;
const DEFAULTED = /^Defaulted container "([^"]{1,253})" out of: /;
const OLD_DEFAULT = /^Defaulting container name to (\S{1,253})\.$/;
const USING = /^Found \d+ pods, using pod\/(\S{1,253})/;
const PREFIXED = /^\[pod\/([^/\]\s]{1,253})\/([^\]\s]{1,253})\] ?(.*)$/s;

/** Tells the lines of the log from what kubectl says itself. */
export function sortLines(output: readonly Line[]): SortedLines {
  const lines: string[] = [];
  const prefixed: Prefixed = new Map();
  const said: Said = { errors: [], unread: [], container: undefined, using: undefined, gone: undefined };
  for (const line of output) if (!addPrefixed(line.text, prefixed) && !addSaid(line, said)) lines.push(line.text);
  const isEmpty = lines.every((line) => line.trim() === '');
  return withoutUndefined({ ...said, lines, prefixed, gone: isEmpty ? said.gone : undefined });
}

type Prefixed = Map<string, PrefixedLog & { readonly lines: string[] }>;

/** `[pod/web-1/app] listening`: what `--prefix` prints. Whether it was one. */
function addPrefixed(text: string, prefixed: Prefixed): boolean {
  const found = prefixedLine(text);
  if (found === undefined) return false;
  const { pod, container, rest } = found;
  const log = prefixed.get(`${pod}/${container}`) ?? { pod, container, lines: [] };
  prefixed.set(`${pod}/${container}`, log);
  log.lines.push(rest);
  return true;
}

/** The pod and the container in front of a line, and the line without them. */
export function prefixedLine(text: string): { readonly pod: string; readonly container: string; readonly rest: string } | undefined {
  const [, pod, container, rest = ''] = (text.startsWith('[pod/') ? PREFIXED.exec(text) : null) ?? [];
  return pod === undefined || container === undefined ? undefined : { pod, container, rest };
}

interface Said {
  readonly errors: Line[];
  readonly unread: UnreadLog[];
  container: string | undefined;
  using: string | undefined;
  gone: string | undefined;
}

/** Adds what kubectl says itself. Whether the line was that. */
function addSaid({ number, text: printed }: Line, said: Said): boolean {
  const text = printed.replace(/^Error: (?=Error|error|unable|Defaulted|Found)/, '');
  const refusal = /^(?:Err|err)/.test(text) ? unreadIn(text) : undefined;
  const chosen = DEFAULTED.exec(text) ?? OLD_DEFAULT.exec(text);
  if (refusal !== undefined) said.unread.push(refusal);
  else if (chosen !== null) said.container = chosen[1];
  else if (USING.test(text)) said.using = USING.exec(text)?.[1];
  else if (GONE.test(text) || UNASKED.test(text)) said.gone = text;
  else if ((OTHER.test(text) && !OF_PROGRAM.test(text)) || NO_CONTAINER.test(text)) said.errors.push({ number, text });
  else return false;
  return true;
}

/** What kubectl answers instead of a log. Source of the words: facts/node.yaml. */
function unreadIn(text: string): UnreadLog | undefined {
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
