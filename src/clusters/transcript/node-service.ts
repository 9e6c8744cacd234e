import type { Instant } from '../../base/instant.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';
import type { Line } from './clean-lines.ts';

/** What systemctl or journalctl said of one service. */
export interface ServiceOutput {
  readonly service: string;
  /** The host that the journal names. */
  readonly host?: string;
  readonly spec: JsonObject;
  readonly lines: readonly string[];
}

const UNIT = /^[●○×↻*•]?\s{0,3}([\w@.:-]+?)\.(?:service|socket|timer|target)(?: - |$)/;
const ACTIVE = /^\s*Active: ([\w-]{1,40})(?: \(([^)]{0,100})\))?(?:.{0,200} since (.{1,60}?))?(?:; .{0,60} (?:ago|left))?$/;
const NOT_FOUND = /^Unit ([\w@.:-]+?)(?:\.service)? could not be found\.?/;
const JOURNAL = /^(?:(?:\p{L}{3,5}\.?|\d{1,2}[月월]) [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\S+) (\S+) [\w./@-]+(?:\[\d+\])?: /u;
const MAX_LINES = 200;

/** Reads the output of `systemctl status`, of one service or of several. */
export function readStatus(output: readonly Line[], asked: readonly string[], zoneMinutes: number | undefined): readonly ServiceOutput[] {
  const found: Status[] = [];
  for (const { text } of output) {
    const missing = NOT_FOUND.exec(text)?.[1];
    const unit = UNIT.exec(text)?.[1] ?? missing;
    if (unit !== undefined) found.push({ service: unit, spec: missing === undefined ? {} : { active: 'not-found' }, lines: [] });
    const current = found.at(-1);
    if (current !== undefined) readStatusLine(text, current, zoneMinutes);
  }
  if (found.length === 0) return activeWord(output, asked[0]);
  return found.map((one) => ({ ...one, lines: one.lines.slice(-MAX_LINES) }));
}

/** The line after the head of the status of a service that begins on a line, above its journal; undefined when none begins. */
export function statusHeadEnd(output: readonly Line[], index: number): number | undefined {
  if (!UNIT.test(output[index]?.text ?? '')) return undefined;
  const below = output.slice(index + 1, index + MAX_HEAD);
  const gap = below.findIndex(({ text }) => text.trim() === '' || JOURNAL.test(text));
  const head = gap < 0 ? below : below.slice(0, gap);
  return head.some(({ text }) => ACTIVE.test(text.slice(0, 400))) ? index + 1 + head.length : undefined;
}

const MAX_HEAD = 40;

/** The status of one service as far as its lines were read. */
interface Status {
  readonly service: string;
  host?: string;
  readonly spec: Record<string, string>;
  readonly lines: string[];
}

function readStatusLine(text: string, status: Status, zoneMinutes: number | undefined): void {
  const active = text.includes('Active: ') ? ACTIVE.exec(text.slice(0, 400)) : null;
  if (active !== null) Object.assign(status.spec, activeOf(active, zoneMinutes));
  const journal = JOURNAL.exec(text);
  if (journal === null) return;
  status.host ??= journal[1] ?? '';
  status.lines.push(text);
}

/** `systemctl is-active kubelet` prints one word. */
function activeWord(output: readonly Line[], service: string | undefined): readonly ServiceOutput[] {
  const word = output.find(({ text }) => /^(?:active|inactive|failed|activating|deactivating|unknown)$/.test(text.trim()))?.text.trim();
  if (word === undefined || service === undefined) return [];
  return [{ service: service.replace(/\.service$/, ''), spec: { active: word }, lines: [] }];
}

const LAST_LINES = 20;
/**
 * The last words of a service that ends: klog's fatals, what the kubelet says of its own start, and what systemd says. What the kubelet
 * cannot start besides may be a container.
 */
const END =
  /\sF\d{4}\s|"command failed"|failed to run kubelet|\bpanic: |Main process exited|Failed with result|systemd\[\d{1,10}\]: Failed to start|Failed to start (?:ContainerManager|cAdvisor)/i;

/** Reads the output of `journalctl -u SERVICE`: only lines, from which no more follows than that the service has ended. */
export function readJournal(output: readonly Line[], service: string): ServiceOutput {
  const lines = output.map(({ text }) => text).filter((text) => text.trim() !== '' && !text.startsWith('-- '));
  const host = journalHost(output);
  return {
    service: service.replace(/\.service$/, ''),
    ...(host === undefined ? {} : { host }),
    spec: lines.slice(-LAST_LINES).some((text) => END.test(text)) ? { active: 'failed', seen: 'journal' } : {},
    lines: lines.slice(-MAX_LINES),
  };
}

/** The host that lines of a journal name. */
export function journalHost(output: readonly Line[]): string | undefined {
  return output.map(({ text }) => JOURNAL.exec(text)?.[1]).find((name) => name !== undefined);
}

function activeOf([, active = '', sub, since]: RegExpExecArray, zoneMinutes: number | undefined): Record<string, string> {
  const at = since === undefined ? undefined : localTime(since, zoneMinutes);
  return { active, ...(sub === undefined || sub === '' ? {} : { sub }), ...(at === undefined ? {} : { since: formatInstant(at) }) };
}

/** Minutes east of UTC; names that several zones share are left out and read as the zone kubectl printed in. */
const ZONES: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
  MSK: 180,
  EST: -300,
  EDT: -240,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  JST: 540,
  KST: 540,
  HKT: 480,
  SGT: 480,
  AEST: 600,
  AEDT: 660,
  NZST: 720,
  NZDT: 780,
  BRT: -180,
};

/** `Sat 2026-02-28 10:42:46 CST`. */
function localTime(text: string, zoneMinutes: number | undefined): Instant | undefined {
  const [, date, time, zone = ''] = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?: ([A-Z]{2,5}|[+-]\d\d(?:\d\d)?))?/.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d)(\d\d)?$/.exec(zone) ?? [];
  const offset =
    hours === undefined
      ? (ZONES[zone] ?? zoneMinutes)
      : (sign === '-' ? -1 : 1) * ((parseInteger(hours) ?? 0) * 60 + (parseInteger(minutes) ?? 0));
  const instant = parseInstant(`${date}T${time}Z`);
  return offset === undefined || instant === undefined ? undefined : instant - offset * 60_000;
}
