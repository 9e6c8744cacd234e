import { asText, asTextMap, dig } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { parseRef } from '../../model/kube-object.ts';
import { asItems } from '../apiserver/lists.ts';
import { failureWords } from './kubectl.ts';
import type { ExecResult } from '../kubelet/runtime/exec-result.ts';
import type { Container } from '../kubelet/runtime/runtime-container.ts';
import type { NodeRuntime } from '../kubelet/runtime/runtime.ts';
import { runRoutine } from '../time/routine.ts';
import type { CommandAnswer } from './command.ts';
import type { KubectlSession, TerminalSurroundings } from './kubectl-session.ts';
import { placeOf } from './kubectl-session.ts';

/** What `kubectl exec` did, and the words behind `--` with addresses put in. */
export interface Executed extends CommandAnswer {
  readonly argv: readonly string[];
}

/**
 * `kubectl exec POD -- COMMAND` in the pod's first container, or in that of a workload's first pod. In the command
 * `<Deployment/shop/web>` stands for the address of its first pod and `<Service/shop/web>` for that of the Service.
 * Source: staging/src/k8s.io/kubectl/pkg/cmd/exec/exec.go.
 */
export function exec(ref: ObjectRef, command: readonly string[], session: KubectlSession, around: TerminalSurroundings): Executed {
  const argv = command.map((word) =>
    word.replace(/<([^<>\s]{1,500})>/g, (whole, name: string) => addressOf(name, session, around) ?? whole),
  );
  const pod = podOf(ref, session, around);
  if (typeof pod === 'string') return { argv, output: pod, exitCode: 1 };
  const node = asText(dig(pod, 'spec', 'nodeName')) ?? '';
  if (node !== '' && !around.world.kubelets.has(node))
    return {
      argv,
      output: `Error from server: error dialing backend: dial tcp ${asText(dig(pod, 'status', 'hostIP')) ?? node}:10250: connect: connection refused`,
      exitCode: 1,
    };
  const running = containerOf(pod, node, around);
  const name = asText(dig(pod, 'spec', 'containers', 0, 'name')) ?? '';
  if (running === undefined) return { argv, output: `error: unable to upgrade connection: container not found ("${name}")`, exitCode: 1 };
  const { runtime, container } = running;
  let result: ExecResult | undefined;
  runRoutine(runtime.exec(container, argv, LIMIT_MILLISECONDS), (ended) => {
    result = ended;
  });
  around.passUntil(() => result !== undefined, LIMIT_MILLISECONDS + 1000);
  if (result === undefined || result.kind === 'timeout') return { argv, output: '', exitCode: 130 };
  if (result.kind === 'failed')
    return { argv, output: `error: Internal error occurred: error executing command in container: ${result.message}`, exitCode: 1 };
  const said = result.code === 0 ? [] : [`command terminated with exit code ${result.code}`];
  const output = (result.stdout + result.stderr).replace(/\n$/, '');
  return { argv, output: [...(output === '' ? [] : [output]), ...said].join('\n'), exitCode: result.code };
}

/** Whoever tries something gives up after two minutes. */
const LIMIT_MILLISECONDS = 120_000;

/** The pod; kubectl's words when it cannot be had. */
function podOf(ref: ObjectRef, session: KubectlSession, around: TerminalSurroundings): KubeObject | string {
  const place = placeOf(ref, around);
  if (place === undefined) return `error: the server doesn't have a resource type "${ref.kind}"`;
  const found = session.send({ verb: 'get', ...place.at });
  if (!found.ok) return failureWords(found, '');
  if (ref.kind === 'Pod') return found.object;
  const selector = Object.entries(asTextMap(dig(found.object, 'spec', 'selector', 'matchLabels') ?? dig(found.object, 'spec', 'selector')));
  const pods = session.send({
    verb: 'list',
    group: '',
    version: 'v1',
    resource: 'pods',
    namespace: ref.namespace ?? 'default',
    labelSelector: selector.map(([key, value]) => `${key}=${value}`).join(','),
  });
  if (!pods.ok) return failureWords(pods, '');
  const [first] = asItems(pods.object).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return first ?? 'error: timed out waiting for the condition';
}

function addressOf(name: string, session: KubectlSession, around: TerminalSurroundings): string | undefined {
  const ref = parseRef(name);
  if (ref === undefined) return undefined;
  if (ref.kind === 'Service') {
    const place = placeOf(ref, around);
    const service = place === undefined ? undefined : session.send({ verb: 'get', ...place.at });
    return service?.ok === true ? asText(dig(service.object, 'spec', 'clusterIP')) : undefined;
  }
  const pod = podOf(ref, session, around);
  return typeof pod === 'string' ? undefined : asText(dig(pod, 'status', 'podIP'));
}

function containerOf(
  pod: KubeObject,
  node: string,
  { world }: TerminalSurroundings,
): { readonly runtime: NodeRuntime; readonly container: Container } | undefined {
  if (!world.datacenter.has(node)) return undefined;
  const runtime = world.datacenter.runtime(node);
  const container: Container | undefined = runtime
    .containersOf(pod.metadata.uid ?? '')
    .find(({ kind, state }) => kind === 'main' && state === 'running');
  return container === undefined ? undefined : { runtime, container };
}
