import type { KubectlVerb } from './kubectl-verbs.ts';
import { EVERYWHERE, KUBECTL_VERBS } from './kubectl-verbs.ts';

/**
 * Why a command is not known to only read, as a clause; undefined for one that is: `kubectl` with a verb and flags of a short list.
 * What a playbook says of its own command counts for nothing. Everything that is not on the list may change something, send
 * credentials elsewhere or start another program, so a person has to confirm it.
 */
export function whyNotReadOnly([program = '', ...words]: readonly string[]): string | undefined {
  // A path may lead to anything that is called kubectl.
  if (program !== 'kubectl') return `${program} is not on the list of read-only programs`;
  const parsed = verbOf(words);
  if (parsed === undefined)
    return words.length === 0 ? 'kubectl is given no verb' : 'this use of kubectl is not on the list of read-only commands';
  const { verb, name, rest } = parsed;
  const split = splitFlags(rest, verb);
  if (typeof split === 'string') return split;
  const { positional, output } = split;
  if (verb.takesNone === true && positional.length > 0)
    return `kubectl ${name} ${positional[0] ?? ''} is not on the list of read-only commands`;
  if (output !== undefined && !OUTPUTS.test(output)) return `kubectl -o ${output} is not on the list of read-only commands`;
  if (verb.showsContent === true && positional.some(namesSecret)) return 'it reads a Secret';
  return undefined;
}

/** Formats that read no file of this machine. */
const OUTPUTS = /^(json|yaml|kyaml|wide|name)$|^(jsonpath|jsonpath-as-json|custom-columns|go-template)=/;

interface Parsed {
  readonly verb: KubectlVerb;
  readonly name: string;
  readonly rest: readonly string[];
}

/** The verb stands first: what kubectl does with flags before it depends on flags that are not known here. */
function verbOf(words: readonly string[]): Parsed | undefined {
  const [first = '', second = ''] = words;
  for (const [name, count] of [
    [`${first} ${second}`, 2],
    [first, 1],
  ] as const) {
    const verb = KUBECTL_VERBS.get(name);
    if (verb !== undefined) return { verb, name, rest: words.slice(count) };
  }
  return undefined;
}

interface Split {
  readonly positional: readonly string[];
  readonly output: string | undefined;
}

/** Flags and the rest, as pflag takes them apart; a clause for the first flag that is not on the list. */
function splitFlags(words: readonly string[], verb: KubectlVerb): Split | string {
  const positional: string[] = [];
  let output: string | undefined;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (!word.startsWith('-') || word === '-') {
      positional.push(word);
      continue;
    }
    const flag = word.startsWith('--') ? longFlag(word, verb) : shortFlag(word, verb);
    if (flag === undefined) return `the flag ${word.split('=')[0] ?? ''} is not on the list of read-only commands`;
    // A flag that wants a value and has none with it takes the next word, whatever that is.
    const value = flag.value ?? (flag.takesNext ? words[++index] : undefined);
    if (flag.name === 'output') output = value ?? '';
  }
  return { positional, output };
}

interface Flag {
  readonly name: string;
  readonly value: string | undefined;
  readonly takesNext: boolean;
}

function longFlag(word: string, verb: KubectlVerb): Flag | undefined {
  const [, name = '', value] = /^--([a-z-]+)(?:=([^]*))?$/.exec(word) ?? [];
  const flag = knownFlag((one) => one.name === name, verb);
  return flag === undefined ? undefined : { name, value, takesNext: flag.takesValue && value === undefined };
}

/**
 * `-A`, `-oyaml`, `-o=yaml`, `-Ao yaml`: letters without a value may be followed by others. Source: github.com/spf13/pflag
 * (parseSingleShortArg).
 */
function shortFlag(word: string, verb: KubectlVerb): Flag | undefined {
  for (let at = 1; at < word.length; at++) {
    const flag = knownFlag((one) => one.short === word[at], verb);
    if (flag === undefined) return undefined;
    if (!flag.takesValue) continue;
    const rest = word.slice(at + 1);
    return { name: flag.name, value: rest === '' ? undefined : rest.replace(/^=/, ''), takesNext: rest === '' };
  }
  return { name: '', value: undefined, takesNext: false };
}

function knownFlag(fits: (flag: KubectlVerb['flags'][number]) => boolean, verb: KubectlVerb): KubectlVerb['flags'][number] | undefined {
  return verb.flags.find(fits) ?? EVERYWHERE.find(fits);
}

/** `secret`, `Secrets/web`, `configmaps,secrets.v1.`, and whatever else begins so. */
function namesSecret(word: string): boolean {
  return word.split(',').some((one) => one.trim().toLowerCase().startsWith('secret'));
}
