import { formatDuration } from '../../base/duration.ts';
import { PodcheckError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { formatRef } from '../../model/kube-object.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { planFix } from '../../runbook/change-plan.ts';
import { simulatedChanger } from '../../runbook/simulated-changer.ts';
import type { Cluster } from '../../simulator/index.ts';
import { diagnosed } from '../diagnose/diagnose.ts';
import { openEvidence } from '../diagnose/open-evidence.ts';
import { PATIENCE_MILLISECONDS, showsCause, watched } from '../diagnose/try-fixes.ts';
import { gatherRules } from '../rules/gather-rules.ts';
import { cloneOf } from '../sim/clone-source.ts';
import { readManifests, wantedObjects } from '../sim/manifest-scenario.ts';
import type { Tool } from './tool.ts';
import { NAMESPACE, optionsOf } from './tool.ts';

const SEED = 1;
const MANIFEST = /^\s{0,20}"?(?:apiVersion|kind)"?\s*:/m;

/** Whether a change would cure an object. */
export const REHEARSE_FIX: Tool = {
  name: 'rehearse_fix',
  title: 'What would come of a change',
  description:
    'Makes a change in a simulated clone of the cluster, and tells whether the object becomes healthy. The change is a command that diagnose printed ' +
    '(kubectl patch, set, scale, create, rollout) or manifests to apply. Nothing is changed in the cluster.',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['target', 'change'],
    properties: {
      target: { type: 'string', minLength: 1, maxLength: 600, description: 'NAME, KIND/NAME or KIND/NAMESPACE/NAME.' },
      change: { type: 'string', minLength: 1, maxLength: 200_000, description: 'kubectl commands, one per line, or manifests as YAML.' },
      namespace: NAMESPACE,
    },
  },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['target', 'before', 'result'],
    properties: {
      target: { type: 'string' },
      before: { type: 'string', description: 'Rule of the cause, or the outcome without one.' },
      result: { enum: ['cured', 'not-cured', 'refused', 'unknown'] },
      seconds: { type: 'number', description: 'Until the object is healthy.' },
      after: { type: 'string', description: 'Rule of the cause that is left, or the outcome.' },
      reason: { type: 'string' },
    },
  },
  answer: async (words, options, context) => {
    const asked = optionsOf(options, words);
    const rules = await gatherRules(options.rules ?? []);
    const opened = await openEvidence(asked, context);
    try {
      const diagnosis = await diagnosed(opened, rules, { word: String(words['target']) });
      const [cause] = diagnosis.causes;
      const about = { target: formatRef(diagnosis.target), before: cause?.rule ?? diagnosis.outcome };
      if (cause === undefined) return told({ ...about, result: 'unknown', reason: 'no cause is known that a change could cure' });
      const change = String(words['change']).trim();
      const documents = MANIFEST.test(change) ? readManifests([{ file: 'change', text: change }]) : undefined;
      const wanted = documents === undefined ? [] : wantedObjects(documents, diagnosis.target.namespace);
      const { clone } = await cloneOf(opened.reader, { seed: SEED, wanted });
      const { cluster } = clone;
      const trial = { diagnosis, rule: cause.rule, rules };
      if (!(await showsCause(cluster, trial)))
        return told({ ...about, result: 'unknown', reason: 'a clone made of what was read does not show this cause' });
      const start = cluster.now();
      const refused = documents === undefined ? await commandsRefused(change, cluster) : manifestsRefused(wanted, cluster);
      if (refused !== undefined) return told({ ...about, result: 'refused', reason: refused });
      const end = await watched(cluster, trial, PATIENCE_MILLISECONDS);
      const after = end.causes[0]?.rule ?? end.outcome;
      if (end.outcome === 'healthy') return told({ ...about, result: 'cured', seconds: Math.round((cluster.now() - start) / 1000), after });
      // What stops the pods then may only be missing in the clone.
      return told({ ...about, result: after === cause.rule ? 'not-cured' : 'unknown', after });
    } finally {
      opened.close();
    }
  },
};

/** Why a command was not carried out; a command that nobody can take apart is an error of the caller. */
async function commandsRefused(change: string, cluster: Cluster): Promise<string | undefined> {
  const changer = simulatedChanger(cluster);
  for (const command of change.split('\n').filter((line) => line.trim() !== '')) {
    const plan = await planFix(command.trim(), cluster.reader(), cluster.now());
    if (!plan.ok) throw new PodcheckError('usage', `"${command.trim().slice(0, 200)}" cannot be rehearsed: ${plan.cannot}`, HINT);
    for (const { request } of plan.writes) {
      const answer = await changer.send(request, false);
      if (!answer.ok) return `${answer.reason}: ${answer.message}`;
    }
  }
  return undefined;
}

const HINT = 'give a command as diagnose prints it, or the changed objects as YAML';

function manifestsRefused(objects: readonly KubeObject[], cluster: Cluster): string | undefined {
  return cluster.apply(objects as unknown as readonly JsonObject[]).find(({ failure }) => failure !== undefined)?.failure?.message;
}

function told(data: JsonObject): { readonly data: JsonObject; readonly text: string } {
  const { target, before, result, seconds, after, reason } = data as Readonly<Record<string, string | number | undefined>>;
  const lines = [
    `${String(target)} in a simulated clone: ${RESULTS[String(result)] ?? ''}`,
    `Before   ${String(before)}`,
    ...(typeof seconds === 'number' ? [`Healthy  ${formatDuration(seconds)} after the change`] : []),
    ...(after === undefined || result === 'cured' ? [] : [`After    ${String(after)}`]),
    ...(reason === undefined ? [] : [`Reason   ${String(reason)}`]),
  ];
  return { data, text: `${lines.join('\n')}\n` };
}

const RESULTS: Readonly<Record<string, string>> = {
  cured: 'the change cures it',
  'not-cured': 'the change does not cure it',
  refused: 'the cluster refuses the change',
  unknown: 'the clone cannot decide it',
};
