import type { KeyPair } from './issue-certificate.ts';

export interface KubeconfigParts {
  readonly url: string;
  /** PEM of the authority the server's certificate is checked against. */
  readonly authority: string;
  readonly user: string;
  readonly credential: KeyPair | { readonly token: string };
  readonly namespace?: string;
}

/** The first line of every kubeconfig podcheck writes: a file without it is somebody else's and is never touched. */
export const KUBECONFIG_MARK = '# A simulated cluster of podcheck; this file goes when the cluster goes.';

/** A kubeconfig that needs no other file. JSON is YAML, and needs no quoting rules of its own. */
export function kubeconfigText({ url, authority, user, credential, namespace }: KubeconfigParts): string {
  const held =
    'token' in credential
      ? { token: credential.token }
      : { 'client-certificate-data': base64(credential.certificate), 'client-key-data': base64(credential.key) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': CONTEXT,
    clusters: [{ name: CONTEXT, cluster: { server: url, 'certificate-authority-data': base64(authority) } }],
    users: [{ name: user, user: held }],
    contexts: [{ name: CONTEXT, context: { cluster: CONTEXT, user, ...(namespace === undefined ? {} : { namespace }) } }],
  };
  return `${KUBECONFIG_MARK}\n${JSON.stringify(config, undefined, 2)}\n`;
}

const CONTEXT = 'podcheck';

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
