import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { asList, dig, isJsonObject } from '../../src/base/json.ts';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { fixSteps } from '../../src/engine/fix-steps.ts';
import { variablesOf } from '../../src/model/placeholders.ts';
import { podcheck } from '../support/command-line.ts';
import { ruleCases } from '../support/rule-cases.ts';

const rules = await shippedRules();
/** What a name must not do to a shell; each has a word that nothing else has. */
const NAMES = [
  "it's pwned",
  '"pwned"',
  'a pwned b',
  '-pwned',
  '--as=pwned -',
  ';pwned',
  '$(pwned)',
  '`pwned`',
  'a|pwned',
  '>pwned',
  '&pwned',
  '*pwned',
  '~pwned',
  '#pwned',
  '\\pwned',
  '!pwned',
  '{pwned,b}',
  'a\npwned',
  'a\u0000pwned',
  'a\u202Epwned',
  '<pwned>',
  '$pwned',
  '(pwned)',
];

describe.each(NAMES.map((name) => [JSON.stringify(name), name] as const))('%s in the place of every value', (_, name) => {
  it('reaches no command of a fix', () => {
    const reached = rules.flatMap((rule) => {
      const names = new Set(rule.fix.flatMap(({ say, run, needs = [] }) => [...variablesOf(say), ...variablesOf(run ?? ''), ...needs]));
      const values = Object.fromEntries([...names, 'namespace', 'earlierRevision'].map((variable) => [variable, name]));
      return ['Deployment', 'StatefulSet', 'Pod', 'Job', 'CronJob', 'ReplicaSet'].flatMap((kind) =>
        fixSteps(rule, { ...values, workload: `${kind}/${name}` }).flatMap(({ run }) =>
          run !== undefined && isReached(run, name) ? [`${rule.id}: ${run}`] : [],
        ),
      );
    });
    expect(reached).toEqual([]);
  });
});

describe('a hostile name in a file', () => {
  const cases = ruleCases()
    .map(({ rule, source }) => ({ rule, given: asList(dig(source, 'given')) }))
    .filter(({ given }) => given.length > 0);

  it.each(NAMES.map((name, index) => [JSON.stringify(name), name, index] as const))(
    '%s reaches no command as a shell would take it',
    async (_, name, index) => {
      expect(cases.length).toBeGreaterThan(500);
      const reached = new Set<string>();
      // Every case is seen with some of the names.
      for (const { rule, given } of cases.filter((__, at) => at % NAMES.length === index)) {
        const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: spoilt(given, name) });
        for (const argv of [['diagnose', '-A', '--no-try-fixes'], ['scan', '-A'], ['cert-expiry']]) {
          const { out, code, err } = await podcheck([...argv, '-o', 'json', '--from', '-'], { stdin: text });
          expect(code, err).not.toBe(70);
          for (const command of commandsIn(out)) if (isReached(command, name)) reached.add(`${rule}: ${command}`);
        }
      }
      expect([...reached]).toEqual([]);
    },
  );
});

/** Fields of objects that name something. */
const NAMING: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'nodeName',
  'serviceAccountName',
  'claimName',
  'secretName',
  'storageClassName',
  'image',
  'volumeName',
  'key',
  'host',
  'schedulerName',
  'priorityClassName',
  'runtimeClassName',
]);

function spoilt(value: Json, name: string, field = ''): Json {
  if (typeof value === 'string') return !NAMING.has(field) ? value : name.startsWith('-') ? name + value : value + name;
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => spoilt(one, name, field));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spoilt(one ?? null, name, key)]));
}

/** Fields of answers that are commands to copy. */
const COMMANDS: ReadonlySet<string> = new Set(['run', 'needs', 'renew', 'command']);

function commandsIn(out: string): readonly string[] {
  if (!out.startsWith('{')) return [];
  const found: string[] = [];
  JSON.parse(out, (key, value: unknown) => {
    if (COMMANDS.has(key) && typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}

/** Whether a shell or kubectl would take a name for more than a word: a flag is only what a word begins with (`Pod/-web` is none). */
function isReached(command: string, name: string): boolean {
  const unquoted = command.replaceAll(/'[^']*'/g, "''");
  return /^-\S*$/.test(name) ? /\s-\S*pwned/.test(unquoted) : unquoted.includes('pwned');
}
