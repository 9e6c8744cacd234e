import { parseDecimal } from './number.ts';

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

/**
 * Seconds in a duration as Go, kubectl's AGE column and people write them: `1h30m`, `90s`, `3d4h`, `250ms`, `1.5h`.
 * Undefined for anything else, and for more than 292 years, which no clock of Kubernetes can tell. Days, weeks and years go beyond Go's
 * time.ParseDuration, as kubectl's HumanDuration does.
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '0') return 0;
  if (trimmed.length > 64 || !/^[+-]?(\d+(\.\d+)?(ns|us|µs|ms|[smhdwy]))+$/.test(trimmed)) return undefined;
  let seconds = 0;
  for (const [, amount, unit] of trimmed.matchAll(/(\d{1,64}(?:\.\d{1,64})?)(ns|us|µs|ms|[smhdwy])/g)) {
    seconds += (parseDecimal(amount) ?? LONGEST_SECONDS) * (UNIT_SECONDS[unit ?? ''] ?? 0);
  }
  if (seconds > LONGEST_SECONDS) return undefined;
  return trimmed.startsWith('-') ? -seconds : seconds;
}

/** Go's time.Duration, which Kubernetes computes ages with, holds no more: 292 years. */
const LONGEST_SECONDS = 9_223_372_036;

/** As kubectl's AGE column writes it. Source: staging/src/k8s.io/apimachinery/pkg/util/duration/duration.go (HumanDuration). */
export function formatDuration(seconds: number): string {
  const whole = Math.trunc(seconds);
  if (Number.isNaN(whole) || whole < -1) return '<invalid>';
  if (whole < 0) return '0s';
  if (whole < 120) return `${whole}s`;
  const minutes = Math.trunc(whole / 60);
  if (minutes < 10) return inTwo(whole, 60, 'm', 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return inTwo(minutes, 60, 'h', 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return inTwo(hours, 24, 'd', 'h');
  if (days < 730) return `${days}d`;
  return days < 2920 ? inTwo(days, 365, 'y', 'd') : `${Math.trunc(days / 365)}y`;
}

/** `1h30m`; the smaller unit is left out where nothing is left for it. */
function inTwo(amount: number, size: number, large: string, small: string): string {
  const rest = amount % size;
  return `${Math.trunc(amount / size)}${large}${rest === 0 ? '' : `${rest}${small}`}`;
}
