import type { JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, isJsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { sleep } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { podDescription } from '../pods/pod-fields.ts';
import type { ProbeTarget } from './probe-run.ts';
import { runProbe } from './probe-run.ts';

/** Runs a lifecycle hook; the message of its failure, or undefined. Source: pkg/kubelet/lifecycle/handlers.go. */
export function* runHook(
  handler: JsonObject,
  pod: KubeObject,
  target: ProbeTarget,
  timeoutMilliseconds: number | undefined,
): Routine<string | undefined> {
  const { exec, httpGet, sleep: pause } = handler;
  const place = `for Container "${target.container.name}" in Pod "${podDescription(pod)}" failed - error:`;
  if (isJsonObject(exec)) return yield* runExecHook(asList(exec['command']).map(String), place, target, timeoutMilliseconds);
  if (isJsonObject(httpGet)) {
    const outcome = yield* runProbe({ httpGet, timeoutSeconds: (timeoutMilliseconds ?? 60_000) / 1000 }, target);
    // An answer of any kind will do; only no answer is a failure.
    if (outcome.kind === 'success' || outcome.output.startsWith('HTTP probe failed')) return undefined;
    return `HTTP lifecycle hook (${asText(httpGet['path']) ?? ''}) ${place} ${outcome.output}, message: ""`;
  }
  if (isJsonObject(pause))
    yield* sleep(target.host, Math.min(timeoutMilliseconds ?? Number.MAX_SAFE_INTEGER, (asNumber(pause['seconds']) ?? 0) * 1000), 'hook');
  return undefined;
}

function* runExecHook(
  argv: readonly string[],
  place: string,
  { host, runtime, container }: ProbeTarget,
  timeoutMilliseconds: number | undefined,
): Routine<string | undefined> {
  yield* sleep(host, Math.min(timeoutMilliseconds ?? EXEC_MILLISECONDS, EXEC_MILLISECONDS), 'hook');
  const result = yield* runtime.exec(container, argv, timeoutMilliseconds);
  const failed = (why: string, output = ''): string =>
    `Exec lifecycle hook ([${argv.join(' ')}]) ${place} ${why}, message: ${JSON.stringify(output)}`;
  if (result.kind === 'timeout') return failed(`command "${argv.join(' ')}" timed out`);
  if (result.kind === 'failed') return failed(result.message);
  const { code, stdout, stderr } = result;
  return code === 0 ? undefined : failed(`command '${argv.join(' ')}' exited with ${code}: ${stderr}`, stdout + stderr);
}

/** What runc takes to begin a command in a container: its own program has come further by then. */
const EXEC_MILLISECONDS = 40;
