import { PodcheckError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { asNumber, asObject, asText } from '../../base/json.ts';
import { own } from '../../base/own-property.ts';
import type { Fault } from '../outside/faults.ts';
import { behaviourTrouble } from '../programs/behaviour-check.ts';
import type { Certificate } from '../x509/simulated-certificate.ts';
import type { WebhookServer } from '../outside/webhook-servers.ts';

/** A fault as a scenario writes it. Times of certificates are seconds from the cluster's start: `endsIn`, `beginsIn`. */
export function faultOf(given: JsonObject, place: string, start: number): Fault {
  const kind = asText(given['fault']) ?? '';
  const known = own(FIELDS, kind);
  if (known === undefined) throw wrong(place, `there is no fault ${JSON.stringify(kind)}`, `faults are ${Object.keys(FIELDS).join(', ')}`);
  const unknown = Object.keys(given).find((field) => field !== 'fault' && !known.allowed.includes(field));
  if (unknown !== undefined)
    throw wrong(place, `a fault ${kind} has no field ${JSON.stringify(unknown)}`, `its fields are ${known.allowed.join(', ')}`);
  const missing = known.required.find((field) => given[field] === undefined);
  if (missing !== undefined)
    throw wrong(place, `a fault ${kind} needs ${JSON.stringify(missing)}`, `its fields are ${known.allowed.join(', ')}`);
  const trouble = given['part'] === 'behaviour' ? behaviourTrouble(given['with'] ?? {}) : undefined;
  if (trouble !== undefined)
    throw wrong(
      place,
      `behaviour of ${asText(given['what']) ?? ''}: ${trouble}`,
      'a container without a behaviour runs for ever, listens on its ports and answers 200',
    );
  if (kind === 'webhook-server') return { fault: kind, server: webhookServerOf(asObject(given['server']), start) };
  if (kind !== 'certificate') return (kind === 'part' ? { with: {}, ...given } : given) as unknown as Fault;
  const { endsIn, beginsIn, ...rest } = given;
  return {
    ...rest,
    ...(typeof endsIn === 'number' ? { notAfter: start + endsIn * 1000 } : {}),
    ...(typeof beginsIn === 'number' ? { notBefore: start + beginsIn * 1000 } : {}),
  } as unknown as Fault;
}

/**
 * A webhook's server needs an address; without more it has a good certificate for its name and allows everything. `certificate: null`
 * stands for plain HTTP, `certificate: { endsIn: -60 }` for one that has ended.
 */
function webhookServerOf(given: JsonObject, start: number): WebhookServer {
  const address = asText(given['address']) ?? '';
  const [namespace = '', service] = address.split('/');
  const host = service === undefined ? (address.split(':')[0] ?? '') : `${service}.${namespace}.svc`;
  const { endsIn, beginsIn, ...named } = asObject(given['certificate']);
  const certificate: Certificate = {
    name: address,
    commonName: host,
    organizations: [],
    issuer: 'webhook-ca',
    notBefore: start + (asNumber(beginsIn) ?? -DAY_SECONDS) * 1000,
    notAfter: start + (asNumber(endsIn) ?? 365 * DAY_SECONDS) * 1000,
    dnsNames: [host],
    ipAddresses: [],
    ...named,
  };
  return { paths: { '*': { answer: 'allow' } }, ...given, address, certificate: given['certificate'] === null ? undefined : certificate };
}

const DAY_SECONDS = 86_400;

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
  renew: { allowed: ['certificates'], required: ['certificates'] },
  'webhook-server': { allowed: ['server'], required: ['server'] },
  join: { allowed: ['machine'], required: ['machine'] },
  compact: { allowed: [], required: [] },
  part: { allowed: ['part', 'what', 'with'], required: ['part', 'what'] },
};
