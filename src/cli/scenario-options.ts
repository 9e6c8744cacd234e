import type { Command } from 'commander';
import { Option } from 'commander';

/** What lets a command look at a simulated cluster instead of a real one. */
export function addScenarioOptions(command: Command): void {
  command.option('--scenario <id>', 'look at a simulated cluster (podcheck sim list)').option('--at <duration>', 'so long after its start').addOption(seedOption());
}

export function seedOption(): Option {
  return new Option('--seed <seed>', 'another seed, other names and delays');
}
