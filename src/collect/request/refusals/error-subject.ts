import type { Vocabulary } from '../../survey/vocabulary.ts';
import { inNamespace } from '../../../model/kube-object.ts';

/** The object an error is about, as its words name it: `resource` may be a plural or a kind, with or without group. */
export interface ErrorSubject {
  readonly resource: string;
  readonly name: string | undefined;
  readonly namespace?: string;
}

export function subjectIn(text: string, vocabulary: Vocabulary): ErrorSubject | undefined {
  const { resource, name, namespace } = vocabulary.phrase('error-subject', text)?.captured ?? {};
  // Only resources have dots: what stands behind a kind is a field of it.
  const kind = resource === undefined || !/^[A-Z]/.test(resource) ? resource : resource.split('.')[0];
  return kind === undefined ? undefined : { resource: kind, name, ...inNamespace(namespace) };
}
