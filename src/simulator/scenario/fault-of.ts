import { PodcheckError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { asText } from '../../base/json.ts';
import type { Fault } from '../faults.ts';

/** A fault as a scenario writes it. Times of certificates are seconds from the cluster's start: `endsIn`, `beginsIn`. */
export function faultOf(given: JsonObject, place: string, start: number): Fault {
  const kind = asText(given['fault']) ?? '';
  const known = FIELDS[kind];
  if (known === undefined) throw wrong(place, `there is no fault ${JSON.stringify(kind)}`, `faults are ${Object.keys(FIELDS).join(', ')}`);
  const unknown = Object.keys(given).find((field) => field !== 'fault' && !known.allowed.includes(field));
  if (unknown !== undefined) throw wrong(place, `a fault ${kind} has no field ${JSON.stringify(unknown)}`, `its fields are ${known.allowed.join(', ')}`);
  const missing = known.required.find((field) => given[field] === undefined);
  if (missing !== undefined) throw wrong(place, `a fault ${kind} needs ${JSON.stringify(missing)}`, `its fields are ${known.allowed.join(', ')}`);
  if (kind !== 'certificate') return (kind === 'part' ? { with: {}, ...given } : given) as unknown as Fault;
  const { endsIn, beginsIn, ...rest } = given;
  return {
    ...rest,
    ...(typeof endsIn === 'number' ? { notAfter: start + endsIn * 1000 } : {}),
    ...(typeof beginsIn === 'number' ? { notBefore: start + beginsIn * 1000 } : {}),
  } as unknown as Fault;
}

export function wrong(place: string, what: string, hint?: string): PodcheckError {
  return new PodcheckError('bad-input', `${place}: ${what}`, hint);
}

const FIELDS: Readonly<Record<string, { readonly allowed: readonly string[]; readonly required: readonly string[] }>> = {
  stop: { allowed: ['process', 'node'], required: ['process'] },
  start: { allowed: ['process', 'node'], required: ['process'] },
  restart: { allowed: ['process', 'node'], required: ['process'] },
  slow: { allowed: ['process', 'node', 'milliseconds'], required: ['process', 'milliseconds'] },
  etcd: { allowed: ['state'], required: ['state'] },
  certificate: { allowed: ['name', 'endsIn', 'beginsIn', 'issuer', 'dnsNames'], required: ['name'] },
  'webhook-server': { allowed: ['server'], required: ['server'] },
  compact: { allowed: [], required: [] },
  part: { allowed: ['part', 'what', 'with'], required: ['part', 'what'] },
};
