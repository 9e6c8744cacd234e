import { PodcheckError } from '../../base/errors.ts';
import { dig } from '../../base/json.ts';
import { diagnoseTarget } from '../../library/diagnose-target.ts';
import type { Examination } from '../../library/examine.ts';
import { examine } from '../../library/examine.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import type { Cause, Diagnosis, Evidence, Target } from '../../model/diagnosis.ts';
import type { Gap } from '../../model/fact.ts';
import { isUnread } from '../../model/fact.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { OBSERVED, formatRef, refOf, sameObject } from '../../model/kube-object.ts';
import { IMPLIED_EVENT, NODE_SERVICE } from '../../model/record-kinds.ts';
import { RESOURCES } from '../../model/resources.ts';
import type { Rule } from '../../model/rule.ts';
import { selectorOfFields } from '../../model/selectors.ts';
import { diagnosisJson } from '../../report/diagnosis/diagnosis-json.ts';
import { diagnosisText } from '../../report/diagnosis/diagnosis-text.ts';
import { diagnosisMarkdown } from '../../report/diagnosis/diagnosis-markdown.ts';
import { forCluster } from './cluster-commands.ts';
import { isTried } from './decidable-fix.ts';
import { onlyNodeInTrouble } from './only-node.ts';
import { severalShown, theOneTarget } from './choose-target.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { gatherRules } from '../rules/gather-rules.ts';
import type { OpenedEvidence } from './open-evidence.ts';
import { openEvidence } from './open-evidence.ts';
import type { OutputOptions, RuleOptions, SourceOptions } from '../options.ts';
import type { FormatOf } from '../formats.ts';
import { dataText, outputFormat } from '../output-format.ts';
import { onlyInactive } from './scan-source.ts';
import { answersOfKubernetes, refuseForeign, tellsOfKubernetes } from './refuse-foreign.ts';
import { otherTroubles } from './other-troubles.ts';
import { sourceFlags } from './source-flags.ts';
import { withoutGuess } from './without-guess.ts';
import { diagnosisOfClaim } from './waiting-claims.ts';
import { diagnosisOfNamed, unreachable } from './unanswered.ts';
import { watchDiagnosis } from './watch-diagnosis.ts';
import { wrongNamespace } from './wrong-namespace.ts';

export interface DiagnoseOptions extends SourceOptions, RuleOptions, OutputOptions {
  readonly selector?: string;
  readonly timeline?: boolean;
  readonly watch?: boolean;
  /** Whether what the fix of the first cause offers is tried in simulated clones; undefined: where that costs little. */
  readonly tryFixes?: boolean;
  /** Print how each line of the evidence was read. */
  readonly explainReading?: boolean;
}

/**
 * Says why one object does not come up. `words` is what stands on the command line: nothing, `NAME`, `KIND/NAME`, `KIND/NAMESPACE/NAME` or
 * `KIND NAME`.
 */
export async function runDiagnose(words: readonly string[], options: DiagnoseOptions, context: CommandContext): Promise<ExitCode> {
  // As with other programs, `-` alone is what is piped in.
  if (words[0] === '-' && options.from === undefined) return runDiagnose(words.slice(1), { ...options, from: ['-'] }, context);
  const format = outputFormat(options.output, 'diagnose');
  const word = targetWord(words, options.selector);
  const asked = { ...(word === undefined ? {} : { word }), ...(options.selector === undefined ? {} : { selector: options.selector }) };
  const look = (): Promise<Diagnosis> => context.progress('diagnosing', (say) => lookOnce(asked, options, context, say));
  if (options.watch === true) return watchDiagnosis(look, (diagnosis) => reportOf(diagnosis, format, options, context), options, context);
  const diagnosis = await look();
  context.write(await reportOf(diagnosis, format, options, context));
  return exitCodeOf(diagnosis.outcome);
}

