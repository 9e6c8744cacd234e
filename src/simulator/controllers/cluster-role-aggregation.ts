import { asList, dig } from '../../base/json.ts';
import { sameJson } from '../../base/json-edit.ts';
import { labelsOf, refOf } from '../../model/kube-object.ts';
import { labelSelectorMatcher } from '../apiserver/selectors.ts';
import type { ComponentDefinition, ComponentHost } from '../component.ts';
import type { Routine } from '../routine.ts';
import type { SyncResult } from '../work-queue.ts';

/** Gathers the rules of ClusterRoles into those that say they are made of them. Source: pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go. */
export const CLUSTER_ROLE_AGGREGATION_CONTROLLER: ComponentDefinition = { name: 'clusterrole-aggregation-controller', process: 'kube-controller-manager', start };

function start(host: ComponentHost): void {
  const roles = host.informer({ kind: 'ClusterRole' });
  const queue = host.queue({ name: 'ClusterRoleAggregator' }, function* sync(name): Routine<SyncResult> {
    const role = roles.get(undefined, name);
    const selectors = asList(dig(role, 'aggregationRule', 'clusterRoleSelectors')).map(labelSelectorMatcher);
    if (role === undefined || selectors.length === 0) return;
    const parts = [...roles.list()].filter((other) => other.metadata.name !== name && selectors.some((matches) => matches(labelsOf(other)))).sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    const rules = parts.flatMap((part) => asList(part['rules'])).filter((rule, index, all) => all.findIndex((other) => sameJson(other, rule)) === index);
    if (sameJson(role['rules'] ?? [], rules)) return;
    const answer = yield* host.client.patch(refOf(role), 'merge', { rules });
    return answer.ok || answer.code === 404 ? undefined : { retry: answer.message };
  });
  roles.onChange(() => {
    for (const role of roles.list()) if (dig(role, 'aggregationRule') !== undefined) queue.add(role.metadata.name);
  });
}
