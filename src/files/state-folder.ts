import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { PodcheckError } from '../base/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The user's home: `HOME`, or what the machine knows of the user where `HOME` is no absolute path. Empty where neither tells; then
 * nothing is looked for in the folder podcheck was started in, which may be anybody's.
 */
export function homeFolderOf(env: Environment): string {
  const { HOME: home = '' } = env;
  if (isAbsolute(home)) return home;
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : '';
  } catch {
    // A container may run as a user that the machine does not know.
    return '';
  }
}

/**
 * Where podcheck keeps something between runs: `$XDG_STATE_HOME/podcheck/<name>`. A path that is not absolute is ignored. Throws a
 * PodcheckError where there is neither that nor a home. Source: XDG Base Directory Specification.
 */
export function stateFolder(name: string, env: Environment, home: string): string {
  const { XDG_STATE_HOME: state = '' } = env;
  if (isAbsolute(state)) return join(state, 'podcheck', name);
  if (home === '')
    throw new PodcheckError(
      'unsupported',
      'podcheck has no folder for its files: HOME is not set.',
      'Set XDG_STATE_HOME to a folder that can be written to.',
    );
  return join(home, '.local', 'state', 'podcheck', name);
}
