import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf } from '../../model/kube-object.ts';
import { asText, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import { CLUSTER_CA } from '../x509/certificates.ts';
import type { ComponentDefinition, ComponentHost } from '../components/component.ts';
import type { Routine } from '../time/routine.ts';
import type { SyncResult } from '../components/work-queue.ts';
import { isDeleted } from './ownership.ts';
import { isNamespaceTerminating } from './pod-control.ts';

/** Every namespace has a service account to run pods as. Source: pkg/controller/serviceaccount/serviceaccounts_controller.go. */
export const SERVICE_ACCOUNT_CONTROLLER: ComponentDefinition = {
  name: 'service-account-controller',
  process: 'kube-controller-manager',
  start: startAccounts,
};

/**
 * Every namespace has the certificate pods verify the API server with, as it was when the controller manager started. Source:
 * pkg/controller/certificates/rootcacertpublisher/publisher.go.
 */
export const ROOT_CA_PUBLISHER: ComponentDefinition = {
  name: 'root-ca-cert-publisher',
  process: 'kube-controller-manager',
  start: startPublisher,
};

const DEFAULT_ACCOUNT = 'default';
const ROOT_CA = 'kube-root-ca.crt';
const DESCRIPTION = 'kubernetes.io/description';
const DESCRIPTION_TEXT =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

function startAccounts(host: ComponentHost): void {
  const namespaces = host.informer({ kind: 'Namespace' });
  const accounts = host.informer({ kind: 'ServiceAccount' });
  const queue = host.queue({ name: 'serviceaccount', workers: 1 }, function* sync(name): Routine<SyncResult> {
    const namespace = namespaces.get(undefined, name);
    if (namespace === undefined || !isAlive(namespace) || accounts.get(name, DEFAULT_ACCOUNT) !== undefined) return;
    const answer = yield* host.client.create({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: DEFAULT_ACCOUNT, namespace: name },
    });
    return answer.ok || answer.reason === 'AlreadyExists' || isNamespaceTerminating(answer) ? undefined : { retry: answer.message };
  });
  namespaces.onChange(({ object, type }) => type !== 'DELETED' && queue.add(object.metadata.name));
  accounts.onChange(
    ({ object, type }) => type === 'DELETED' && object.metadata.name === DEFAULT_ACCOUNT && queue.add(object.metadata.namespace ?? ''),
  );
}

function startPublisher(host: ComponentHost): void {
  const namespaces = host.informer({ kind: 'Namespace' });
  const maps = host.informer({ kind: 'ConfigMap' });
  const authority = host.world.certificates.get(CLUSTER_CA);
  const bundle = authority === undefined ? '' : host.world.certificates.pem(authority);
  const queue = host.queue({ name: 'root_ca_cert_publisher', workers: 1 }, function* sync(name): Routine<SyncResult> {
    const namespace = namespaces.get(undefined, name);
    if (namespace === undefined || !isAlive(namespace)) return;
    const current = maps.get(name, ROOT_CA);
    const annotations = { [DESCRIPTION]: DESCRIPTION_TEXT };
    if (current === undefined) {
      const answer = yield* host.client.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: ROOT_CA, namespace: name, annotations },
        data: { 'ca.crt': bundle },
      });
      return answer.ok || answer.reason === 'AlreadyExists' || isNamespaceTerminating(answer) || answer.code === 404
        ? undefined
        : { retry: answer.message };
    }
    if (asText(dig(current, 'data', 'ca.crt')) === bundle && annotationsOf(current)[DESCRIPTION] === DESCRIPTION_TEXT) return;
    const metadata = withFields(current.metadata, { annotations: { ...annotationsOf(current), ...annotations } });
    const answer = yield* host.client.update(withFields(current, { metadata, data: { 'ca.crt': bundle } }));
    return answer.ok ? undefined : { retry: answer.message };
  });
  namespaces.onChange(({ object, type }) => type !== 'DELETED' && queue.add(object.metadata.name));
  maps.onChange(({ object, type }) => object.metadata.name === ROOT_CA && type !== 'ADDED' && queue.add(object.metadata.namespace ?? ''));
}

function isAlive(namespace: KubeObject): boolean {
  return !isDeleted(namespace) && dig(namespace, 'status', 'phase') !== 'Terminating';
}
