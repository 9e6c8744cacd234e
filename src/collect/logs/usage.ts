/**
 * The lines before the list of options with which a program ends that was called in a wrong way: it names what was wrong first. Source:
 * Go's flag (PrintDefaults), spf13/pflag (FlagUsages), CPython's argparse (print_usage).
 */
export function beforeUsage(lines: readonly string[]): readonly string[] {
  const start = lines.findLastIndex((line) => USAGE.test(line));
  if (start <= 0) return lines;
  const list = lines.slice(start + 1);
  let since = 0;
  for (const line of list) {
    since = LISTED.test(line) ? 0 : since + 1;
    // It went on.
    if (since > DESCRIPTION_LINES || LOGGED.test(line)) return lines;
  }
  return lines.slice(0, start);
}

const USAGE = /^usage(?: of \S{1,200})?:/i;
/** An option, a heading, or a command and what it does. */
const LISTED = /^(?:-|[A-Z][\w ]{1,40}:$|[\w-]{1,40} {2,}\S)/;
const DESCRIPTION_LINES = 3;
/** A time or a level, with which a program that works begins its lines. */
const LOGGED = /^(?:\[|\{|[IWEF]?\d{2,4}[-/ :]?\d\d\b|time=|ts=|level=|INFO\b|WARN|ERROR\b|DEBUG\b)/;
