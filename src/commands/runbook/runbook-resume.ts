import { createHash } from 'node:crypto';
import { PodcheckError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { canonicalJson } from '../../base/json-edit.ts';
import { parseRef } from '../../model/kube-object.ts';
import type { Playbook } from '../../model/playbook.ts';
import type { FlatPlaybook } from '../../runbook/flatten.ts';
import type { ReadJournal } from '../../runbook/journal-chain.ts';
import { readJournal } from '../../runbook/journal-file.ts';
import { journalState, stateWords } from '../../runbook/journal-state.ts';
import { diffLines, SHOWN_DIFF } from '../../runbook/object-diff.ts';
import type { Prompt } from '../../runbook/ports.ts';
import type { Progress } from '../../runbook/resume.ts';
import { progressOf } from '../../runbook/resume.ts';
import type { Choice, ChooseOptions } from './runbook-choose.ts';
import type { RunSource } from './runbook-source.ts';

/** A run that was interrupted, as its journal tells it. */
export interface Earlier {
  readonly run: string;
  readonly folder: string;
  readonly read: ReadJournal;
  readonly progress: Progress;
}

export function earlierRun(run: string, words: readonly string[], options: ChooseOptions, folder: string): Earlier {
  if (words.length > 0 || options.alert !== undefined || options.forDiagnosis === true)
    throw new PodcheckError(
      'usage',
      '--resume takes the playbook and the target from the journal',
      'give only --resume and the flags of the cluster',
    );
  const read = readJournal(folder, run);
  const state = journalState(read);
  if (state === 'altered' || state === 'cut')
    throw new PodcheckError(
      'bad-input',
      `the journal of ${run} is ${state}: ${stateWords(read)}`,
      'nothing was done; check what the run changed in the cluster, then start a new run',
    );
  const first = read.records[0]?.entry;
  const progress = progressOf(read.records, first?.type === 'run' ? firstStepOf(first.copy) : 'end');
  if (progress === undefined)
    throw new PodcheckError(
      'bad-input',
      `the first record of the journal of ${run} is missing`,
      'start a new run; the earlier run changed nothing',
    );
  if (progress.undoing && progress.changes.length === 0)
    throw new PodcheckError('usage', `the changes of ${run} were undone`, 'start a new run; nothing was done');
  if (progress.over) throw new PodcheckError('usage', `run ${run} is already complete`, 'see it with `podcheck runbook journal show`');
  return { run, folder, read, progress };
}

function firstStepOf(copy: Json): string {
  const { steps } = copy as unknown as { readonly steps?: readonly { readonly id: string }[] };
  return steps?.[0]?.id ?? 'end';
}

export function choiceOf({ head }: Progress, playbook: Playbook): Choice {
  const target = parseRef(head.target) ?? { kind: 'Cluster', name: 'cluster' };
  return { playbook, word: head.word, target, known: head.known, alerts: head.alerts };
}

/** A run is continued in the cluster it was begun in. */
export function checkPlace({ run, progress }: Earlier, { isReal, opened }: RunSource): void {
  if (!isReal && progress.changes.length > 0)
    throw new PodcheckError('unsupported', `the simulated cluster of ${run} no longer exists`, 'start a new run; nothing was done');
  if (isReal && progress.head.context !== opened.place)
    throw new PodcheckError(
      'usage',
      `${run} started on ${progress.head.context}, but the current cluster is ${opened.place}`,
      'choose the same cluster with --context; nothing was done',
    );
}

/** Somebody else may have continued the run since its journal was read; now it is held. */
export function checkJournal({ run, folder, read }: Earlier): void {
  const now = readJournal(folder, run);
  if (now.records.length !== read.records.length || now.broken !== undefined)
    throw new PodcheckError(
      'unsupported',
      `${run} was resumed by another podcheck process`,
      'see what it did with `podcheck runbook journal show`; nothing was done now',
    );
}

/** What a person has to accept before a run is continued: a journal that may lack its end, a playbook that has changed. */
export async function checkEarlier({ run, read, progress }: Earlier, playbook: FlatPlaybook, prompt: Prompt): Promise<void> {
  if (journalState(read) === 'unknown') {
    const lines = [stateWords(read), 'Steps after the last record may run a second time.'];
    const answer = await prompt.confirm({ question: 'Continue from the last record?', lines });
    if (answer !== 'yes')
      throw new PodcheckError(
        'bad-input',
        `the journal of ${run} cannot be verified: ${stateWords(read)}`,
        'check what the run changed in the cluster, then start a new run; nothing was done now',
      );
  }
  const now = copyOf(playbook);
  if (digestOf(now) === progress.head.digest) return;
  const lines = diffLines(progress.head.copy as never, now as never, SHOWN_DIFF);
  const answer = await prompt.confirm({
    question: 'The playbook has changed since the run was interrupted. Continue with the current version?',
    lines,
  });
  if (answer !== 'yes')
    throw new PodcheckError(
      'bad-input',
      ['the playbook has changed since the run was interrupted:', ...lines.map((line) => `  ${line}`)].join('\n'),
      'start a new run, or restore the playbook; nothing was done',
    );
}

/** The playbook with all it includes, as data: what a run that is continued later must find unchanged. */
export function copyOf({ included: _included, ...playbook }: FlatPlaybook): Json {
  return JSON.parse(JSON.stringify(playbook)) as Json;
}

export function digestOf(copy: Json): string {
  return createHash('sha256').update(canonicalJson(copy)).digest('hex');
}
