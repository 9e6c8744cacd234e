import { formatInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Line } from './clean-lines.ts';
import type { Command } from './command.ts';
import { flagOf, hasFlag } from './command.ts';
import { Draft } from './draft.ts';
import { splitErrors } from './error-lines.ts';
import type { LogSighting } from './log-output.ts';
import { readLogOutput } from './log-output.ts';
import { looksLikeManifest, readManifest } from './manifests.ts';
import { asAnswer, isBareAnswer } from './loose/answer-text.ts';
import { unnamed } from './loose/involved.ts';
import { readJournal, readStatus } from './node-service.ts';
import { eventInLog } from './loose/event-in-log.ts';
import { eventRow } from './loose/event-row.ts';
import type { LooseEvent } from './loose/loose-events.ts';
import { seeEvents } from './loose/loose-events.ts';
import { namedIn } from './loose/named-objects.ts';
import { unstarted } from './loose/service-lines.ts';
import { toldState } from './loose/told-states.ts';
import { inNamespace } from './namespaces.ts';
import { readDescribes, readEvents, readGet, tellErrors } from './read-kubectl.ts';
import { readLoosely } from './read-loosely.ts';
import type { Reading } from './reading.ts';
import { readRuntimeTool } from './runtime-tools.ts';
import type { Segment } from './segments.ts';
import { isHeader } from './tables.ts';

/** Reads one command with its output into the gathering. Nothing is refused: what cannot be read becomes a note. */
export function readSegment(segment: Segment, reading: Reading): void {
  const { command, output } = segment;
  if (command === undefined) return readLoosely(output, reading, undefined, segment.block);
  switch (command.tool) {
    case 'kubectl':
      return readKubectl(segment, command, reading);
    case 'cat':
      return readFile(segment, command, reading);
    case 'systemctl':
      return readService(command, output, reading);
    case 'journalctl':
      return readJournalLines(command, output, reading);
    default:
      return readOther(segment, command, reading);
  }
}

const MAX_ANSWER = 64 * 1024;
/** Verbs that only look: of their output the answer keeps the words that are kubectl's own. */
const LOOKS = new Set([
  'get',
  'describe',
  'logs',
  'log',
  'events',
  'top',
  'explain',
  'api-resources',
  'version',
  'config',
  'cluster-info',
  'diff',
]);

function readKubectl(whole: Segment, command: Command, reading: Reading): void {
  const end = endOfAnswer(command, whole.output);
  const segment = end === undefined ? whole : { ...whole, output: whole.output.slice(0, end) };
  readAnswer(segment, command, reading);
  if (end !== undefined) readLoosely(whole.output.slice(end), reading);
}

/** Verbs that answer with one line for each object. */
const SHORT = new Set(
  'run create apply replace delete scale expose patch label annotate set edit rollout drain cordon uncordon taint autoscale wait'.split(
    ' ',
  ),
);
/** What only other commands print. */
const OF_ANOTHER = /^\s*(?:Events:|Name: {2,}\S|Containers:|Conditions:|(?:Last )?State: {2,}\S)/;

/** Where the output of a command that people left out begins. A log that the API server refuses has no lines. */
function endOfAnswer({ verb }: Command, output: readonly Line[]): number | undefined {
  const isLog = verb === 'logs' || verb === 'log';
  if (!SHORT.has(verb) && !(isLog && output[0]?.text.startsWith('Error from server') === true)) return undefined;
  const found = output.findIndex(({ text }) => OF_ANOTHER.test(text) || isHeader(text) || eventRow(text) !== undefined);
  return found > 0 ? found : undefined;
}

