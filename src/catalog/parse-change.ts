import type { JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { ChangeAction } from '../model/playbook-change.ts';
import { CHANGE_KINDS, PATCH_TYPES, PROPAGATIONS } from '../model/playbook-change.ts';
import type { Fields } from './parse-playbook-values.ts';
import { optional, parseObjectTemplate } from './parse-playbook-values.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import { jsonAt, objectAt } from './yaml-json.ts';

/** What may and must stand beside each kind of change; the kind's own field names the object. */
const BESIDES: Readonly<Record<ChangeAction['change'], { readonly may?: readonly string[]; readonly must?: readonly string[] }>> = {
  patch: { may: ['type', 'subresource'], must: ['body'] },
  scale: { must: ['replicas'] },
  restart: {},
  'rollout-undo': {},
  'set-image': { must: ['container', 'image'] },
  create: {},
  delete: { may: ['propagation', 'graceSeconds'] },
  cordon: {},
  uncordon: {},
  drain: {},
  evict: {},
  approve: {},
  'allow-clients': {},
  fix: {},
};

/** `{ <kind>: <object>, … }`: one change of the cluster; undefined when anything is wrong. */
export function parseChange(cursor: YamlCursor | undefined): ChangeAction | undefined {
  if (cursor === undefined) return undefined;
  const kinds = CHANGE_KINDS.filter((kind) => cursor.isMap() && cursor.entries().has(kind));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return cursor.problem(`expected exactly one of: ${CHANGE_KINDS.join(', ')}`);
  const { may = [], must = [] } = BESIDES[kind];
  const fields = cursor.fields([kind, ...may, ...must], [kind, ...must]);
  if (kind === 'fix') return fields.get(kind)?.oneOf(['cause'] as const) === undefined ? undefined : { change: kind };
  return parseKind(kind, fields);
}

function parseKind(kind: Exclude<ChangeAction['change'], 'fix'>, fields: Fields): ChangeAction | undefined {
  const cursor = fields.get(kind);
  switch (kind) {
    case 'create':
      return parseCreate(cursor);
    case 'patch':
      return parsePatch(cursor, fields);
    case 'scale':
      return { change: kind, object: parseObjectTemplate(cursor), replicas: String(fields.get('replicas')?.scalar() ?? '') };
    case 'set-image':
      return {
        change: kind,
        object: parseObjectTemplate(cursor),
        container: fields.get('container')?.text() ?? '',
        image: fields.get('image')?.text() ?? '',
      };
    case 'delete': {
      const grace = fields.get('graceSeconds')?.scalar();
      if (grace !== undefined && (typeof grace !== 'number' || grace < 0))
        return fields.get('graceSeconds')?.problem('expected a number of seconds');
      return {
        change: kind,
        object: parseObjectTemplate(cursor),
        ...optional('propagation', fields.get('propagation')?.oneOf(PROPAGATIONS)),
        ...optional('graceSeconds', grace),
      };
    }
    case 'restart':
    case 'rollout-undo':
    case 'cordon':
    case 'uncordon':
    case 'drain':
    case 'evict':
    case 'approve':
    case 'allow-clients':
      return { change: kind, object: parseObjectTemplate(cursor) };
  }
}

function parseCreate(cursor: YamlCursor | undefined): ChangeAction | undefined {
  const manifest = cursor === undefined ? undefined : objectAt(cursor);
  if (manifest === undefined) return undefined;
  if (typeof manifest['apiVersion'] !== 'string' || typeof manifest['kind'] !== 'string')
    return cursor?.problem('a manifest needs apiVersion and kind');
  return isJsonObject(manifest['metadata']) ? { change: 'create', manifest } : cursor?.problem('a manifest needs metadata');
}

function parsePatch(cursor: YamlCursor | undefined, fields: Fields): ChangeAction | undefined {
  const body = parseBody(fields.get('body'));
  const type = fields.get('type')?.oneOf(PATCH_TYPES) ?? (Array.isArray(body) ? 'json' : 'strategic');
  if (body === undefined) return undefined;
  if (Array.isArray(body) !== (type === 'json'))
    return fields.get('body')?.problem(type === 'json' ? 'expected a list of operations' : 'expected a map');
  return {
    change: 'patch',
    object: parseObjectTemplate(cursor),
    type,
    body,
    ...optional('subresource', fields.get('subresource')?.text()),
  };
}

/** What a patch does: a map, or a list of operations. */
export function parseBody(cursor: YamlCursor | undefined): JsonObject | readonly JsonObject[] | undefined {
  if (cursor === undefined) return undefined;
  if (!cursor.isList()) return objectAt(cursor);
  const value = jsonAt(cursor) as readonly JsonObject[];
  return value.every(isJsonObject) ? value : cursor.problem('expected a list of operations');
}
