import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import { CERTIFICATE_CONTROLLER } from '../../../src/simulator/controllers/certificates/certificate-controller.ts';

// What openssl made of the subjects O=system:nodes,CN=system:node:worker-1, the same with alternative names, and O=shop,CN=ada.
const KUBELET_CLIENT =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIeE1JR1lBZ0VBTURZeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekVkTUJzR0ExVUVBd3dVYzNsegpkR1Z0T201dlpHVTZkMjl5YTJWeUxURXdXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQ0FBUVI3YVhhCjd5dEhscUx5Z1hodmU3akNJTHNQVmhra1pFQ0xVbzdhMG04aHNLWWdscEhSZlFTQTB4aEJHMzl2ckdrd3FZRSsKWEF3QUdFcXBWU0x2TmhROW9BQXdDZ1lJS29aSXpqMEVBd0lEU0FBd1JRSWdmVmd5SHJSQ3RGNUduL0tmRDgxMQpHd1dyWnU1UjNwa1NWbzZUeUNqa1JqUUNJUUNxcFNKYUYwS3Y2RCs0N3M0RVhYUTM1Y1g1Q0tmN1drY3FOa3ZyCi9qcWZ4UT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';
const KUBELET_SERVING =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkhUQ0J4QUlCQURBMk1SVXdFd1lEVlFRS0RBeHplWE4wWlcwNmJtOWtaWE14SFRBYkJnTlZCQU1NRkhONQpjM1JsYlRwdWIyUmxPbmR2Y210bGNpMHhNRmt3RXdZSEtvWkl6ajBDQVFZSUtvWkl6ajBEQVFjRFFnQUVMaVNRCkxzL01scGNQQ3UzQ1JLME95WXdubXFJOUt6bDBIZTNJZ0RaUForUEljM1hTUjJMaDNHaTh6QkxsVWNUd2JhK0QKdDNBSGkyaEhTS1RvU1ZJclNLQXNNQ29HQ1NxR1NJYjNEUUVKRGpFZE1Cc3dHUVlEVlIwUkJCSXdFSUlJZDI5eQphMlZ5TFRHSEJBcE5BQXN3Q2dZSUtvWkl6ajBFQXdJRFNBQXdSUUlnU3RGNFRUYVJrNVhKOEFnb01aRzdUTG1KCnB0V1pjN1NwWmJuMm5CMjBReEVDSVFDSDMvS055T3lIWFJnUitrT2UxV0duQ3B0MmNxS096WkNiaE1IMld6UzgKQkE9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';
const PERSON =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIV01IOENBUUF3SFRFTk1Bc0dBMVVFQ2d3RWMyaHZjREVNTUFvR0ExVUVBd3dEWVdSaE1Ga3dFd1lIS29aSQp6ajBDQVFZSUtvWkl6ajBEQVFjRFFnQUVNbVNWU3JkVFRpZUFrUm1wUytmOGh3RGZ6ZmhPWWpuSkp0aGhnSEFmClZobit6MnMvbWg2R2pWNFhPR25BdU82cWdUd3FYUE8vWlo0UjZ5YlVycVBUR0tBQU1Bb0dDQ3FHU000OUJBTUMKQTBjQU1FUUNJQ1JJMTB0dFRENGk4M2FlQnBuOGczS2p6U3pxMWJ4bjFVbG5lRU52SUx2Q0FpQjEzdEhEM0Z1Ngo1cStkcHlTSzhsUXZJck42VnJaSS9zTm83S25GR3ZocU9BPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';
const REQUESTS = 'certificatesigningrequests.certificates.k8s.io';

function office(): Cluster {
  return createCluster({ seed: 1, preset: 'no-nodes' }, { components: [CERTIFICATE_CONTROLLER], freeze: true });
}

function ask(cluster: Cluster, name: string, request: string, spec: JsonObject, user?: readonly [string, string]): void {
  const body = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name }, spec: { request, ...spec } };
  const credential = user === undefined ? {} : { credential: cluster.userCredential(user[0], [user[1]]) };
  const answer = cluster.request({
    verb: 'create',
    group: 'certificates.k8s.io',
    version: 'v1',
    resource: 'certificatesigningrequests',
    body,
    ...credential,
  });
  if (!answer.ok) throw new Error(answer.message);
  cluster.runUntilSettled();
}

const KUBELET_SPEC = { signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['digital signature', 'client auth'] };

function found(cluster: Cluster, name: string): KubeObject | undefined {
  return cluster.store.get(REQUESTS, undefined, name);
}

function conditions(cluster: Cluster, name: string): readonly string[] {
  return asList(dig(found(cluster, name), 'status', 'conditions')).map(
    (one) => `${asText(dig(one, 'type'))} ${asText(dig(one, 'reason'))}: ${asText(dig(one, 'message'))}`,
  );
}

