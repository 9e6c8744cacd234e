import type { Instant } from '../../../base/instant.ts';
import { isRecent } from '../../../base/instant.ts';
import { systemReason } from '../../../base/system-error.ts';
import { readBounded } from '../../../files/read-bounded.ts';
import { ConnectionFailure } from '../connection/connection-error.ts';
import { impersonationHeaders } from './impersonation.ts';
import type { LiveConfig } from './live-config.ts';
import type { Environment } from '../connection/proxy-choice.ts';

/** What proves who asks: a bearer token, or a client certificate with its key (PEM), or both. */
export interface Grant {
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly username?: string;
  readonly password?: string;
}

/** Where grants come from. `current` rejects with a ConnectionFailure of kind `credentials` when none can be had. */
export interface GrantSource {
  current(): Promise<Grant>;
  /** After the server refused a grant: whether another one is there now. */
  renew(refused: Grant): Promise<boolean>;
}

export interface Credentials extends GrantSource {
  /** The headers to send with a grant, impersonation included. */
  headersOf(grant: Grant): Readonly<Record<string, string | string[]>>;
}

export interface CredentialOptions {
  readonly clock: () => Instant;
  readonly env: Environment;
  /** Whether a person sits at standard input, for exec plugins that ask something. */
  readonly interactive: boolean;
  /** What an exec plugin tells that person (`open this page and enter the code …`). */
  readonly onPluginText?: (text: string) => void;
  /** Seconds that an exec plugin may take; a minute without it, more where it asks a person. */
  readonly pluginSeconds?: number;
  /** Ends an exec plugin that is under way. */
  readonly signal?: AbortSignal;
  /** Does work that has to hear of the signal. */
  readonly heed?: <T>(work: () => Promise<T>) => Promise<T>;
}

/** How the user of a configuration authenticates, in client-go's order: what is fixed wins over what would have to be fetched. */
export function credentialsOf(config: LiveConfig, options: CredentialOptions): Credentials {
  const source = sourceOf(config, options);
  const impersonate = impersonationHeaders(config.impersonate);
  return {
    current: () => source.current(),
    renew: (refused) => source.renew(refused),
    headersOf: (grant) => ({ ...authorization(grant), ...impersonate }),
  };
}

function sourceOf(config: LiveConfig, options: CredentialOptions): GrantSource {
  const { cert, key, token, tokenFile, username, password, exec, authProvider } = config.user;
  const certificate = cert === undefined || key === undefined ? {} : { cert, key };
  // As client-go has it, nothing secret goes over a connection that anybody can read.
  if (config.server.protocol !== 'https:') return fixed({});
  if (tokenFile !== undefined) return tokenFileSource(tokenFile, token, certificate, options.clock);
  if (token !== undefined) return fixed({ ...certificate, token });
  if (username !== undefined || password !== undefined)
    return fixed({ ...certificate, username: username ?? '', password: password ?? '' });
  if (exec !== undefined) {
    const plugin = once(async () => (await import('./exec-plugin.ts')).execSource(exec, config, options));
    return later(plugin);
  }
  if (authProvider !== undefined) {
    const provider = once(async () => (await import('./auth-provider.ts')).authProviderSource(authProvider, config));
    return later(provider);
  }
  return fixed(certificate);
}

function fixed(grant: Grant): GrantSource {
  return { current: () => Promise.resolve(grant), renew: () => Promise.resolve(false) };
}

function later(load: () => Promise<GrantSource>): GrantSource {
  return {
    current: async () => (await load()).current(),
    renew: async (refused) => (await load()).renew(refused),
  };
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}

/** How long a token file's content is taken for current, as in client-go's NewCachedFileTokenSource. */
const TOKEN_FILE_MILLISECONDS = 60_000;

/** A file that cannot be read any more leaves the last token in use, or the one beside it in the kubeconfig. */
function tokenFileSource(file: string, fallback: string | undefined, certificate: Grant, clock: () => Instant): GrantSource {
  let held: { readonly grant: Grant; readonly readAt: Instant } | undefined;
  const read = async (): Promise<Grant> => {
    const last = held?.grant.token ?? fallback;
    const token = await readBounded(file).then(
      (bytes) => bytes.toString('utf8').trim(),
      (error: unknown) => {
        if (last === undefined) throw new ConnectionFailure('credentials', `The token file cannot be read: ${systemReason(error)}.`);
        return last;
      },
    );
    if (token === '') throw new ConnectionFailure('credentials', `The token file ${file} is empty.`);
    held = { grant: { ...certificate, token }, readAt: clock() };
    return held.grant;
  };
  return {
    current: async () => (held !== undefined && isRecent(held.readAt, clock(), TOKEN_FILE_MILLISECONDS) ? held.grant : read()),
    renew: async (refused) => (await read()).token !== refused.token,
  };
}

function authorization({ token, username, password }: Grant): Readonly<Record<string, string>> {
  if (token !== undefined) {
    if (!/^[\x21-\x7E]+$/.test(token)) throw new ConnectionFailure('credentials', 'The token contains invalid characters.');
    return { Authorization: `Bearer ${token}` };
  }
  if (username === undefined) return {};
  return { Authorization: `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` };
}
