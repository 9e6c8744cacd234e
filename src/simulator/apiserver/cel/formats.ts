import type { Environment } from '@marcbachmann/cel-js';
import { Optional } from '@marcbachmann/cel-js';
import { formatInstant, parseInstant } from '../../../base/instant.ts';
import { checkLabelName, checkLabelValue, checkQualifiedName, checkServiceName, checkSubdomain } from '../validation/names.ts';

/** Named formats of strings, and keys of JSON patches. Source: staging/src/k8s.io/apiserver/pkg/cel/library/{format,jsonpatch}.go. */
export function registerFormats(environment: Environment): Environment {
  const known = environment
    .registerType('Formats', Formats)
    .registerType('Format', Format)
    .registerType('PatchKeys', PatchKeys)
    .registerFunction('PatchKeys.escapeKey(string): string', (_: PatchKeys, key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
    .registerFunction('Formats.named(string): optional<Format>', (_: Formats, name: string) =>
      CHECKS.has(name) ? Optional.of(new Format(name)) : Optional.none(),
    )
    .registerFunction('Format.validate(string): optional<list<string>>', ({ name }: Format, text: string) => {
      const wrong = CHECKS.get(name)?.(text) ?? [];
      return wrong.length === 0 ? Optional.none() : Optional.of([...wrong]);
    });
  for (const name of CHECKS.keys()) known.registerFunction(`Formats.${name}(): Format`, () => new Format(name));
  return known;
}

/** The name `format` stands for. */
class Formats {
  readonly library = 'format';
}

/** The name `jsonpatch` stands for. */
class PatchKeys {
  readonly library = 'jsonpatch';
}

class Format {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export const FORMATS = new Formats();
export const PATCH_KEYS = new PatchKeys();

type Check = (text: string) => readonly string[];

/** A name that more is put after may end in a dash. */
function asPrefix(check: Check): Check {
  return (text) => check(text.replace(/-$/, 'a'));
}

function unless(isRight: (text: string) => boolean, words: string): Check {
  return (text) => (isRight(text) ? [] : [words]);
}

function isDay(text: string): boolean {
  const time = parseInstant(`${text}T00:00:00Z`);
  return time !== undefined && formatInstant(time).startsWith(text);
}

const CHECKS: ReadonlyMap<string, Check> = new Map([
  ['dns1123Label', checkLabelName],
  ['dns1123Subdomain', checkSubdomain],
  ['dns1035Label', checkServiceName],
  ['qualifiedName', checkQualifiedName],
  ['dns1123LabelPrefix', asPrefix(checkLabelName)],
  ['dns1123SubdomainPrefix', asPrefix(checkSubdomain)],
  ['dns1035LabelPrefix', asPrefix(checkServiceName)],
  ['labelValue', checkLabelValue],
  [
    'uri',
    (text) =>
      text === ''
        ? ['parse "": empty url']
        : text.startsWith('/') || /^[A-Za-z][-A-Za-z0-9+.]*:/.test(text)
          ? []
          : [`parse ${JSON.stringify(text)}: invalid URI for request`],
  ],
  ['uuid', unless((text) => /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text), 'does not match the UUID format')],
  ['byte', unless((text) => text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text), 'invalid base64')],
  ['date', unless((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text), 'invalid date')],
  [
    'datetime',
    unless(
      (text) => /^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:z|[-+]\d{2}:\d{2})$/i.test(text) && isDay(text.slice(0, 10)),
      'invalid datetime',
    ),
  ],
]);