function certificate(cluster: Cluster, name: string): X509Certificate {
  return new X509Certificate(Buffer.from(asText(dig(found(cluster, name), 'status', 'certificate')) ?? '', 'base64'));
}

test('a kubelet that renews its own client certificate gets it at once', () => {
  const cluster = office();
  ask(cluster, 'renewal', KUBELET_CLIENT, KUBELET_SPEC, ['system:node:worker-1', 'system:nodes']);
  expect(conditions(cluster, 'renewal')).toEqual([
    'Approved AutoApproved: Auto approving self kubelet client certificate after SubjectAccessReview.',
  ]);
  const { subject, issuer, validFrom, validTo } = certificate(cluster, 'renewal');
  expect([subject, issuer]).toEqual(['O=system:nodes\nCN=system:node:worker-1', 'CN=kubernetes']);
  expect(Date.parse(validTo) - Date.parse(validFrom)).toBe(31_536_000_000);
});

test('a request says who made it', () => {
  const cluster = office();
  ask(cluster, 'renewal', KUBELET_CLIENT, { ...KUBELET_SPEC, username: 'someone-else' }, ['system:node:worker-1', 'system:nodes']);
  expect(dig(found(cluster, 'renewal'), 'spec', 'username')).toBe('system:node:worker-1');
});

test('a serving certificate waits for a person, and is signed when one approves it', () => {
  const cluster = office();
  ask(cluster, 'serving', KUBELET_SERVING, { signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'server auth'] });
  expect(conditions(cluster, 'serving')).toEqual([]);
  const request = found(cluster, 'serving');
  const body = {
    ...request,
    status: {
      conditions: [
        { type: 'Approved', status: 'True', reason: 'KubectlApprove', message: 'This CSR was approved by kubectl certificate approve.' },
      ],
    },
  };
  expect(
    cluster.request({
      verb: 'update',
      group: 'certificates.k8s.io',
      version: 'v1',
      resource: 'certificatesigningrequests',
      name: 'serving',
      subresource: 'approval',
      body,
    }).ok,
  ).toBe(true);
  cluster.runUntilSettled();
  expect(certificate(cluster, 'serving').subjectAltName).toBe('DNS:worker-1, IP Address:10.77.0.11');
});

test('a request its signer cannot sign fails with the reason', () => {
  const cluster = office();
  ask(cluster, 'ada', PERSON, { signerName: 'kubernetes.io/kube-apiserver-client', usages: ['digital signature'] });
  const body = { ...found(cluster, 'ada'), status: { conditions: [{ type: 'Approved', status: 'True', reason: 'ByHand' }] } };
  cluster.request({
    verb: 'update',
    group: 'certificates.k8s.io',
    version: 'v1',
    resource: 'certificatesigningrequests',
    name: 'ada',
    subresource: 'approval',
    body,
  });
  cluster.runUntilSettled();
  expect(conditions(cluster, 'ada').at(-1)).toBe(
    'Failed SignerValidationFailure: missing required usage for client certificate: client auth',
  );
});

test('a kubelet whose right to renew was taken stays without, until it is given back', () => {
  const cluster = office();
  const binding = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' };
  const kept = cluster.store.get(
    'clusterrolebindings.rbac.authorization.k8s.io',
    undefined,
    'kubeadm:node-autoapprove-certificate-rotation',
  );
  cluster.request({ verb: 'delete', ...binding, name: 'kubeadm:node-autoapprove-certificate-rotation' });
  ask(cluster, 'renewal', KUBELET_CLIENT, KUBELET_SPEC, ['system:node:worker-1', 'system:nodes']);
  expect(conditions(cluster, 'renewal')).toEqual([]);
  cluster.request({
    verb: 'create',
    ...binding,
    body: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'again' },
      roleRef: kept?.['roleRef'],
      subjects: kept?.['subjects'],
    },
  });
  cluster.runUntilSettled();
  expect(conditions(cluster, 'renewal')).toHaveLength(1);
});

test('what was approved is cleared away an hour later, what nobody decided after a day', () => {
  const cluster = office();
  ask(cluster, 'renewal', KUBELET_CLIENT, KUBELET_SPEC, ['system:node:worker-1', 'system:nodes']);
  ask(cluster, 'serving', KUBELET_SERVING, { signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'server auth'] });
  cluster.advance(50 * 60_000);
  expect(found(cluster, 'renewal')).toBeDefined();
  cluster.advance(75 * 60_000);
  expect([found(cluster, 'renewal'), found(cluster, 'serving')?.metadata.name]).toEqual([undefined, 'serving']);
  cluster.advance(24 * 3_600_000);
  expect(found(cluster, 'serving')).toBeUndefined();
});
