/**
 * What a client printed, without the prose before it. An answer of the API server gets the beginning that kubectl gives it. Source:
 * staging/src/k8s.io/kubectl/pkg/cmd/util/helpers.go.
 */
export function asAnswer(printed: string): string {
  const text = JSON_MESSAGE.exec(printed)?.[1] ?? printed;
  const begun =
    /(?:Error from server|Unable to connect to the server: |The connection to the server |(?<!due to an )[Ee]rror: (?!code))[^]*/.exec(
      text,
    )?.[0] ?? text;
  const bare = begun.replace(/^[Ee]rror: (?:[A-Z][A-Z ]{3,40}: )?/, '');
  if (/^(?:Error from server|Unable to connect|The connection)/.test(bare)) return bare;
  if (OF_SERVER.test(bare)) return `Error from server: ${bare}`;
  const client = /error validating ".*/.exec(bare)?.[0] ?? bare;
  return `error: ${client}`;
}

/** The field of a Status that a program printed as JSON. */
const JSON_MESSAGE = /^\s*"(?:message|error)": ?"(.{1,8000}?)"?,?\s{0,8}$/s;

/** Whether a line is an answer of the API server that lacks the beginning which kubectl gives it: another client printed it. */
export function isBareAnswer(line: string): boolean {
  return OF_SERVER.test(line) && asAnswer(line).endsWith(line);
}

/** Words that only the API server uses. */
const OF_SERVER =
  /is forbidden: |Internal error occurred|admission webhook "|failed calling (?:admission )?webhook|" is invalid: |cannot \w{1,12} resource "|etcdserver: |please apply your changes|being terminated|cannot be handled as a|already exists/;
