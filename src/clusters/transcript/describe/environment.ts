import type { JsonObject } from '../../../base/json.ts';
import type { Line } from '../clean-lines.ts';
import type { Section } from './sections.ts';
import { marginOf, sectionsOf } from './sections.ts';

/**
 * Variables of a container: a value, or `<set to the key 'password' in secret 'db'>  Optional: false` and the like.
 * Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go (describeContainerEnvVars).
 */
export function envOf(section: Section | undefined): readonly JsonObject[] {
  if (section === undefined) return [];
  return sectionsOf(section.body, undefined)
    .filter(({ key }) => /^[^\s=]+$/.test(key))
    .map((variable) => ({ name: variable.key, ...valueOf(variable) }));
}

const FROM_KEY = /^<set to the key '([^']*)' (in secret|of config map) '([^']*)'>(?:\s+Optional: (true|false))?$/;
const FROM_FIELD = /^(?:.* )?\((v\d\w*):((?:metadata|spec|status)\.[^()]+(?:\['[^']*'\])?)\)$/s;
const FROM_RESOURCE = /^(?:.* )?\(((?:limits|requests)\.[\w./-]+)\)$/s;

function valueOf({ value, body }: Section): JsonObject {
  if (body.length > 0) return { value: [value, ...dedented(body)].join('\n') };
  const key = FROM_KEY.exec(value);
  if (key !== null) {
    const [, name = '', source, object = '', optional] = key;
    const reference = { name: object, key: name, ...(optional === undefined ? {} : { optional: optional === 'true' }) };
    return { valueFrom: source === 'in secret' ? { secretKeyRef: reference } : { configMapKeyRef: reference } };
  }
  const field = FROM_FIELD.exec(value);
  if (field !== null) return { valueFrom: { fieldRef: { apiVersion: field[1] ?? 'v1', fieldPath: field[2] ?? '' } } };
  const resource = FROM_RESOURCE.exec(value);
  if (resource !== null) return { valueFrom: { resourceFieldRef: { resource: resource[1] ?? '' } } };
  return value === '' ? {} : { value };
}

/** Further lines of a value are indented to where it begins. */
function dedented(lines: readonly Line[]): readonly string[] {
  const margin = marginOf(lines);
  return lines.map(({ text }) => text.slice(margin));
}

const ENV_FROM = /^(\S+)\s+(ConfigMap|Secret)(?: with prefix '([^']*)')?(?:\s+Optional: (true|false))?$/;

/** `conf  ConfigMap with prefix 'P_'  Optional: false`. */
export function envFromOf(section: Section | undefined): readonly JsonObject[] {
  return (section?.body ?? []).flatMap(({ text }) => {
    const [, name, kind, prefix, optional] = ENV_FROM.exec(text.trim()) ?? [];
    if (name === undefined) return [];
    const reference = { name, ...(optional === undefined ? {} : { optional: optional === 'true' }) };
    return [
      { ...(prefix === undefined ? {} : { prefix }), ...(kind === 'Secret' ? { secretRef: reference } : { configMapRef: reference }) },
    ];
  });
}
