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
  if (isJsonObject(exec)) {
    const argv = asList(exec['command']).map(String);
    yield* sleep(target.host, Math.min(timeoutMilliseconds ?? EXEC_MILLISECONDS, EXEC_MILLISECONDS), 'hook');
    const result = yield* target.runtime.exec(target.container, argv, timeoutMilliseconds);
    if (result.kind === 'ended' && result.code === 0) return undefined;
    const why =
      result.kind === 'ended'
        ? `command '${argv.join(' ')}' exited with ${result.code}: ${result.stderr}`
        : result.kind === 'timeout'
          ? `command "${argv.join(' ')}" timed out`
          : result.message;
    return `Exec lifecycle hook ([${argv.join(' ')}]) ${place} ${why}, message: ${JSON.stringify(result.kind === 'ended' ? result.stdout + result.stderr : '')}`;
  }
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

/** What runc takes to begin a command in a container: its own program has come further by then. */
const EXEC_MILLISECONDS = 40;
