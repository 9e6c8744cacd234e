import type { Call, CommandAnswer } from './call.ts';
import { failed, said } from './call.ts';
import { inColumns } from './columns.ts';
import { resourceOf } from './named-objects.ts';
import { explainedFields } from '../../simulator/index.ts';

export const EXPLAIN_FLAGS = 'recursive api-version=';

/** `kubectl explain`: the fields and their types. The descriptions would double the page, and are left out. */
export function explain({ words, kube }: Call): CommandAnswer {
  const [kind = '', ...path] = (words[0] ?? '').split('.');
  const resource = resourceOf(kind, kube.cluster.server.resources);
  if (resource === undefined) return failed(`the server doesn't have a resource type "${kind}"`);
  const about = [
    ...(resource.group === '' ? [] : [`GROUP:\t${resource.group}`]),
    `KIND:\t${resource.kind}`,
    `VERSION:\t${resource.version}`,
  ];
  const head = inColumns(about, { least: 12, padding: 1 });
  const found = explainedFields(resource, path);
  if (found === undefined) return failed(`${head}\n\nerror: field "${path.at(-1) ?? ''}" does not exist`);
  const at = path.length === 0 ? [] : ['', `FIELD: ${path.at(-1) ?? ''} <${found.type}>`];
  const fields = found.fields.map(({ name, type, required }) => `  ${name}\t<${type}>${required ? ' -required-' : ''}`);
  return said([head, ...at, '', 'FIELDS:', inColumns(fields, { least: 0, padding: 1 })].join('\n'));
}
