import type { ScenarioAccount, ScenarioCertificate, ScenarioClient, ScenarioIdentity, ScenarioKubeconfig } from '../model/scenario.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import { objectAt } from './yaml-json.ts';

/** Who gives a command and with what: the fields `as` and `kubeconfig` of a step. */
export function parseClient(fields: ReadonlyMap<string, YamlCursor>): ScenarioClient {
  const [as, kubeconfig] = [parseIdentity(fields.get('as')), parseKubeconfig(fields.get('kubeconfig'))];
  return { ...(as === undefined ? {} : { as }), ...(kubeconfig === undefined ? {} : { kubeconfig }) };
}

const FORMS = ['user', 'token', 'serviceAccount', 'anonymous'] as const;

/** `as: anna`, or one of `{ user, groups, certificate }`, `{ token }`, `{ serviceAccount }`, `{ anonymous: true }`. */
function parseIdentity(cursor: YamlCursor | undefined): ScenarioIdentity | undefined {
  if (cursor === undefined) return undefined;
  return cursor.isMap() ? parseForm(cursor) : { kind: 'user', name: cursor.text() ?? '', groups: [] };
}

function parseForm(cursor: YamlCursor): ScenarioIdentity | undefined {
  const fields = cursor.fields([...FORMS, 'groups', 'certificate']);
  const given = FORMS.filter((form) => fields.has(form));
  const [form] = given;
  if (form === undefined || given.length > 1) return cursor.problem(`"as" is one of ${FORMS.join(', ')}`);
  if (form !== 'user')
    for (const name of ['groups', 'certificate']) fields.get(name)?.problem(`${JSON.stringify(name)} is only allowed together with "user"`);
  const value = fields.get(form);
  if (value === undefined) return undefined;
  switch (form) {
    case 'user':
      return parseUser(value.text() ?? '', fields.get('groups'), fields.get('certificate'));
    case 'token':
      return { kind: 'token', token: value.text() ?? '' };
    case 'serviceAccount': {
      const account = parseAccount(value);
      return account === undefined ? undefined : { kind: 'account', account };
    }
    case 'anonymous':
      return value.scalar() === true ? { kind: 'anonymous' } : value.problem('write anonymous: true, or leave it out');
  }
}

function parseUser(name: string, groups: YamlCursor | undefined, given: YamlCursor | undefined): ScenarioIdentity {
  const certificate = parseCertificate(given);
  return {
    kind: 'user',
    name,
    groups: groups?.items().flatMap((item) => item.text() ?? []) ?? [],
    ...(certificate === undefined ? {} : { certificate }),
  };
}

/** `shop/robot`: namespace and name of a service account. */
export function parseAccount(cursor: YamlCursor): ScenarioAccount | undefined {
  const text = cursor.text();
  const [namespace = '', name = '', more] = (text ?? '').split('/');
  if (text === undefined) return undefined;
  return namespace !== '' && name !== '' && more === undefined
    ? { namespace, name }
    : cursor.problem(`${JSON.stringify(text)} is not a valid ServiceAccount reference; write namespace/name`);
}

function parseCertificate(cursor: YamlCursor | undefined): ScenarioCertificate | undefined {
  const fields = cursor?.fields(['beginsIn', 'endsIn', 'issuer']);
  if (fields === undefined) return undefined;
  const [begins, ends, issuer] = [fields.get('beginsIn')?.number(), fields.get('endsIn')?.number(), fields.get('issuer')?.text()];
  return {
    ...(begins === undefined ? {} : { beginsInSeconds: begins }),
    ...(ends === undefined ? {} : { endsInSeconds: ends }),
    ...(issuer === undefined ? {} : { issuer }),
  };
}

/** `kubeconfig: anna.yaml`, or `{ file, context, missing, content }`; the content is the file's text, or the same as a map. */
function parseKubeconfig(cursor: YamlCursor | undefined): ScenarioKubeconfig | undefined {
  if (cursor === undefined) return undefined;
  if (!cursor.isMap()) return { file: cursor.text() ?? '' };
  const fields = cursor.fields(['file', 'context', 'missing', 'content'], ['file']);
  const [context, missing, content] = [
    fields.get('context')?.text(),
    fields.get('missing')?.flag() === true,
    contentOf(fields.get('content')),
  ];
  if (missing && content !== undefined) cursor.problem('content is not allowed with missing: true');
  return {
    file: fields.get('file')?.text() ?? '',
    ...(context === undefined ? {} : { context }),
    ...(missing ? { missing } : {}),
    ...(content === undefined ? {} : { content }),
  };
}

function contentOf(cursor: YamlCursor | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  if (cursor.isMap()) return JSON.stringify(objectAt(cursor) ?? {});
  const text = cursor.scalar();
  return text === undefined || typeof text === 'string' ? text : cursor.problem('expected a text or a map');
}
