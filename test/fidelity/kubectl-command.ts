import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { asList, asObject, asText, dig, isJsonObject } from '../../src/base/json.ts';
import { withFields } from '../../src/base/json-edit.ts';
import { largest } from '../../src/base/lists.ts';
import { withoutUndefined } from '../../src/base/without-undefined.ts';
import { parseKubeYaml } from '../../src/base/yaml/kube-yaml.ts';
import type { OutsideRequest } from '../../src/simulator/index.ts';
import { deletingWarning } from '../../src/simulator/terminal/kubectl.ts';
import { yamlWords } from '../../src/simulator/terminal/yaml-mistakes.ts';
import type { CommandLine } from './command-line.ts';
import { getTables } from './get-tables.ts';
import type { Address, CommandAnswer, Terminal } from './kubectl-terminal.ts';
import { addressOf, failed, send } from './kubectl-terminal.ts';
import { nodeCommand } from './node-commands.ts';
import { authCommand } from './reviews.ts';
import { workloadCommand } from './workload-commands.ts';

/** Gives a recorded command to the simulated cluster. */
export function runKubectl(command: CommandLine, terminal: Terminal): CommandAnswer | undefined {
  const [, verb, what, ...rest] = command.words;
  const raw = command.options.get('raw');
  if (raw !== undefined) return verb === 'create' ? rawEviction(raw, terminal) : undefined;
  switch (verb) {
    case 'apply':
      return applyFile(command, terminal, false);
    case 'create':
      return what === 'token' ? createToken(command, rest[0] ?? '', terminal) : applyFile(command, terminal, true);
    case 'get':
      return getTables(command, what ?? '', rest, terminal);
    case 'auth':
      return authCommand(command, terminal);
    case 'delete':
      return deleteObjects(command, what ?? '', rest, terminal);
    case 'patch':
      return patchObject(command, what ?? '', rest[0] ?? '', terminal);
    case 'label':
    case 'annotate':
      return labelObject(command, terminal);
    case 'replace':
      return replaceFile(command, terminal);
    case 'exec':
      return execute(command, terminal);
    default:
      return nodeCommand(command, terminal) ?? workloadCommand(command, terminal);
  }
}

function applyFile({ options }: CommandLine, terminal: Terminal, create: boolean): CommandAnswer | undefined {
  const file = options.get('f');
  if (file === undefined || terminal.impersonate !== undefined) return undefined;
  const parts = filesOf(file, terminal);
  if (parts !== undefined)
    return together(parts.map((part) => applyFile({ words: [], options: new Map([...options, ['f', part]]) }, terminal, create)));
  const documents = documentsOf(file, terminal);
  if ('output' in documents) return documents;
  if (documents.length === 0) return { output: `error: no objects passed to ${create ? 'create' : 'apply'}`, exitCode: 1 };
  const namespace = options.get('n');
  const { credential } = terminal;
  if (options.get('dry-run') === 'client') return applyNowhere(documents, namespace, create, terminal);
  if (options.get('server-side') === 'true') return applyOnServer(documents, namespace, options, terminal);
  const done = terminal.cluster.apply(documents, {
    file,
    create,
    dryRun: options.get('dry-run') === 'server',
    ...(namespace === undefined ? {} : { namespace }),
    ...(credential === undefined ? {} : { credential }),
  });
  return { output: done.map(({ output }) => output).join('\n'), exitCode: done.some(({ did }) => did === 'refused') ? 1 : 0 };
}

/** The manifests in a folder, in the order of their names; undefined for a file. */
function filesOf(file: string, terminal: Terminal): readonly string[] | undefined {
  const path = join(terminal.folder, file);
  if (!existsSync(path) || !statSync(path).isDirectory()) return undefined;
  return readdirSync(path)
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .sort()
    .map((name) => join(file, name));
}

function together(answers: readonly (CommandAnswer | undefined)[]): CommandAnswer | undefined {
  if (answers.includes(undefined)) return undefined;
  return {
    output: answers.map((answer) => answer?.output ?? '').join('\n'),
    exitCode: largest([0, ...answers.map((answer) => answer?.exitCode ?? 1)]),
  };
}

/** The documents of a file; kubectl's words when there is no such file, or no YAML in it. */
function documentsOf(file: string, terminal: Terminal): readonly JsonObject[] | CommandAnswer {
  const path = join(terminal.folder, file);
  if (!existsSync(path)) return { output: `error: the path "${file}" does not exist`, exitCode: 1 };
  const parsed = parseKubeYaml(readFileSync(path, 'utf8'), file);
  const [error] = parsed.errors;
  if (error !== undefined)
    return { output: `error: error parsing ${file}: error converting YAML to JSON: ${yamlWords(error)}`, exitCode: 1 };
  return parsed.documents.flatMap(({ value }) =>
    !isJsonObject(value) ? [] : value['kind'] === 'List' ? asList(value['items']).filter(isJsonObject) : [value],
  );
}

