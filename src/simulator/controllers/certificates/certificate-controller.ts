import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import { smallest } from '../../../base/lists.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { Answer } from '../../apiserver/request.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { timeOf } from '../../time/api-times.ts';
import type { SyncResult } from '../../components/work-queue.ts';
import { retryUnlessGone } from '../../components/work-queue.ts';
import { isTrue } from '../conditions.ts';
import { createdAt } from '../pod-state.ts';
import type { CertificateRequest } from '../../x509/certificate-request.ts';
import { readRequest } from '../../x509/certificate-request.ts';
import { signedCertificate } from './signed-certificate.ts';
import { kubeletClientTrouble, SIGNERS, signingTrouble } from './signers.ts';

/**
 * Approves kubelets' requests for client certificates, signs what is approved, and clears away what is old.
 * Source: pkg/controller/certificates/{approver/sarapprove,signer/signer,cleaner/cleaner}.go.
 */
export const CERTIFICATE_CONTROLLER: ComponentDefinition = { name: 'certificate-controller', process: 'kube-controller-manager', start };

function start(host: ComponentHost): void {
  const requests = host.informer({ kind: 'CertificateSigningRequest' });
  const approver = host.queue({ name: 'csrapproving', retryFrom: 200 }, (name) => approve(host, requests, name));
  const signer = host.queue({ name: 'csrsigning', retryFrom: 200 }, (name) => sign(host, requests, name));
  const begun = host.now();
  const cleaner = host.queue({ name: 'csrcleaner', workers: 1 }, function* clean(name): Routine<SyncResult> {
    const request = requests.get(undefined, name);
    const due = request === undefined ? undefined : expiryOf(request);
    if (request === undefined || due === undefined) return;
    if (due <= host.now()) yield* host.client.delete(refOf(request));
    else cleaner.addAfter(name, nextPoll(begun, due) - host.now(), { background: true });
  });
  requests.onChange(({ object, type }) => {
    if (type === 'DELETED') return;
    for (const queue of [approver, signer, cleaner]) queue.add(object.metadata.name);
  });
  // Whoever may not have a certificate approved yet may be given the right to.
  host.informer({ kind: 'ClusterRoleBinding' }).onChange(() => {
    for (const request of requests.list()) if (!isDecided(request)) approver.add(request.metadata.name);
  });
}

function* approve(host: ComponentHost, requests: Informer, name: string): Routine<SyncResult> {
  const request = requests.get(undefined, name);
  if (request === undefined || isDecided(request) || asText(dig(request, 'status', 'certificate')) !== undefined) return;
  if (dig(request, 'spec', 'signerName') !== 'kubernetes.io/kube-apiserver-client-kubelet') return;
  const asked = readRequest(dig(request, 'spec', 'request'));
  if (asked === undefined || kubeletClientTrouble(asked, usagesOf(request)) !== undefined) return;
  for (const { subresource, message, fits } of APPROVALS) {
    if (!fits(request, asked)) continue;
    const review = yield* host.client.create(reviewFor(request, subresource));
    if (!review.ok) return { retry: review.message };
    if (dig(review.object, 'status', 'allowed') !== true) continue;
    const answer = yield* writeCondition(host, request, 'approval', { type: 'Approved', reason: 'AutoApproved', message });
    return retryUnlessGone(answer);
  }
}

const APPROVALS: readonly {
  readonly subresource: string;
  readonly message: string;
  readonly fits: (request: KubeObject, asked: CertificateRequest) => boolean;
}[] = [
  {
    subresource: 'selfnodeclient',
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
    fits: (request, asked) => asked.commonName === dig(request, 'spec', 'username'),
  },
  { subresource: 'nodeclient', message: 'Auto approving kubelet client certificate after SubjectAccessReview.', fits: () => true },
];

function reviewFor(request: KubeObject, subresource: string) {
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      user: asText(dig(request, 'spec', 'username')) ?? '',
      groups: asList(dig(request, 'spec', 'groups')),
      resourceAttributes: {
        group: 'certificates.k8s.io',
        resource: 'certificatesigningrequests',
        subresource,
        verb: 'create',
        version: '*',
      },
    },
  };
}

