/** The object an error is about, as its words name it: `resource` may be a plural or a kind, with or without group. */
export function subjectIn(
  text: string,
): { readonly resource: string; readonly name: string | undefined; readonly namespace?: string | undefined } | undefined {
  for (const find of SUBJECTS) {
    const groups = find.exec(text)?.groups;
    const resource = groups?.['resource'];
    if (groups === undefined || resource === undefined) continue;
    const [name, namespace] = [groups['name'], groups['namespace']];
    return { resource, name: name === '' ? undefined : name, ...(namespace === undefined || namespace === '' ? {} : { namespace }) };
  }
  return undefined;
}

const SUBJECTS: readonly RegExp[] = [
  /GroupVersionKind: "[^"]{0,300}Kind=(?<resource>[A-Za-z0-9]{1,100})"\s+Name: "(?<name>[^"]{0,253})", Namespace: "(?<namespace>[^"]{0,253})"/,
  /error when evicting (?<resource>pods)\/"(?<name>[^"]{1,253})"(?: -n "(?<namespace>[^"]{1,253})")?/,
  /resource mapping not found for name: "(?<name>[^"]{0,253})" namespace: "(?<namespace>[^"]{0,253})"[^\n]{0,100}? for kind "(?<resource>[^"]{1,253})"/,
  /(?:^|\s)(?<resource>[A-Za-z][\w.-]{0,253}) "(?<name>[^"]{0,253})" is (?:invalid|forbidden)/,
  /(?:^|\s)(?<resource>[a-z][\w.-]{0,253}) is forbidden: User/,
  /on (?<resource>[a-z][\w.-]{0,253}) "(?<name>[^"]{1,253})": the object has been modified/,
  /(?:^|\s)(?<resource>[a-z][\w.-]{0,253}) "(?<name>[^"]{1,253})" already exists/,
  /(?:^|\s)(?<resource>[A-Z][A-Za-z]{0,100}) in version "[^"]*" cannot be handled as a/,
  /no matches for kind "(?<resource>[^"]{1,253})" in version/,
  /ValidationError\((?<resource>[A-Z][A-Za-z]{0,100})[).]/,
];
