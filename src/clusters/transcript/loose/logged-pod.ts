import type { Json, JsonObject } from '../../../base/json.ts';
import { asText, dig } from '../../../base/json.ts';
import { parseInteger } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import { PRINTED_CONTAINERS, PRINTED_END, PRINTED_RESTARTS } from '../../../model/record-kinds.ts';
import { Draft } from '../draft.ts';
import type { LogSighting } from '../log-output.ts';

/** Last words after which a process is over. Source: klog's severity F, panics of Go, and what shells and loggers call fatal. */
const FATAL =
  /^F\d{4} |\btimed out waiting for cache to be synced\b|^#? {0,2}(?:A fatal error has been detected by the Java|An error report file with more information)|^log: exiting because of error|^panic: |\bFATAL\b|^fatal|\blevel=fatal\b|"level":"fatal"|^\s{0,8}Traceback |exec user process caused|exec format error|^exec \S{1,300}: (?:no such file or directory|permission denied|text file busy)$|^npm ERR!|^Error: |^error: /;
/** What runtimes of languages and well-known programs say last of all. */
const BREAKS =
  /^(?:\s{0,8}[\w.]{1,100}(?:Error|Exception|Error:|Exception:)(?:$|[: ])|Exception in thread "|Unhandled [Ee]xception|Uncaught |terminate called after throwing|Segmentation fault|Aborted|Killed$|Terminating due to java\.lang\.|PHP (?:Fatal|Parse) error: |(?:.{0,200}: )?SQLSTATE\[|\S{1,200}\.rb:\d{1,6}:in .{1,2000}\(\w[\w:]{2,100}\)$)|bootstrap check failure \[|bundler: (?:failed to load command|command not found)|Bundler::\w{3,60}: |\[emerg\]|\d ERROR {1,2}==> |\bpanic\b|^\*\*\*aborting after |\bFatal Assertion \d|^APPLICATION FAILED TO START$|\buncaught exception in thread \[main\]|\bBOOT FAILED$|\] PANIC: {2}|\bfatal exception while booting |\bfailed to obtain node locks\b|"s":"F", {1,4}"c":/;
/** What is said only by a process that ends with it: an uncaught exception, `log.Fatal`, a configuration that a server refuses. */
const ENDS =
  /^panic: |\btimed out waiting for cache to be synced\b|^#? {0,2}(?:A fatal error has been detected by the Java|An error report file with more information)|^\s?FATAL CLI ERROR |^log: exiting because of error|^goroutine 1 \[|^Node\.js v\d|^exit status [1-9]|^Exception in thread "main"|^F\d{4} |\blevel=fatal\b|"level":"fatal"|^npm ERR!|: \[emerg\] |^terminate called after throwing|^Unhandled [Ee]xception[.:] |^Segmentation fault|^\*\*\*aborting after |\bFatal Assertion \d|^APPLICATION FAILED TO START$|\buncaught exception in thread \[main\]|\bBOOT FAILED$|\] PANIC: {2}|\bfatal exception while booting |\bfailed to obtain node locks\b|"s":"F", {1,4}"c":/;
/** What may be said in passing, but not at the end of a container that is started again and again. */
const COMPLAINS = /\[ERROR\]|\terror\t|\bERR(?:OR\b|!)|\bAborting\b|\blevel=error\b|"level":"error"|\bE\d{4} \d\d:/;
/** The same without a level: what Go's `log.Fatal` prints, and the end of a run that is over. */
const FAILS = /\b(?:failed|failure|cannot|can't|could not|couldn't|unable to|refused|timeout|error)\b/i;
const OF_GO = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /;
/** A shell whose last command does not exist: bash, dash, BusyBox. */
const MISSES = /^(?:\S{0,200}(?:sh|\.sh): |\S{1,200}: (?:line )?\d{1,6}: )\S{1,300}: (?:command |applet )?not found$/;
const LAST = 12;
/** Lines of which a trace of a stack may leave only its first. */
const TRACE = 200;
const FRAME = /^\s{1,40}(?:at |\.\.\. \d)|^\s*$/;
/** What `kubectl logs --timestamps` puts before a line. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7,9}(?:Z|[+-]\d\d:\d\d) /;
const CRASHES = 'CrashLoopBackOff';
/** The kubelet's word for any exit code but 0, where the code itself was not seen. */
const FAILED: Json = { terminated: { reason: 'Error' } };
/** What a list says of a container that is down. Source: pkg/kubelet/kuberuntime, pkg/kubelet/kubelet_pods.go (convertToAPIContainerStatuses). */
const DOWN: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(
    [CRASHES, 'RunContainerError', 'CreateContainerError', 'CreateContainerConfigError', 'PostStartHookError'].map((reason) => [
      reason,
      { waiting: { reason } },
    ]),
  ),
  ...Object.fromEntries(['Error', 'StartError', 'ContainerCannotRun'].map((reason) => [reason, { terminated: { reason } }])),
  Completed: { terminated: { reason: 'Completed', exitCode: 0 } },
};

