import { didYouMean } from '../base/text.ts';
import { resolveTarget } from '../collect/survey/resolve-target.ts';
import type { DrillSession } from '../drill/session.ts';
import { answerText, checkText, hintText, statusText } from '../drill/session-text.ts';
import { diagnoseTarget, scanScope } from '../library/diagnose-target.ts';
import { objectWords } from '../report/format/object-words.ts';
import { formatRef } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import { diagnosisText } from '../report/diagnosis/diagnosis-text.ts';
import { scanText } from '../report/diagnosis/scan-text.ts';
import type { Look } from '../report/format/text-style.ts';
import type { CommandAnswer, Kubectl } from './kubectl/call.ts';
import { failed, said } from './kubectl/call.ts';
import { takeApart, wordsOf } from './kubectl/command-line.ts';
import { kubectl, VERB_NAMES } from './kubectl/kubectl.ts';

/** What the console has besides the cluster. */
export interface ConsoleAround {
  readonly rules: readonly Rule[];
  readonly look: Look;
  /** Undefined where no drill is on. */
  readonly drill: DrillSession | undefined;
}

/** Carries out a line of the console: kubectl, or podcheck. */
export async function runLine(line: string, kube: Kubectl, around: ConsoleAround): Promise<CommandAnswer> {
  const words = wordsOf(line);
  if ('trouble' in words) return failed(words.trouble);
  const [program = '', ...rest] = words;
  switch (program) {
    case '':
      return said('');
    case 'kubectl':
    case 'k':
      return kubectl(rest, kube);
    case 'podcheck':
      return podcheck(rest, kube, around);
    case 'help':
      return said(HELP);
    default:
      return failed(`${program}: command not found${didYouMean(program, ['kubectl', 'podcheck', 'help'])}`);
  }
}

const HELP = `kubectl ${VERB_NAMES.join('|')}
podcheck diagnose KIND/NAME [-n NAMESPACE]   why it does not come up
podcheck scan [-A | -n NAMESPACE]            all that is unhealthy, by cause
podcheck drill answer WORDS|check|hint|status    in a drill
apply -f web.yaml and edit KIND/NAME open the editor.`;

async function podcheck(words: readonly string[], kube: Kubectl, around: ConsoleAround): Promise<CommandAnswer> {
  const [verb = '', ...rest] = words;
  const line = takeApart(rest, 'output/o= all-namespaces/A', `podcheck ${verb}`);
  if ('trouble' in line) return failed(line.trouble.replace(/\n.*/s, ''));
  const wide = line.flags.get('output') === 'wide';
  const namespace = line.flags.get('namespace') ?? 'default';
  switch (verb) {
    case 'diagnose':
      return diagnose(line.words[0], namespace, { kube, around, wide });
    case 'scan': {
      const scope = line.flags.has('all-namespaces') ? {} : { namespace };
      return said(scanText(await scanScope(kube.cluster.reader(), around.rules, scope), around.look, wide));
    }
    case 'drill':
      return inDrill(line.words, kube, around);
    default:
      return failed(`error: unknown command "podcheck ${verb}"${didYouMean(verb, ['diagnose', 'scan', 'drill'])}\n${HELP}`);
  }
}

async function diagnose(
  word: string | undefined,
  namespace: string,
  { kube, around, wide }: { readonly kube: Kubectl; readonly around: ConsoleAround; readonly wide: boolean },
): Promise<CommandAnswer> {
  if (word === undefined) return failed('error: which object? podcheck diagnose KIND/NAME -n NAMESPACE; `podcheck scan -A` finds them');
  const reader = kube.cluster.reader();
  const [kind = '', where, name] = word.split('/');
  const found = await resolveTarget(reader, name === undefined ? { word, namespace } : { word: `${kind}/${name}`, namespace: where ?? '' });
  switch (found.kind) {
    case 'found':
      return said(diagnosisText(await diagnoseTarget(reader, around.rules, found.ref), around.look, { wide, timeline: false }));
    case 'ambiguous':
      return failed(`error: "${word}" matches several objects:\n${found.refs.map((ref) => `  ${objectWords(ref)}`).join('\n')}`);
    case 'absent':
      return failed(
        `error: "${word}" not found in namespace ${namespace}\nhint: ${found.near.length === 0 ? 'choose another with -n NAMESPACE; `podcheck scan -A` lists all unhealthy objects' : `did you mean ${found.near.join(' or ')}?`}`,
      );
    case 'unread':
      return failed(`error: cannot find "${word}": ${found.unread.detail}`);
  }
}

async function inDrill([verb = '', ...words]: readonly string[], kube: Kubectl, { drill, look }: ConsoleAround): Promise<CommandAnswer> {
  if (drill === undefined) return failed('error: no drill is on: choose one in the list, or press "as a drill"');
  const now = kube.cluster.now();
  switch (verb) {
    case 'answer':
      return words.length === 0
        ? failed('error: name the cause: podcheck drill answer WORDS')
        : said(answerText(drill.answer(words.join(' '), now), look));
    case 'check':
      return said(checkText(await drill.check(now), look));
    case 'hint':
      return said(hintText(drill.hint(now), look));
    case 'status':
      return said(statusText(drill.status(now), look));
    case 'give-up':
      return said(solution(drill, now));
    default:
      return failed(`error: unknown command "podcheck drill ${verb}": answer, check, hint, status, give-up`);
  }
}

function solution(drill: DrillSession, now: number): string {
  const { faults, score } = drill.giveUp(now);
  const lines = faults.flatMap(({ cause, target, what, fix }) => [
    `${formatRef(target)}: ${cause}`,
    what,
    ...fix.map((step) => (step.run === undefined ? step.say : `  ${step.run}`)),
  ]);
  return [...lines, `${score.points} of 100 points`].join('\n');
}
