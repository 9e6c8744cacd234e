import { PodcheckError } from '../../base/errors.ts';
import { jsonText } from '../../report/diagnosis/cause-json.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { OutputOptions } from '../options.ts';
import { isNamespaceName } from '../namespace-names.ts';
import { outputFormat } from '../output-format.ts';
import type { Subject } from './access-manifests.ts';
import { accessManifests } from './access-manifests.ts';
import { stateManifests } from './state-manifests.ts';
import type { StateOptions } from './state-options.ts';
import { stateWish } from './state-options.ts';

export interface RbacOptions extends OutputOptions, StateOptions {
  readonly namespace?: string;
  /** Namespaces, separated by commas. */
  readonly scope?: string;
  readonly watch?: boolean;
  readonly certificates?: boolean;
  readonly secrets?: boolean;
  readonly logs?: boolean;
  readonly name?: string;
  /** `serviceaccount:NAMESPACE/NAME`, `user:NAME` or `group:NAME`. */
  readonly bind?: string;
}

/** Prints the Roles with which podcheck sees all it needs, for `kubectl apply -f -`. */
export async function runRbac(options: RbacOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'rbac');
  const { watch = false, certificates = false, secrets = false, logs = true, name = 'podcheck', bind } = options;
  if (!NAME.test(name)) throw new PodcheckError('usage', `--name: ${JSON.stringify(name)} is not a valid name`, NAMES);
  const subject = bind === undefined ? undefined : subjectOf(bind);
  const state = stateWish(options);
  const objects = [
    ...accessManifests({ name, uses: { watch, certificates, secrets, logs }, namespaces: namespacesOf(options), subject }),
    ...(state === undefined ? [] : stateManifests({ name, ...state, subject, labels: { 'app.kubernetes.io/name': 'podcheck' } })),
  ];
  if (format === 'json') context.write(jsonText({ apiVersion: 'v1', kind: 'List', items: objects }));
  else {
    const { yamlText } = await import('../yaml-text.ts');
    context.write(objects.map(yamlText).join('---\n'));
  }
  return EXIT.healthy;
}

/** Source: staging/src/k8s.io/apimachinery/pkg/api/validation/path/name.go: names of Roles are path segments. */
const NAME = /^[a-z0-9](?:[-a-z0-9.:]{0,251}[a-z0-9])?$/;
const NAMES = 'use lower-case letters, digits and "-"';

function namespacesOf({ namespace, scope }: RbacOptions): readonly string[] | undefined {
  if (namespace !== undefined && scope !== undefined)
    throw new PodcheckError('usage', '-n and --scope cannot be used together', 'leave out one of them');
  const names = namespace === undefined ? scope?.split(',') : [namespace];
  const wrong = names?.find((each) => !isNamespaceName(each));
  if (wrong !== undefined) throw new PodcheckError('usage', `${JSON.stringify(wrong)} is not a valid namespace`, NAMES);
  return names === undefined ? undefined : [...new Set(names)];
}

const ACCOUNT = /^(?:serviceaccount|sa):([^/]+)\/([^/]+)$/i;
const PERSON = /^(user|group):(.+)$/i;

function subjectOf(bind: string): Subject {
  const [, namespace = '', account = ''] = ACCOUNT.exec(bind) ?? [];
  if (isNamespaceName(namespace) && NAME.test(account)) return { kind: 'ServiceAccount', namespace, name: account };
  const [, kind, name] = PERSON.exec(bind) ?? [];
  if (kind === undefined || name === undefined)
    throw new PodcheckError(
      'usage',
      `--bind: ${JSON.stringify(bind)} is not a subject`,
      'use serviceaccount:NAMESPACE/NAME, user:NAME or group:NAME',
    );
  return { kind: kind.toLowerCase() === 'user' ? 'User' : 'Group', name };
}
