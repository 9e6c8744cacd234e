import type { Read } from '../../../model/cluster-reader.ts';
import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import { asNumber, asText, dig } from '../../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { manifestOfError } from '../../../model/kubectl-error.ts';
import { CLIENT_ANSWER, LOOSE_TEXT } from '../../../model/record-kinds.ts';
import { resourceNamed, resourceOfKind } from '../../../model/resources.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import type { Vocabulary } from '../../survey/vocabulary.ts';
import { inNamespace, manifestObject, refusedObject } from './answered-object.ts';
import type { AnswerBlock } from './answer-blocks.ts';
import { answerBlocks } from './answer-blocks.ts';
import type { ClientFailure } from './client-failure.ts';
import { readClientFailure } from './client-failure.ts';
import { concerns } from '../concerns.ts';
import { kindOf } from '../kind-of.ts';
import type { KubectlCommand } from './kubectl-command.ts';
import { isWrite, readCommand } from './kubectl-command.ts';
import type { Manifest } from './manifests.ts';
import { manifestsOf, seemingObject } from './manifests.ts';
import { podEvents } from '../../events/pod-events.ts';
import { podState } from '../../objects/targets.ts';
import { oncePerSurvey } from '../once-per-survey.ts';
import { subjectIn } from '../refusals/error-subject.ts';
import { refusalFact } from '../refusals/refusal-fact.ts';
import type { RefusalWords } from '../refusals/read-refusals.ts';
import { readRefusals } from '../refusals/read-refusals.ts';

/** What a client printed for one command, taken apart. */
export interface Answer {
  readonly order: number;
  readonly line: string;
  readonly command: KubectlCommand;
  readonly blocks: readonly AnswerBlock[];
  /** The server answered, and nothing failed. */
  readonly worked: boolean;
  readonly at: Instant | undefined;
}

/** `answer` and `refusal` facts for commands that failed, where nothing later made them good. Only sources with client answers have any. */
export async function collectAnswers(scene: Scene, sink: FactSink): Promise<void> {
  const answers = await answersOf(scene);
  const manifests = answers.length === 0 ? [] : await manifestsOf(scene);
  for (const answer of answers) {
    for (const block of answer.blocks) {
      if (block.kind === 'failed') await failureFacts({ answer, text: block.text, answers, manifests, scene, sink });
      if (block.kind === 'warning') await warningFacts({ answer, text: block.text, answers, manifests, scene, sink });
    }
  }
}

/**
 * Words of the API server and of kubectl that somebody pasted by themselves, where nothing else was seen: each is the answer to an unknown
 * command.
 */
export async function collectLooseAnswers(scene: Scene, sink: FactSink): Promise<void> {
  const texts = sink.targets.length > 0 ? undefined : await scene.survey.list(LOOSE_TEXT, {});
  for (const record of texts?.ok === true ? texts.value : []) {
    const text = asText(dig(record, 'spec', 'text')) ?? '';
    const answer: Answer = {
      order: 0,
      line: 'kubectl',
      command: readCommand('kubectl'),
      blocks: [{ kind: 'failed', text }],
      worked: false,
      at: undefined,
    };
    await failureFacts({ answer, text, place: 'text', answers: [answer], manifests: [], scene, sink });
  }
}

/** All commands of the source with their answers, in the order they were given. */
export const answersOf = oncePerSurvey(async (scene: Scene): Promise<readonly Answer[]> => {
  const list = await scene.survey.list(CLIENT_ANSWER, {});
  return list.ok ? list.value.map((record) => toAnswer(record, scene.survey.vocabulary)).toSorted((a, b) => a.order - b.order) : [];
});

function toAnswer(record: KubeObject, vocabulary: Vocabulary): Answer {
  const line = asText(dig(record, 'spec', 'command')) ?? '';
  const output = asText(dig(record, 'spec', 'output')) ?? '';
  const exitCode = asNumber(dig(record, 'spec', 'exitCode'));
  const blocks = answerBlocks(output, vocabulary);
  return {
    order: asNumber(dig(record, 'spec', 'order')) ?? 0,
    line,
    command: readCommand(line),
    blocks,
    worked: output.trim() !== '' && !blocks.some(({ kind }) => kind === 'failed') && (exitCode ?? 0) === 0,
    at: parseInstant(dig(record, 'spec', 'at')),
  };
}

interface Failure {
  readonly place?: 'answer' | 'text';
  readonly answer: Answer;
  readonly text: string;
  readonly answers: readonly Answer[];
  readonly manifests: readonly Manifest[];
  readonly scene: Scene;
  readonly sink: FactSink;
}

