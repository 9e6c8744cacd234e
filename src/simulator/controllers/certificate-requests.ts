import type { JsonObject } from '../../base/json.ts';
import { asList, asObject, asText, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import { parseInstant } from '../../base/instant.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../component.ts';
import type { Informer } from '../informer.ts';
import type { Routine } from '../routine.ts';
import { timeOf } from '../times.ts';
import type { SyncResult } from '../work-queue.ts';
import { findCondition } from './conditions.ts';
import { createdAt } from './pod-state.ts';

/**
 * Approves the certificates kubelets ask for, signs what was approved, and clears away what nobody answered.
 * Source: pkg/controller/certificates/{approver/sarapprove,signer/signer,cleaner/cleaner}.go.
 */
export const CERTIFICATE_CONTROLLER: ComponentDefinition = { name: 'certificate-controller', process: 'kube-controller-manager', start };

const CLIENT_KUBELET = 'kubernetes.io/kube-apiserver-client-kubelet';
const SIGNERS: Readonly<Record<string, string>> = {
  [CLIENT_KUBELET]: 'client auth',
  'kubernetes.io/kube-apiserver-client': 'client auth',
  'kubernetes.io/kubelet-serving': 'server auth',
  'kubernetes.io/legacy-unknown': '',
};
const PENDING_MILLISECONDS = 86_400_000;
const ANSWERED_MILLISECONDS = 3_600_000;
const POLL_MILLISECONDS = 3_600_000;

/** Source: sarapprove.go. */
const RECOGNIZED = [
  { own: true, permission: 'selfnodeclient', message: 'Auto approving self kubelet client certificate after SubjectAccessReview.' },
  { own: false, permission: 'nodeclient', message: 'Auto approving kubelet client certificate after SubjectAccessReview.' },
] as const;

function start(host: ComponentHost): void {
  const begun = host.now();
  const requests = host.informer({ kind: 'CertificateSigningRequest' });
  const queue = host.queue({ name: 'certificate', retryFrom: 200, retryTo: 1_000_000 }, (name) => sync(host, requests, name));
  const cleaner = host.queue({ name: 'csrcleaner', workers: 1 }, (name) => clean(host, requests, name));
  requests.onChange(({ object, type }) => {
    if (type === 'DELETED') return;
    queue.add(object.metadata.name);
    const due = cleanableAt(object);
    const ticks = Math.ceil((Math.max(due, host.now()) - begun) / POLL_MILLISECONDS);
    cleaner.addAfter(object.metadata.name, begun + ticks * POLL_MILLISECONDS - host.now() + 1, { background: true });
  });
}

function* sync(host: ComponentHost, requests: Informer, name: string): Routine<SyncResult> {
  const request = requests.get(undefined, name);
  if (request === undefined || answered(request, 'Denied') || answered(request, 'Failed')) return;
  if (!answered(request, 'Approved')) return yield* approve(host, request);
  if (dig(request, 'status', 'certificate') === undefined) return yield* sign(host, request);
}

function answered(request: KubeObject, type: string): boolean {
  return findCondition(dig(request, 'status', 'conditions'), type) !== undefined;
}

/** A kubelet's request for its own client certificate is approved when whoever asks may ask. */
function* approve(host: ComponentHost, request: KubeObject): Routine<SyncResult> {
  if (dig(request, 'spec', 'signerName') !== CLIENT_KUBELET) return;
  const user = asText(dig(request, 'spec', 'username')) ?? '';
  const groups = asList(dig(request, 'spec', 'groups'));
  for (const { own, permission, message } of RECOGNIZED) {
    if (own && !user.startsWith('system:node:')) continue;
    const review = yield* host.client.create({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: { user, groups, resourceAttributes: { group: 'certificates.k8s.io', resource: 'certificatesigningrequests', verb: 'create', subresource: permission, version: '*' } },
    });
    if (!review.ok) return { retry: review.message };
    if (dig(review.object, 'status', 'allowed') !== true) continue;
    const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message, lastUpdateTime: timeOf(host.now()), lastTransitionTime: timeOf(host.now()) };
    return yield* write(host, request, 'approval', { conditions: [...asList(dig(request, 'status', 'conditions')), condition] });
  }
}

function* sign(host: ComponentHost, request: KubeObject): Routine<SyncResult> {
  const usage = SIGNERS[asText(dig(request, 'spec', 'signerName')) ?? ''];
  if (usage === undefined) return;
  const usages = asList(dig(request, 'spec', 'usages'));
  if (usage !== '' && !usages.includes(usage)) {
    const message = `missing required usage for ${usage === 'client auth' ? 'client' : 'server'} certificate: ${usage}`;
    const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message, lastUpdateTime: timeOf(host.now()), lastTransitionTime: timeOf(host.now()) };
    return yield* write(host, request, 'status', { conditions: [...asList(dig(request, 'status', 'conditions')), failed] });
  }
  // Simulated certificates have no bytes: the request stands for what was signed.
  return yield* write(host, request, 'status', { certificate: asText(dig(request, 'spec', 'request')) ?? '' });
}

function* write(host: ComponentHost, request: KubeObject, subresource: 'approval' | 'status', fields: JsonObject): Routine<SyncResult> {
  const body = withFields(request, { status: withFields(asObject(request['status']), fields) });
  const answer = yield* host.client.send({ verb: 'update', group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests', name: request.metadata.name, subresource, body });
  return answer.ok || answer.code === 404 ? undefined : { retry: answer.message };
}

function cleanableAt(request: KubeObject): number {
  const answers = ['Approved', 'Denied', 'Failed'].map((type) => findCondition(dig(request, 'status', 'conditions'), type)).filter((found) => found !== undefined);
  if (answers.length === 0) return createdAt(request) + PENDING_MILLISECONDS;
  return Math.max(...answers.map((found) => parseInstant(found['lastUpdateTime']) ?? createdAt(request))) + ANSWERED_MILLISECONDS;
}

function* clean(host: ComponentHost, requests: Informer, name: string): Routine<SyncResult> {
  const request = requests.get(undefined, name);
  if (request === undefined || cleanableAt(request) > host.now()) return;
  const answer = yield* host.client.delete(refOf(request));
  return answer.ok || answer.code === 404 ? undefined : { retry: answer.message };
}
