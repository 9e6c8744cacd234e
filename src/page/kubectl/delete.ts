import { append } from '../../base/lists.ts';
import { parseInteger } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { DeleteOptions } from '../../simulator/index.ts';
import type { Call, CommandAnswer } from './call.ts';
import { failed } from './call.ts';
import type { Resource } from './named-objects.ts';
import { addressOf, failureText, objectsOf, wantedOf } from './named-objects.ts';

export const DELETE_FLAGS = 'selector/l= all force grace-period= cascade= wait= now ignore-not-found';

/** `kubectl delete`, which waits until what it deleted is gone. Source: staging/src/k8s.io/kubectl/pkg/cmd/delete/delete.go. */
export function deleteObjects(call: Call): CommandAnswer {
  const { flags, kube } = call;
  const wanted = wantedOf(call);
  if ('trouble' in wanted) return failed(wanted.trouble);
  if (wanted.some(({ names }) => names.length === 0) && !flags.has('all') && !flags.has('selector'))
    return failed('error: resource(s) were provided, but no name was specified');
  const options = optionsOf(flags);
  if ('trouble' in options) return failed(options.trouble);
  const lines = flags.has('force') ? [FORCED] : [];
  let code = 0;
  const gone: (() => boolean)[] = [];
  for (const one of wanted) {
    const { objects, troubles } = objectsOf(one, call);
    const answers = objects.map((object) => deleteOne(one.resource, object, options, call));
    append(
      lines,
      answers.map(({ line }) => line),
    );
    append(
      gone,
      answers.flatMap(({ isGone }) => isGone ?? []),
    );
    const missed = flags.has('ignore-not-found') ? [] : troubles;
    append(lines, missed);
    if (missed.length > 0 || answers.some(({ isGone }) => isGone === undefined)) code = 1;
  }
  if (lines.length === 0) lines.push('No resources found');
  const waits = flags.get('wait') !== 'false' && !flags.has('force');
  if (!waits || kube.passUntil(() => gone.every((is) => is()), PATIENCE_MILLISECONDS)) return { output: lines.join('\n'), code };
  return failed([...lines, 'error: timed out waiting for the condition'].join('\n'));
}

function optionsOf(flags: Call['flags']): DeleteOptions | { readonly trouble: string } {
  const grace = flags.has('force') ? 0 : flags.has('now') ? 1 : parseInteger(flags.get('grace-period'));
  const cascade = flags.get('cascade') ?? 'background';
  const policy = POLICIES[cascade];
  if (policy === undefined)
    return { trouble: `error: invalid cascade value (${cascade}). Must be "background", "foreground", or "orphan"` };
  return { propagationPolicy: policy, ...(grace === undefined ? {} : { gracePeriodSeconds: grace }) };
}

/** What kubectl says, and how to see that the object is gone; nothing of that where the deletion is refused. */
function deleteOne(
  resource: Resource,
  { metadata }: KubeObject,
  options: DeleteOptions,
  { kube, namespace, flags }: Call,
): { readonly line: string; readonly isGone?: () => boolean } {
  const answer = kube.send({ verb: 'delete', ...addressOf(resource, namespace), name: metadata.name, delete: options });
  if (!answer.ok) return { line: failureText(answer) };
  const { group, singular, namespaced, key } = resource;
  const where = namespaced ? ` from ${namespace} namespace` : '';
  return {
    line: `${singular}${group === '' ? '' : `.${group}`} "${metadata.name}" ${flags.has('force') ? 'force ' : ''}deleted${where}`,
    isGone: () => kube.cluster.store.get(key, metadata.namespace, metadata.name)?.metadata.uid !== metadata.uid,
  };
}

const PATIENCE_MILLISECONDS = 120_000;

const POLICIES: Readonly<Record<string, 'Background' | 'Foreground' | 'Orphan'>> = {
  background: 'Background',
  true: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
  false: 'Orphan',
};

const FORCED =
  'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.';
