import type { AuditEntry } from '../model/audit.ts';

const WRITES: readonly string[] = ['create', 'update', 'patch', 'delete', 'deletecollection'];
/** Asking whether something is allowed is a write by its verb alone. */
const ASKS: readonly string[] = [
  'selfsubjectaccessreviews',
  'selfsubjectrulesreviews',
  'selfsubjectreviews',
  'subjectaccessreviews',
  'localsubjectaccessreviews',
  'tokenreviews',
];

/** Whether a request changes the cluster, or would. Commands run in a container count as looks. */
export function isWrite(entry: AuditEntry): boolean {
  return (
    WRITES.includes(entry.verb) && !ASKS.includes(entry.resource) && !['exec', 'attach', 'portforward'].includes(entry.subresource ?? '')
  );
}

/** What cannot be taken back: deletions and evictions that went through. */
export function isDestructive(entry: AuditEntry): boolean {
  return (
    entry.code < 400 &&
    entry.dryRun !== true &&
    (entry.verb === 'delete' || entry.verb === 'deletecollection' || entry.subresource === 'eviction')
  );
}

export function lookWords(entry: AuditEntry): string {
  if (ASKS.includes(entry.resource)) return `asked what is allowed (${entry.resource})`;
  const verb =
    entry.verb === 'create'
      ? 'ran a command in'
      : entry.verb === 'watch'
        ? 'watched'
        : entry.subresource === 'log'
          ? 'read the log of'
          : 'looked at';
  return `${verb} ${objectOf(entry)}${answerOf(entry)}`;
}

export function writeWords(entry: AuditEntry): string {
  const tried = entry.dryRun === true ? 'tried to ' : '';
  return `${tried}${entry.subresource === 'eviction' ? 'evict' : entry.verb} ${objectOf(entry)}${answerOf(entry)}`;
}

function objectOf({ resource, name, namespace, subresource }: AuditEntry): string {
  const what = name === undefined ? resource : `${resource}/${name}`;
  const part = subresource === undefined || ['log', 'eviction', 'exec'].includes(subresource) ? '' : ` (${subresource})`;
  return `${what}${part}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

function answerOf({ code }: AuditEntry): string {
  return code >= 400 ? `: refused, ${code}` : '';
}
