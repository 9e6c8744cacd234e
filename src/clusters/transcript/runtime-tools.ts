import { append } from '../../base/lists.ts';
import type { Line } from './clean-lines.ts';
import type { Command } from './command.ts';
import type { Gathering, RuntimeContainer } from './gathering.ts';
import { unnamed } from './loose/involved.ts';
import { podRef } from './loose/named-objects.ts';

const TOOL = /(?:^|[\s;&|])(?:crictl|docker|podman|nerdctl)\b.{0,200}?\s(ps|logs)\b(.{0,400})/;
/** Source: cri-tools cmd/crictl/container.go; newer versions add the namespace. */
const CRICTL_ROW =
  /^([0-9a-f]{12,64})\s{1,80}\S{1,300}\s.{1,80}?\s(?:Running|Exited|Created|Unknown)\s{1,80}([a-z0-9][\w.-]{0,252})\s{1,80}\d{1,9}\s{1,80}[0-9a-f]{12,64}\s{1,80}([a-z0-9][\w.-]{0,252})(?:\s{1,80}([a-z0-9][a-z0-9-]{0,62}))?\s{0,80}$/;
/** How dockershim names containers: `k8s_NAME_POD_NAMESPACE_UID_ATTEMPT`. */
const DOCKER_NAME = /\bk8s_([a-z0-9][a-z0-9.-]{0,252})_([a-z0-9][a-z0-9.-]{0,252})_([a-z0-9][a-z0-9-]{0,62})_[0-9a-f-]{1,40}_\d{1,9}\b/;

/**
 * Reads what crictl, docker and their like print of containers and their logs; undefined for other commands. These are words of a
 * container, and no answers of the API server. Gives the lines in which the tool itself says that it reaches no runtime.
 */
export function readRuntimeTool({ text }: Command, output: readonly Line[], gathering: Gathering): readonly Line[] | undefined {
  const [, verb, rest = ''] = TOOL.exec(text) ?? [];
  if (verb === undefined) return undefined;
  const own = output.filter((line) => OF_TOOL.test(line.text));
  const shown = own.length === 0 ? output : output.filter((line) => !OF_TOOL.test(line.text));
  if (verb === 'logs') {
    if (shown.length > 0 || own.length === 0) takeLog(rest, shown, gathering);
  } else {
    const found = shown.flatMap(({ text: row }) => containerIn(row) ?? []);
    append(gathering.containers, found);
  }
  return own;
}

/** How crictl prints what it logs itself, before a log or a list. Source: sirupsen/logrus text_formatter.go. */
const OF_TOOL = /^(?:(?:WARN|ERRO|FATA)\[\d{4}\] |E\d{4} \d\d:\d\d:\d\d\.\d{1,9} +\d{1,10} remote_(?:runtime|image)\.go:)/;

function containerIn(row: string): RuntimeContainer | undefined {
  const [, id, container = '', pod = '', namespace] = CRICTL_ROW.exec(row) ?? [];
  if (id !== undefined) return { id, container, pod: podRef(pod, namespace) };
  const named = ofDocker(row);
  const first = /^([0-9a-f]{12,64})\s/.exec(row)?.[1];
  return named === undefined || first === undefined ? undefined : { id: first, ...named };
}

function ofDocker(text: string): Omit<RuntimeContainer, 'id'> | undefined {
  const [, container, pod = '', namespace] = DOCKER_NAME.exec(text) ?? [];
  return container === undefined ? undefined : { container, pod: podRef(pod, namespace) };
}

const MAX_LINES = 5000;

function takeLog(words: string, output: readonly Line[], gathering: Gathering): void {
  const id = /\b[0-9a-f]{4,64}\b/.exec(words.replace(/--\S{1,60}[= ]\S{1,60}/g, ' '))?.[0];
  const known = ofDocker(words) ?? (id === undefined ? undefined : gathering.containers.findLast((one) => one.id.startsWith(id)));
  const { name, namespace } = known?.pod ?? unnamed('Pod');
  gathering.logs.push({
    of: { by: 'pod', pod: name },
    ...(namespace === undefined ? {} : { namespace }),
    ...(known === undefined ? {} : { container: known.container }),
    all: false,
    previous: false,
    lines: output.map(({ text }) => text).slice(-MAX_LINES),
    filtered: true,
    segment: gathering.segment,
  });
}
