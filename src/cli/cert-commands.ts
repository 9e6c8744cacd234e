import type { Command } from 'commander';
import type { CertExpiryOptions } from '../commands/cert-expiry.ts';
import type { Runner } from './program.ts';
import { VERSION } from './version.ts';
import { addScenarioOptions } from './scenario-options.ts';

const EXIT_CODES = `
Exit codes:
  0 all fine   1 something ends within the window, or does not fit   2 usage
  3 something that was asked for could not be checked   4 something has ended`;

export function addCertExpiry(program: Command, runner: Runner): void {
  const command = program
    .command('cert-expiry')
    .description('every certificate the cluster lives on, and what stops when each ends')
    .option('--all-contexts', 'all contexts of the kubeconfig')
    .option('--dir <path...>', 'files of a node: PEM, DER, kubeconfigs; a folder, or kubeadm, k3s, rke2, k0s, talos, openshift')
    .option('--secrets', 'certificates in Secrets too; nothing else of them is looked at')
    .option('--probe', 'ask webhooks, kubelets and hosts of Ingresses and Gateways what they serve')
    .option('--within <duration>', 'what ends within this time; without it, relative to each lifetime')
    .option('--manifest', 'print a CronJob that runs this in the cluster, with the rights it needs')
    .addHelpText('after', EXIT_CODES)
    .action(async (_options: unknown, invoked: Command) => {
      const options: CertExpiryOptions & { readonly color?: boolean } = invoked.optsWithGlobals();
      const { runCertExpiry } = await import('../commands/cert-expiry.ts');
      runner.exit(await runCertExpiry({ ...options, version: VERSION }, runner.context(options)));
    });
  addScenarioOptions(command);
}
