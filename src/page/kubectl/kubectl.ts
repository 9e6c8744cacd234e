import { didYouMean } from '../../base/text.ts';
import type { Call, CommandAnswer, Kubectl } from './call.ts';
import { failed, said } from './call.ts';
import { takeApart } from './command-line.ts';
import { create, CREATE_FLAGS } from './create.ts';
import { deleteObjects, DELETE_FLAGS } from './delete.ts';
import { describe, DESCRIBE_FLAGS } from './describe.ts';
import { events, EVENTS_FLAGS } from './events.ts';
import { explain, EXPLAIN_FLAGS } from './explain.ts';
import { get, GET_FLAGS } from './get.ts';
import { apply, APPLY_FLAGS, edit } from './manifests.ts';
import { exec, EXEC_FLAGS, logs, LOGS_FLAGS } from './pod-output.ts';
import { rollout, ROLLOUT_FLAGS, scale } from './rollout.ts';
import { LABEL_FLAGS, mark, patch, PATCH_FLAGS, set, SET_FLAGS } from './small-changes.ts';

interface Verb {
  readonly flags: string;
  readonly run: (call: Call) => CommandAnswer;
}

const VERBS: Readonly<Record<string, Verb>> = {
  get: { flags: GET_FLAGS, run: get },
  describe: { flags: DESCRIBE_FLAGS, run: describe },
  logs: { flags: LOGS_FLAGS, run: logs },
  events: { flags: EVENTS_FLAGS, run: events },
  explain: { flags: EXPLAIN_FLAGS, run: explain },
  apply: { flags: APPLY_FLAGS, run: apply },
  create: { flags: CREATE_FLAGS, run: create },
  edit: { flags: '', run: edit },
  delete: { flags: DELETE_FLAGS, run: deleteObjects },
  rollout: { flags: ROLLOUT_FLAGS, run: rollout },
  scale: { flags: 'replicas=', run: scale },
  exec: { flags: EXEC_FLAGS, run: exec },
  patch: { flags: PATCH_FLAGS, run: patch },
  set: { flags: SET_FLAGS, run: set },
  label: { flags: LABEL_FLAGS, run: (call) => mark(call, 'labels') },
  annotate: { flags: LABEL_FLAGS, run: (call) => mark(call, 'annotations') },
  cordon: { flags: '', run: (call) => onNode(call, 'cordon') },
  uncordon: { flags: '', run: (call) => onNode(call, 'uncordon') },
  drain: { flags: 'ignore-daemonsets delete-emptydir-data force', run: (call) => onNode(call, 'drain') },
};

export const VERB_NAMES: readonly string[] = Object.keys(VERBS);

/** A command of kubectl, its words without `kubectl`. Flags may stand before the verb, too. */
export function kubectl(words: readonly string[], kube: Kubectl): CommandAnswer {
  const at =
    words[0] === '-n' || words[0] === '--namespace'
      ? 2
      : words[0]?.startsWith('-n') === true || words[0]?.startsWith('--namespace=') === true
        ? 1
        : 0;
  const name = words[at] ?? '';
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (verb === undefined)
    return failed(
      `error: unknown command "${name}" for "kubectl"${didYouMean(name, VERB_NAMES)}\nThis console has ${VERB_NAMES.join(', ')}.`,
    );
  const line = takeApart([...words.slice(0, at), ...words.slice(at + 1)], verb.flags, name);
  if ('trouble' in line) return failed(line.trouble);
  if (line.flags.has('help'))
    return said(`kubectl ${name} here takes: ${verb.flags.replaceAll(/(\S+)/g, '--$1').replaceAll(/\/(\w)/g, ' (-$1)')} --namespace= (-n)`);
  return verb.run({ ...line, kube, namespace: line.flags.get('namespace') ?? 'default' });
}

function onNode({ words, flags, kube }: Call, command: 'cordon' | 'uncordon' | 'drain'): CommandAnswer {
  const node = words[0]?.replace(/^nodes?\//, '');
  if (node === undefined) return failed(`error: USAGE: ${command} NODE`);
  const options = {
    ignoreDaemonSets: flags.has('ignore-daemonsets'),
    deleteEmptyDirData: flags.has('delete-emptydir-data'),
    force: flags.has('force'),
    timeoutSeconds: 120,
  };
  const { output, exitCode } = kube.cluster.run(command === 'drain' ? { command, node, ...options } : { command, node });
  return { output, code: exitCode };
}
