import type { Cause } from '../../model/diagnosis.ts';
import type { FixRole } from '../../model/rule.ts';

/** What a step says, and who must do it where no command can. */
export function fixWords({ say, by }: Cause['fix'][number]): string {
  return by === undefined ? say : `${say} By: ${ROLES[by]}.`;
}

const ROLES: Readonly<Record<FixRole, string>> = {
  developer: 'developer',
  owner: 'owner',
  'cluster-admin': 'cluster administrator',
  'node-admin': 'node administrator',
  'storage-admin': 'storage administrator',
  'network-admin': 'network administrator',
  'registry-admin': 'registry administrator',
  'cloud-admin': 'cloud administrator',
};