/** `--dry-run=client`: kubectl looks what is there, and sends nothing. */
function applyNowhere(
  documents: readonly JsonObject[],
  namespace: string | undefined,
  create: boolean,
  terminal: Terminal,
): CommandAnswer | undefined {
  const lines: string[] = [];
  for (const document of documents) {
    const at = addressOf(asText(document['kind']) ?? '', asText(dig(document, 'metadata', 'namespace')) ?? namespace);
    if (at === undefined) return undefined;
    const name = asText(dig(document, 'metadata', 'name')) ?? '';
    const found = create ? undefined : send(terminal, { verb: 'get', ...at, name });
    if (found?.ok === false && found.code !== 404) return failed(found, '');
    lines.push(`${at.word}/${name} ${found?.ok === true ? 'configured' : 'created'} (dry run)`);
  }
  return { output: lines.join('\n'), exitCode: 0 };
}

/** `kubectl apply --server-side`. Source: staging/src/k8s.io/kubectl/pkg/cmd/apply/apply.go. */
function applyOnServer(
  documents: readonly JsonObject[],
  namespace: string | undefined,
  options: CommandLine['options'],
  terminal: Terminal,
): CommandAnswer | undefined {
  const lines: string[] = [];
  for (const document of documents) {
    const at = addressOf(asText(document['kind']) ?? '', asText(dig(document, 'metadata', 'namespace')) ?? namespace);
    if (at === undefined) return undefined;
    const name = asText(dig(document, 'metadata', 'name')) ?? '';
    const answer = send(terminal, {
      verb: 'patch',
      ...at,
      name,
      patch: { type: 'apply', body: document },
      force: options.get('force-conflicts') === 'true',
      manager: options.get('field-manager') ?? 'kubectl',
      fieldValidation: 'Strict',
    });
    if (!answer.ok) return answer.reason === 'Conflict' ? { output: CONFLICTS(answer.message), exitCode: 1 } : failed(answer, '');
    lines.push(`${deletingWarning(answer.object)}${at.word}/${name} serverside-applied`);
  }
  return { output: lines.join('\n'), exitCode: 0 };
}

const CONFLICTS = (message: string): string => `error: ${message}
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`;

/**
 * `kubectl replace -f`: what the file says takes the place of what is there. Source: staging/src/k8s.io/kubectl/pkg/cmd/replace/replace.go.
 */
function replaceFile({ options }: CommandLine, terminal: Terminal): CommandAnswer | undefined {
  const file = options.get('f') ?? '';
  const documents = documentsOf(file, terminal);
  if ('output' in documents) return documents;
  const lines: string[] = [];
  for (const document of documents) {
    const at = addressOf(asText(document['kind']) ?? '', asText(dig(document, 'metadata', 'namespace')) ?? options.get('n'));
    if (at === undefined) return undefined;
    const name = asText(dig(document, 'metadata', 'name')) ?? '';
    const body =
      at.namespace === undefined
        ? document
        : withFields(document, { metadata: withFields(asObject(document['metadata']), { namespace: at.namespace }) });
    const answer = send(terminal, { verb: 'update', ...at, name, body, manager: 'kubectl-replace', fieldValidation: 'Strict' });
    if (!answer.ok) return failed(answer, `error when replacing "${file}"`);
    lines.push(`${at.word}/${name} replaced`);
  }
  return { output: lines.join('\n'), exitCode: 0 };
}

