import type { WordOf } from '../survey/fact-sink.ts';

/** What the API server's words say about one request it refused. */
export interface RefusalWords {
  readonly reason: WordOf<'refusal', 'reason'>;
  /** Name of the quota, webhook, policy, class or account that is named. */
  readonly by?: string | undefined;
  readonly field?: string | undefined;
  readonly value?: string | undefined;
  readonly wanted?: string | undefined;
  readonly detail?: string | undefined;
  readonly resource?: string | undefined;
  readonly verb?: string | undefined;
  readonly user?: string | undefined;
  readonly where?: string | undefined;
  readonly service?: string | undefined;
}
