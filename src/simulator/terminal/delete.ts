import { asText, dig } from '../../base/json.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { failureWords } from './kubectl.ts';
import type { Cascade, CommandAnswer, TerminalCommand } from './command.ts';
import type { KubectlSession, TerminalSurroundings } from './kubectl-session.ts';
import { placeOf } from './kubectl-session.ts';

/**
 * `kubectl delete`. It waits until what it deleted is gone; who sees that it stays gives up after two minutes.
 * Source: staging/src/k8s.io/kubectl/pkg/cmd/delete/delete.go, pkg/cmd/wait/delete.go.
 */
export function deleteObjects(
  { objects, cascade = 'background', graceSeconds, force = false, wait = true }: TerminalCommand & { readonly command: 'delete' },
  session: KubectlSession,
  around: TerminalSurroundings,
): CommandAnswer {
  const grace = force ? 0 : graceSeconds;
  const lines: string[] = force ? [FORCED] : [];
  let exitCode = 0;
  const deleted: Deleted[] = [];
  for (const ref of objects) {
    const place = placeOf(ref, around);
    if (place === undefined) return { output: `error: the server doesn't have a resource type "${ref.kind}"`, exitCode: 1 };
    const answer = session.send({
      verb: 'delete',
      ...place.at,
      delete: { propagationPolicy: POLICIES[cascade], ...(grace === undefined ? {} : { gracePeriodSeconds: grace }) },
    });
    if (answer.ok) {
      lines.push(`${place.word} "${ref.name}" ${force ? 'force ' : ''}deleted${inNamespace(ref)}`);
      deleted.push({ ref, uid: asText(dig(answer.object, 'metadata', 'uid') ?? dig(answer.object, 'details', 'uid')) });
    } else {
      lines.push(failureWords(answer, ''));
      exitCode = 1;
    }
  }
  const awaited = wait && !force ? deleted : [];
  const areGone = (): boolean => awaited.every(({ ref, uid }) => around.find(ref)?.metadata.uid !== uid);
  return { output: lines.join('\n'), exitCode: around.passUntil(areGone, PATIENCE_MILLISECONDS) ? exitCode : 130 };
}

interface Deleted {
  readonly ref: ObjectRef;
  readonly uid: string | undefined;
}

const PATIENCE_MILLISECONDS = 120_000;

const FORCED =
  'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.';

const POLICIES: Readonly<Record<Cascade, 'Background' | 'Foreground' | 'Orphan'>> = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
};

function inNamespace({ namespace }: ObjectRef): string {
  return namespace === undefined ? '' : ` from ${namespace} namespace`;
}
