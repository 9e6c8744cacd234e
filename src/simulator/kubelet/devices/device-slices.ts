import { asList, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { Task } from '../../time/agenda.ts';
import type { ComponentHost } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';

/**
 * Takes what a driver offers on the node out of the API when its node part has been gone for half a minute, so that nothing more is
 * placed there; the driver offers it again when it comes back. Source: pkg/kubelet/cm/dra/plugin/dra_plugin_manager.go
 * (wipeResourceSlices).
 */
export function followDeviceDrivers(host: ComponentHost): void {
  const drivers = host.world.datacenter.deviceDrivers;
  const due = new Map<string, Task>();
  const look = (driver: string): void => {
    if (drivers.isRegistered(driver, host.node)) {
      due.get(driver)?.cancel();
      due.delete(driver);
      const slices = drivers.takeWithdrawn(host.node, driver);
      if (slices.length > 0) host.spawn(publish(host, slices));
      return;
    }
    if (due.has(driver)) return;
    due.set(
      driver,
      host.after(WIPING_DELAY_MILLISECONDS, `wipe slices of ${driver}`, () => {
        due.delete(driver);
        host.spawn(withdraw(host, driver));
      }),
    );
  };
  for (const driver of drivers.known()) look(driver);
  host.onStop(drivers.onChange(look));
}

/** Source: pkg/kubelet/cm/dra/manager.go (defaultWipingDelay). */
const WIPING_DELAY_MILLISECONDS = 30_000;

/** Slices for all nodes are their driver's alone. */
function* withdraw(host: ComponentHost, driver: string): Routine {
  const answer = yield* host.client.list('ResourceSlice');
  const slices = answer.ok ? (asList(answer.object['items']) as readonly KubeObject[]) : [];
  for (const slice of slices) {
    if (dig(slice, 'spec', 'driver') !== driver || dig(slice, 'spec', 'nodeName') !== host.node) continue;
    const deleted = yield* host.client.delete({ ...refOf(slice), kind: 'ResourceSlice' });
    if (deleted.ok) host.world.datacenter.deviceDrivers.withdrawn(host.node, driver, slice);
  }
}

function* publish(host: ComponentHost, slices: readonly KubeObject[]): Routine {
  for (const { metadata, spec } of slices)
    yield* host.client.create({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: metadata.name }, spec });
}
