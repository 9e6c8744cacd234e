import type { ObjectRef } from '../../../model/kube-object.ts';
import { namedIn, podRef } from './named-objects.ts';

const NAME = '[a-z0-9][a-z0-9.-]{0,252}';
/** A pod as tools that wait for it name it: of GitLab's runner, Jenkins, Airflow, Pulumi. */
const WAITED_FOR: readonly RegExp[] = [
  // The scheduler writes `pod affinity/anti-affinity`.
  new RegExp(`\\b[Pp]od:? (?:[a-z][\\w.-]{0,60} )?(?!affinity/)(${NAME})/(${NAME})(?=[\\s,;:)\\]]|$)`),
  new RegExp(`\\bPod not yet started: ()(${NAME})\\s{0,8}$`),
];
/** Source: pkg/volume/configmap/configmap.go, pkg/volume/secret/secret.go. */
const VOLUME_SOURCE = new RegExp(`Couldn't get (configMap|secret) (${NAME})/(${NAME}): `);
/** A Job whose pods have failed, as Helm counts them while it waits. Source: helm.sh/helm pkg/kube/wait.go (waitForJob). */
const FAILED_JOB = new RegExp(`\\b(${NAME}): Jobs active: \\d{1,6}, jobs failed: [1-9]`);
const MAX_TEXT = 8192;

/** Objects that a line names in passing: nothing is told of them but that they are spoken of. */
export function mentionsIn(whole: string): readonly ObjectRef[] {
  const text = whole.slice(0, MAX_TEXT);
  const [, source, sourceIn, sourceName = ''] = VOLUME_SOURCE.exec(text) ?? [];
  if (sourceIn !== undefined) return [{ kind: source === 'secret' ? 'Secret' : 'ConfigMap', namespace: sourceIn, name: sourceName }];
  for (const form of WAITED_FOR) {
    const [, namespace, name] = form.exec(text) ?? [];
    if (name !== undefined) return [podRef(name, namespace === '' ? undefined : namespace)];
  }
  const job = FAILED_JOB.exec(text)?.[1];
  if (job !== undefined) return [{ kind: 'Job', name: job }];
  const { pod } = namedIn(text);
  return pod === undefined ? [] : [pod];
}
