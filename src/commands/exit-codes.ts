import type { Outcome } from '../model/diagnosis.ts';

/** What a script can rely on; listed in the README and in `podcheck --help`. `ended` is a certificate's, and only `cert-expiry` says it. */
export const EXIT = { healthy: 0, causeFound: 1, usage: 2, inconclusive: 3, ended: 4, bug: 70, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** `unexplained` is no answer either: something is not well, and podcheck cannot say why. What is starting may still fail. */
export function exitCodeOf(outcome: Outcome): ExitCode {
  switch (outcome) {
    case 'healthy':
      return EXIT.healthy;
    case 'explained':
      return EXIT.causeFound;
    case 'waiting':
    case 'unexplained':
    case 'inconclusive':
      return EXIT.inconclusive;
  }
}
