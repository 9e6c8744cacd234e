import type { Command } from 'commander';
import { Option } from 'commander';

/** What lets a command look at a simulated cluster instead of a real one. */
export function addScenarioOptions(command: Command): void {
  command
    .option('--scenario <id>', 'use a simulated cluster (podcheck sim list)')
    .option('--at <duration>', 'time after the start of the scenario')
    .addOption(seedOption());
}

export function seedOption(): Option {
  return new Option('--seed <seed>', 'seed for names and delays');
}
