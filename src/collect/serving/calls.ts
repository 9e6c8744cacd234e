import { dig } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import type { CallTrouble } from './call-trouble.ts';
import { callTrouble } from './call-trouble.ts';
import { endsConnected, mayBeSameServer, tellsConnection } from './connection-made.ts';
import { healthOf } from '../containers/container-health.ts';
import { containersOf } from '../containers/containers.ts';
import type { Call } from './dependencies.ts';
import { calledFact, calledService, serviceExists, serviceNamed } from './dependencies.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { LogRun } from '../logs/pod-logs.ts';
import { podLogs } from '../logs/pod-logs.ts';
import { isReady } from '../objects/pods.ts';
import type { Scene } from '../survey/scene.ts';

/** `call-failure` facts: what pods' logs say of the other programs they call. */
export async function collectCalls(scene: Scene, sink: FactSink): Promise<void> {
  const logs = await podLogs(scene);
  if (logs.runs.size === 0) return;
  for (const pod of scene.judged) {
    for (const health of healthOf(pod, scene.survey.now())) {
      // A container that was just started again is ready for a moment: what ended the run before is not over.
      const ready = health.condition === 'restarting' ? false : isReady(pod);
      for (const run of logs.of(pod, health.container.name))
        if (!run.previous || ready !== true) await runFacts(pod, { ...run, ready: run.previous ? ready : isReady(pod) }, scene, sink);
    }
  }
}

/** One fact for each kind of trouble with each address, quoting the newest line that tells of it. */
async function runFacts(
  pod: KubeObject,
  run: LogRun & { readonly ready: boolean | undefined },
  scene: Scene,
  sink: FactSink,
): Promise<void> {
  const ref = refOf(pod);
  for (const { trouble, line, lines, lastAt } of troublesIn(run, scene)) {
    const caller = callerOf(trouble, pod, scene);
    if (caller === pod && trouble.class === 'credentials' && SERVER_LINE.test(line)) continue;
    const { host, port } = trouble;
    const named = host === undefined ? undefined : serviceNamed(host, ref.namespace);
    const said = {
      source: sourceOf(ref, run),
      quote: lines > 1 ? `${line} (${String(lines)} such lines)` : line,
    };
    if (host !== undefined && caller === pod)
      await calledByLog(ref, { host, port, container: run.container, called: true }, { said, scene, sink });
    sink.fact(
      'call-failure',
      refOf(caller),
      {
        container: caller === pod ? run.container : containersOf(caller).find(({ role }) => role === 'main')?.name,
        class: trouble.class,
        host: trouble.host,
        port: trouble.port === undefined ? undefined : String(trouble.port),
        service: named?.name,
        exists: named === undefined ? undefined : await existsIfUnresolved(named, trouble, scene),
        server: trouble.server,
        lines,
        linesSince: run.lines.length - 1 - lastAt,
        previous: run.previous,
        ready: caller === pod ? run.ready : isReady(caller),
      },
      said,
    );
  }
}

function sourceOf(pod: ObjectRef, { container, previous }: LogRun): string {
  return `log of ${formatRef(pod)} container ${container}${previous ? ' (previous run)' : ''}`;
}

/** What was resolved is there, or was when it was. */
async function existsIfUnresolved(
  named: Parameters<typeof serviceExists>[0],
  trouble: CallTrouble,
  scene: Scene,
): Promise<boolean | undefined> {
  return trouble.class === 'name-not-resolved' ? serviceExists(named, scene) : undefined;
}

async function calledByLog(
  pod: ObjectRef,
  call: Omit<Call, 'service'>,
  { said, scene, sink }: { readonly said: Parameters<typeof calledFact>[2]; readonly scene: Scene; readonly sink: FactSink },
): Promise<void> {
  const service = await calledService(call.host, pod.namespace, scene);
  if (service !== undefined) calledFact(pod, { ...call, service }, said, sink);
}

/** How a PostgreSQL server begins the lines of its log: whom it refuses is somebody else. Source: log_line_prefix of postgresql.conf.sample. */
const SERVER_LINE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})? [A-Z]{3,5} \[\d{1,10}\] /;

interface FoundTrouble {
  readonly trouble: CallTrouble;
  readonly line: string;
  readonly lines: number;
  readonly lastAt: number;
}

function troublesIn(run: LogRun, scene: Scene): Iterable<FoundTrouble> {
  const found = new Map<string, FoundTrouble>();
  for (const [index, line] of run.lines.entries()) {
    if (tellsConnection(line)) for (const [key, one] of found) if (mayBeSameServer(line, one.line)) found.delete(key);
    const trouble = callTrouble(line, 'log', scene.survey.vocabulary);
    if (trouble === undefined || endsConnected(line) || scene.survey.vocabulary.phrase('controller-report', line) !== undefined) continue;
    const key = `${trouble.class} ${trouble.host ?? ''} ${String(trouble.port ?? '')} ${trouble.caller ?? ''}`;
    found.set(key, { trouble, line, lines: (found.get(key)?.lines ?? 0) + 1, lastAt: index });
  }
  return found.values();
}

/** A server's log names the address of whom it refuses: that pod is the caller, not the server's own. */
function callerOf({ caller }: CallTrouble, pod: KubeObject, scene: Scene): KubeObject {
  if (caller === undefined || caller === dig(pod, 'status', 'podIP')) return pod;
  return scene.pods.find((other) => dig(other, 'status', 'podIP') === caller && dig(other, 'spec', 'hostNetwork') !== true) ?? pod;
}
