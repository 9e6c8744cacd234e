import type { Json } from '../../base/json.ts';
import { asList, isJsonObject } from '../../base/json.ts';
import { parseQuantity } from '../../base/quantity.ts';

/** What is wrong with a behaviour as somebody wrote it, field by field: `exits.code must be a whole number`; undefined when nothing is. */
export function behaviourTrouble(given: Json): string | undefined {
  return objectTrouble(given, '', BEHAVIOUR);
}

type Check = (value: Json, field: string) => string | undefined;
type Fields = Readonly<Record<string, Check>>;

function objectTrouble(value: Json, field: string, fields: Fields, required: readonly string[] = []): string | undefined {
  if (!isJsonObject(value)) return `${field} must be a map`;
  for (const [name, member] of Object.entries(value)) {
    const place = field === '' ? name : `${field}.${name}`;
    const check = fields[name];
    if (check === undefined) return `${place} is not known; fields are ${Object.keys(fields).join(', ')}`;
    const trouble = member === undefined ? undefined : check(member, place);
    if (trouble !== undefined) return trouble;
  }
  const missing = required.find((name) => value[name] === undefined);
  return missing === undefined ? undefined : `${field === '' ? missing : `${field}.${missing}`} is missing`;
}

function text(value: Json, field: string): string | undefined {
  return typeof value === 'string' ? undefined : `${field} must be text`;
}

function flag(value: Json, field: string): string | undefined {
  return typeof value === 'boolean' ? undefined : `${field} must be true or false`;
}

function amount(value: Json, field: string): string | undefined {
  return typeof value === 'number' && value >= 0 ? undefined : `${field} must be a number, 0 or more`;
}

function whole(value: Json, field: string): string | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? undefined : `${field} must be a whole number, 0 or more`;
}

function bytes(value: Json, field: string): string | undefined {
  return parseQuantity(value) !== undefined ? undefined : `${field} must be a number of bytes or a quantity like 200Mi`;
}

function oneOf(words: readonly string[]): Check {
  return (value, field) => (typeof value === 'string' && words.includes(value) ? undefined : `${field} must be one of ${words.join(', ')}`);
}

function map(fields: Fields, ...required: readonly string[]): Check {
  return (value, field) => objectTrouble(value, field, fields, required);
}

function list(of: Check): Check {
  return (value, field) => {
    if (!Array.isArray(value)) return `${field} must be a list`;
    for (const [index, item] of asList(value).entries()) {
      const trouble = of(item, `${field}[${index}]`);
      if (trouble !== undefined) return trouble;
    }
    return undefined;
  };
}

const BEHAVIOUR: Fields = {
  startsInSeconds: amount,
  listens: list(
    map({ port: whole, address: text, protocol: oneOf(['TCP', 'UDP', 'SCTP']), speaks: oneOf(['http', 'https', 'grpc', 'tcp']) }, 'port'),
  ),
  answers: list(
    map({ path: text, status: whole, body: text, afterMilliseconds: amount, fromSeconds: amount, untilSeconds: amount }, 'path', 'status'),
  ),
  exits: map({ code: whole, afterSeconds: amount }, 'code'),
  cpu: list(map({ afterSeconds: amount, cores: amount }, 'cores')),
  memory: list(map({ afterSeconds: amount, bytes }, 'bytes')),
  writes: list(map({ afterSeconds: amount, bytes }, 'bytes')),
  logs: list(map({ afterSeconds: amount, line: text }, 'line')),
  needs: list(map({ file: text, env: text, address: text, port: whole, code: whole, waits: flag })),
  onTerminate: map({ code: whole, afterSeconds: amount, ignored: flag }),
};
