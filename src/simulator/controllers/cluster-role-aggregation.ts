import type { Json } from '../../base/json.ts';
import { asList, dig } from '../../base/json.ts';
import { sameJson } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf, refOf } from '../../model/kube-object.ts';
import { labelSelectorMatcher } from '../apiserver/selectors.ts';
import type { ComponentDefinition, ComponentHost } from '../components/component.ts';
import type { Informer } from '../components/informer.ts';
import type { Routine } from '../time/routine.ts';
import type { SyncResult } from '../components/work-queue.ts';
import { retryUnlessGone } from '../components/work-queue.ts';

/**
 * Fills ClusterRoles that have an aggregationRule with the rules of those it selects.
 * Source: pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go.
 */
export const CLUSTER_ROLE_AGGREGATION_CONTROLLER: ComponentDefinition = {
  name: 'clusterrole-aggregation-controller',
  process: 'kube-controller-manager',
  start,
};

function start(host: ComponentHost): void {
  const roles = host.informer({ kind: 'ClusterRole' }).addIndex('aggregates', (role) => (isAggregating(role) ? ['true'] : []));
  const queue = host.queue({ name: 'clusterroleaggregation' }, (name) => sync(host, roles, name));
  roles.onChange(({ object, previous }) => {
    for (const role of roles.by('aggregates', 'true')) {
      const concerned = [object, ...(previous === undefined ? [] : [previous])].some((one) => selects(role, one));
      if (concerned || role.metadata.name === object.metadata.name) queue.add(role.metadata.name);
    }
  });
}

function* sync(host: ComponentHost, roles: Informer, name: string): Routine<SyncResult> {
  const role = roles.get(undefined, name);
  if (role === undefined || !isAggregating(role)) return;
  const rules = rulesFor(role, roles);
  if (sameJson([...asList(role['rules'])], rules)) return;
  // Where none are selected, none are applied: what somebody else has set stays.
  const applied = rules.length === 0 ? {} : { rules };
  const body = { apiVersion: role.apiVersion, kind: role.kind, metadata: { name }, ...applied };
  const answer = yield* host.client.patch(refOf(role), 'apply', body, { manager: 'clusterrole-aggregation-controller', force: true });
  return retryUnlessGone(answer);
}

/** Selector by selector, roles by name; a rule that is there already is not repeated. */
function rulesFor(role: KubeObject, roles: Informer): readonly Json[] {
  const rules: Json[] = [];
  const sorted = [...roles.list()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  for (const selector of selectorsOf(role)) {
    const matches = labelSelectorMatcher(selector);
    for (const other of sorted) {
      if (other.metadata.name === role.metadata.name || !matches(labelsOf(other))) continue;
      for (const rule of asList(other['rules'])) if (!rules.some((known) => sameJson(known, rule))) rules.push(rule);
    }
  }
  return rules;
}

function isAggregating(role: KubeObject): boolean {
  return role['aggregationRule'] !== undefined;
}

function selects(role: KubeObject, other: KubeObject): boolean {
  return selectorsOf(role).some((selector) => labelSelectorMatcher(selector)(labelsOf(other)));
}

function selectorsOf(role: KubeObject): readonly Json[] {
  return asList(dig(role, 'aggregationRule', 'clusterRoleSelectors'));
}
