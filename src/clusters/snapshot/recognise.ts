import { cleanLines } from '../transcript/clean-lines.ts';
import { isCsvHeader } from './csv-rows.ts';

/** What a text seems to be: documents of objects, what a terminal showed, or neither. */
export type TextKind = 'documents' | 'transcript' | 'other';

/** Tells from the beginning of a text. Anything a person may have pasted from kubectl counts as transcript. */
export function recogniseText(sample: string): TextKind {
  const lines = sample.split('\n', MAX_LINES);
  if (DUMP_BANNER.test(sample.slice(0, 200))) return 'documents';
  const first = lines.find((line) => line.trim() !== '' && !PREAMBLE.test(line)) ?? '';
  if (isCsvHeader(first)) return 'documents';
  if (isLogExport(sample)) return 'transcript';
  if (isLogEntry(first)) return 'other';
  if (/^\s*\{\s*(?:"|\}|$)/.test(first) || /^\s*\[\s*(?:[{\]]|$)/.test(first)) return 'documents';
  if (YAML_START.test(first) || (first.startsWith('---') && lines.some((line) => YAML_START.test(line)))) return 'documents';
  if (lines.some((line, index) => /^\s{0,12}(?:`{3}|~{3})/.test(line) && OBJECT_START.test(lines[index + 1] ?? ''))) return 'transcript';
  return lines.some(isShown) || cleanedLines(sample.slice(0, CLEANED)).some(isShown) ? 'transcript' : 'other';
}

function isShown(line: string): boolean {
  return line.length < 2000 && SHOWN_BY_KUBECTL.some((mark) => mark.test(line));
}

/** To clean takes longer than to search, and a folder may have thousands of logs. */
const CLEANED = 8 * 1024;

/** Without what a mail, a runner or a page puts around what was printed. */
function cleanedLines(text: string): readonly string[] {
  return [...cleanLines(text)].map((line) => line.text);
}

/** Whether a line is an entry of a log that its program wrote as JSON, also cut at its end: no object begins with such fields. */
export function isLogEntry(line: string): boolean {
  return ENTRY.test(line);
}

/** Sources: Elastic Common Schema, Elasticsearch ESJsonLayout, MongoDB logv2, zap, zerolog, logrus, log/slog. */
const ENTRY =
  /^\s{0,40}\{"(?:(?:@timestamp|timestamp|ts|time|level|severity|lvl|msg)" ?: ?["\d]|t" ?: ?\{"\$date" ?:|type" ?: ?"\w{1,40}", ?"timestamp" ?:)/;

/** Whether a text is JSON of Google Cloud's logs: no objects, whatever the file is called. */
export function isLogExport(sample: string): boolean {
  return LOG_ENTRY.test(sample);
}

const LOG_ENTRY = /"(?:text|json)Payload": ?["{]/;
const MAX_LINES = 2000;
const DUMP_BANNER = /^\s*==== START logs for container /;
/** Comments, and what kubectl and klog say on the other stream before the first document. */
const PREAMBLE = /^(?:#(?!\s*(?:kubectl|oc)\s)|Warning: |[WIEF]\d{4} \d\d:\d\d:|%YAML)/;
const YAML_START = /^(?:- )?(?:apiVersion|kind|metadata|items|spec|status):(?:\s|$)/;

/** An object in a fence of Markdown. */
const OBJECT_START = /^\s{0,12}(?:(?:- )?(?:apiVersion|kind): |\{\s{0,8}(?:"|$))/;

const VERBS =
  'get|describe|logs?|apply|create|delete|edit|patch|scale|rollout|run|exec|events|top|auth|config|cordon|uncordon|drain|taint|label|annotate|replace|set|version|wait|diff';
const SHOWN_BY_KUBECTL: readonly RegExp[] = [
  new RegExp(`(?:^|[\\s$#>%❯])(?:kubectl|oc|k)\\s+(?:-\\S+\\s+(?:[^\\s-]\\S*\\s+)?){0,6}(?:${VERBS})\\b`, 'u'),
  /(?:^|[$#>%❯] ?)(?:systemctl status|journalctl -u) /u,
  /^\s*(?:NAMESPACE\s+)?NAME\s{2,}[A-Z]/,
  /^\s*(?:NAMESPACE\s+)?LAST SEEN\s{2,}/,
  /^\s*Name:\s{2,}\S/,
  /^\s*Type\s+Reason\s+Age\s+From\s+Message/,
  /^\s*(?:[A-Z][A-Z ]{2,100} )?REASON {1,60}[A-Z][A-Z ]{0,100}MESSAGE\s*$/,
  /Error from server(?: \([A-Za-z]+\))?:/,
  /^No resources found/,
  /^(?:\[stderr\] )?(?:Unable to connect to the server: |The connection to the server |error: (?:You must be logged in|the server doesn't have a resource type|unable to recognize|resource mapping not found|error validating|error parsing|context "|timed out waiting for the condition))/,
  /^\s*● \S+\.service\b/,
];
