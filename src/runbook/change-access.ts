import type { Access, ClusterChanger } from '../model/cluster-changer.ts';
import { asText, dig } from '../base/json.ts';
import { inNamespace, parseRef } from '../model/kube-object.ts';
import type { PlaybookStep } from '../model/playbook.ts';
import type { ChangeAction } from '../model/playbook-change.ts';
import { resourceOfKind } from '../model/resources.ts';
import { filledChange } from './change-plan.ts';
import { changesOfFix } from './fix-command.ts';
import type { Variables } from './variables.ts';
import { missing } from './variables.ts';

/** A right that a step needs and whoever runs it does not have: `patch deployments in shop`. */
export interface MissingRight {
  readonly step: string;
  readonly needs: string;
}

/** Rights that the changes of these steps need and that are refused; what cannot be told yet is not asked for. */
export async function missingRights(
  steps: readonly PlaybookStep[],
  variables: Variables,
  changer: ClusterChanger,
): Promise<readonly MissingRight[]> {
  const lacking: MissingRight[] = [];
  const asked = new Map<string, boolean | undefined>();
  for (const { id, action } of steps) {
    if (action.kind !== 'change') continue;
    for (const access of [
      ...accessesOf(action.change, variables),
      ...(action.undo.undo === 'change' ? accessesOf(action.undo.change, variables) : []),
    ]) {
      const needs = accessWords(access);
      if (!asked.has(needs)) asked.set(needs, await changer.allowed(access));
      if (asked.get(needs) === false) lacking.push({ step: id, needs });
    }
  }
  return lacking;
}

/** Rights that a printed fix needs and that are refused, as `patch deployments in shop`; none of a fix whose changes cannot be made out. */
export async function deniedRights(fix: string, changer: ClusterChanger): Promise<readonly string[]> {
  const denied: string[] = [];
  for (const access of accessesOf({ change: 'fix' }, { fix }))
    if ((await changer.allowed(access)) === false) denied.push(accessWords(access));
  return [...new Set(denied)];
}

/** `patch deployments in shop`, as `kubectl auth can-i` takes it. */
export function accessWords({ verb, kind, subresource, namespace }: Access): string {
  const plural = resourceOfKind(kind)?.plural ?? kind;
  return `${verb} ${plural}${subresource === undefined ? '' : `/${subresource}`}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

function accessesOf(template: ChangeAction, variables: Variables): readonly Access[] {
  if (template.change === 'fix')
    return (changesOfFix(String(variables['fix'] ?? '')) ?? []).flatMap((change) => accessesOf(change, variables));
  // Of a manifest or patch only its object matters here: what else it says may not be known yet.
  const named =
    template.change === 'create'
      ? { ...template, manifest: { kind: template.manifest['kind'], metadata: template.manifest['metadata'] } }
      : { object: template.object };
  if (missing(named, variables).length > 0) return [];
  const action = filledChange(template, variables);
  if (action === undefined || action.change === 'fix') return [];
  if (action.change === 'create') {
    const namespace = asText(dig(action.manifest, 'metadata', 'namespace'));
    return [{ verb: 'create', kind: asText(action.manifest['kind']) ?? '', ...inNamespace(namespace) }];
  }
  const ref = parseRef(action.object);
  if (ref === undefined) return [];
  const { kind, name, namespace } = ref;
  const place = inNamespace(namespace);
  switch (action.change) {
    case 'allow-clients':
      return [{ verb: 'create', kind: 'NetworkPolicy', ...place }];
    case 'delete':
      return [{ verb: 'delete', kind, ...place, name }];
    case 'evict':
      return [{ verb: 'create', kind, subresource: 'eviction', ...place, name }];
    case 'approve':
      return [{ verb: 'update', kind, subresource: 'approval', name }];
    case 'drain':
      return [
        { verb: 'patch', kind, name },
        { verb: 'create', kind: 'Pod', subresource: 'eviction' },
      ];
    case 'patch':
      return [{ verb: 'patch', kind, ...(action.subresource === undefined ? {} : { subresource: action.subresource }), ...place, name }];
    case 'scale':
    case 'restart':
    case 'rollout-undo':
    case 'set-image':
    case 'cordon':
    case 'uncordon':
      return [{ verb: 'patch', kind, ...place, name }];
  }
}
