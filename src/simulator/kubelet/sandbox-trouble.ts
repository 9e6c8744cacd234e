import type { RuntimeFaults } from './runtime.ts';

export const RUNTIME_UNREACHABLE = 'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: no such file or directory"';

/** Why a sandbox cannot be made on a machine that is broken so, as the CRI says it; undefined when it can. */
export function sandboxTrouble(faults: RuntimeFaults, id: string, handler: string, hostNetwork: boolean): string | undefined {
  if (faults.down === true) return RUNTIME_UNREACHABLE;
  if (handler !== '' && !(faults.handlers ?? ['runc']).includes(handler)) return `rpc error: code = Unknown desc = unable to get OCI runtime for sandbox "${id}": no runtime for "${handler}" is configured`;
  if (faults.sandboxError !== undefined) return `rpc error: code = Unknown desc = failed to start sandbox "${id}": ${faults.sandboxError}`;
  if (hostNetwork) return undefined;
  if (faults.cniBinaryMissing === true) return `${networkSetup(id)}: plugin type="bridge" failed (add): failed to find plugin "bridge" in path [/opt/cni/bin]`;
  return faults.cniError === undefined ? undefined : `${networkSetup(id)}: ${faults.cniError}`;
}

export function networkSetup(id: string): string {
  return `rpc error: code = Unknown desc = failed to setup network for sandbox "${id}"`;
}
