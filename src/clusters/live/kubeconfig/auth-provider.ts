import type { RequestOptions } from 'node:https';
import { reasonOf } from '../../../base/errors.ts';
import { ConnectionFailure } from '../connection/connection-error.ts';
import type { Grant, GrantSource } from './credentials.ts';
import type { AuthProviderEntry } from './kubeconfig-entries.ts';
import type { LiveConfig } from './live-config.ts';

/**
 * Credentials of an `auth-provider` entry (`oidc`, and the `azure` and `gcp` ones of old kubeconfigs), by client-node. An OIDC
 * refresh token is not used: many issuers replace it when it is, and podcheck, which writes no kubeconfig, would leave kubectl
 * with one that has ended.
 */
export function authProviderSource(provider: AuthProviderEntry, config: LiveConfig): GrantSource {
  let held: Promise<Grant> | undefined;
  return {
    current: () => (held ??= grantOf(provider, config)),
    renew: () => Promise.resolve(false),
  };
}

const KNOWN: readonly string[] = ['oidc', 'azure', 'gcp'];

async function grantOf(provider: AuthProviderEntry, config: LiveConfig): Promise<Grant> {
  if (!KNOWN.includes(provider.name)) throw failure(provider, 'unknown provider');
  const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js');
  const { ['refresh-token']: _, ...settings } = provider.config;
  const kube = new KubeConfig();
  kube.loadFromClusterAndUser(
    { name: config.cluster, server: config.server.href, skipTLSVerify: false },
    { name: config.user.name ?? 'user', authProvider: { name: provider.name, config: settings } },
  );
  const options: RequestOptions = {};
  try {
    await kube.applyToHTTPSOptions(options);
  } catch (error) {
    throw failure(provider, reasonOf(error));
  }
  const token = bearerOf(options.headers);
  if (token === undefined) throw failure(provider, 'its token is missing or expired; any kubectl command renews it');
  const { cert, key } = config.user;
  return { token, ...(cert === undefined || key === undefined ? {} : { cert, key }) };
}

function bearerOf(headers: RequestOptions['headers']): string | undefined {
  const value: unknown = headers === undefined ? undefined : Object.entries(headers).find(([name]) => name === 'Authorization')?.[1];
  return typeof value === 'string' && value.startsWith('Bearer ') ? value.slice('Bearer '.length) : undefined;
}

function failure(provider: AuthProviderEntry, words: string): ConnectionFailure {
  return new ConnectionFailure('credentials', `The auth-provider ${provider.name} returned no credentials: ${words}.`);
}
