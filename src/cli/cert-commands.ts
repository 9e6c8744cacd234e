import type { Command } from 'commander';
import type { CertExpiryOptions } from '../commands/cert-expiry/cert-expiry-options.ts';
import type { Runner } from './runner.ts';
import { VERSION } from './version.ts';
import { addScenarioOptions } from './scenario-options.ts';

const EXIT_CODES = `
Exit codes:
  0 all valid   1 a certificate expires soon or is invalid   2 wrong usage
  3 a requested check was not possible   4 a certificate has expired`;

export function addCertExpiry(program: Command, runner: Runner): void {
  const command = program
    .command('cert-expiry')
    .description('list all certificates of a cluster, when they expire and what fails then')
    .option('--all-contexts', 'check all contexts of the kubeconfig')
    .option('--dir <path...>', 'files of a node: PEM, DER, kubeconfigs, folders, or kubeadm, k3s, rke2, k0s, talos, openshift')
    .option('--secrets', 'also read certificates in Secrets; no other value of a Secret is used')
    .option('--probe', 'also connect to webhooks, kubelets and hosts of Ingresses and Gateways')
    .option('--within <duration>', 'warn this long before expiry; default: relative to each lifetime')
    .option('--manifest', 'print a CronJob that runs this check, with its RBAC objects')
    .addHelpText('after', EXIT_CODES)
    .action(async (_options: unknown, invoked: Command) => {
      const options: CertExpiryOptions & { readonly color?: boolean } = invoked.optsWithGlobals();
      const { runCertExpiry } = await import('../commands/cert-expiry/cert-expiry.ts');
      runner.exit(await runCertExpiry({ ...options, version: VERSION }, runner.context(options)));
    });
  addScenarioOptions(command);
}
