import { PodcheckError } from '../../../base/errors.ts';
import type { Impersonation } from './kubeconfig-entries.ts';

/** kubectl's --as, --as-group, --as-uid. */
export interface ImpersonationFlags {
  readonly as?: string;
  readonly asGroups?: readonly string[];
  readonly asUid?: string;
}

const NOBODY: Impersonation = { groups: [], extra: {} };

/** Whom to act as: flags win over the user's entry. Groups and a uid without a user are refused, as client-go does. */
export function impersonation(entry: Impersonation | undefined, flags: ImpersonationFlags): Impersonation {
  const own = entry ?? NOBODY;
  const user = flags.as ?? own.user;
  const uid = flags.asUid ?? own.uid;
  const groups = flags.asGroups !== undefined && flags.asGroups.length > 0 ? flags.asGroups : own.groups;
  const { extra } = own;
  if (user === undefined && (uid !== undefined || groups.length > 0 || Object.keys(extra).length > 0)) {
    throw new PodcheckError(
      'usage',
      'Impersonating a group, UID or extra needs a user.',
      'Add --as (or `as` to the user in the kubeconfig).',
    );
  }
  return { ...(user === undefined ? {} : { user }), ...(uid === undefined ? {} : { uid }), groups, extra };
}

/** Source: staging/src/k8s.io/client-go/transport/round_trippers.go (impersonatingRoundTripper, headerKeyEscape). */
export function impersonationHeaders({ user, uid, groups, extra }: Impersonation): Readonly<Record<string, string | string[]>> {
  if (user === undefined) return {};
  const extras = Object.entries(extra).map(([key, values]) => [`Impersonate-Extra-${escaped(key)}`, values.map(headerText)] as const);
  return {
    'Impersonate-User': headerText(user),
    ...(uid === undefined ? {} : { 'Impersonate-Uid': headerText(uid) }),
    ...(groups.length === 0 ? {} : { 'Impersonate-Group': groups.map(headerText) }),
    ...Object.fromEntries(extras),
  };
}

/** Go sends the UTF-8 bytes of a value as they are; Node takes a text for Latin-1, so it is given one byte per character. */
function headerText(value: string): string {
  const bytes = Buffer.from(value, 'utf8').toString('latin1');
  if (/[\u0000-\u0008\u000A-\u001F\u007F]/.test(bytes)) {
    throw new PodcheckError('usage', 'A name to impersonate contains a control character.', 'Correct --as, --as-group or --as-uid.');
  }
  return bytes;
}

/** Characters that no header name can have are percent-encoded, and so is the percent sign. */
function escaped(key: string): string {
  return [...Buffer.from(key.toLowerCase(), 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[!#$&'*+.^_`|~0-9a-z-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
