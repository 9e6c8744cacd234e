import type { Json } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { Draft } from '../draft.ts';
import type { LogSighting } from '../log-output.ts';

/** Last words after which a process is over. Source: klog's severity F, panics of Go, and what shells and loggers call fatal. */
const FATAL =
  /^F\d{4} |^log: exiting because of error|^panic: |\bFATAL\b|^fatal|\blevel=fatal\b|"level":"fatal"|^Traceback |exec user process caused|exec format error|^npm ERR!|^Error: |^error: /;
/** What runtimes of languages and well-known programs say last of all. */
const BREAKS =
  /^(?:[\w.]{1,100}(?:Error|Exception|Error:|Exception:)(?:$|[: ])|Exception in thread "|Unhandled exception|Uncaught |terminate called after throwing|Segmentation fault|Aborted|Killed$|Terminating due to java\.lang\.|PHP (?:Fatal|Parse) error: |(?:.{0,200}: )?SQLSTATE\[|\S{1,200}\.rb:\d{1,6}:in .{1,2000}\(\w[\w:]{2,100}\)$)|bootstrap check failure \[|\[emerg\]|\bpanic\b/;
/** What is said only by a process that ends with it: an uncaught exception, `log.Fatal`, a configuration that a server refuses. */
const ENDS =
  /^panic: |^log: exiting because of error|^goroutine 1 \[|^Node\.js v\d|^exit status [1-9]|^Exception in thread "main"|^F\d{4} |\blevel=fatal\b|"level":"fatal"|^npm ERR!|: \[emerg\] |^terminate called after throwing|^Segmentation fault/;
/** What may be said in passing, but not at the end of a container that is started again and again. */
const COMPLAINS = /\[ERROR\]|\bERROR\b|\bAborting\b|\blevel=error\b|"level":"error"|\bE\d{4} \d\d:/;
const LAST = 12;
const CRASHES: Json = { waiting: { reason: 'CrashLoopBackOff' } };
/** The kubelet's word for any exit code but 0, where the code itself was not seen. */
const FAILED: Json = { terminated: { reason: 'Error' } };

/**
 * A pod of which only a log was seen: its container ran, and is over where its last words are that it cannot go on. `crashes`: the words
 * around the log say that the container is started again and again; `waits`: a list says so of the pod. A run before this one has ended;
 * `isOver`: the pod is ready since.
 */
export function loggedPod(
  { container, lines, previous }: LogSighting,
  name: string,
  namespace: string | undefined,
  { crashes, waits, isOver: over }: { readonly crashes: boolean; readonly waits: boolean; readonly isOver: boolean },
): KubeObject {
  const draft = new Draft('Pod', name, namespace);
  const failed = !over && hasFailed(lines, waits);
  const ended = failed && (previous || lines.slice(-LAST).some((line) => ENDS.test(line)));
  const isOver = crashes || waits || failed;
  const states = waits ? { state: CRASHES, ...(failed ? { lastState: FAILED } : {}) } : { state: ended ? FAILED : {} };
  const status: Json = { name: container ?? '<container>', image: '<image>', ...states, ...(isOver ? { ready: false } : {}) };
  draft
    .set('status.containerStatuses', [status])
    .covers('status.containerStatuses.name', ...(waits || ended ? ['status.containerStatuses.state'] : []));
  if (isOver) draft.set('status.conditions', [{ type: 'Ready', status: 'False' }]);
  return draft.build();
}

function hasFailed(lines: readonly string[], waits: boolean): boolean {
  return lines.slice(-LAST).some((line) => FATAL.test(line) || BREAKS.test(line) || (waits && COMPLAINS.test(line)));
}
