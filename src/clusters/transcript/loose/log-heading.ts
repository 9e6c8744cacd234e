/** `Logs:`, `--- pod logs ---`, `**Logs of the container**`: nothing but the name of what follows. */
const LOG_HEADING =
  /^\s{0,8}(?:[#*=_-]{1,10} {0,2})?(?:(?:the|my|its|app(?:lication)?|container|pod|previous|last|crash|error|full) ){0,3}log(?:s|file| output)?(?: (?:of|from|in) (?:the )?[\w./-]{1,100}(?: [\w./-]{1,100}){0,2})? ?:?(?: {0,2}[#*=_-]{1,10})?:?\s{0,8}$/i;

/** Whether a line is nothing but the name of the log that stands below it. */
export function isLogHeading(text: string): boolean {
  return LOG_HEADING.test(text);
}