function execute({ words, options }: CommandLine, terminal: Terminal): CommandAnswer {
  const [, , target = '', ...argv] = words;
  return terminal.cluster.run({
    command: 'exec',
    pod: { kind: 'Pod', namespace: options.get('n') ?? 'default', name: terminal.podOf(target.replace(/^pods?\//, '')) },
    argv: argv.map((word) => terminal.addressHere(word)),
  });
}

function createToken({ options }: CommandLine, account: string, terminal: Terminal): CommandAnswer {
  const answer = send(terminal, {
    verb: 'create',
    group: '',
    version: 'v1',
    resource: 'serviceaccounts',
    subresource: 'token',
    namespace: options.get('n') ?? 'default',
    name: account,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  });
  if (!answer.ok) return failed(answer, '');
  terminal.keepToken(account, asText(dig(answer.object, 'status', 'token')) ?? '');
  return { output: '<token>', exitCode: 0 };
}

function deleteObjects(command: CommandLine, kind: string, names: readonly string[], terminal: Terminal): CommandAnswer | undefined {
  const { options } = command;
  const file = options.get('f');
  if (file !== undefined) return deleteFile(command, file, terminal);
  if (kind.includes('/'))
    return deleteObjects(
      command,
      kind.split('/')[0] ?? '',
      [kind, ...names].map((name) => name.split('/')[1] ?? ''),
      terminal,
    );
  const at = addressOf(kind, options.get('n'));
  if (at === undefined) return undefined;
  const isForced = options.get('force') === 'true';
  const lines: string[] = [];
  for (const name of namesToDelete(at, names, options, terminal)) {
    const answer = send(terminal, { verb: 'delete', ...at, name, delete: deleteOptions(options) });
    if (!answer.ok) return failed(answer, '');
    const place = at.namespace === undefined ? '' : ` from ${at.namespace} namespace`;
    lines.push(`${at.word} "${name}" ${isForced ? 'force ' : ''}deleted${place}`);
  }
  if (isForced)
    lines.push(
      'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.',
    );
  // kubectl waits until what it deleted is gone, unless it was told not to; what follows waits for the next command's time.
  return { output: lines.join('\n'), exitCode: 0 };
}

/** Those that a selector finds, or those that are named. */
function namesToDelete(at: Address, names: readonly string[], options: CommandLine['options'], terminal: Terminal): readonly string[] {
  const selector = options.get('l') ?? options.get('selector');
  const found = selector === undefined ? undefined : send(terminal, { verb: 'list', ...at, labelSelector: selector });
  return found?.ok === true
    ? asList(found.object['items']).map((item) => asText(dig(item, 'metadata', 'name')) ?? '')
    : names.map((name) => (at.resource === 'pods' ? terminal.podOf(name) : name));
}

function deleteOptions(options: CommandLine['options']): NonNullable<OutsideRequest['delete']> {
  const grace = options.get('grace-period');
  return withoutUndefined({
    propagationPolicy: PROPAGATION[options.get('cascade') ?? ''] ?? 'Background',
    gracePeriodSeconds: grace === undefined ? undefined : Number(grace),
  });
}

const PROPAGATION: Readonly<Record<string, 'Orphan' | 'Foreground'>> = { orphan: 'Orphan', foreground: 'Foreground' };

function deleteFile(command: CommandLine, file: string, terminal: Terminal): CommandAnswer | undefined {
  const parts = filesOf(file, terminal);
  if (parts !== undefined) return together(parts.map((part) => deleteFile(command, part, terminal)));
  const documents = documentsOf(file, terminal);
  if ('output' in documents) return documents;
  const options = new Map([...command.options].filter(([name]) => name !== 'f'));
  return together(
    documents.map((document) =>
      deleteObjects(
        { words: command.words, options },
        asText(document['kind']) ?? '',
        [asText(dig(document, 'metadata', 'name')) ?? ''],
        terminal,
      ),
    ),
  );
}

function patchObject({ options }: CommandLine, kind: string, name: string, terminal: Terminal): CommandAnswer | undefined {
  const at = addressOf(kind, options.get('n'));
  const type = options.get('type') ?? 'strategic';
  if (at === undefined || (type !== 'json' && type !== 'merge' && type !== 'strategic')) return undefined;
  const subresource = options.get('subresource');
  const answer = send(terminal, {
    verb: 'patch',
    ...at,
    name,
    ...(subresource === undefined ? {} : { subresource }),
    patch: { type, body: JSON.parse(options.get('p') ?? '{}') as Json },
    manager: 'kubectl-patch',
  });
  return answer.ok ? { output: `${at.word}/${name} patched`, exitCode: 0 } : failed(answer, '');
}

/** `kubectl label` and `kubectl annotate`. */
function labelObject({ words, options }: CommandLine, terminal: Terminal): CommandAnswer | undefined {
  const [, verb, what = '', ...rest] = words;
  const [kind = '', inOne] = what.split('/');
  const selector = options.get('l') ?? options.get('selector');
  const name = inOne ?? (selector === undefined ? (rest[0] ?? '') : '');
  const at = addressOf(kind, options.get('n'));
  if (at === undefined) return undefined;
  if (selector !== undefined) {
    const found = send(terminal, { verb: 'list', ...at, labelSelector: selector });
    if (!found.ok) return failed(found, '');
    const others = new Map([...options].filter(([option]) => option !== 'l' && option !== 'selector'));
    return together(
      asList(found.object['items']).map((item) =>
        labelObject(
          { words: ['kubectl', verb ?? '', `${kind}/${asText(dig(item, 'metadata', 'name')) ?? ''}`, ...rest], options: others },
          terminal,
        ),
      ),
    );
  }
  const pairs = rest.filter((word) => word !== name);
  const values = Object.fromEntries(
    pairs.map((given): [string, Json] =>
      given.endsWith('-') ? [given.slice(0, -1), null] : [given.split('=')[0] ?? '', given.slice(given.indexOf('=') + 1)],
    ),
  );
  const answer = send(terminal, {
    verb: 'patch',
    ...at,
    name,
    patch: { type: 'merge', body: { metadata: verb === 'label' ? { labels: values } : { annotations: values } } },
    manager: `kubectl-${verb ?? ''}`,
  });
  const did = verb === 'annotate' ? 'annotated' : pairs.every((given) => given.endsWith('-')) ? 'unlabeled' : 'labeled';
  return answer.ok ? { output: `${at.word}/${name} ${did}`, exitCode: 0 } : failed(answer, '');
}

function rawEviction(path: string, terminal: Terminal): CommandAnswer | undefined {
  const [, namespace, recorded] = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/eviction$/.exec(path) ?? [];
  if (namespace === undefined || recorded === undefined) return undefined;
  const name = terminal.podOf(recorded);
  const answer = send(terminal, {
    verb: 'create',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: 'eviction',
    namespace,
    name,
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } },
  });
  return answer.ok
    ? { output: '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}', exitCode: 0 }
    : failed(answer, '');
}
