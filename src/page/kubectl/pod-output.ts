import { parseDuration } from '../../base/duration.ts';
import { asList, asText, asTextMap, dig } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { ApiRequest } from '../../simulator/index.ts';
import type { Call, CommandAnswer } from './call.ts';
import { failed, itemsOf, said } from './call.ts';
import { failureText, theOne } from './named-objects.ts';

export const LOGS_FLAGS = 'container/c= previous/p tail= since= timestamps follow/f';

/** `kubectl logs`. Source: staging/src/k8s.io/kubectl/pkg/cmd/logs/logs.go. */
export function logs(call: Call): CommandAnswer {
  const { flags, words, kube } = call;
  if (flags.has('follow')) return failed('error: this console does not follow logs: let time pass, and run it again');
  const found = podOf(words[0] ?? '', call);
  if ('trouble' in found) return failed(found.trouble);
  const container = flags.get('container') ?? words[1];
  const answer = kube.send({
    verb: 'get',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: 'log',
    namespace: call.namespace,
    name: found.pod.metadata.name,
    log: { ...(container === undefined ? {} : { container }), ...wishOf(flags) },
  });
  if (!answer.ok) return failed(failureText(answer));
  const several = asList(dig(found.pod, 'spec', 'containers')).map((one) => asText(dig(one, 'name')) ?? '');
  const note =
    container === undefined && several.length > 1 ? [`Defaulted container "${several[0] ?? ''}" out of: ${several.join(', ')}`] : [];
  return said([...found.notes, ...note, ...(answer.lines ?? [])].join('\n'));
}

function wishOf(flags: Call['flags']): NonNullable<ApiRequest['log']> {
  const [tailLines, since] = [parseInteger(flags.get('tail')), flags.get('since')];
  const sinceSeconds = since === undefined ? undefined : parseDuration(since);
  return {
    ...(flags.has('previous') ? { previous: true } : {}),
    ...(tailLines === undefined || tailLines < 0 ? {} : { tailLines }),
    ...(sinceSeconds === undefined ? {} : { sinceSeconds: Math.max(1, Math.ceil(sinceSeconds)) }),
  };
}

export const EXEC_FLAGS = 'container/c= stdin/i tty/t';

/** `kubectl exec POD -- COMMAND` in the first container: it ends before the next command begins. */
export function exec(call: Call): CommandAnswer {
  const { words, behind, kube, flags } = call;
  if (behind.length === 0) return failed('error: you must specify at least one command for the container, behind --');
  const found = podOf(words[0] ?? '', call);
  if ('trouble' in found) return failed(found.trouble);
  const { namespace, name } = found.pod.metadata;
  const first = asText(dig(found.pod, 'spec', 'containers', 0, 'name'));
  if (flags.has('container') && flags.get('container') !== first)
    return failed(`error: this console runs commands in the first container only: ${first ?? ''}`);
  if (behind.length === 1 && /^(?:.*\/)?(?:ba|a)?sh$/.test(behind[0] ?? ''))
    return failed("error: this console has no shell in a container: give a command, for example -- sh -c 'env | sort'");
  const { output, exitCode } = kube.cluster.run({
    command: 'exec',
    pod: { kind: 'Pod', name, ...(namespace === undefined ? {} : { namespace }) },
    argv: behind,
  });
  return { output, code: exitCode };
}

/** The pod that is named, or the first of a workload's. */
function podOf(word: string, call: Call): { readonly pod: KubeObject; readonly notes: readonly string[] } | { readonly trouble: string } {
  if (word === '') return { trouble: "error: expected 'POD' or 'TYPE/NAME'" };
  const found = theOne({ ...call, words: word.includes('/') ? [word] : ['pods', word] });
  if ('trouble' in found) return found;
  if (found.object.kind === 'Pod') return { pod: found.object, notes: [] };
  const selector = Object.entries(asTextMap(dig(found.object, 'spec', 'selector', 'matchLabels') ?? dig(found.object, 'spec', 'selector')));
  const list = call.kube.send({
    verb: 'list',
    group: '',
    version: 'v1',
    resource: 'pods',
    namespace: call.namespace,
    labelSelector: selector.map(([key, value]) => `${key}=${value}`).join(','),
  });
  const pods = list.ok && selector.length > 0 ? itemsOf(list.object) : [];
  const [pod] = pods;
  if (pod === undefined) return { trouble: 'error: timed out waiting for the condition' };
  return { pod, notes: pods.length > 1 ? [`Found ${pods.length} pods, using pod/${pod.metadata.name}`] : [] };
}