/** How many init containers are done: one of them runs. */
const INITIALIZING = /^\d+\/\d+$/;
const RUNNING: Json = { running: {} };

/** What is known of a pod beside its log. */
export interface Around {
  /** The words around the log say that the container is started again and again. */
  readonly crashes: boolean;
  /** The pod as a list prints it. */
  readonly listed: KubeObject | undefined;
  /** A run before this one has ended: the pod is ready since. */
  readonly isOver: boolean;
  /** Few other logs are shown: this one is for its end, whatever trace of a stack comes behind it. */
  readonly isChosen: boolean;
  /** The other containers of the pod wait for the one that wrote it. */
  readonly isInit: boolean;
}

/**
 * A pod of which only a log and perhaps a row of a list were seen: its container ran, and is over where the row says so or its last words
 * are that it cannot go on.
 */
export function loggedPod(
  { container, lines, previous }: LogSighting,
  name: string,
  namespace: string | undefined,
  { crashes, listed, isOver: over, isChosen, isInit: waitedFor }: Around,
): KubeObject {
  const printed = printedOf(listed, container, waitedFor);
  const lastOnes = lastLines(lines, isChosen);
  const failed = !over && hasFailed(lastOnes, printed.word === CRASHES, isChosen || listed !== undefined);
  const ended = failed && (previous || lastOnes.some((line) => ENDS.test(line)));
  const state = stateOf(printed, ended);
  const isDown = crashes || failed || state !== undefined || (isChosen && listed === undefined && endsInTrouble(lastOnes, previous));
  const statuses = printed.isInit ? 'status.initContainerStatuses' : 'status.containerStatuses';
  const draft = new Draft('Pod', name, namespace)
    .set(statuses, [
      { name: container ?? '<container>', image: '<image>', ...shownOf(printed, state, failed), ...(isDown ? { ready: false } : {}) },
    ])
    .covers(`${statuses}.name`, ...(state === undefined ? [] : [`${statuses}.state`]));
  if (isDown) draft.set('status.conditions', [{ type: 'Ready', status: 'False' }]);
  return draft.build();
}

function lastLines(lines: readonly string[], withoutTrace: boolean): readonly string[] {
  const end = lines.slice(withoutTrace ? -TRACE : -LAST).map((line) => line.replace(TIMESTAMP, ''));
  return withoutTrace ? end.filter((line) => !FRAME.test(line)).slice(-LAST) : end;
}

function stateOf({ isInit, word }: Printed, ended: boolean): Json | undefined {
  return isInit && INITIALIZING.test(word) ? RUNNING : (DOWN[word] ?? (ended ? FAILED : undefined));
}

/** Of a log that people chose they show the end that troubles them. */
function endsInTrouble(lines: readonly string[], isOver: boolean): boolean {
  const last = lines.at(-1) ?? '';
  return COMPLAINS.test(last) || ((isOver || OF_GO.test(last)) && FAILS.test(last));
}

function shownOf({ word, hasFailed: wasFailed, restarts }: Printed, state: Json | undefined, failed: boolean): JsonObject {
  return {
    state: state ?? {},
    ...(word === CRASHES && (failed || wasFailed) ? { lastState: FAILED } : {}),
    ...(restarts === undefined ? {} : { restartCount: restarts }),
  };
}

interface Printed {
  /** The reason of a container, without what says that it is an init container. */
  readonly word: string;
  readonly isInit: boolean;
  /** Its last run: an init container that ended well would not be started again. */
  readonly hasFailed: boolean;
  readonly restarts: number | undefined;
}

/** What a row says of the container that wrote the log: it has one container, or the log is of one that somebody asked for. */
function printedOf(listed: KubeObject | undefined, container: string | undefined, waitedFor: boolean): Printed {
  const {
    [PRINTED_CONTAINERS]: several,
    [PRINTED_END]: end,
    [PRINTED_RESTARTS]: restarts,
  } = listed === undefined ? {} : annotationsOf(listed);
  const reason = asText(dig(listed, 'status', 'reason')) ?? '';
  const word = reason.replace(/^Init:/, '');
  const isIts = several === undefined || container !== undefined || word === CRASHES;
  const isInit = isIts && word !== reason;
  return {
    word: isIts ? word : '',
    isInit: isInit || waitedFor,
    hasFailed: isInit || (several === undefined && end === 'Error'),
    restarts: several === undefined ? parseInteger(restarts) : undefined,
  };
}

/** Of many logs each may end with an exception of one request: only where one is shown for its end, it is of the program. */
function hasFailed(lines: readonly string[], waits: boolean, isShownForIt: boolean): boolean {
  return (
    lines.some((line) => FATAL.test(line) || (isShownForIt && BREAKS.test(line)) || (waits && COMPLAINS.test(line))) ||
    (waits && MISSES.test(lines.at(-1) ?? ''))
  );
}
