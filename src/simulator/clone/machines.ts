import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asText, asTextMap, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Fault } from '../outside/faults.ts';
import type { MachineSpec } from '../outside/machine.ts';

/** The machines behind nodes. What a node offers, is labelled and repels stands in its object, which is taken over as it is. */
export function machinesOf(objects: readonly KubeObject[]): readonly (Partial<MachineSpec> & { readonly name: string })[] {
  return nodesIn(objects).map((node) => {
    const capacity = asTextMap(dig(node, 'status', 'capacity'));
    const { cpu, memory, 'ephemeral-storage': ephemeralStorage } = capacity;
    const address = asText(
      asList(dig(node, 'status', 'addresses'))
        .filter(isJsonObject)
        .find(({ type }) => type === 'InternalIP')?.['address'],
    );
    const podNetwork = asText(dig(node, 'spec', 'podCIDR'));
    return {
      name: node.metadata.name,
      ...(cpu === undefined ? {} : { cpu }),
      ...(memory === undefined ? {} : { memory }),
      ...(ephemeralStorage === undefined ? {} : { ephemeralStorage }),
      ...(address !== undefined && /^\d+\.\d+\.\d+\.\d+$/.test(address) ? { address } : {}),
      ...(podNetwork !== undefined && /^[\d.]+\/\d+$/.test(podNetwork) ? { podNetwork } : {}),
    };
  });
}

/** What is wrong with machines by their nodes' conditions, and what pods find on them. */
export function faultsOfNodes(objects: readonly KubeObject[]): readonly Fault[] {
  const handlers = objects.flatMap((object) => (object.kind === 'RuntimeClass' ? [asText(object['handler']) ?? ''] : []));
  return nodesIn(objects).flatMap((node): readonly Fault[] => {
    const files = hostFilesOn(node.metadata.name, objects);
    const given: Record<string, Json> = {
      ...(handlers.length === 0 ? {} : { handlers }),
      ...(Object.keys(files).length === 0 ? {} : { files }),
      ...notReadyFault(node),
    };
    return Object.keys(given).length === 0 ? [] : [{ fault: 'part', part: 'machine', what: node.metadata.name, with: given }];
  });
}

/** Pressures nodes report. They begin when the pods are in their places: a kubelet takes no others then. */
export function pressuresOf(objects: readonly KubeObject[]): readonly Fault[] {
  return nodesIn(objects).flatMap((node): readonly Fault[] => {
    const pressures = PRESSURES.filter((type) => statusOf(node, type)?.status === 'True');
    return pressures.length === 0 ? [] : [{ fault: 'part', part: 'machine', what: node.metadata.name, with: { pressures } }];
  });
}

const PRESSURES: readonly string[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** Nodes whose kubelet reports nothing any more. */
export function brokenNodes(objects: readonly KubeObject[]): readonly string[] {
  return nodesIn(objects).flatMap((node) => {
    const ready = statusOf(node, 'Ready');
    if (ready === undefined || ready.status === 'True') return [];
    return ready.status === 'Unknown' || Object.keys(notReadyFault(node)).length === 0 ? [node.metadata.name] : [];
  });
}

function nodesIn(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter(({ kind }) => kind === 'Node');
}

/** What a kubelet that is alive says it lacks. Source: pkg/kubelet/nodestatus/setters.go (ReadyCondition), pkg/kubelet/runtime.go. */
function notReadyFault(node: KubeObject): JsonObject {
  const ready = statusOf(node, 'Ready');
  if (ready?.status !== 'False') return {};
  if (/cni|network plugin|NetworkReady=false/i.test(ready.message)) return { cniConfigMissing: true };
  return /container runtime|PLEG/i.test(ready.message) ? { down: true } : {};
}

function statusOf(node: KubeObject, type: string): { readonly status: string; readonly message: string } | undefined {
  const found = asList(dig(node, 'status', 'conditions')).find((condition) => dig(condition, 'type') === type);
  return found === undefined ? undefined : { status: asText(dig(found, 'status')) ?? '', message: asText(dig(found, 'message')) ?? '' };
}

/** What pods of a node mount from it: it is there, or they would not have been placed and started so. */
function hostFilesOn(node: string, objects: readonly KubeObject[]): JsonObject {
  const files: Record<string, Json> = {};
  for (const pod of objects) {
    if (pod.kind !== 'Pod' || dig(pod, 'spec', 'nodeName') !== node) continue;
    for (const volume of asList(dig(pod, 'spec', 'volumes'))) {
      const path = asText(dig(volume, 'hostPath', 'path'));
      const type = FILE_TYPES[asText(dig(volume, 'hostPath', 'type')) ?? ''];
      if (path !== undefined && type !== undefined) files[path] = type === 'file' ? { type, content: '' } : { type };
    }
  }
  return files;
}

const FILE_TYPES: Readonly<Record<string, 'directory' | 'file' | 'socket' | 'character' | 'block'>> = {
  Directory: 'directory',
  File: 'file',
  Socket: 'socket',
  CharDevice: 'character',
  BlockDevice: 'block',
};