function isToBeSigned(request: KubeObject): boolean {
  if (!isTrue(request, 'Approved') || isTrue(request, 'Denied') || isTrue(request, 'Failed')) return false;
  return asText(dig(request, 'status', 'certificate')) === undefined;
}

function* sign(host: ComponentHost, requests: Informer, name: string): Routine<SyncResult> {
  const request = requests.get(undefined, name);
  const signer = asText(dig(request, 'spec', 'signerName')) ?? '';
  if (request === undefined || !SIGNERS.has(signer) || !isToBeSigned(request)) return;
  const asked = readRequest(dig(request, 'spec', 'request'));
  const trouble =
    asked === undefined
      ? 'unable to parse csr: PEM block type must be CERTIFICATE REQUEST'
      : signingTrouble(signer, asked, usagesOf(request));
  if (asked === undefined || trouble !== undefined) {
    const answer = yield* writeCondition(host, request, 'status', {
      type: 'Failed',
      reason: 'SignerValidationFailure',
      message: trouble ?? '',
    });
    return retryUnlessGone(answer);
  }
  const now = host.now();
  const lifetime = lifetimeOf(request, host.world.configuration.signingSeconds);
  // A short certificate is good for all it asked for; a longer one is backdated out of its own time.
  const notAfter = lifetime < SHORT_MILLISECONDS ? now + lifetime : now - BACKDATE_MILLISECONDS + lifetime;
  const certificate = signedCertificate(
    asked,
    usagesOf(request),
    { notBefore: now - BACKDATE_MILLISECONDS, notAfter },
    host.world.certificates,
    host.prng,
  );
  const answer = yield* host.client.updateStatus(withFields(request, { status: withFields(asObject(request['status']), { certificate }) }));
  return retryUnlessGone(answer);
}

const BACKDATE_MILLISECONDS = 300_000;
const SHORT_MILLISECONDS = 28_800_000;
const SHORTEST_MILLISECONDS = 600_000;

function lifetimeOf(request: KubeObject, longestSeconds: number): number {
  const seconds = asNumber(dig(request, 'spec', 'expirationSeconds'));
  return seconds === undefined ? longestSeconds * 1000 : Math.min(longestSeconds * 1000, Math.max(SHORTEST_MILLISECONDS, seconds * 1000));
}

function* writeCondition(
  host: ComponentHost,
  request: KubeObject,
  subresource: 'approval' | 'status',
  words: { readonly type: string; readonly reason: string; readonly message: string },
): Routine<Answer> {
  const now = timeOf(host.now());
  const condition: JsonObject = { ...words, status: 'True', lastUpdateTime: now, lastTransitionTime: now };
  const status = withFields(asObject(request['status']), { conditions: [...asList(dig(request, 'status', 'conditions')), condition] });
  return yield* host.client.send({
    verb: 'update',
    group: 'certificates.k8s.io',
    version: 'v1',
    resource: 'certificatesigningrequests',
    name: request.metadata.name,
    subresource,
    body: withFields(request, { status }),
  });
}

function usagesOf(request: KubeObject): readonly string[] {
  return asList(dig(request, 'spec', 'usages')).map(String);
}

function isDecided(request: KubeObject): boolean {
  return isTrue(request, 'Approved') || isTrue(request, 'Denied');
}

const PENDING_MILLISECONDS = 86_400_000;
const DECIDED_MILLISECONDS = 3_600_000;
const POLL_MILLISECONDS = 3_600_000;

/** When it may go: an hour after it was decided, a day after it came. Source: cleaner.go. */
function expiryOf(request: KubeObject): Instant {
  const decided = asList(dig(request, 'status', 'conditions')).map(
    (condition) => parseInstant(dig(condition, 'lastUpdateTime')) ?? createdAt(request),
  );
  return decided.length === 0 ? createdAt(request) + PENDING_MILLISECONDS : smallest(decided) + DECIDED_MILLISECONDS;
}

/** It is looked once an hour. */
function nextPoll(begun: Instant, due: Instant): Instant {
  return begun + Math.ceil((due + 1 - begun) / POLL_MILLISECONDS) * POLL_MILLISECONDS;
}
