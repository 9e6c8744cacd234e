import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { unseenIn } from '../../../model/cluster-reader.ts';
import type { ObjectRef } from '../../../model/kube-object.ts';
import { formatRef, refOf } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { oncePerSurvey } from '../once-per-survey.ts';

/** One webhook of a configuration. */
export interface Webhook {
  readonly name: string;
  readonly config: ObjectRef;
  readonly type: 'mutating' | 'validating';
  readonly failurePolicy: string | undefined;
  readonly service: { readonly namespace: string; readonly name: string } | undefined;
  readonly url: string | undefined;
  /** Its rules are for the creation of pods. */
  readonly forPods: boolean;
  /** The only namespace it is for, where its selector names one. */
  readonly namespace: string | undefined;
}

const KINDS = [
  ['MutatingWebhookConfiguration', 'mutating'],
  ['ValidatingWebhookConfiguration', 'validating'],
] as const;

/** A `webhook` fact for each webhook that a refusal names, with whether the Service it is called at is there. */
export async function collectWebhooks(scene: Scene, sink: FactSink): Promise<void> {
  const named = new Set(
    sink.facts.flatMap(({ kind, fields }) => (kind === 'refusal' && fields['config'] !== undefined ? String(fields['by'] ?? '') : [])),
  );
  if (named.size === 0) return;
  for (const { name, config, type, failurePolicy, service, url, forPods } of (await webhooksOf(scene)).found) {
    if (!named.has(name)) continue;
    const read = service === undefined ? undefined : await scene.survey.get({ kind: 'Service', ...service });
    const serviceExists = read === undefined ? undefined : read.ok ? true : read.why === 'absent' ? false : undefined;
    const at = service === undefined ? url : `${service.namespace}/${service.name}`;
    sink.fact(
      'webhook',
      config,
      { webhook: name, type, failurePolicy, service: service === undefined ? undefined : at, url, serviceExists, forPods },
      {
        source: formatRef(config),
        quote: `webhook ${name}: failurePolicy ${failurePolicy ?? 'Fail'}, called at ${at ?? '?'}${serviceExists === false ? ', which does not exist' : ''}`,
      },
    );
  }
}

/** The webhooks of the cluster that could be read, and the types of which these are all. */
export interface SeenWebhooks {
  readonly found: readonly Webhook[];
  readonly whole: ReadonlySet<Webhook['type']>;
  /** Types of which reading was refused or failed. */
  readonly refused: ReadonlySet<Webhook['type']>;
}

/** Two reads, made once. */
export const webhooksOf = oncePerSurvey(async (scene: Scene): Promise<SeenWebhooks> => {
  const found: Webhook[] = [];
  const [whole, refused] = [new Set<Webhook['type']>(), new Set<Webhook['type']>()];
  for (const [kind, type] of KINDS) {
    const list = await scene.survey.list(kind, {});
    if (unseenIn(list) === undefined) whole.add(type);
    if (!list.ok && list.why !== 'not-collected') refused.add(type);
    if (!list.ok) continue;
    for (const config of list.value) {
      for (const webhook of asList(dig(config, 'webhooks'))) {
        const name = asText(dig(webhook, 'name'));
        if (name !== undefined)
          found.push({
            name,
            config: refOf(config),
            type,
            ...callOf(webhook),
            forPods: isForPods(webhook),
            namespace: asText(dig(webhook, 'namespaceSelector', 'matchLabels', 'kubernetes.io/metadata.name')),
          });
      }
    }
  }
  return { found, whole, refused };
});

function callOf(webhook: Json): Pick<Webhook, 'failurePolicy' | 'service' | 'url'> {
  const service = dig(webhook, 'clientConfig', 'service');
  const [namespace, name] = [asText(dig(service, 'namespace')), asText(dig(service, 'name'))];
  return {
    failurePolicy: asText(dig(webhook, 'failurePolicy')) ?? 'Fail',
    service: namespace === undefined || name === undefined ? undefined : { namespace, name },
    url: asText(dig(webhook, 'clientConfig', 'url')),
  };
}

function isForPods(webhook: Json): boolean {
  return asList(dig(webhook, 'rules')).some(
    (rule) => has(rule, 'resources', ['pods', '*', '*/*', 'pods/*']) && has(rule, 'operations', ['CREATE', '*']),
  );
}

function has(rule: Json, field: string, words: readonly string[]): boolean {
  return asList(dig(rule, field)).some((word) => typeof word === 'string' && words.includes(word));
}
