import { asList, asText, asTextMap, asWritten, dig } from '../../../base/json.ts';
import type { ObjectRef } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import type { Scene } from '../../survey/scene.ts';
import { roleOf } from './access.ts';
import type { RefusalWords } from './read-refusals.ts';
import type { Webhook } from './webhooks.ts';
import { webhooksOf } from './webhooks.ts';
import { selects } from '../../serving/service-backends.ts';

/**
 * Who is at fault for a refusal. `blame` is `Kind/name`, or `Kind/namespace/name` of another namespace than the refused object's: the
 * refused object itself when none other is known.
 */
export interface Blame {
  readonly blame: string;
  /** `Kind/name` of the webhook configuration. */
  readonly config?: string | undefined;
  readonly webhookType?: 'mutating' | 'validating' | 'unknown' | undefined;
  /** Both types, where neither could be read. */
  readonly eitherType?: string | undefined;
}

/** Reasons whose words name the object at fault. */
const NAMED: Readonly<Record<string, string>> = {
  'service-account-not-found': 'ServiceAccount',
  'priority-class-not-found': 'PriorityClass',
  'runtime-class-not-found': 'RuntimeClass',
  'namespace-terminating': 'Namespace',
  'namespace-not-found': 'Namespace',
  'quota-exceeded': 'ResourceQuota',
  'quota-requires-resources': 'ResourceQuota',
  'policy-denied': 'ValidatingAdmissionPolicy',
  'policy-error': 'ValidatingAdmissionPolicy',
  'mutating-policy-failed': 'MutatingAdmissionPolicy',
};

export async function blameOf(words: RefusalWords, about: ObjectRef, scene: Scene): Promise<Blame> {
  const itself = `${about.kind}/${about.name}`;
  const named = NAMED[words.reason];
  if (named !== undefined) return { blame: words.by === undefined ? itself : `${named}/${words.by}` };
  if (words.reason.startsWith('webhook-')) return webhookBlame(words, about, scene);
  switch (words.reason) {
    case 'role-not-found':
      return {
        blame:
          words.value === 'role'
            ? `Role/${words.where === undefined ? '' : `${words.where}/`}${words.by ?? ''}`
            : `ClusterRole/${words.by ?? ''}`,
      };
    case 'forbidden':
      return { blame: await roleOf(words, scene) };
    case 'limit-range-violated':
      return { blame: (await limitRangeOf(words, about, scene)) ?? itself };
    case 'disruption-budget':
      return { blame: (await budgetOf(about, scene)) ?? itself };
    default:
      return { blame: itself };
  }
}

/** The configuration that has a webhook of this name; a bad patch names none, and is blamed on the only one that changes pods. */
async function webhookBlame(words: RefusalWords, about: ObjectRef, scene: Scene): Promise<Blame> {
  const { found, whole, refused } = await webhooksOf(scene);
  const config = words.by === undefined ? await changerOf(about, scene) : onlyConfig(found.filter(({ name }) => name === words.by));
  if (config === undefined) {
    const webhookType = words.by === undefined ? 'mutating' : typeLeft(found, whole, words.by);
    // The words of the API server are the same for both types: that a webhook denied the request is seen all the same.
    return {
      blame: `${about.kind}/${about.name}`,
      webhookType,
      ...(webhookType === 'unknown' && refused.size > 0 ? { eitherType: 'mutating or validating' } : {}),
    };
  }
  return { blame: config, config, webhookType: config.startsWith('Mutating') ? 'mutating' : 'validating' };
}

/** A webhook that is not among all of one type is of the other, the only one that was not seen whole. */
function typeLeft(found: readonly Webhook[], whole: ReadonlySet<Webhook['type']>, name: string): 'mutating' | 'validating' | 'unknown' {
  const [only] = whole;
  if (whole.size !== 1 || found.some((webhook) => webhook.name === name)) return 'unknown';
  return only === 'validating' ? 'mutating' : 'validating';
}

/** `Kind/name` of the one configuration whose webhooks change pods in the object's namespace; undefined when there are several, or none. */
export async function changerOf({ namespace }: ObjectRef, scene: Scene): Promise<string | undefined> {
  const { found, whole } = await webhooksOf(scene);
  // Of some it cannot be told whether there is another.
  if (!whole.has('mutating')) return undefined;
  const changers = found.filter(({ type, forPods }) => type === 'mutating' && forPods);
  return (
    onlyConfig(changers.filter((webhook) => webhook.namespace === namespace)) ??
    onlyConfig(changers.filter((webhook) => webhook.namespace === undefined))
  );
}

function onlyConfig(webhooks: readonly Webhook[]): string | undefined {
  const [config, ...others] = new Set(webhooks.map(({ config: { kind, name } }) => `${kind}/${name}`));
  return others.length > 0 ? undefined : config;
}

/** The LimitRange that has the limit the words quote. */
async function limitRangeOf(words: RefusalWords, about: ObjectRef, scene: Scene): Promise<string | undefined> {
  if (about.namespace === undefined) return undefined;
  const list = await scene.survey.list('LimitRange', { namespace: about.namespace });
  if (!list.ok) return undefined;
  const quoted = list.value.find((range) =>
    asList(dig(range, 'spec', 'limits')).some((limit) => {
      if (asText(dig(limit, 'type')) !== words.where) return false;
      return ['min', 'max', 'maxLimitRequestRatio'].some((bound) => asWritten(dig(limit, bound, words.resource ?? '')) === words.wanted);
    }),
  );
  const range = quoted ?? (list.value.length === 1 ? list.value[0] : undefined);
  return range === undefined ? undefined : `LimitRange/${range.metadata.name}`;
}

/** The budget that selects the pod and allows no disruption. */
async function budgetOf(pod: ObjectRef, scene: Scene): Promise<string | undefined> {
  if (pod.namespace === undefined) return undefined;
  const [list, read] = [await scene.survey.list('PodDisruptionBudget', { namespace: pod.namespace }), await scene.survey.get(pod)];
  if (!list.ok) return undefined;
  const selecting = read.ok
    ? list.value.find((budget) => selects(asTextMap(dig(budget, 'spec', 'selector', 'matchLabels')), labelsOf(read.value)))
    : undefined;
  const budget = selecting ?? (list.value.length === 1 ? list.value[0] : undefined);
  return budget === undefined ? undefined : `PodDisruptionBudget/${budget.metadata.name}`;
}
