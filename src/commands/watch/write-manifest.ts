import { PodcheckError } from '../../base/errors.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { isNamespaceName } from '../namespace-names.ts';
import { yamlText } from '../yaml-text.ts';
import { OWN_NAMESPACE, watchManifest } from './manifest.ts';
import type { StateOptions } from '../rbac/state-options.ts';
import { replicasOf } from '../rbac/state-options.ts';
import { listOf } from './watch-scope.ts';

export interface ManifestOptions extends Pick<StateOptions, 'replicas'> {
  /** Where it is installed. */
  readonly namespace?: string;
  /** What it watches; all without it. */
  readonly namespaces?: string;
  readonly image?: string;
  readonly logs?: boolean;
  readonly events?: boolean;
}

/** Source: distribution/reference (ReferenceRegexp), without its length. */
const IMAGE = /^[A-Za-z0-9][\w.:@/+-]{0,511}$/;

/** Prints the objects that run a watch in a cluster, for `kubectl apply -f -`. */
export function writeManifest(options: ManifestOptions, context: CommandContext): ExitCode {
  const { namespace = OWN_NAMESPACE, namespaces, logs = false, events = false } = options;
  const version = context.version ?? '0.0.0';
  const image = options.image ?? `podcheck:${version}`;
  if (!isNamespaceName(namespace))
    throw new PodcheckError('usage', `-n: ${JSON.stringify(namespace)} is not a valid namespace`, 'use lower-case letters, digits and "-"');
  if (!IMAGE.test(image))
    throw new PodcheckError('usage', `--image: ${JSON.stringify(image)} is not a valid image`, 'for example registry.example/podcheck:1.0');
  const watched = namespaces === undefined ? undefined : listOf(namespaces);
  const wish = { namespace, namespaces: watched, image, version, logs, events, replicas: replicasOf(options) };
  context.write(watchManifest(wish).map(yamlText).join('---\n'));
  return EXIT.healthy;
}
