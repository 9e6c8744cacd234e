import { asObject, asText, dig } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, refOf } from '../../model/kube-object.ts';
import type { ComponentHost } from '../components/component.ts';
import type { Routine } from '../time/routine.ts';
import { wait } from '../time/routine.ts';
import type { DevicePlan } from './bind-devices.ts';
import { bindDevices } from './bind-devices.ts';
import type { BindingPlan } from './claims.ts';
import { isFullyBound, planFor, podClaims, SELECTED_NODE } from './claims.ts';
import type { DeviceLedger } from './devices/ledger.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { InformedView } from './informed-view.ts';
import { WORDS } from './scheduler-messages.ts';

/** What of the cluster's volumes a pod on this node will use that no claim is bound to yet; takes the volumes so that nobody else does. */
export function reserveVolumes(pod: PodInfo, node: NodeInfo, view: InformedView): BindingPlan {
  const { delayed } = podClaims(pod, view);
  const plan = delayed.length === 0 ? undefined : planFor(delayed, node, view);
  if (plan === undefined || typeof plan === 'string') return { bind: [], provision: [] };
  for (const { volume } of plan.bind) view.takenVolumes.add(volume.metadata.name);
  return plan;
}

/** What is to be done for a pod before it is bound. */
export interface BindingPlans {
  readonly volumes: BindingPlan;
  readonly claims: ClaimWaiters;
  readonly devices: readonly DevicePlan[];
  readonly ledger: DeviceLedger;
}

/**
 * Binds the volumes, has its devices written down, then binds the pod. Gives the words of what went wrong. Source:
 * pkg/scheduler/schedule_one.go (bindingCycle).
 */
export function* bindPod(host: ComponentHost, pod: PodInfo, node: string, plans: BindingPlans): Routine<string | undefined> {
  const trouble = yield* bindVolumes(host, pod, node, plans.volumes, plans.claims);
  if (trouble !== undefined) return WORDS.running('PreBind', 'VolumeBinding', trouble);
  const untold = plans.devices.length === 0 ? undefined : yield* bindDevices(host, pod, node, plans.devices, plans.ledger);
  if (untold !== undefined) return WORDS.running('PreBind', 'DynamicResources', untold);
  const { name, namespace } = pod.pod.metadata;
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }), uid: pod.uid };
  const answer = yield* host.client.createSubresource(refOf(pod.pod), 'binding', {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata,
    target: { kind: 'Node', name: node },
  });
  return answer.ok ? undefined : WORDS.running('Bind', 'DefaultBinder', answer.message);
}

/** Routines that wait until claims are bound. The one who hears of claims tells them. */
export class ClaimWaiters {
  readonly #waiting = new Set<() => void>();

  changed(): void {
    for (const look of this.#waiting) look();
  }

  until(host: ComponentHost, done: () => boolean): Routine<boolean> {
    return wait<boolean>((resume) => {
      const look = (): void => {
        if (done()) finish(true);
      };
      const timer = host.after(BIND_TIMEOUT, 'volumes are not bound in time', () => finish(false), { background: true });
      const finish = (bound: boolean): void => {
        this.#waiting.delete(look);
        timer.cancel();
        resume(bound);
      };
      this.#waiting.add(look);
      look();
    });
  }
}

const BIND_TIMEOUT = 600_000;

function* bindVolumes(
  host: ComponentHost,
  pod: PodInfo,
  node: string,
  plan: BindingPlan,
  waiters: ClaimWaiters,
): Routine<string | undefined> {
  const claims = [...plan.bind.map(({ claim }) => claim), ...plan.provision];
  if (claims.length === 0) return undefined;
  for (const { claim, volume } of plan.bind) {
    const answer = yield* host.client.update(reservedFor(volume, claim));
    if (!answer.ok) return `binding volumes: ${answer.message}`;
  }
  for (const claim of plan.provision) {
    if (annotationsOf(claim)[SELECTED_NODE] === node) continue;
    const answer = yield* host.client.patch(refOf(claim), 'merge', { metadata: { annotations: { [SELECTED_NODE]: node } } });
    if (!answer.ok) return `binding volumes: ${answer.message}`;
  }
  const known = host.informer({ kind: 'PersistentVolumeClaim' });
  const bound = yield* waiters.until(host, () =>
    claims.every(({ metadata }) => {
      const claim = known.get(metadata.namespace, metadata.name);
      return claim !== undefined && isFullyBound(claim);
    }),
  );
  return bound ? undefined : WORDS.bindTimeout;
}

/** Source: staging/src/k8s.io/component-helpers/storage/volume/pv_helpers.go (GetBindVolumeToClaim). */
function reservedFor(volume: KubeObject, claim: KubeObject): KubeObject {
  const { name, namespace, uid } = claim.metadata;
  const claimRef = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    name,
    namespace,
    uid,
    resourceVersion: asText(dig(claim, 'metadata', 'resourceVersion')),
  };
  const annotations = withFields(asObject(volume.metadata['annotations']), { 'pv.kubernetes.io/bound-by-controller': 'yes' });
  return withFields(volume, {
    spec: withFields(asObject(volume['spec']), { claimRef }),
    metadata: withFields(volume.metadata, { annotations }),
  });
}
