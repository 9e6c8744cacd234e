import type { ImpersonationFlags } from './impersonation.ts';
import type { AuthProviderEntry, ClusterEntry, ExecEntry, Impersonation } from './kubeconfig-entries.ts';

/** Everything a connection needs. Certificates and keys are PEM texts. */
export interface LiveConfig {
  readonly context?: string;
  /** The entry's name, or `in-cluster`. */
  readonly cluster: string;
  readonly server: URL;
  readonly ca?: string;
  readonly insecureSkipTlsVerify: boolean;
  readonly tlsServerName?: string;
  readonly proxy?: URL;
  readonly user: LiveUser;
  readonly impersonate: Impersonation;
  /** Where a target without a namespace is looked for. */
  readonly namespace: string;
  /** The cluster's entry, which an exec plugin may be told; missing in a pod. */
  readonly clusterEntry?: ClusterEntry;
}

/** What the command line says, with kubectl's names. */
export interface LiveOptions extends ImpersonationFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** How to prove who is asking; nothing but a name means anonymously. */
export interface LiveUser {
  readonly name?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
  /** Read again as it rotates; wins over `token`. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: ExecEntry;
  readonly authProvider?: AuthProviderEntry;
}