async function failureFacts(failure: Failure): Promise<void> {
  const { answer, text, scene, place = 'answer' } = failure;
  const { vocabulary } = scene.survey;
  const fromServer = vocabulary.begins('server-answer', text);
  const refusals = readRefusals(text, place, vocabulary);
  if (refusals.some(({ reason }) => reason === 'name-missing'))
    return clientFact(failure, { reason: 'manifest-without-name', detail: 'metadata.name: Required value', file: manifestOfError(text) });
  if (refusals.length > 0) return refusalFacts(failure, refusals);
  const client = readClientFailure(text, place, vocabulary);
  // Where a pod is not well, that its log cannot be read is not why.
  if (client !== undefined && isOfKubelet(client) && (await isAPodUnwell(scene))) return;
  if (client !== undefined && (!fromServer || isOfKubelet(client) || OF_SERVER.has(client.reason))) return clientFact(failure, client);
  const rejected = vocabulary.begins('rejected-answer', text) && wasWrite(answer.command, text, vocabulary);
  if (rejected) return refusalFacts(failure, [{ reason: 'other', detail: text.split('\n')[0] }]);
}

async function isAPodUnwell(scene: Scene): Promise<boolean> {
  return scene.pods.some((pod) => podState(pod).state === 'unhealthy') || (await podEvents(scene)).blind.length > 0;
}

/** What the API server itself answers with before any object is judged. */
const OF_SERVER: ReadonlySet<ClientFailure['reason']> = new Set(['unauthorized', 'manifest-without-name', 'server-busy']);

function isOfKubelet({ reason }: ClientFailure): boolean {
  return reason.startsWith('kubelet-');
}

/** Where the words were read; a text pasted by itself has no command to show. */
function sourceOf(line: string): string {
  return /^kubectl(?: -n \S+)?$/.test(line) ? 'answer of the API server' : `$ ${line}`;
}

/**
 * A failure pasted without its command tells by the manifest it names that something was to be written, or by the object: of reads, only
 * the user is refused, which has its own words.
 */
function wasWrite(command: KubectlCommand, text: string, vocabulary: Vocabulary): boolean {
  if (command.verb !== undefined) return isWrite(command);
  return manifestOfError(text) !== undefined || subjectIn(text, vocabulary)?.name !== undefined;
}

/**
 * Warnings that tell of more than they stop: a field that was dropped because validation was off, and a template whose pods the
 * namespace's Pod Security level will not let in, where indeed there are none.
 * Sources: apiserver/pkg/endpoints/handlers/create.go (fieldValidation Warn), pod-security-admission/admission/admission.go.
 */
async function warningFacts({ answer, text, answers, scene, sink }: Failure): Promise<void> {
  const words = readRefusals(text, 'answer', scene.survey.vocabulary).filter(
    ({ reason }) => reason === 'unknown-field' || reason === 'pod-security-violated',
  );
  const done = answer.blocks.find((block) => block.kind === 'done');
  if (words.length === 0 || done?.kind !== 'done' || done.dryRun) return;
  const { command, line, at } = answer;
  const about = inNamespace(kindOf(done.resource), done.name, command.namespace ?? 'default');
  const again = answers.some((later) => later.order > answer.order && repeats(later, command.files[0], about));
  if (again || !concerns(scene, about)) return;
  for (const one of words) {
    const podless = one.reason === 'unknown-field' || (await hasNoPods(about, scene));
    if (podless)
      await refusalFact({
        words: one,
        about,
        via: 'answer',
        message: text,
        file: command.files[0],
        blocking: false,
        exists: true,
        scene,
        sink,
        proof: { source: sourceOf(line), quote: text, at },
      });
  }
}

async function hasNoPods({ kind, namespace, name }: ObjectRef, scene: Scene): Promise<boolean> {
  if (kind === 'Pod' || namespace === undefined) return false;
  const pods = await scene.survey.list('Pod', { namespace });
  return pods.ok && pods.partial === undefined && !pods.value.some(({ metadata }) => metadata.name.startsWith(`${name}-`));
}