function readAnswer(segment: Segment, command: Command, reading: Reading): void {
  const { output } = segment;
  const { gathering } = reading;
  answer(segment, command, reading);
  const namespace = namespaceOf(command);
  switch (command.verb) {
    case 'get':
      return readGet(command, output, namespace, reading);
    case 'describe':
      return readDescribes(command, output, namespace, reading);
    case 'events':
      return readEvents(command, output, namespace, reading);
    case 'logs':
    case 'log': {
      const { sightings, errors } = readLogOutput(command, output, namespace, gathering.segment);
      for (const sighting of sightings) {
        gathering.logs.push(sighting);
        const waiting = waitingPod(sighting);
        if (waiting !== undefined) gathering.see(waiting, 'table');
      }
      seeEvents(recordedEvents(output), undefined, unnamed('Pod'), reading);
      return tellErrors(errors, command, namespace, reading);
    }
    case 'config':
    case 'project': {
      const chosen = command.verb === 'project' ? command.args[0] : flagOf(command, 'namespace', 'n');
      if (chosen !== undefined && (command.verb === 'project' || hasFlag(command, 'current'))) gathering.useContext(chosen);
      return;
    }
    case 'rollout':
      for (const line of output) {
        const told = toldState(line.text);
        if (told !== undefined) gathering.see(namespace === undefined ? told : inNamespace(told, namespace), 'table');
      }
      return tellErrors(splitErrors(output).errors, command, namespace, reading);
    case 'apply':
    case 'create':
    case 'replace':
      return readApplied(segment, command, reading);
    case 'exec':
    case 'run':
      if (LOOKS_UP.test(command.text)) readLoosely(output, reading);
      return tellErrors(splitErrors(output).errors, command, namespace, reading);
    default:
      return tellErrors(splitErrors(output).errors, command, namespace, reading);
  }
}

/** A name that a person looks up from inside of a pod: what the program prints is of a pod whose own state does not matter. */
const LOOKS_UP = / (?:nslookup|dig|host) /;

/** Lines from the end of a log in which recorded events are looked for. */
const RECORDED_IN = 200;

/** What a controller recorded as a warning of an object that it names stands in the controller's own log, too. */
function recordedEvents(output: readonly Line[]): readonly LooseEvent[] {
  return output.slice(-RECORDED_IN).flatMap((line) => {
    const row = eventInLog(line.text);
    return row?.about === undefined || row.type !== 'Warning' ? [] : [{ line, row, named: namedIn(row.message) }];
  });
}

/** The state of a container whose log could not be read because it has not started. */
function waitingPod({ of, namespace, container, waitsFor }: LogSighting): KubeObject | undefined {
  if (of.by !== 'pod' || container === undefined || waitsFor === undefined) return undefined;
  const status = { name: container, image: '<image>', ready: false, restartCount: 0, state: { waiting: { reason: waitsFor } } };
  return new Draft('Pod', of.pod, namespace)
    .set('status.containerStatuses', [status])
    .covers('status.containerStatuses.name', 'status.containerStatuses.state')
    .build();
}

/** The namespace of a command; undefined when it leaves it to the context. */
function namespaceOf(command: Command): string | undefined {
  return flagOf(command, 'n', 'namespace');
}

function answer(segment: Segment, command: Command, { gathering, at }: Reading): void {
  const { output } = segment;
  const looks = LOOKS.has(command.verb);
  const kept = looks ? splitErrors(output).errors.slice(0, 20) : output;
  const isBare = !looks && splitErrors(output).errors.length === 0;
  const shown = looks && kept.length === 0 && command.verb !== 'logs' ? output.slice(0, 1) : kept;
  const text = shown
    .map((line) => line.text.replace(/^Error: (?=Error|error)/, '').replace(FATAL, ''))
    .map((line) => (isBare && isBareAnswer(line) ? asAnswer(line) : line))
    .join('\n')
    .trimStart()
    .slice(0, MAX_ANSWER);
  const isLog = command.verb === 'logs' || command.verb === 'log';
  const spec: Record<string, string | number> = {
    command: withoutCredentials(command.text),
    verb: command.verb,
    output: isLog && !FROM_KUBELET.test(text) ? '' : text,
    order: gathering.answers.length,
    at: formatInstant(at),
  };
  if (segment.exitCode !== undefined) spec['exitCode'] = segment.exitCode;
  gathering.answers.push(spec satisfies JsonObject);
}

/** What keeps the API server from asking the kubelet for any log says nothing of the container. */
const FROM_KUBELET =
  /(?::10250\/.{0,800}|error dialing backend): (?:x509|remote error: tls|dial tcp \S{1,253}): |provide credentials \( pods\/log /;

/** With `-v` kubectl writes its last words as a line of its log. Source: staging/src/k8s.io/kubectl/pkg/cmd/util/helpers.go (fatal). */
const FATAL = /^F\d{4} \d\d:\d\d:\d\d\.\d{1,9}\s{1,8}\d{1,10} helpers\.go:\d{1,6}\] (?=[Ee]rror)/;