/** Opens what the options name, diagnoses one object of it, and closes it again. `say` is told what goes on. */
export async function lookOnce(
  asked: TargetChoice,
  options: DiagnoseOptions,
  context: CommandContext,
  say: (doing: string) => void,
): Promise<Diagnosis> {
  const rules = await gatherRules(options.rules ?? []);
  say('opening the evidence');
  const opened = await openEvidence(options, context, {
    looseTexts: true,
    explainReading: options.explainReading === true,
    sparse: asked.word !== undefined || asked.selector !== undefined,
  });
  try {
    say('reading');
    // Whoever watches would be told again with every look.
    const others =
      options.watch === true
        ? undefined
        : (seen: Evidence, first: Diagnosis) => context.note(otherTroubles(first, seen, sourceFlags(options)) ?? '');
    const diagnosis = await diagnosed(opened, rules, asked, others);
    const tried = opened.trouble === undefined ? await withTrials(diagnosis, opened, { rules, wanted: options.tryFixes, say }) : diagnosis;
    return forCluster(tried, options);
  } finally {
    opened.close();
  }
}

interface Trials {
  readonly rules: readonly Rule[];
  readonly wanted: boolean | undefined;
  readonly say: (doing: string) => void;
}

/** With what comes of the fix where it was tried, and with what a person may not do of it where that was asked for. */
async function withTrials(
  diagnosis: Diagnosis,
  { reader, changer, simulated }: OpenedEvidence,
  { rules, wanted, say }: Trials,
): Promise<Diagnosis> {
  const allowed =
    wanted === true && changer !== undefined ? await (await import('./fix-rights.ts')).withDeniedRights(diagnosis, changer) : diagnosis;
  if (!(await isTried(allowed, wanted, { reader, isAtHand: reader.stored === true || simulated !== undefined }))) return allowed;
  say('trying the fixes');
  return (await import('./try-fixes.ts')).withTriedFixes(allowed, { reader, rules });
}

interface TargetChoice {
  readonly word?: string;
  readonly selector?: string;
}

function targetWord(words: readonly string[], selector: string | undefined): string | undefined {
  const [first, second, third] = words;
  if (third !== undefined) throw new PodcheckError('usage', 'diagnose takes one object', 'podcheck scan checks all objects');
  if (first !== undefined && selector !== undefined)
    throw new PodcheckError('usage', 'a name and -l cannot be used together', 'leave out one of them');
  return second === undefined ? first : `${first ?? ''}/${second}`;
}

/** The answer of `diagnose` about opened evidence. `besides` is told what was seen where a text was not asked about one object. */
export async function diagnosed(
  opened: OpenedEvidence,
  rules: readonly Rule[],
  words: TargetChoice,
  besides?: (seen: Evidence, chosen: Diagnosis) => void,
): Promise<Diagnosis> {
  const first = await answered(opened, rules, words, besides);
  const isNamed = words.word !== undefined || words.selector !== undefined;
  const diagnosis = (isNamed || first.causes.length > 0 ? undefined : await diagnosisOfClaim(opened.reader, rules)) ?? first;
  return (await restsOnWords(opened.reader, diagnosis.target)) ? withoutGuess(diagnosis) : diagnosis;
}

/** Whether all that was seen of an object's events are messages without their events. */
async function restsOnWords(reader: ClusterReader, { kind, namespace, name }: ObjectRef): Promise<boolean> {
  const about = { fieldSelector: selectorOfFields({ 'involvedObject.name': name }) };
  const list = isPasted(reader) ? await reader.list('Event', about) : undefined;
  const own = (list?.ok === true ? list.value : []).filter(
    (event) =>
      dig(event, 'involvedObject', 'kind') === kind &&
      dig(event, 'involvedObject', 'name') === name &&
      (namespace === undefined || dig(event, 'involvedObject', 'namespace') === namespace),
  );
  return own.length > 0 && own.every(({ metadata }) => dig(metadata, 'annotations', IMPLIED_EVENT) !== undefined);
}

