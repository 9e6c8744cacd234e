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
  readonly firstAt: number;
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
    const known = found.get(key);
    found.set(key, { trouble, line, lines: (known?.lines ?? 0) + 1, firstAt: known?.firstAt ?? index, lastAt: index });
  }
  const all = [...found.values()];
  return all.filter((one) => !isLoopWithout(one, run.lines) && !all.some((later) => isOver(one, later)));
}

/** A program that tries again and again, and has told of another trouble ever since, does not meet the first one any more. */
function isOver({ trouble, lastAt }: FoundTrouble, later: FoundTrouble): boolean {
  const isOther = later.trouble.class !== trouble.class && TRIES.has(trouble.class) && TRIES.has(later.trouble.class);
  const hosts = [trouble.host, later.trouble.host];
  return isOther && later.firstAt > lastAt && later.lines >= TRIED_AGAIN && (hosts.includes(undefined) || hosts[0] === hosts[1]);
}

/** What a program says in each round it says several times since, and no trouble between. */
function isLoopWithout({ trouble, lastAt }: FoundTrouble, lines: readonly string[]): boolean {
  if (!TRIES.has(trouble.class)) return false;
  const said = new Set(lines.slice(0, lastAt).filter((line) => line.trim() !== ''));
  return said.size > 0 && lines.slice(lastAt + 1).filter((line) => said.has(line)).length > TRIED_AGAIN * 2;
}

/** What keeps a program from a connection. */
const TRIES: ReadonlySet<string> = new Set(['name-not-resolved', 'dns-timeout', 'refused', 'timeout']);
const TRIED_AGAIN = 3;

/** A server's log names the address of whom it refuses: that pod is the caller, not the server's own. */
function callerOf({ caller }: CallTrouble, pod: KubeObject, scene: Scene): KubeObject {
  if (caller === undefined || caller === dig(pod, 'status', 'podIP')) return pod;
  return scene.pods.find((other) => dig(other, 'status', 'podIP') === caller && dig(other, 'spec', 'hostNetwork') !== true) ?? pod;
}
