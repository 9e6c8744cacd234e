import type { SourceFlags } from '../../report/diagnosis/runbook-command.ts';
import type { SourceOptions } from '../options.ts';

/** Flags that lead another command to the cluster this one looked at. A namespace is part of what a target is called. */
export function sourceFlags(options: SourceOptions): SourceFlags {
  const { context, cluster, user, kubeconfig, as, asGroup = [], asUid, from = [], scenario, at, seed, now } = options;
  const single = { context, cluster, user, kubeconfig, as, 'as-uid': asUid, scenario, at, seed, now };
  return [
    ...Object.entries(single).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...asGroup.flatMap((group) => ['--as-group', group]),
    ...from.flatMap((path) => ['--from', path]),
  ];
}
