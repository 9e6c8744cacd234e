import { withoutTail } from '../../base/text.ts';
import { resourceOfKind } from '../../model/resources.ts';
import type { ScoredCause } from './scored-cause.ts';

/**
 * Whether a cause points at the object of a case: `app/NAME`, the Service, Deployment or StatefulSet NAME as its object or as the
 * workload its object belongs to; `node/NAME`, the Node; `namespace/NAME`, the Namespace or a ResourceQuota in it; `Kind/NAME`,
 * that object or, where the cause lies in a reference or a claim, an object that its evidence names beside it.
 */
export function isRightObject(cause: ScoredCause, expected: string): boolean {
  const slash = expected.indexOf('/');
  const [kind, name] = [expected.slice(0, slash), expected.slice(slash + 1)];
  const { object, workload } = cause;
  switch (kind) {
    case 'app':
      return [object, workload].some((ref) => ref !== undefined && APP_KINDS.has(ref.kind) && ref.name === name);
    case 'node':
      return object.kind === 'Node' && object.name === name;
    case 'namespace':
      return (object.kind === 'Namespace' && object.name === name) || (object.kind === 'ResourceQuota' && object.namespace === name);
    default:
      return (object.kind === kind && object.name === name) || (isReference(kind, object.kind) && isNamedInEvidence(cause, kind, name));
  }
}

const APP_KINDS: ReadonlySet<string> = new Set(['Service', 'Deployment', 'StatefulSet']);

/** Kinds that run or hold others, or only report on them, and are not what a reference is made to. */
const NEVER_REFERRED_TO: ReadonlySet<string> = new Set(
  'Pod Deployment ReplicaSet StatefulSet DaemonSet Job CronJob ReplicationController Namespace Lease Event'.split(' '),
);

/** Either of the two may be the one that refers, the other is what it refers to. */
function isReference(kind: string, other: string): boolean {
  return kind !== other && [kind, other].some((one) => !NEVER_REFERRED_TO.has(one));
}

/** A piece of evidence that has both the kind, in any of its usual forms, and the whole name. */
function isNamedInEvidence({ evidence }: ScoredCause, kind: string, name: string): boolean {
  const words = wordsFor(kind);
  return evidence.some(({ source, quote }) => {
    const text = `${source} ${quote}`;
    return words.some((word) => text.toLowerCase().includes(word)) && tokensOf(text).has(name);
  });
}

function wordsFor(kind: string): readonly string[] {
  const lower = kind.toLowerCase();
  const resource = resourceOfKind(kind);
  return [lower, ...(resource === undefined ? [] : [resource.plural]), ...(FIELD_WORDS[kind] ?? [])];
}

/** What the fields and messages call these kinds: `claimName`, `webhook "policy.shop.example"`. */
const FIELD_WORDS: Readonly<Record<string, readonly string[]>> = {
  PersistentVolumeClaim: ['claim', 'pvc'],
  ValidatingWebhookConfiguration: ['webhook'],
  MutatingWebhookConfiguration: ['webhook'],
  ValidatingAdmissionPolicyBinding: ['binding'],
};

/** Names as they stand between other characters than those names are made of; a full stop after one belongs to the sentence. */
function tokensOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/[^A-Za-z0-9.-]+/).flatMap((token) => [token, withoutTail(token, '.')]));
}
