import type { ObjectRef } from '../../../model/kube-object.ts';
import type { FactSink, Proof } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { missingRoleFacts } from './access.ts';
import { blameOf } from './blame.ts';
import { quotaFactsOf } from '../quotas/refused-quota.ts';
import { kindOf } from '../kind-of.ts';
import type { RefusalWords } from './read-refusals.ts';
import { subjectIn } from './error-subject.ts';

/** One refusal with where it was read. */
export interface RefusalReport {
  readonly words: RefusalWords;
  /** The object that was refused, or the workload whose pods are. */
  readonly about: ObjectRef;
  readonly via: 'answer' | 'event' | 'condition' | 'derived';
  readonly message: string;
  readonly blocking: boolean;
  readonly scene: Scene;
  readonly sink: FactSink;
  readonly proof: Proof;
  readonly file?: string | undefined;
  readonly exists?: boolean | undefined;
  readonly similar?: string | undefined;
  /** What the command that was refused needs in all, if it was a command. */
  readonly verbs?: string | undefined;
}

/** Adds the `refusal` fact, with who is at fault; and what a full quota's words say as `quota` facts. */
export async function refusalFact({
  words,
  about,
  via,
  message,
  blocking,
  scene,
  sink,
  proof,
  file,
  exists,
  similar,
  verbs,
}: RefusalReport): Promise<void> {
  const { blame, config, webhookType, eitherType } = await blameOf(words, about, scene);
  const subject = subjectIn(message, scene.survey.vocabulary);
  const { reason, by, field, value, wanted, detail, resource, verb, user, where, service } = words;
  sink.fact(
    'refusal',
    about,
    {
      reason,
      via,
      blame,
      kubeKind: subject === undefined ? about.kind : kindOf(subject.resource),
      by,
      field,
      value,
      wanted,
      detail,
      message,
      resource,
      verb,
      verbs,
      user,
      where,
      service,
      config,
      webhookType,
      eitherType,
      file,
      blocking,
      exists,
      similar,
    },
    proof,
  );
  if (reason === 'role-not-found') await missingRoleFacts(words, scene, sink);
  if (reason === 'quota-exceeded') await quotaFactsOf(words, about, scene, sink, proof);
}
