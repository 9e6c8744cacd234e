import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { FieldError } from './field-error.ts';
import { addWrong, invalidValue } from './field-error.ts';
import { checkSubdomain } from './names.ts';

const MOST_KIBIBYTES = 64;
const MOST_OF_DOMAIN = 256;
const MOST_OF_USER = 104;
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/** What a context says for Windows. Source: pkg/apis/core/validation/validation.go (validateWindowsSecurityContextOptions). */
export function validateWindowsOptions(context: Json | undefined, path: string, errors: FieldError[]): void {
  const [name, spec, user] = ['gmsaCredentialSpecName', 'gmsaCredentialSpec', 'runAsUserName'].map((field) =>
    asText(dig(context, 'windowsOptions', field)),
  );
  const own = `${path}.windowsOptions`;
  if (name !== undefined) addWrong(errors, `${own}.gmsaCredentialSpecName`, name, checkSubdomain(name));
  if (spec === '') errors.push(invalidValue(`${own}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec cannot be an empty string'));
  else if (spec !== undefined && spec.length > MOST_KIBIBYTES * 1024)
    errors.push(invalidValue(`${own}.gmsaCredentialSpec`, spec, `gmsaCredentialSpec size must be under ${MOST_KIBIBYTES} KiB`));
  if (user !== undefined)
    addWrong(
      errors,
      `${own}.runAsUserName`,
      user,
      wrongUser(user).map((words) => `runAsUserName${words}`),
    );
}

function wrongUser(text: string): readonly string[] {
  if (text === '') return [' cannot be an empty string'];
  if (/\p{Cc}/u.test(text)) return [' cannot contain control characters'];
  const parts = text.split('\\');
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const [user = '', domain] = parts.toReversed();
  const wrong: readonly (readonly [boolean, string])[] = [
    [(domain ?? '').length >= MOST_OF_DOMAIN, `Domain length must be under ${MOST_OF_DOMAIN} characters`],
    [domain !== undefined && !NETBIOS.test(domain) && !DOMAIN.test(domain), "Domain doesn't match the NetBios nor the DNS format"],
    [user === '', 'User cannot be empty'],
    [user.length > MOST_OF_USER, `User length must not be longer than ${MOST_OF_USER} characters`],
    [/^[. ]+$/.test(user), 'User cannot contain only periods or spaces'],
    [/["/\\:;|=,+*?<>@[\]]/.test(user), 'User cannot contain the following characters: "/\\:;|=,+*?<>@[]'],
  ];
  return wrong.filter(([isWrong]) => isWrong).map(([, words]) => `'s ${words}`);
}

/** All containers are processes of the host or none is. Source: the same (validateWindowsHostProcessPod). */
export function validateHostProcess(spec: JsonObject, path: string, errors: FieldError[]): void {
  const ofPod = dig(spec, 'securityContext', 'windowsOptions', 'hostProcess');
  const all = CONTAINERS.flatMap((list) =>
    asList(spec[list]).map((container, index) => ({
      field: `${path}.${list}[${index}].securityContext.windowsOptions.hostProcess`,
      own: dig(container, 'securityContext', 'windowsOptions', 'hostProcess'),
    })),
  );
  for (const { field, own } of all)
    if (ofPod !== undefined && own !== undefined && ofPod !== own)
      errors.push(invalidValue(field, own, `pod hostProcess value must be identical if both are specified, was ${textOf(ofPod)}`));
  const count = all.filter(({ own }) => (own ?? ofPod) === true).length;
  if (count === 0) return;
  if (count !== all.length)
    errors.push(invalidValue(path, '', 'If pod contains any hostProcess containers then all containers must be HostProcess containers'));
  if (spec['hostNetwork'] !== true)
    errors.push(invalidValue(`${path}.hostNetwork`, false, 'hostNetwork must be true if pod contains any hostProcess containers'));
}

/** In the order they are gone through. */
export const CONTAINERS: readonly string[] = ['initContainers', 'containers', 'ephemeralContainers'];
