import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ClusterOptions, OutsideRequest } from '../cluster-options.ts';
import type { ExecInput } from '../terminal/exec-sessions.ts';
import type { Fault } from '../outside/faults.ts';
import type { TerminalCommand } from '../terminal/command.ts';
import type { ApplyOptions } from '../terminal/terminal.ts';

/** A cluster as a value: its beginning, what came from outside, and how far it had got. */
export interface SavedCluster {
  readonly format: 1;
  readonly options: ClusterOptions;
  readonly inputs: readonly Input[];
  readonly steps: number;
  readonly at: Instant;
  readonly digest: string;
}

/** Something from outside, with the moment: after so many tasks, at that time. */
export interface Input {
  readonly steps: number;
  readonly at: Instant;
  readonly input:
    | { readonly do: 'request'; readonly request: OutsideRequest }
    | { readonly do: 'apply'; readonly documents: readonly JsonObject[]; readonly options: ApplyOptions }
    | { readonly do: 'inject'; readonly fault: Fault }
    | { readonly do: 'exec'; readonly exec: ExecInput }
    | { readonly do: 'command'; readonly command: TerminalCommand }
    /** A long time that passed in one go: what was repeated in it was not written (fast-forward/). */
    | { readonly do: 'pass'; readonly until: Instant };
}

/** Whether an instant lies in a time that passed in one go: the cluster as it was then is played without that. */
export function endsAfter({ input }: Input, instant: Instant): boolean {
  return input.do === 'pass' && input.until > instant;
}
