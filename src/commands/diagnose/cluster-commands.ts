import type { Cause } from '../../model/diagnosis.ts';
import type { Gap } from '../../model/fact.ts';
import { commandLine } from '../../report/format/kubectl-words.ts';
import type { SourceOptions } from '../options.ts';

interface Told {
  readonly causes: readonly Cause[];
  readonly gaps: readonly Gap[];
}

/**
 * A diagnosis or scan whose commands go to the cluster that was looked at: kubectl without the flags that chose it would change another
 * one. Unchanged where no such flag was given, and for stored evidence.
 */
export function forCluster<T extends Told>(told: T, { kubeconfig, context, cluster, user, from = [], scenario }: SourceOptions): T {
  const given = Object.entries({ kubeconfig, context, cluster, user }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  if (given.length === 0 || from.length > 0 || scenario !== undefined) return told;
  const flags = commandLine(given);
  return {
    ...told,
    causes: told.causes.map((cause) => ({
      ...cause,
      fix: cause.fix.map((step) => (step.run === undefined ? step : { ...step, run: withFlags(step.run, flags) })),
    })),
    gaps: told.gaps.map((gap) => (gap.needs?.startsWith('kubectl ') === true ? { ...gap, needs: withFlags(gap.needs, flags) } : gap)),
  };
}

/** Between single quotes stands what is for a node or a container; `kubectl config` and what names a file itself are about files. */
function withFlags(command: string, flags: string): string {
  return command
    .split("'")
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/(?<![\w/.-])kubectl (?!config |--kubeconfig)/g, () => `kubectl ${flags} `),
    )
    .join("'");
}
