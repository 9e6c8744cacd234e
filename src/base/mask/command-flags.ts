import { isPlaceholder } from './placeholder.ts';
import type { Span } from './span.ts';

/**
 * Passwords that a program takes behind a flag of one letter: `mysql -pPASSWORD`, `docker login -p PASSWORD`, `redis-cli -a PASSWORD`,
 * `curl -u user:PASSWORD`.
 */
export function commandSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(PROGRAM)) {
    const flag = FLAGS.find(({ of }) => of.test(match[0]))?.flag;
    if (flag === undefined) continue;
    flag.lastIndex = match.index + match[0].length;
    const found = flag.exec(text);
    const value = found?.[1] ?? '';
    if (found === null || isPlaceholder(value)) continue;
    const end = found.index + found[0].length;
    spans.push({ start: end - value.length, end });
  }
  return spans;
}

const PROGRAM =
  /(?<![\w-])(?:mysql\w{0,10}|mariadb(?:-\w{1,10})?|sshpass|redis-cli|curl|wget|(?:docker|podman|buildah|nerdctl|crane|skopeo|helm registry|oras|az|oc)(?:[ \t]{1,4}auth)?[ \t]{1,4}login)(?=[ \t"',])/g;

/** What may stand between a program and its flag: the rest of its line, as a shell or a list of words has it. */
const BETWEEN = String.raw`[^\n|;]{0,300}?[\s"']`;
const FLAGS: readonly { readonly of: RegExp; readonly flag: RegExp }[] = [
  { of: /^(?:mysql|mariadb)/, flag: new RegExp(String.raw`${BETWEEN}-p([^\s"'=-][^\s"']{0,200})`, 'y') },
  { of: /^redis/, flag: new RegExp(String.raw`${BETWEEN}-a["',\s]{1,6}([^\s"',]{1,200})`, 'y') },
  { of: /^(?:curl|wget)/, flag: new RegExp(String.raw`${BETWEEN}(?:-u|--user)["',\s=]{0,6}[^\s:"']{0,100}:([^\s"']{1,200})`, 'y') },
  { of: /^sshpass/, flag: new RegExp(String.raw`${BETWEEN}-p["',\s]{0,6}([^\s"',]{1,200})`, 'y') },
  { of: /login$/, flag: new RegExp(String.raw`${BETWEEN}-p["',\s]{1,6}([^\s"',]{1,200})`, 'y') },
];
