import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf, formatRef, refOf, shows } from '../../model/kube-object.ts';
import { containersOf } from '../containers.ts';
import type { FactSink } from '../fact-sink.ts';
import { isReady } from '../pods.ts';
import type { Scene } from '../scene.ts';
import { templateOf } from '../workloads.ts';
import { changerOf } from './blame.ts';

/** An `injected` fact for each container that a pod which is not well has and its template does not: somebody put it in on the way. */
export async function collectInjectedContainers(scene: Scene, sink: FactSink): Promise<void> {
  for (const pod of scene.pods) {
    if (isReady(pod) !== false || dig(pod, 'status', 'phase') === 'Succeeded') continue;
    const declared = declaredContainers(pod, scene);
    if (declared === undefined) continue;
    const ref = refOf(pod);
    for (const { name, role, spec } of containersOf(pod)) {
      if (role === 'ephemeral' || declared.has(name)) continue;
      const image = asText(dig(spec, 'image'));
      const blame = (await changerOf(ref, scene)) ?? `${ref.kind}/${ref.name}`;
      sink.fact('injected', ref, { container: name, image, blame }, { source: `${formatRef(ref)} spec`, quote: `container ${name} (${image ?? '?'}) is not in the template` });
    }
  }
}

/** Names of the containers of the template that the pod was made from; undefined when its controller does not show one. */
function declaredContainers(pod: KubeObject, scene: Scene): ReadonlySet<string> | undefined {
  const owner = controllerOf(pod);
  const workload = scene.workloads.find(({ kind, metadata }) => kind === owner?.kind && metadata.name === owner.name && metadata.namespace === owner.namespace);
  if (workload === undefined || !shows(workload, 'spec.template.spec.initContainers') || !shows(workload, 'spec.template.spec.containers')) return undefined;
  const spec = dig(templateOf(workload), 'spec');
  const names = [...asList(dig(spec, 'containers')), ...asList(dig(spec, 'initContainers'))].flatMap((container) => asText(dig(container, 'name')) ?? []);
  return names.length === 0 ? undefined : new Set(names);
}
