import { setTimeout as pause } from 'node:timers/promises';
import type { Change, WatchView } from '../../model/watch-change.ts';
import { alertJson } from '../../report/watching/alert-json.ts';
import type { CommandContext } from '../context.ts';
import { Delivery, receiverUrl, sendChange } from './deliver.ts';

export interface ReceiverOptions {
  /** Gets each change as JSON. */
  readonly webhook?: string;
  /** Gets causes as alerts. */
  readonly alertmanager?: string;
}

/** Whoever is told of changes beside the output. */
export interface Others {
  /** Done when the webhook has taken them, or never will. Alerts are sent again as long as they are true. */
  readonly tell: (changes: readonly Change[]) => Promise<void>;
  /** Sends again what is still true, until the signal is raised. */
  readonly resend: (view: () => WatchView) => Promise<void>;
}

/** Alertmanager takes an alert for over that was not sent for five minutes (resolve_timeout). */
const REPEAT_MILLISECONDS = 120_000;

/** The receivers that options name. The secret for signatures comes from the environment: arguments can be seen by everybody. */
export function otherReceivers({ webhook, alertmanager }: ReceiverOptions, context: CommandContext): Others {
  const { signal, env, version = '0.0.0' } = context;
  const ports = { signal, note: (text: string) => context.note(`note: ${text}\n`) };
  const secret = env['PODCHECK_WEBHOOK_SECRET'];
  const hook = webhook === undefined ? undefined : new Delivery({ url: receiverUrl('--webhook', webhook), secret, version }, ports);
  const alerts = alertmanager === undefined ? undefined : new Delivery({ url: alertsUrl(alertmanager), version }, ports);
  return {
    tell: async (changes) => {
      const told = changes.flatMap(alertsOf);
      if (told.length > 0) void alerts?.add(told);
      if (hook !== undefined) await Promise.all(changes.map((change) => sendChange(hook, change)));
    },
    resend: async (view) => {
      if (alerts === undefined) return;
      while (!signal.aborted) {
        await pause(REPEAT_MILLISECONDS, undefined, { signal }).catch(() => undefined);
        const { courses } = view();
        // What waits says the same already.
        if (!signal.aborted && courses.length > 0 && alerts.size === 0) void alerts.add(courses.map(alertJson));
      }
    },
  };
}

function alertsUrl(text: string): URL {
  const url = receiverUrl('--alertmanager', text);
  return url.pathname === '/' ? new URL('/api/v2/alerts', url) : url;
}

function alertsOf(change: Change): readonly ReturnType<typeof alertJson>[] {
  switch (change.type) {
    case 'found':
    case 'cured':
      return [alertJson(change.course)];
    case 'changed':
      return [alertJson({ ...change.course, cause: change.before, endedAt: change.at, ended: 'changed' }), alertJson(change.course)];
    default:
      return [];
  }
}
