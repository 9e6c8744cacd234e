import { PodcheckError } from '../../base/errors.ts';
import { isNamespaceName } from '../namespace-names.ts';

export interface ScopeOptions {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  /** Names, separated by commas. */
  readonly namespaces?: string;
}

/** `undefined`: nothing is named, and the one of the context is meant. */
export type NamedScope = readonly string[] | 'all' | undefined;

/** More would be more watches than a server should keep for one client: all namespaces are few. */
const MOST_NAMESPACES = 50;

/** What the options say is watched. Throws a PodcheckError where they say two things. */
export function namespacesOf({ namespace, allNamespaces, namespaces }: ScopeOptions): NamedScope {
  if (allNamespaces === true && namespace !== undefined)
    throw new PodcheckError('usage', '-n and -A cannot be used together', 'leave out one of them');
  if (namespaces === undefined) return allNamespaces === true ? 'all' : namespace === undefined ? undefined : [namespace];
  if (allNamespaces === true || namespace !== undefined)
    throw new PodcheckError(
      'usage',
      `--namespaces and ${namespace === undefined ? '-A' : '-n'} cannot be used together`,
      'leave out one of them',
    );
  return listOf(namespaces);
}

/** Names of namespaces, separated by commas, each once. */
export function listOf(text: string): readonly string[] {
  const names = [...new Set(text.split(','))];
  const wrong = names.find((name) => !isNamespaceName(name));
  if (wrong !== undefined)
    throw new PodcheckError(
      'usage',
      `--namespaces: ${JSON.stringify(wrong)} is not a valid namespace`,
      'separate names with commas: shop,carts',
    );
  if (names.length > MOST_NAMESPACES)
    throw new PodcheckError('usage', `--namespaces has ${names.length} names: the limit is ${MOST_NAMESPACES}`, 'use -A');
  return names;
}
