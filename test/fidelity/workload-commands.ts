import { formatMilliseconds } from '../../src/base/instant.ts';
import type { Json } from '../../src/base/json.ts';
import { asList, asNumber, asObject, asText, dig, digAt } from '../../src/base/json.ts';
import { sameJson, withFields } from '../../src/base/json-edit.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { annotationsOf, controllerOf } from '../../src/model/kube-object.ts';
import type { CommandLine } from './command-line.ts';
import type { CommandAnswer, Terminal } from './kubectl-terminal.ts';
import { addressOf, failed, send } from './kubectl-terminal.ts';

/** A command that changes a workload as a person would; undefined for any other. */
export function workloadCommand(command: CommandLine, terminal: Terminal): CommandAnswer | undefined {
  const [, verb, what = '', ...rest] = command.words;
  if (verb === 'scale') return withTarget(command, [what, ...rest], terminal, scale);
  if (verb === 'set' && what === 'image') return withTarget(command, rest, terminal, setImage);
  if (verb !== 'rollout') return undefined;
  const action = ROLLOUTS[what];
  return action === undefined ? undefined : withTarget(command, rest, terminal, action);
}

interface Target {
  readonly at: NonNullable<ReturnType<typeof addressOf>>;
  readonly name: string;
  readonly rest: readonly string[];
  readonly options: CommandLine['options'];
  readonly terminal: Terminal;
}

type Action = (target: Target) => CommandAnswer | undefined;

/** `deploy/web` or `deploy web`. */
function withTarget({ options }: CommandLine, words: readonly string[], terminal: Terminal, action: Action): CommandAnswer | undefined {
  const [first = '', ...others] = words;
  const [kind = '', inOne] = first.split('/');
  const [name = '', rest] = inOne === undefined ? [others[0], others.slice(1)] : [inOne, others];
  const at = addressOf(kind, options.get('n'));
  return at === undefined ? undefined : action({ at, name, rest, options, terminal });
}

function patched({ at, name, terminal }: Target, body: Json, manager: string, did: string): CommandAnswer {
  const answer = send(terminal, { verb: 'patch', ...at, name, patch: { type: 'strategic', body }, manager });
  return answer.ok ? { output: `${at.word}/${name} ${did}`, exitCode: 0 } : failed(answer, '');
}

function scale(target: Target): CommandAnswer | undefined {
  const replicas = Number(target.options.get('replicas'));
  const { at, name, terminal } = target;
  const found = send(terminal, { verb: 'get', ...at, name });
  if (!found.ok) return failed(found, '');
  const answer = send(terminal, {
    verb: 'patch',
    ...at,
    name,
    subresource: 'scale',
    patch: { type: 'merge', body: { spec: { replicas } } },
    manager: 'kubectl',
  });
  return answer.ok ? { output: `${at.word}/${name} scaled`, exitCode: 0 } : failed(answer, '');
}

function setImage(target: Target): CommandAnswer | undefined {
  const containers = target.rest.map((pair) => ({ name: pair.slice(0, pair.indexOf('=')), image: pair.slice(pair.indexOf('=') + 1) }));
  return patched(
    target,
    target.at.resource === 'pods' ? { spec: { containers } } : { spec: { template: { spec: { containers } } } },
    'kubectl-set',
    'image updated',
  );
}

const ROLLOUTS: Readonly<Record<string, Action>> = {
  restart: (target) =>
    patched(
      target,
      {
        spec: {
          template: {
            metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': formatMilliseconds(target.terminal.cluster.now()) } },
          },
        },
      },
      'kubectl-rollout',
      'restarted',
    ),
  pause: (target) => patched(target, { spec: { paused: true } }, 'kubectl-rollout', 'paused'),
  resume: (target) => patched(target, { spec: { paused: null } }, 'kubectl-rollout', 'resumed'),
  undo,
  status,
};

const REVISION = 'deployment.kubernetes.io/revision';

