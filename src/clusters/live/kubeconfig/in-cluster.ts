import { stat } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { PodcheckError } from '../../../base/errors.ts';
import { systemReason } from '../../../base/system-error.ts';
import { readBounded } from '../../../files/read-bounded.ts';
import { impersonation } from './impersonation.ts';
import type { Surroundings } from './kubeconfig-files.ts';
import type { LiveConfig, LiveOptions } from './live-config.ts';
import { chooseProxy } from '../connection/proxy-choice.ts';

/**
 * The connection a pod has through its service account, or whatever `otherwise` says where podcheck does not run in a pod.
 * The token is read again as the kubelet rotates it. Source: staging/src/k8s.io/client-go/rest/config.go (InClusterConfig).
 */
export async function inClusterConfig(options: LiveOptions, around: Surroundings, otherwise: () => PodcheckError): Promise<LiveConfig> {
  const folder = around.serviceAccountFolder ?? '/var/run/secrets/kubernetes.io/serviceaccount';
  const [host, port] = [around.env['KUBERNETES_SERVICE_HOST'], around.env['KUBERNETES_SERVICE_PORT']];
  const tokenFile = join(folder, 'token');
  if (host === undefined || host === '' || port === undefined || port === '' || !(await isFile(tokenFile))) throw otherwise();
  const server = new URL(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`);
  const proxy = chooseProxy(server, undefined, around.env);
  const namespace = options.namespace ?? around.env['POD_NAMESPACE'] ?? (await text(join(folder, 'namespace'))) ?? 'default';
  return {
    cluster: 'in-cluster',
    server,
    ca: await authority(join(folder, 'ca.crt')),
    insecureSkipTlsVerify: false,
    ...(proxy === undefined ? {} : { proxy }),
    user: { name: "the pod's service account", tokenFile },
    impersonate: impersonation(undefined, options),
    namespace,
  };
}

async function authority(file: string): Promise<string> {
  try {
    return (await readBounded(file)).toString('utf8');
  } catch (error) {
    throw new PodcheckError(
      'bad-input',
      `Cannot read the cluster CA: ${systemReason(error)}.`,
      'In a pod, it is mounted next to the service account token.',
    );
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function text(path: string): Promise<string | undefined> {
  return readBounded(path).then(
    (content) => content.toString('utf8').trim() || undefined,
    () => undefined,
  );
}
