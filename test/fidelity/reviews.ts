import type { Json, JsonObject } from '../../src/base/json.ts';
import { asList, asObject, asText, dig } from '../../src/base/json.ts';
import { largest } from '../../src/base/lists.ts';
import type { CommandLine } from './command-line.ts';
import type { CommandAnswer, Terminal } from './kubectl-terminal.ts';
import { addressOf, failed, send } from './kubectl-terminal.ts';

/** `kubectl auth whoami` and `auth can-i`; undefined for any other form. Source: staging/src/k8s.io/kubectl/pkg/cmd/auth. */
export function authCommand(command: CommandLine, terminal: Terminal): CommandAnswer | undefined {
  const [, , verb, ...words] = command.words;
  if (verb === 'whoami') return whoami(terminal);
  if (verb !== 'can-i') return undefined;
  return command.options.has('list') ? listRules(command, terminal) : canI(command, words, terminal);
}

function whoami(terminal: Terminal): CommandAnswer {
  const answer = send(terminal, {
    verb: 'create',
    group: 'authentication.k8s.io',
    version: 'v1',
    resource: 'selfsubjectreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  });
  if (!answer.ok) return failed(answer, '');
  const user = asObject(dig(answer.object, 'status', 'userInfo'));
  const rows: (readonly [string, string])[] = [
    ['ATTRIBUTE', 'VALUE'],
    ['Username', asText(user['username']) ?? ''],
  ];
  if (asText(user['uid']) !== undefined) rows.push(['UID', asText(user['uid']) ?? '']);
  if (asList(user['groups']).length > 0) rows.push(['Groups', bracketed(asList(user['groups']).map(String))]);
  for (const [key, values] of Object.entries(asObject(user['extra'])).sort(([a], [b]) => (a < b ? -1 : 1)))
    rows.push([`Extra: ${key}`, bracketed(asList(values).map(String))]);
  return { output: aligned(rows), exitCode: 0 };
}

function canI({ options }: CommandLine, [verb = '', what = '']: readonly string[], terminal: Terminal): CommandAnswer | undefined {
  const [kind = '', name] = what.split('/');
  const at = addressOf(kind, options.get('n'));
  if (at === undefined) return undefined;
  const { group, resource, namespace } = at;
  const subresource = options.get('subresource');
  const resourceAttributes: JsonObject = {
    verb,
    group,
    resource,
    ...(namespace === undefined || options.has('A') ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
  const answer = send(terminal, {
    verb: 'create',
    group: 'authorization.k8s.io',
    version: 'v1',
    resource: 'selfsubjectaccessreviews',
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } },
  });
  if (!answer.ok) return failed(answer, '');
  return dig(answer.object, 'status', 'allowed') === true
    ? { output: 'yes', exitCode: 0 }
    : {
        output: `no${asText(dig(answer.object, 'status', 'reason')) === undefined ? '' : ` - ${asText(dig(answer.object, 'status', 'reason')) ?? ''}`}`,
        exitCode: 1,
      };
}

/**
 * Rules are taken apart to single verbs of single resources or paths; those of one resource are put together again. Source: pkg
 * cmd/auth/cani.go, k8s.io/component-helpers/auth/rbac/validation.
 */
function listRules({ options }: CommandLine, terminal: Terminal): CommandAnswer {
  const answer = send(terminal, {
    verb: 'create',
    group: 'authorization.k8s.io',
    version: 'v1',
    resource: 'selfsubjectrulesreviews',
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: options.get('n') ?? 'default' } },
  });
  if (!answer.ok) return failed(answer, '');
  const rules = [
    ...resourceRules(asList(dig(answer.object, 'status', 'resourceRules'))),
    ...pathRules(asList(dig(answer.object, 'status', 'nonResourceRules'))),
  ];
  const sorted = rules
    .map((rule) => ({ rule, text: `${bracketed(rule.verbs)},${rule.group},${rule.resource},${bracketed(rule.names)},${rule.path}]` }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  const rows = sorted.map(({ rule: { verbs, group, resource, names, path } }) => [
    `${resource}${group === '' ? '' : `.${group}`}`,
    path === '' ? '[]' : `[${path}]`,
    bracketed(names),
    bracketed(verbs),
  ]);
  return { output: aligned([['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'], ...rows]), exitCode: 0 };
}

interface Rule {
  readonly verbs: readonly string[];
  readonly group: string;
  readonly resource: string;
  readonly names: readonly string[];
  readonly path: string;
}

function resourceRules(given: readonly Json[]): readonly Rule[] {
  const rules = new Map<string, Rule>();
  for (const each of given) {
    const names = wordsOf(each, 'resourceNames');
    for (const group of wordsOf(each, 'apiGroups')) {
      for (const resource of wordsOf(each, 'resources')) {
        const key = [group, resource, ...names].join(' ');
        const rule = rules.get(key) ?? { verbs: [], group, resource, names, path: '' };
        rules.set(key, { ...rule, verbs: [...new Set([...rule.verbs, ...wordsOf(each, 'verbs')])] });
      }
    }
  }
  return [...rules.values()];
}

function pathRules(given: readonly Json[]): readonly Rule[] {
  return given.flatMap((rule) =>
    wordsOf(rule, 'nonResourceURLs').flatMap((path) =>
      wordsOf(rule, 'verbs').map((verb): Rule => ({ verbs: [verb], group: '', resource: '', names: [], path })),
    ),
  );
}

function wordsOf(rule: Json, field: string): readonly string[] {
  return asList(dig(rule, field)).map(String);
}

function bracketed(words: readonly string[]): string {
  return `[${words.join(' ')}]`;
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => largest(rows.map((row) => row[column]?.length ?? 0)) + 3);
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
