import { PodcheckError } from '../../base/errors.ts';
import { parseInteger } from '../../base/number.ts';
import { isNamespaceName } from '../namespace-names.ts';

export interface StateOptions {
  /** Where ConfigMaps and Leases are kept. */
  readonly stateNamespace?: string;
  /** How many share the work. */
  readonly replicas?: string;
}

export interface StateWish {
  readonly namespace: string;
  readonly replicas: number;
}

/** Each reads all Leases every 2 s. */
const MOST_REPLICAS = 16;

/** How many replicas there are. Throws a PodcheckError for what is no such number. */
export function replicasOf({ replicas = '1' }: StateOptions): number {
  const count = /^\d{1,4}$/.test(replicas) ? parseInteger(replicas) : undefined;
  if (count !== undefined && count >= 1 && count <= MOST_REPLICAS) return count;
  throw new PodcheckError('usage', `--replicas: "${replicas}" is not a number from 1 to ${MOST_REPLICAS}`, 'for example 3');
}

/** Where the options say that state is kept; undefined where nothing is. Throws a PodcheckError for what cannot be. */
export function stateWish(options: StateOptions): StateWish | undefined {
  const { stateNamespace: namespace } = options;
  const replicas = replicasOf(options);
  if (namespace === undefined) {
    if (replicas === 1) return undefined;
    throw new PodcheckError('usage', '--replicas needs --state-namespace', 'name the namespace of the Leases and ConfigMaps');
  }
  if (isNamespaceName(namespace)) return { namespace, replicas };
  throw new PodcheckError(
    'usage',
    `--state-namespace: ${JSON.stringify(namespace)} is not a valid namespace`,
    'use lower-case letters, digits and "-"',
  );
}
