import { parseInteger } from '../../../base/number.ts';
import type { FieldError } from '../validation/field-error.ts';
import { invalidValue } from '../validation/field-error.ts';

export type Level = 'privileged' | 'baseline' | 'restricted';
export type Mode = 'enforce' | 'audit' | 'warn';

export interface LevelOfVersion {
  readonly level: Level;
  /** `latest`, or `v1.30`. */
  readonly version: string;
}

/**
 * What the labels of a namespace ask for; who sets no level to be warned of is warned of what is enforced. Source:
 * staging/src/k8s.io/pod-security-admission/api/helpers.go (PolicyToEvaluate).
 */
export function policyOf(labels: Readonly<Record<string, string>>, mode: Mode): LevelOfVersion {
  const own = labels[label(mode)];
  const version = labels[versionLabel(mode)];
  if (mode === 'warn' && own === undefined && version === undefined) return policyOf(labels, 'enforce');
  return { level: LEVELS.find((level) => level === own) ?? 'privileged', version: version ?? 'latest' };
}

/** The minor version of a policy, infinite for the latest; a newer one than there is judges as the latest. */
export function policyMinor(version: string): number {
  const minor = /^v1\.(\d{1,4})$/.exec(version)?.[1];
  return parseInteger(minor) ?? Number.POSITIVE_INFINITY;
}

/** What is wrong with those labels. */
export function policyErrors(labels: Readonly<Record<string, string>>): readonly FieldError[] {
  return MODES.flatMap((mode): readonly FieldError[] => {
    const [level, version] = [labels[label(mode)], labels[versionLabel(mode)]];
    return [
      ...(level === undefined || LEVELS.some((known) => known === level)
        ? []
        : [invalidValue(`metadata.labels[${label(mode)}]`, level, `must be one of ${LEVELS.join(', ')}`)]),
      ...(version === undefined || /^(latest|v1\.(0|[1-9]\d{0,3}))$/.test(version)
        ? []
        : [invalidValue(`metadata.labels[${versionLabel(mode)}]`, version, 'must be "latest" or "v1.x"')]),
    ];
  });
}

/** Whether a level forbids more than another. */
export function isStricter(level: Level, than: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(than);
}

const LEVELS: readonly Level[] = ['privileged', 'baseline', 'restricted'];
const MODES: readonly Mode[] = ['enforce', 'audit', 'warn'];

function label(mode: Mode): string {
  return `pod-security.kubernetes.io/${mode}`;
}

function versionLabel(mode: Mode): string {
  return `${label(mode)}-version`;
}
