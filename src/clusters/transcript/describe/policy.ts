import type { Json } from '../../../base/json.ts';
import type { Draft } from '../draft.ts';
import { given } from '../draft.ts';
import { describeConditions, describeMetadata, showInteger, showText } from './metadata.ts';
import type { Line } from '../clean-lines.ts';
import type { DescribeReader } from './describe-reader.ts';
import { describeNetworkPolicy } from './network-policy.ts';
import type { Sections } from './sections.ts';
import { describedTable, indentOf, valuesOf } from './sections.ts';

/** Limits, names and rights. Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go. */
export const POLICY_DESCRIBES: Readonly<Record<string, DescribeReader>> = {
  ResourceQuota(_, draft, __, lines) {
    quotaTable(lines, draft);
    const scopes = lines.flatMap(({ text }) => /^Scopes?:\s+(.*)/.exec(text)?.[1]?.split(',') ?? []);
    draft.show('spec.scopes', scopes.length === 0 ? undefined : scopes.map((scope) => scope.trim()));
  },
  LimitRange(_, draft, __, lines) {
    draft.show('spec.limits', limitsIn(lines));
  },
  ServiceAccount(fields, draft) {
    describeMetadata(fields, draft);
    for (const [key, path] of [
      ['Image pull secrets', 'imagePullSecrets'],
      ['Mountable secrets', 'secrets'],
    ] as const) {
      const section = fields.get(key);
      if (section === undefined) continue;
      const names = valuesOf(section).filter((text) => given(text) !== undefined);
      draft.show(
        path,
        names.map((name) => ({ name: name.replace(/ \(not found\)$/, '') })),
      );
    }
  },
  Secret(fields, draft, _, lines) {
    describeMetadata(fields, draft);
    const type = lines.flatMap(({ text }) => /^Type:\s+(\S+)/.exec(text)?.[1] ?? [])[0];
    if (type !== undefined) draft.show('type', type);
    const data: Record<string, string> = {};
    for (const { text } of dataLines(lines, 'Data')) {
      const key = /^([-._a-zA-Z0-9]{1,253}):\s/.exec(text)?.[1];
      if (key !== undefined && key !== '__proto__') data[key] = '';
    }
    if (lines.some(({ text }) => text === 'Data')) draft.show('data', data);
  },
  ConfigMap(fields, draft, _, lines) {
    describeMetadata(fields, draft);
    if (!lines.some(({ text }) => text === 'Data')) return;
    draft.show('data', configData(dataLines(lines, 'Data')));
    const binary: Record<string, string> = {};
    for (const { text } of dataLines(lines, 'BinaryData')) {
      const key = /^([-._a-zA-Z0-9]{1,253}): \d+ bytes$/.exec(text)?.[1];
      if (key !== undefined && key !== '__proto__') binary[key] = '';
    }
    if (lines.some(({ text }) => text === 'BinaryData')) draft.show('binaryData', binary);
  },
  Namespace(fields, draft) {
    describeMetadata(fields, draft);
    showText(fields, draft, 'Status', 'status.phase');
    describeConditions(fields, draft);
  },
  NetworkPolicy(fields, draft) {
    describeMetadata(fields, draft);
    const spec = fields.get('Spec');
    if (spec !== undefined) describeNetworkPolicy(spec.body, draft);
  },
  PriorityClass(fields, draft) {
    showInteger(fields, draft, 'Value', 'value');
    const isDefault = fields.value('GlobalDefault');
    if (isDefault !== undefined) draft.show('globalDefault', isDefault === 'true');
    showText(fields, draft, 'PreemptionPolicy', 'preemptionPolicy');
    showText(fields, draft, 'Description', 'description');
  },
  IngressClass(fields, draft) {
    describeMetadata(fields, draft);
    showText(fields, draft, 'Controller', 'spec.controller');
  },
  Role: rules,
  ClusterRole: rules,
  RoleBinding: binding,
  ClusterRoleBinding: binding,
};

/** Lines under a title that is underlined with equals signs, up to the next such title. */
function dataLines(lines: readonly Line[], title: string): readonly Line[] {
  const start = lines.findIndex(({ text }, index) => text.trim() === title && /^=+$/.test(lines[index + 1]?.text.trim() ?? ''));
  if (start < 0) return [];
  const rest = lines.slice(start + 2);
  const end = rest.findIndex(
    ({ text }, index) => text.startsWith('Events:') || (/^[A-Z]\w+$/.test(text.trim()) && /^=+$/.test(rest[index + 1]?.text.trim() ?? '')),
  );
  return end < 0 ? rest : rest.slice(0, end);
}

