import type { JsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { notFound } from '../failures.ts';
import { listOf } from '../lists.ts';
import type { Answer } from '../request.ts';
import type { Call } from '../server-state.ts';
import { selectionOf } from './read.ts';

/**
 * What nobody stores: the API server asks the others how they are whenever somebody asks it.
 * Source: pkg/registry/core/componentstatus/rest.go, pkg/registry/core/rest/storage_core.go (componentStatusStorage).
 */
export function readComponentStatuses(call: Call): Answer {
  const { state, request, resource } = call;
  const warnings = ['v1 ComponentStatus is deprecated in v1.19+'];
  const selection = selectionOf(request, resource);
  if (!selection.ok) return selection;
  const all = COMPONENTS.map(({ name, process, port }): KubeObject => {
    const refused = `Get "https://127.0.0.1:${port}/healthz": dial tcp 127.0.0.1:${port}: connect: connection refused`;
    const healthy = process === undefined || (state.world.processes.get(process)?.() ?? false);
    const condition: JsonObject = { type: 'Healthy', status: healthy ? 'True' : 'False', message: healthy ? 'ok' : refused };
    return { apiVersion: 'v1', kind: 'ComponentStatus', metadata: { name }, conditions: [condition] };
  });
  if (request.verb === 'list')
    return {
      ok: true,
      code: 200,
      object: listOf(
        'v1',
        'ComponentStatus',
        all.filter((object) => selection.matches?.(object) !== false),
        {},
      ),
      warnings,
    };
  const found = all.find(({ metadata }) => metadata.name === request.name);
  if (found === undefined) return notFound({ group: '', resource: resource.plural }, request.name ?? '');
  return { ok: true, code: 200, object: found, warnings };
}

/** etcd answers whenever this is asked: without it the request is refused before. */
const COMPONENTS = [
  { name: 'controller-manager', process: 'kube-controller-manager', port: 10_257 },
  { name: 'etcd-0', process: undefined, port: 2379 },
  { name: 'scheduler', process: 'kube-scheduler', port: 10_259 },
] as const;
