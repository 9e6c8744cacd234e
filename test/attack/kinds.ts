import type { AttackKind } from './attack-case.ts';
import { alertCase, playbookCase, rulesCase } from './kinds/books.ts';
import { certificateCase } from './kinds/certificates.ts';
import { commandLineCase, kubeconfigCase } from './kinds/connected.ts';
import { evalCase, journalCase, recordCase } from './kinds/records.ts';
import { pastedCase, savedCase } from './kinds/saved.ts';
import { manifestCase, scenarioCase, traceCase } from './kinds/simulated.ts';

/** What is tried, by name. The name and a number are a case. */
export const KINDS: Readonly<Record<string, AttackKind>> = {
  pasted: pastedCase,
  saved: savedCase,
  scenario: scenarioCase,
  manifest: manifestCase,
  trace: traceCase,
  playbook: playbookCase,
  rules: rulesCase,
  alert: alertCase,
  journal: journalCase,
  record: recordCase,
  eval: evalCase,
  kubeconfig: kubeconfigCase,
  certificate: certificateCase,
  'command-line': commandLineCase,
};
