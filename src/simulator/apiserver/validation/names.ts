import { append } from '../../../base/lists.ts';

/**
 * What names, labels and annotations may look like: each check answers the words of what is wrong, none when nothing is.
 * Source: staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go, pkg/api/validate/content.
 */

export function checkSubdomain(name: string): readonly string[] {
  if (name.length <= 253 && isSubdomain(name)) return NOTHING_WRONG;
  const wrong: string[] = [];
  if (name.length > 253) wrong.push('must be no more than 253 bytes');
  if (!isSubdomain(name)) wrong.push(SUBDOMAIN);
  return wrong;
}

const NOTHING_WRONG: readonly string[] = [];

/**
 * The same as the pattern of the message, without going back and forth over long names: hyphens and dots stand between letters and digits,
 * and no dot beside either.
 */
function isSubdomain(name: string): boolean {
  let before = DOT;
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    const plain = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
    if (!plain && (code === DOT ? before === DOT || before === HYPHEN : code !== HYPHEN || before === DOT)) return false;
    before = code;
  }
  return before !== DOT && before !== HYPHEN;
}

const DOT = 46;
const HYPHEN = 45;

export function checkLabelName(name: string): readonly string[] {
  const wrong: string[] = [];
  if (name.length > 63) wrong.push('must be no more than 63 characters');
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)) wrong.push(isSubdomain(name) ? 'must not contain dots' : LABEL_NAME);
  return wrong;
}

export function checkServiceName(name: string): readonly string[] {
  const wrong: string[] = [];
  if (name.length > 63) wrong.push('must be no more than 63 characters');
  if (!/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name)) wrong.push(SERVICE_NAME);
  return wrong;
}

export function checkLabelValue(value: string): readonly string[] {
  const wrong: string[] = [];
  if (value.length > 63) wrong.push('must be no more than 63 bytes');
  if (!/^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/.test(value)) wrong.push(LABEL_VALUE);
  return wrong;
}

/** `app.kubernetes.io/name`: a name part, and perhaps a domain before it. */
export function checkQualifiedName(name: string): readonly string[] {
  const parts = name.split('/');
  const wrong: string[] = [];
  const [first = '', second] = parts;
  if (parts.length > 2) return [`a valid label key ${QUALIFIED} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  if (second !== undefined) {
    if (first === '') wrong.push('prefix part must be non-empty');
    else
      append(
        wrong,
        checkSubdomain(first).map((words) => `prefix part ${words}`),
      );
  }
  const own = second ?? first;
  if (own === '') wrong.push('name part must be non-empty');
  else if (own.length > 63) wrong.push('name part must be no more than 63 bytes');
  if (!/^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/.test(own)) wrong.push(`name part ${QUALIFIED}`);
  return wrong;
}

/** Names of container ports: IANA_SVC_NAME. */
export function checkPortName(name: string): readonly string[] {
  const wrong: string[] = [];
  if (name.length > 15) wrong.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name)) wrong.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) wrong.push('must contain at least one letter (a-z)');
  if (name.includes('--')) wrong.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) wrong.push('must not begin or end with a hyphen');
  return wrong;
}

export function checkEnvName(name: string): readonly string[] {
  if (name.length > 0 && /^[ -<>-~]+$/.test(name)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export function checkConfigKey(key: string): readonly string[] {
  const wrong: string[] = [];
  if (key.length > 253) wrong.push('must be no more than 253 bytes');
  if (!/^[-._a-zA-Z0-9]+$/.test(key))
    wrong.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  if (key === '.' || key === '..') wrong.push(`must not be '${key}'`);
  return wrong;
}

/** Where names are searched for: subdomains that may have underscores. */
export function checkSearchPath(name: string): readonly string[] {
  const wrong: string[] = [];
  if (name.length > 253) wrong.push('must be no more than 253 bytes');
  if (!name.split('.').every((label) => /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/.test(label))) wrong.push(SEARCH_PATH);
  return wrong;
}

/** `*.example.com`. */
export function checkWildcardSubdomain(name: string): readonly string[] {
  const wrong: string[] = [];
  if (name.length > 253) wrong.push('must be no more than 253 bytes');
  if (!name.startsWith('*.') || !isSubdomain(name.slice(2))) wrong.push(WILDCARD);
  return wrong;
}

/** Roles and bindings may be called anything that fits a path. */
export function checkPathSegment(name: string): readonly string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((character) => name.includes(character)).map((character) => `may not contain '${character}'`);
}

export function checkPort(port: number): readonly string[] {
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? [] : ['must be between 1 and 65535, inclusive'];
}

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const SEARCH_PATH =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";
const WILDCARD =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_NAME =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SERVICE_NAME =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const LABEL_VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const QUALIFIED =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/** Source: staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go (IsFullyQualifiedDomainName). */
export function checkWholeDomain(text: string): readonly string[] {
  const wrong = checkSubdomain(text.replace(/\.$/, ''));
  if (wrong.length > 0 || text.replace(/\.$/, '').includes('.')) return wrong;
  return ['should be a domain with at least two segments separated by dots'];
}
