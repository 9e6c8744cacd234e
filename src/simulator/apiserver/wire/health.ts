import { own } from '../../../base/own-property.ts';

/** A health endpoint's answer. */
export interface Health {
  readonly code: number;
  readonly text: string;
}

/**
 * `/healthz`, `/livez`, `/readyz`, in words when asked for (`?verbose`) or when something fails; undefined for other paths.
 * Source: staging/src/k8s.io/apiserver/pkg/server/healthz/healthz.go.
 */
export function healthAt(path: string, verbose: boolean, etcdIsUp: boolean): Health | undefined {
  const [, endpoint = '', check, ...rest] = path.split('/');
  const checks = own(CHECKS, endpoint);
  if (checks === undefined || rest.length > 0) return undefined;
  if (check !== undefined) return checks.includes(check) ? single(check, etcdIsUp) : undefined;
  const failed = checks.filter((name) => !isOk(name, etcdIsUp));
  if (failed.length === 0 && !verbose) return { code: 200, text: 'ok' };
  const lines = checks.map((name) => (failed.includes(name) ? `[-]${name} failed: reason withheld` : `[+]${name} ok`));
  return {
    code: failed.length === 0 ? 200 : 500,
    text: `${lines.join('\n')}\n${endpoint} check ${failed.length === 0 ? 'passed' : 'failed'}\n`,
  };
}

function single(check: string, etcdIsUp: boolean): Health {
  return isOk(check, etcdIsUp) ? { code: 200, text: 'ok' } : { code: 500, text: 'internal server error: failed: reason withheld\n' };
}

function isOk(check: string, etcdIsUp: boolean): boolean {
  return etcdIsUp || !check.startsWith('etcd');
}

const HOOKS: readonly string[] = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'aggregator-reload-proxy-client-cert',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
].map((hook) => `poststarthook/${hook}`);

const CHECKS: Readonly<Record<string, readonly string[]>> = {
  healthz: ['ping', 'log', 'etcd', ...HOOKS, 'autoregister-completion', 'apiservice-openapi-controller', 'apiservice-openapiv3-controller'],
  livez: ['ping', 'log', 'etcd', ...HOOKS, 'autoregister-completion', 'apiservice-openapi-controller', 'apiservice-openapiv3-controller'],
  readyz: [
    'ping',
    'log',
    'etcd',
    'etcd-readiness',
    'informer-sync',
    ...HOOKS,
    'autoregister-completion',
    'apiservice-openapi-controller',
    'apiservice-openapiv3-controller',
    'shutdown',
  ],
};
