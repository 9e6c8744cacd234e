import type { Instant } from '../../base/instant.ts';
import type { Json } from '../../base/json.ts';
import { asNumber, asObject, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Credential } from '../apiserver/request.ts';
import type { ApiServer } from '../apiserver/server.ts';
import { microTimeOf } from '../time/api-times.ts';

/** How long a lease is good for. Source: staging/src/k8s.io/component-base/config/v1alpha1/defaults.go. */
export const LEASE_MILLISECONDS = 15_000;

/** A process that begins to lead: its `term` is how often it was started. */
interface Leader {
  readonly name: string;
  readonly term: number;
  readonly at: Instant;
  readonly credential: Credential;
}

/** Writes into the lease of kube-system who leads. Source: staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go. */
export function writeLease(server: ApiServer, { name, term, at, credential }: Leader): void {
  const address = addressOf(name, credential);
  const found = server.handle({ verb: 'get', name, ...address });
  const now = microTimeOf(at);
  const held = { holderIdentity: `${name}_${term}`, leaseDurationSeconds: LEASE_MILLISECONDS / 1000, acquireTime: now, renewTime: now };
  if (found.ok) {
    const leaseTransitions = (asNumber(dig(found.object, 'spec', 'leaseTransitions')) ?? 0) + 1;
    server.handle({ verb: 'update', name, ...address, body: withSpec(found.object, { ...held, leaseTransitions }) });
  } else
    server.handle({
      verb: 'create',
      ...address,
      body: {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, namespace: 'kube-system' },
        spec: { ...held, leaseTransitions: 0 },
      },
    });
}

/** Leaves the lease to the next one. The scheduler does on a signal to end, the controller manager does not (ReleaseOnCancel). */
export function releaseLease(server: ApiServer, { name, at, credential }: Omit<Leader, 'term'>): void {
  const address = addressOf(name, credential);
  const found = server.handle({ verb: 'get', name, ...address });
  const now = microTimeOf(at);
  const free = { holderIdentity: undefined, leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
  if (found.ok) server.handle({ verb: 'update', name, ...address, body: withSpec(found.object, free) });
}

function addressOf(name: string, credential: Credential) {
  return {
    group: 'coordination.k8s.io',
    version: 'v1',
    resource: 'leases',
    namespace: 'kube-system',
    credential,
    manager: name,
  };
}

function withSpec(lease: KubeObject, spec: Readonly<Record<string, Json | undefined>>): KubeObject {
  return withFields(lease, { spec: withFields(asObject(lease['spec']), spec) });
}
