import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import type { Scene } from '../survey/scene.ts';

/** What a pod's claim is bound to. */
export interface BehindClaim {
  /** The pod's volume. */
  readonly volume: Json;
  readonly claim: ObjectRef;
  /** The PersistentVolume. */
  readonly object: KubeObject;
  /** Its CSI driver, if it is of one. */
  readonly driver: string | undefined;
  /** Whether that is installed; undefined when it could not be told. */
  readonly driverExists: boolean | undefined;
  /** Whether the driver's volumes are attached to nodes, as they are unless its object says otherwise. */
  readonly attachRequired: boolean;
}

/** What the claims of a pod are bound to, as far as it could be seen. */
export async function boundVolumes(pod: KubeObject, { survey }: Scene): Promise<readonly BehindClaim[]> {
  const bound: BehindClaim[] = [];
  for (const volume of asList(dig(pod, 'spec', 'volumes')).filter(isClaimed)) {
    const claim = {
      kind: 'PersistentVolumeClaim',
      namespace: pod.metadata.namespace ?? '',
      name: asText(dig(volume, 'persistentVolumeClaim', 'claimName')) ?? '',
    };
    const read = await survey.get(claim);
    const name = read.ok ? asText(dig(read.value, 'spec', 'volumeName')) : undefined;
    const found = name === undefined ? undefined : await survey.get({ kind: 'PersistentVolume', name });
    if (found?.ok !== true) continue;
    const driver = asText(dig(found.value, 'spec', 'csi', 'driver'));
    const installed = driver === undefined ? undefined : await survey.get({ kind: 'CSIDriver', name: driver });
    const driverExists = installed === undefined ? undefined : installed.ok ? true : installed.why === 'absent' ? false : undefined;
    bound.push({
      volume,
      claim,
      object: found.value,
      driver,
      driverExists,
      attachRequired: !(installed?.ok === true && dig(installed.value, 'spec', 'attachRequired') === false),
    });
  }
  return bound;
}

export function isClaimed(volume: Json): boolean {
  return dig(volume, 'persistentVolumeClaim') !== undefined;
}