/** The template of the revision before, or of `--to-revision`. Source: staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollback.go. */
function undo(target: Target): CommandAnswer | undefined {
  const { at, name, options, terminal } = target;
  const found = send(terminal, { verb: 'get', ...at, name });
  if (!found.ok) return failed(found, '');
  if (found.object.kind !== 'Deployment') return undefined;
  const current = Number(annotationsOf(found.object)[REVISION] ?? 0);
  const wanted = Number(options.get('to-revision') ?? 0);
  const sets = terminal.cluster.store
    .list('replicasets.apps', at.namespace)
    .filter((set) => controllerOf(set)?.name === name)
    .map((set): [number, KubeObject] => [Number(annotationsOf(set)[REVISION] ?? 0), set]);
  const older = sets.filter(([revision]) => (wanted === 0 ? revision < current : revision === wanted)).sort(([a], [b]) => b - a);
  const [to] = older;
  if (to === undefined)
    return {
      output:
        wanted === 0
          ? `error: no rollout history found for deployment "${name}"`
          : `error: unable to find specified revision ${wanted} in history`,
      exitCode: 1,
    };
  const template = asObject(dig(to[1], 'spec', 'template'));
  const metadata = asObject(template['metadata']);
  const labels = Object.fromEntries(Object.entries(asObject(metadata['labels'])).filter(([key]) => key !== 'pod-template-hash'));
  const rolled = withFields(template, { metadata: withFields(metadata, { labels }) });
  if (sameJson(rolled, dig(found.object, 'spec', 'template')))
    return { output: `deployment.apps/${name} skipped rollback (current template already matches revision ${to[0]})`, exitCode: 0 };
  const answer = send(terminal, {
    verb: 'patch',
    ...at,
    name,
    patch: { type: 'json', body: [{ op: 'replace', path: '/spec/template', value: rolled }] },
    manager: 'kubectl',
  });
  return answer.ok ? { output: `${at.word}/${name} rolled back`, exitCode: 0 } : failed(answer, '');
}

/**
 * Looks once a second until the rollout is over or `--timeout` is. Source:
 * staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go.
 */
function status(target: Target): CommandAnswer | undefined {
  const { at, name, options, terminal } = target;
  const seconds = Number(/^(\d+)s$/.exec(options.get('timeout') ?? '')?.[1] ?? 600);
  const lines: string[] = [];
  for (let passed = 0; ; passed++) {
    const found = send(terminal, { verb: 'get', ...at, name });
    if (!found.ok) return failed(found, '');
    if (found.object.kind !== 'Deployment') return undefined;
    const { words, done, failure } = progressOf(found.object);
    if (failure !== undefined) return { output: [...lines, failure].join('\n'), exitCode: 1 };
    if (lines.at(-1) !== words) lines.push(words);
    if (done) return { output: lines.join('\n'), exitCode: 0 };
    if (passed >= seconds) return { output: [...lines, 'error: timed out waiting for the condition'].join('\n'), exitCode: 1 };
    terminal.cluster.advance(1000);
  }
}

function progressOf(deployment: KubeObject): { readonly words: string; readonly done: boolean; readonly failure?: string } {
  const { name } = deployment.metadata;
  const number = (...path: readonly string[]): number => asNumber(digAt(deployment, path)) ?? 0;
  if (number('metadata', 'generation') > number('status', 'observedGeneration'))
    return { words: 'Waiting for deployment spec update to be observed...', done: false };
  if (asList(dig(deployment, 'status', 'conditions')).some((condition) => asText(dig(condition, 'reason')) === 'ProgressDeadlineExceeded'))
    return { words: '', done: false, failure: `error: deployment "${name}" exceeded its progress deadline` };
  const [wanted, replicas, updated, available] = [
    asNumber(dig(deployment, 'spec', 'replicas')) ?? 1,
    number('status', 'replicas'),
    number('status', 'updatedReplicas'),
    number('status', 'availableReplicas'),
  ];
  const waiting = (what: string): { readonly words: string; readonly done: boolean } => ({
    words: `Waiting for deployment "${name}" rollout to finish: ${what}...`,
    done: false,
  });
  if (updated < wanted) return waiting(`${updated} out of ${wanted} new replicas have been updated`);
  if (replicas > updated) return waiting(`${replicas - updated} old replicas are pending termination`);
  if (available < updated) return waiting(`${available} of ${updated} updated replicas are available`);
  return { words: `deployment "${name}" successfully rolled out`, done: true };
}