/** `key:`, a line of four dashes, then the value as it is; one blank line more after it since kubectl 1.23. */
function configData(lines: readonly Line[]): Readonly<Record<string, string>> {
  const data: Record<string, string> = {};
  let open: { key: string; value: string[] } | undefined;
  const finish = (): void => {
    if (open === undefined) return;
    while (open.value.at(-1) === '') open.value.pop();
    data[open.key] = open.value.join('\n');
  };
  for (const [index, { text }] of lines.entries()) {
    const key = lines[index + 1]?.text === '----' ? /^([-._a-zA-Z0-9:]{1,253}):$/.exec(text)?.[1] : undefined;
    if (key !== undefined && key !== '__proto__') {
      finish();
      open = { key, value: [] };
    } else if (open !== undefined && !(text === '----' && open.value.length === 0 && lines[index - 1]?.text === `${open.key}:`))
      open.value.push(text);
  }
  finish();
  return data;
}

function quotaTable(lines: readonly Line[], draft: Draft): void {
  const header = lines.findIndex(({ text }) => /^\s*Resource\s+Used\s+Hard\s*$/.test(text));
  if (header < 0) return;
  const [hard, used]: [Record<string, string>, Record<string, string>] = [{}, {}];
  for (const { cells } of describedTable(lines.slice(header))) {
    const [resource, usedText, hardText] = [given(cells.get('Resource')), given(cells.get('Used')), given(cells.get('Hard'))];
    if (resource === undefined || usedText === undefined || hardText === undefined || resource === '__proto__') continue;
    [hard[resource], used[resource]] = [hardText, usedText];
  }
  draft
    .show('spec.hard', hard)
    .show('status.hard', { ...hard })
    .show('status.used', used);
}

const LIMIT_COLUMNS = [
  ['Min', 'min'],
  ['Max', 'max'],
  ['Default Request', 'defaultRequest'],
  ['Default Limit', 'default'],
  ['Max Limit/Request Ratio', 'maxLimitRequestRatio'],
] as const;

function limitsIn(lines: readonly Line[]): readonly Json[] {
  const header = lines.findIndex(({ text }) => /^\s*Type\s+Resource\s+Min\s+Max/.test(text));
  const limits = new Map<string, Record<string, Record<string, string>>>();
  for (const { cells } of header < 0 ? [] : describedTable(lines.slice(header))) {
    const [type, resource] = [given(cells.get('Type')), given(cells.get('Resource'))];
    if (type === undefined || resource === undefined) continue;
    const item = limits.get(type) ?? {};
    limits.set(type, item);
    for (const [title, field] of LIMIT_COLUMNS) {
      const amount = given(cells.get(title));
      if (amount !== undefined && amount !== '-') item[field] = { ...item[field], [resource]: amount };
    }
  }
  return [...limits].map(([type, item]) => ({ type, ...item }));
}

/** `pods/log  []  []  [get list]`, one row for each resource. */
function rules(fields: Sections, draft: Draft): void {
  describeMetadata(fields, draft);
  const section = fields.get('PolicyRule');
  if (section === undefined) return;
  const listed = (text: string | undefined): readonly string[] =>
    (text ?? '')
      .replace(/[[\]]/g, '')
      .split(' ')
      .filter((word) => word !== '');
  const found = describedTable(section.body).map(({ cells }) => {
    const [, resource = '', group = ''] = /^([^.]*)(?:\.(.*))?$/.exec(cells.get('Resources') ?? '') ?? [];
    const [urls, names] = [listed(cells.get('Non-Resource URLs')), listed(cells.get('Resource Names'))];
    return {
      ...(resource === '' ? {} : { apiGroups: [group], resources: [resource] }),
      ...(urls.length === 0 ? {} : { nonResourceURLs: urls }),
      ...(names.length === 0 ? {} : { resourceNames: names }),
      verbs: listed(cells.get('Verbs')),
    };
  });
  draft.show('rules', found);
}

function binding(fields: Sections, draft: Draft): void {
  describeMetadata(fields, draft);
  const role = fields.get('Role');
  if (role !== undefined) {
    const named = new Map(
      role.body.flatMap(({ text }) => {
        const [, key = '', value = ''] = /^\s*(\w+):\s+(\S+)/.exec(text) ?? [];
        return key === '' ? [] : [[key, value] as const];
      }),
    );
    draft.show('roleRef', { apiGroup: 'rbac.authorization.k8s.io', kind: named.get('Kind') ?? '', name: named.get('Name') ?? '' });
  }
  const subjects = fields.get('Subjects');
  if (subjects === undefined) return;
  const found = describedTable(subjects.body.filter(({ text }) => indentOf(text) > 0)).flatMap(({ cells }) => {
    const [kind, name, namespace] = [given(cells.get('Kind')), given(cells.get('Name')), given(cells.get('Namespace'))];
    return kind === undefined || name === undefined ? [] : [{ kind, name, ...(namespace === undefined ? {} : { namespace }) }];
  });
  draft.show('subjects', found);
}