async function answered(
  opened: OpenedEvidence,
  rules: readonly Rule[],
  words: TargetChoice,
  besides?: (seen: Evidence, chosen: Diagnosis) => void,
): Promise<Diagnosis> {
  const { reader, trouble } = opened;
  const scope = opened.namespace === undefined ? {} : { namespace: opened.namespace };
  if (trouble !== undefined) return unreachable(await examine(reader, rules, scope), trouble);
  if (words.word !== undefined || words.selector !== undefined) return diagnosisOfNamed(opened, rules, { ...words, ...scope });
  const examination = await examine(reader, rules, scope);
  const chosen = await chosenAmong(examination, rules, opened);
  if (isPasted(reader)) besides?.(examination.evidence, chosen);
  return chosen;
}

async function chosenAmong(examination: Examination, rules: readonly Rule[], opened: OpenedEvidence): Promise<Diagnosis> {
  const { reader } = opened;
  const inactive = await onlyInactive(reader, examination);
  if (inactive !== undefined) return diagnoseTarget(reader, rules, inactive);
  const well = severalHealthy(examination);
  if (well !== undefined) return well;
  // What was printed first is what somebody asks about.
  const printed = isPasted(reader) ? await firstPrinted(reader, examination) : undefined;
  if (printed !== undefined) return diagnoseTarget(reader, rules, printed);
  const hidden = causeOfNoTarget(examination);
  if (hidden !== undefined) return examination.diagnosisOf(hidden);
  const owner = isPasted(reader) ? sharedOwner(examination) : undefined;
  if (owner !== undefined) return examination.diagnosisOf(owner);
  const target = isPasted(reader) ? theTargetOf(examination) : theOneTarget(examination.evidence);
  if (target === undefined) return withoutTarget(examination, rules, opened);
  return unasked(target, examination, reader, rules);
}

/** Nobody asked for this object by name: what is as somebody set it is no trouble. */
async function unasked(target: ObjectRef, examination: Examination, reader: ClusterReader, rules: readonly Rule[]): Promise<Diagnosis> {
  if (isWell(target, examination)) return examination.diagnosisOf(target);
  const diagnosis = await diagnoseTarget(reader, rules, target);
  const node = isPasted(reader) && diagnosis.outcome === 'inconclusive' ? onlyNodeInTrouble(target, examination) : undefined;
  return node === undefined ? asScanned(diagnosis, examination) : examination.diagnosisOf(node);
}

/**
 * Several objects and nothing wrong with any of them: the answer is about all. Where just one of them runs pods, that is the one whose way
 * somebody wants to see.
 */
function severalHealthy({ evidence: { targets }, scan, diagnosisOf }: Examination): Diagnosis | undefined {
  const [first, ...others] = new Map(targets.map(({ ref, reason }) => [formatRef(ref), { ref, reason }] as const)).values();
  const running = targets.filter(({ ref: { kind } }) => kind !== 'Service' && kind !== 'Node');
  if (
    first === undefined ||
    others.length === 0 ||
    running.length === 1 ||
    targets.some(({ state }) => state !== 'healthy') ||
    scan().causes.length > 0
  )
    return undefined;
  return { ...diagnosisOf(first.ref), stages: [], others };
}

/** All that could be asked about is well, and something else is not: a route that leads past the pods, a claim. */
function causeOfNoTarget({ evidence: { targets }, scan }: Examination): ObjectRef | undefined {
  if (targets.length === 0 || targets.some(({ state }) => state !== 'healthy')) return undefined;
  const [cause] = scan().causes;
  return cause === undefined ? undefined : (cause.workload ?? cause.object);
}

function isWell(ref: ObjectRef, { evidence: { targets }, scan }: Examination): boolean {
  return scan().causes.length === 0 && targets.some((target) => sameObject(target.ref, ref) && target.state === 'healthy');
}

/**
 * What one object shows may be the effect of a cause at another one: the scan, which sees both, names that instead. Where it shows nothing,
 * the only cause is named that has no name for its object: a list of events may tell of a ReplicaSet, and not of which.
 */
function asScanned(diagnosis: Diagnosis, { scan, diagnosisOf }: Examination): Diagnosis {
  const [first] = diagnosis.causes;
  const { causes } = scan();
  const [cause] = causes;
  if (cause === undefined || causes.some(({ rule }) => rule === first?.rule)) return diagnosis;
  if (first === undefined && (causes.length > 1 || !cause.object.name.startsWith('<'))) return diagnosis;
  return diagnosisOf(cause.workload ?? cause.object);
}