/** Failures before any object was judged concern the whole cluster, but for those of a manifest. */
async function clientFact({ answer, text, answers, manifests, scene, sink }: Failure, client: ClientFailure): Promise<void> {
  const { command, line, at } = answer;
  const file = client.file ?? command.files[0];
  const ofManifest = client.reason.startsWith('manifest-') || ['namespace-mismatch', 'kind-not-served'].includes(client.reason);
  const seeming = client.reason === 'manifest-not-parsable' && file !== undefined ? await seemingObject(file, scene) : undefined;
  const about = ofManifest
    ? (seeming ?? manifestObject({ line, command, text, file }, manifests, scene.survey.vocabulary))
    : { kind: 'Cluster', name: command.context ?? 'cluster' };
  if (!concerns(scene, about)) return;
  if (answers.some((later) => later.order > answer.order && repeats(later, file, about))) return;
  const others = answers.filter((other) => other.worked && other.command.identity === command.identity && other.command.verb !== undefined);
  const { reason, subject, detail, remedy, kubeKind, apiVersion } = client;
  // That other commands are answered says nothing of the way to a kubelet.
  const recovered = others.some(({ order, command: { verb } }) => order > answer.order && (!isOfKubelet(client) || verb === command.verb));
  if (recovered && !isWrite(command)) return;
  sink.fact(
    'answer',
    about,
    {
      reason,
      command: line,
      verb: command.verb,
      file,
      subject,
      detail: detail ?? text.split('\n')[0],
      remedy,
      credential: command.credential,
      workedBefore: others.some(({ order }) => order < answer.order),
      recovered,
      line: client.line,
      kubeKind,
      apiVersion,
    },
    { source: sourceOf(line), quote: text, at },
  );
  if (isWrite(command) || !recovered) sink.target({ ref: about, state: 'unhealthy', reason: reason.replaceAll('-', ' '), members: [] });
}

async function refusalFacts({ answer, text, answers, manifests, scene, sink }: Failure, refusals: readonly RefusalWords[]): Promise<void> {
  const { command, line, at } = answer;
  const file = manifestOfError(text) ?? command.files[0];
  const about = refusedObject({ line, command, text, file }, manifests, scene.survey.vocabulary);
  if (!concerns(scene, about)) return;
  const ofServer = refusals.some(({ reason }) => reason === 'etcd-down' || reason === 'etcd-full');
  // What was made in another way later says nothing of the server: only the same manifest does.
  if (answers.some((later) => later.order > answer.order && (ofServer ? repeatsFile(later, file) : repeats(later, file, about)))) return;
  const working = answers.filter((other) => other.worked && other.command.identity === command.identity);
  if (ofServer && !isWrite(command) && working.some(({ order }) => order > answer.order)) return;
  const blocking = isWrite(command) || working.length === 0 || scene.survey.vocabulary.phrase('reading-before-change', text) !== undefined;
  const read = resourceOfKind(about.kind) === undefined ? undefined : await scene.survey.get(about);
  const exists = read === undefined ? undefined : existence(read);
  for (const words of refusals) {
    await refusalFact({
      words,
      about,
      via: 'answer',
      message: text,
      file,
      blocking,
      exists,
      verbs: neededVerbs(command, words.verb),
      scene,
      sink,
      proof: { source: sourceOf(line), quote: text, at },
    });
  }
  if (blocking && exists !== true && about.kind !== 'Cluster')
    sink.target({ ref: about, state: 'unhealthy', reason: 'the API server refused it', members: [] });
}

/** `apply` reads the object, then makes or changes it. Source: staging/src/k8s.io/kubectl/pkg/cmd/apply/apply.go (applyOneObject). */
function neededVerbs({ verb: command, dryRun }: KubectlCommand, verb: string | undefined): string | undefined {
  const verbs = ['get', 'create', 'patch'];
  return command === 'apply' && !dryRun && verb !== undefined && verbs.includes(verb) ? verbs.join(',') : undefined;
}

/** A later command that did for the same object, or with the same file, what failed here. */
function repeats(later: Answer, file: string | undefined, about: ObjectRef): boolean {
  const { command } = later;
  if (repeatsFile(later, file)) return true;
  return madeBy(later).some(({ resource, name }) => {
    const kind = resourceNamed(resource)?.kind ?? resource;
    const { namespace } = command;
    return (
      kind === about.kind &&
      name === about.name &&
      (namespace === undefined || about.namespace === undefined || namespace === about.namespace)
    );
  });
}

/** A later command that did what the same manifest says. */
function repeatsFile(later: Answer, file: string | undefined): boolean {
  return later.worked && file !== undefined && later.command.files.includes(file) && madeBy(later).length > 0;
}

function madeBy({ blocks }: Answer) {
  return blocks.filter((block) => block.kind === 'done').filter(({ dryRun, how }) => !dryRun && how !== 'deleted');
}

/** Undefined where it cannot be told. */
function existence(read: Read<KubeObject>): boolean | undefined {
  if (read.ok) return true;
  return read.why === 'absent' ? false : undefined;
}
