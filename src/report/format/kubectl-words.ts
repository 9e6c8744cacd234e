import type { JsonObject } from '../../base/json.ts';
import { asText, dig } from '../../base/json.ts';
import { parseRef } from '../../model/kube-object.ts';
import type { ShowAction } from '../../model/playbook.ts';
import type { ChangeAction } from '../../model/playbook-change.ts';
import { resourceOfKind } from '../../model/resources.ts';
import { withPlaceholders } from '../../model/placeholders.ts';

/** A command line a person can copy: words that a shell could take for something else are quoted. */
export function commandLine(argv: readonly string[]): string {
  return argv.map(shellWord).join(' ');
}

/**
 * A command that a person copies, with the flags that lead kubectl to one cluster. Between single quotes stands what is for a node or a
 * container; `kubectl config` and what names a kubeconfig itself are about files.
 */
export function withClusterFlags(command: string, flags: string): string {
  return command
    .split("'")
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/(?<![\w/.-])kubectl (?!config |--kubeconfig)/g, () => `kubectl ${flags} `),
    )
    .join("'");
}

/** The kubectl command that does the same change. Variables that have no value yet stand as `<name>`. */
export function changeCommand(action: ChangeAction): readonly string[] {
  switch (action.change) {
    case 'patch':
      return [
        'kubectl',
        ...inNamespace(action.object),
        'patch',
        ...named(action.object),
        ...(action.subresource === undefined ? [] : [`--subresource=${action.subresource}`]),
        `--type=${action.type}`,
        '-p',
        JSON.stringify(action.body),
      ];
    case 'scale':
      return ['kubectl', ...inNamespace(action.object), 'scale', ...named(action.object), `--replicas=${action.replicas}`];
    case 'restart':
      return ['kubectl', ...inNamespace(action.object), 'rollout', 'restart', ...named(action.object)];
    case 'rollout-undo':
      return [
        'kubectl',
        ...inNamespace(action.object),
        'rollout',
        'undo',
        ...named(action.object),
        ...(action.revision === undefined ? [] : [`--to-revision=${action.revision}`]),
      ];
    case 'set-image':
      return ['kubectl', ...inNamespace(action.object), 'set', 'image', ...named(action.object), `${action.container}=${action.image}`];
    case 'create':
      return ['kubectl', 'create', '-f', fileOf(action.manifest)];
    case 'delete':
      return [
        'kubectl',
        ...inNamespace(action.object),
        'delete',
        ...named(action.object),
        ...(action.graceSeconds === undefined ? [] : [`--grace-period=${action.graceSeconds}`]),
        ...(action.propagation === undefined ? [] : [`--cascade=${action.propagation.toLowerCase()}`]),
      ];
    case 'cordon':
    case 'uncordon':
      return ['kubectl', action.change, nameOf(action.object)];
    case 'drain':
      return ['kubectl', 'drain', nameOf(action.object), '--ignore-daemonsets', '--delete-emptydir-data'];
    case 'evict':
      return [
        'kubectl',
        'create',
        '--raw',
        `/api/v1/namespaces/${withPlaceholders(parseRef(action.object)?.namespace ?? '<namespace>')}/pods/${nameOf(action.object)}/eviction`,
        '-f',
        'eviction.json',
      ];
    case 'approve':
      return ['kubectl', 'certificate', 'approve', nameOf(action.object)];
    case 'allow-clients':
      return ['kubectl', ...inNamespace(action.object), 'create', '-f', `networkpolicy-${clientsPolicy(nameOf(action.object))}.yaml`];
    case 'fix':
      return ['podcheck', 'diagnose', '<target>'];
  }
}

/** The kubectl command that shows the same. */
export function showCommand(action: ShowAction): readonly string[] {
  switch (action.show) {
    case 'get':
      return ['kubectl', ...inNamespace(action.object), 'get', ...named(action.object), '-o', 'yaml'];
    case 'describe':
      return ['kubectl', ...inNamespace(action.object), 'describe', ...named(action.object)];
    case 'events':
      return ['kubectl', ...inNamespace(action.object), 'events', `--for=${named(action.object).join('/')}`];
    case 'list':
      return [
        'kubectl',
        ...(action.namespace === undefined ? (resourceOfKind(action.of)?.namespaced === false ? [] : ['-A']) : ['-n', action.namespace]),
        'get',
        resourceOfKind(action.of)?.plural ?? action.of,
        ...(action.selector === undefined ? [] : ['-l', action.selector]),
        '-o',
        'wide',
      ];
    case 'logs':
      return [
        'kubectl',
        ...inNamespace(action.object),
        'logs',
        nameOf(action.object),
        ...(action.container === undefined ? [] : ['-c', action.container]),
        ...(action.previous ? ['--previous'] : []),
        `--tail=${action.tail}`,
      ];
  }
}

function inNamespace(object: string): readonly string[] {
  const namespace = parseRef(object)?.namespace;
  return namespace === undefined ? [] : ['-n', withPlaceholders(namespace)];
}

function named(object: string): readonly string[] {
  const ref = parseRef(object);
  if (ref === undefined) return [withPlaceholders(object)];
  return [withPlaceholders(ref.kind).toLowerCase(), withPlaceholders(ref.name)];
}

function nameOf(object: string): string {
  return withPlaceholders(parseRef(object)?.name ?? object);
}

/** The name of the NetworkPolicy that lets clients reach a Service. */
export function clientsPolicy(service: string): string {
  return `allow-${service}`;
}

/** The manifest as a file somebody would have written it to. */
function fileOf(manifest: JsonObject): string {
  return `${(asText(manifest['kind']) ?? 'object').toLowerCase()}-${withPlaceholders(asText(dig(manifest, 'metadata', 'name')) ?? 'new')}.yaml`;
}

const PLAIN = /^[\w./:@=+,%^-]+$/;

function shellWord(word: string): string {
  const shown = withPlaceholders(word);
  return PLAIN.test(shown) || /^<\w+>$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}