/** What somebody pasted is about one trouble: of several objects it is the one that a cause was found for, if there is just one cause. */
function theTargetOf({ evidence, scan }: Examination): ObjectRef | undefined {
  const known = evidence.targets.filter(({ state }) => state !== 'healthy');
  const isVague = known.every(({ state }) => state === 'unknown');
  const { causes } = scan();
  const [first] = causes;
  // A pod that only a log implies, which may be another program's, is not what a known cause is about.
  if (known.length === 1 && isVague && known[0]?.ref.name.startsWith('<') === true && first !== undefined) return targetOf(first, evidence);
  if (known.length < 2) return theOneTarget(evidence);
  const isOne = first !== undefined && causes.every(({ rule }) => rule === first.rule);
  return isVague && first !== undefined ? undefined : isOne ? targetOf(first, evidence) : theOneTarget(evidence);
}

/** The controller of all pods that are not well, each for a reason of its own, where it was not printed itself. */
function sharedOwner({ evidence, scan }: Examination): ObjectRef | undefined {
  const sick = evidence.targets.filter(({ state }) => state === 'unhealthy' || state === 'progressing');
  const [owners = [], ...others] = sick.map(({ members }) => members);
  if (sick.some(({ ref }) => ref.kind !== 'Pod') || others.length === 0 || new Set(scan().causes.map(({ rule }) => rule)).size < 2)
    return undefined;
  return owners.find((owner) => others.every((members) => members.some((member) => sameObject(member, owner))));
}

/**
 * Of several objects that were only printed, as a list mostly, and of which none has a known cause, the first of the worst: what is missing
 * is the same of each.
 * Undefined where there is a choice to make.
 */
async function firstPrinted(reader: ClusterReader, { evidence, scan }: Examination): Promise<ObjectRef | undefined> {
  const first = STATES.map((state) => evidence.targets.find((target) => target.state === state)).find(
    (target) => target !== undefined,
  )?.ref;
  if (first === undefined || evidence.targets.length < 2 || scan().causes.some((cause) => !isBehindPods(cause, evidence))) return undefined;
  for (const { ref } of evidence.targets.slice(0, MAX_PRINTED)) {
    const read = await reader.get(ref);
    if (read.ok && read.value[OBSERVED] === undefined) return undefined;
  }
  return first;
}

/** A Service without its way from outside is not what keeps its pods from coming up. */
function isBehindPods({ stage, object }: Cause, { targets }: Evidence): boolean {
  return (
    stage === 'traffic' && object.kind === 'Service' && targets.some(({ ref, state }) => ref.kind !== 'Service' && state === 'unhealthy')
  );
}

/** The worst first. */
const STATES: readonly Target['state'][] = ['unhealthy', 'progressing', 'unknown', 'healthy'];
/** A list longer than this is looked at no further. */
const MAX_PRINTED = 500;

/** The object to ask about of a cause: the workload it stops, where that can be asked about. */
function targetOf({ object, workload, affected }: Cause, { targets }: Evidence): ObjectRef | undefined {
  const asked = [workload, object, ...affected].find(
    (ref) => ref !== undefined && targets.some((target) => sameObject(target.ref, ref) && target.state !== 'healthy'),
  );
  return asked ?? workload ?? object;
}

function isPasted(reader: ClusterReader): boolean {
  return reader.stored === true;
}

