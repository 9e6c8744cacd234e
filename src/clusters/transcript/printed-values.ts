import { parseDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { PodcheckError } from '../../base/errors.ts';
import { parseLabelSelector } from '../../model/selectors.ts';
import { given, integer } from './draft.ts';

/** A label selector as kubectl prints it (`app=web,tier in (a,b)`); undefined when it is empty or cannot be read. */
export function labelSelectorJson(text: string | undefined): JsonObject | undefined {
  const selector = given(text);
  if (selector === undefined) return undefined;
  try {
    const matchLabels: Record<string, string> = {};
    const matchExpressions: Json[] = [];
    for (const { key, operator, values } of parseLabelSelector(selector)) {
      const [only] = values;
      if (operator === 'in' && values.length === 1 && only !== undefined && !selector.includes(`${key} in (`)) matchLabels[key] = only;
      else matchExpressions.push({ key, operator: OPERATORS[operator], ...(values.length === 0 ? {} : { values }) });
    }
    return {
      ...(Object.keys(matchLabels).length === 0 ? {} : { matchLabels }),
      ...(matchExpressions.length === 0 ? {} : { matchExpressions }),
    };
  } catch (error) {
    if (error instanceof PodcheckError) return undefined;
    throw error;
  }
}

const OPERATORS = { in: 'In', notin: 'NotIn', exists: 'Exists', 'not-exists': 'DoesNotExist' } as const;
const ACCESS_MODES: Readonly<Record<string, string>> = {
  RWO: 'ReadWriteOnce',
  ROX: 'ReadOnlyMany',
  RWX: 'ReadWriteMany',
  RWOP: 'ReadWriteOncePod',
};

/** `RWO,ROX` as the API has them. */
export function accessModes(text: string | undefined): readonly string[] | undefined {
  return given(text)
    ?.split(',')
    .map((mode) => ACCESS_MODES[mode.trim()] ?? mode.trim());
}

/** The instant an age (`3d4h`, `85s ago`) counts from. */
export function instantBefore(at: Instant, age: string | undefined): Instant | undefined {
  const seconds = parseDuration((age ?? '').replace(/ ago$/, ''));
  return seconds === undefined ? undefined : at - seconds * 1000;
}

/** A port by number, or by name. */
export function portOf(text: string | undefined): number | string | undefined {
  return integer(text) ?? given(text);
}

/** `10.0.0.1:80`, `[fd00::1]:80`: address and port; without a port the whole is the address. */
export function addressAndPort(text: string): { readonly address: string; readonly port?: number } {
  const colon = text.lastIndexOf(':');
  const port = integer(text.slice(colon + 1));
  if (colon < 0 || port === undefined || (text.includes('::') && !text.includes(']'))) return { address: text };
  return { address: text.slice(0, colon).replace(/^\[|\]$/g, ''), port };
}

/**
 * `ip:port,ip:port` as Endpoints subsets, one for each port; undefined when the list was cut (` + 3 more...`), an empty list when
 * there is none.
 */
export function endpointSubsets(text: string | undefined): readonly JsonObject[] | undefined {
  const listed = given(text);
  if (listed === undefined) return [];
  if (/\+ \d+ more/.test(listed)) return undefined;
  const byPort = new Map<number | undefined, JsonObject[]>();
  for (const piece of listed.split(',')) {
    const { address, port } = addressAndPort(piece.trim());
    const addresses = byPort.get(port) ?? [];
    addresses.push({ ip: address });
    byPort.set(port, addresses);
  }
  return [...byPort].map(([port, addresses]) => ({ addresses, ...(port === undefined ? {} : { ports: [{ port }] }) }));
}