/** Credentials typed on the command line are no evidence. */
function withoutCredentials(text: string): string {
  return text.replace(/(--(?:from-literal[= ]["']?[\w.-]+=|(?:docker-)?password[= ]|token[= ]))[^\s"']+/g, '$1…');
}

/** A manifest given on standard input is a record at once; a file's is one when its text is shown. */
function readApplied(segment: Segment, command: Command, reading: Reading): void {
  const { gathering, files } = reading;
  const namespace = namespaceOf(command);
  for (const document of segment.heredoc === undefined ? [] : readManifest(segment.heredoc.text, 'stdin', namespace))
    gathering.manifests.push(document);
  for (const name of (flagOf(command, 'f', 'filename') ?? '').split(',')) {
    const file = files.get(baseName(name));
    if (file === undefined) continue;
    file.applied = true;
    if (namespace !== undefined) file.namespace ??= namespace;
  }
  tellErrors(splitErrors(segment.output).errors, command, namespace, reading);
}

/** A shell prints the file of a log, or its end. */
const LOG_FILE = /^(?:sudo\s)?(?:cat|tail|head|less|more|zcat)\s(?:.{0,200}\s)?\S{1,300}\.log(?:\.\d{1,3})?$/;
const IS_LOG = { intro: 'log' };

function readFile(segment: Segment, command: Command, reading: Reading): void {
  if (LOG_FILE.test(command.text)) return readLoosely(segment.output, reading, undefined, IS_LOG);
  const { files, gathering, last } = reading;
  const [name = 'stdin'] = command.args;
  const text = segment.heredoc?.text ?? segment.output.map((line) => line.text).join('\n');
  const target = command.writes ?? name;
  if (command.filtered || command.reshaped) {
    if (looksLikeManifest(text)) gathering.note(segment.line, `only part of ${target} is shown`);
    return;
  }
  if (looksLikeManifest(text))
    files.set(baseName(target), { text, applied: false, ...(last === true && segment.heredoc === undefined ? { last } : {}) });
}

function readService(command: Command, output: readonly Line[], { gathering, zoneMinutes }: Reading): void {
  for (const { text } of output) {
    const service = unstarted(text);
    const node = command.node ?? unnamed('Node').name;
    if (service !== undefined) gathering.services.push({ node, service, spec: { active: 'failed' }, lines: [text] });
  }
  if (!['status', 'is-active', 'show'].includes(command.verb)) return;
  for (const { service, host, spec, lines } of readStatus(output, command.args, zoneMinutes)) {
    gathering.services.push({ node: wholeName(command.node, host) ?? unnamed('Node').name, service, spec, lines });
  }
}

/** A prompt shows the first part of a host's name, the journal all of it. */
function wholeName(shown: string | undefined, host: string | undefined): string | undefined {
  return shown === undefined || host?.startsWith(`${shown}.`) === true ? host : shown;
}

/** Services that log what becomes of pods. */
const TELL_OF_PODS: ReadonlySet<string> = new Set(['kubelet', 'k3s', 'k3s-agent', 'rke2-server', 'rke2-agent']);

/** Without a unit, the journal has the lines of all services. */
function readJournalLines(command: Command, output: readonly Line[], reading: Reading): void {
  const { gathering } = reading;
  const service = flagOf(command, 'u', 'unit');
  if (service === undefined) return readLoosely(output, reading);
  const read = readJournal(output, service);
  const node = wholeName(command.node, read.host);
  const told = gathering.services.length;
  if (TELL_OF_PODS.has(read.service)) readLoosely(output, reading);
  gathering.services.length = told;
  if (node !== undefined) gathering.services.push({ node, ...read });
}

/** Programs podcheck does not know: `kubens shop`, a script that prints tables of kubectl. */
function readOther(segment: Segment, command: Command, reading: Reading): void {
  const [, chosen] = /^(?:kubens|kubectl ns)\s+([a-z0-9][a-z0-9-]*)\s*$/.exec(command.text) ?? [];
  if (chosen !== undefined) reading.gathering.useContext(chosen);
  else {
    const block = LOG_FILE.test(command.text) ? IS_LOG : undefined;
    readLoosely(readRuntimeTool(command, segment.output, reading.gathering) ?? segment.output, reading, undefined, block);
  }
}

function baseName(path: string): string {
  return path.trim().replace(/^.*[/\\]/, '');
}