/** The evidence has no object to ask about (an answer of kubectl, a manifest that was refused): what is wrong is the target. */
async function withoutTarget(
  { evidence, scan, diagnosisOf }: Examination,
  rules: readonly Rule[],
  { reader, namespace }: OpenedEvidence,
): Promise<Diagnosis> {
  const [cause] = scan().causes;
  if (cause !== undefined) return diagnosisOf(cause.workload ?? cause.object);
  const only = await theOnlyObject(reader);
  if (only !== undefined) return diagnoseTarget(reader, rules, only);
  const unread = evidence.gaps.find(isUnread);
  if ((await isAnythingSeen(reader)) || tellsOfKubernetes(evidence) || (isPasted(reader) && (await answersOfKubernetes(reader))))
    return withoutObject(diagnosisOf({ kind: 'Cluster', name: 'cluster' }));
  refuseForeign(evidence);
  if (unread !== undefined)
    throw new PodcheckError(
      'unreachable',
      `cannot find what to diagnose${namespace === undefined ? '' : ` in namespace ${namespace}`}: ${unread.reason}`,
      unread.needs === undefined ? '' : `needs: ${unread.needs}`,
    );
  throw (
    (namespace === undefined ? undefined : await wrongNamespace(reader, namespace)) ??
    new PodcheckError(
      'bad-input',
      'the evidence contains no object to diagnose',
      'use the output of `kubectl describe pod NAME` or `kubectl get pods,events -o json`',
    )
  );
}

/** Whether a printed text shows anything of a cluster, though nothing that can be diagnosed by itself. */
async function isAnythingSeen(reader: ClusterReader): Promise<boolean> {
  if (!isPasted(reader)) return false;
  const lists = await Promise.all([...RESOURCES.map(({ kind }) => kind), NODE_SERVICE].map((kind) => reader.list(kind, {})));
  return lists.some(
    (list) =>
      list.ok &&
      list.value.some(
        (object) => object[OBSERVED] !== undefined || object.kind === NODE_SERVICE || dig(object, 'status', 'phase') === 'Terminating',
      ),
  );
}

/** Nothing decides: the answer names the one look that would. */
function withoutObject(diagnosis: Diagnosis): Diagnosis {
  const needed: Gap = {
    kind: 'pod',
    about: diagnosis.target,
    reason: 'the text shows no pod or workload that could be unhealthy',
    needs: 'kubectl get pods -A && kubectl describe pod <pod>',
  };
  return { ...diagnosis, outcome: 'inconclusive', gaps: [needed, ...diagnosis.gaps] };
}

/** Kinds that are no target of a scan, but may be all that somebody pasted. */
const ASIDE = ['PersistentVolumeClaim', 'Service', 'Node', 'HorizontalPodAutoscaler', 'Ingress'];

async function theOnlyObject(reader: ClusterReader): Promise<ObjectRef | undefined> {
  if (!isPasted(reader)) return undefined;
  const lists = await Promise.all(ASIDE.map((kind) => reader.list(kind, {})));
  const all = lists.flatMap((list) => (list.ok ? list.value : []));
  const unbound = all.filter((object) => dig(object, 'status', 'phase') !== 'Bound');
  const seen = unbound.length === 0 && all.length === 1 ? all : unbound;
  const [only, ...more] = seen;
  // Of claims that only were listed, what is missing is the same of each.
  if (more.length > 0 && seen.some(({ kind }) => kind !== 'PersistentVolumeClaim')) throw severalShown(seen.map(refOf));
  return only === undefined ? undefined : refOf(only);
}

async function reportOf(
  diagnosis: Diagnosis,
  format: FormatOf<'diagnose'>,
  options: DiagnoseOptions,
  context: CommandContext,
): Promise<string> {
  const { look } = context;
  switch (format) {
    case 'text':
    case 'wide':
      return diagnosisText(diagnosis, look, { wide: format === 'wide', timeline: options.timeline === true, flags: sourceFlags(options) });
    case 'json':
    case 'yaml':
      return dataText(diagnosisJson(diagnosis), format);
    case 'markdown':
      return diagnosisMarkdown(diagnosis);
    case 'html':
      return (await import('../../report/html/diagnosis-page.ts')).diagnosisPage(diagnosis);
    default: {
      const { diagnosisChecks } = await import('../../report/pipeline/diagnosis-checks.ts');
      const { pipelineText, placeOfSource } = await import('../pipeline-text.ts');
      return pipelineText(diagnosisChecks(diagnosis, placeOfSource(options)), format, diagnosis.at, context);
    }
  }
}
