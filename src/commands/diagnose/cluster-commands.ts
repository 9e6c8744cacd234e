import type { Cause } from '../../model/diagnosis.ts';
import type { Gap } from '../../model/fact.ts';
import { commandLine, withClusterFlags } from '../../report/format/kubectl-words.ts';
import type { SourceOptions } from '../options.ts';

interface Told {
  readonly causes: readonly Cause[];
  readonly gaps: readonly Gap[];
}

/**
 * A diagnosis or scan whose commands go to the cluster that was looked at: kubectl without the flags that chose it would change another
 * one. Unchanged where no such flag was given, and for stored evidence.
 */
export function forCluster<T extends Told>(told: T, options: SourceOptions): T {
  const flags = flagsOfCluster(options);
  if (flags === undefined) return told;
  return {
    ...told,
    causes: told.causes.map((cause) => ({
      ...cause,
      fix: cause.fix.map((step) => (step.run === undefined ? step : { ...step, run: withClusterFlags(step.run, flags) })),
    })),
    gaps: told.gaps.map((gap) =>
      gap.needs?.startsWith('kubectl ') === true ? { ...gap, needs: withClusterFlags(gap.needs, flags) } : gap,
    ),
  };
}

/** The flags that chose the cluster, as a command has them; undefined where none did. */
export function flagsOfCluster({ kubeconfig, context, cluster, user, from = [], scenario }: SourceOptions): string | undefined {
  const given = Object.entries({ kubeconfig, context, cluster, user }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return given.length === 0 || from.length > 0 || scenario !== undefined ? undefined : commandLine(given);
}
