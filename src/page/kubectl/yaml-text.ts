import type { Json } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { kubeScalar } from '../../base/yaml/kube-scalar.ts';
import { repeated } from '../../base/text.ts';

/** YAML as kubectl prints it: keys in order, lists not indented, texts quoted where they would be read as something else. */
export function yamlText(value: Json): string {
  return linesOf(value, 0).join('\n');
}

function linesOf(value: Json, depth: number): readonly string[] {
  const indent = repeated(' ', depth);
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item) => {
      const [first = '', ...more] = isNested(item) ? linesOf(item, depth + 2) : [`${indent}  ${scalarText(item, depth)}`];
      return [`${indent}- ${first.slice(depth + 2)}`, ...more];
    });
  if (!isJsonObject(value)) return [indent + scalarText(value, depth)];
  return Object.keys(value)
    .toSorted()
    .flatMap((key) => {
      const inner = value[key] ?? null;
      const name = `${indent}${isPlain(key) ? key : JSON.stringify(key)}:`;
      if (!isNested(inner)) return [`${name} ${scalarText(inner, depth)}`];
      return [name, ...linesOf(inner, Array.isArray(inner) ? depth : depth + 2)];
    });
}

function isNested(value: Json): boolean {
  return Array.isArray(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0;
}

function scalarText(value: Json, depth: number): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (/^\S[^\r]*\n/.test(value) && !/[ \t]\n|\n\n$|[^\n\P{Cc}]/u.test(value)) {
    const kept = value.endsWith('\n');
    const lines = (kept ? value.slice(0, -1) : value).split('\n').map((line) => (line === '' ? '' : repeated(' ', depth + 2) + line));
    return [kept ? '|' : '|-', ...lines].join('\n');
  }
  if (isPlain(value)) return value;
  // What would be read as something else is in double quotes; what is no plain scalar in single ones, where nothing must be escaped.
  const isOther = kubeScalar(value) !== value || /^\d{4}-\d\d-\d\d/.test(value) || /\p{C}/u.test(value);
  return isOther ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;
}

/** Whether YAML reads the word as this text when it stands without quotes. */
function isPlain(text: string): boolean {
  return /^[\w/.(<][^\n\p{C}]*$/u.test(text) && !/: |:$| #|\s$/.test(text) && kubeScalar(text) === text && !/^\d{4}-\d\d-\d\d/.test(text);
}
