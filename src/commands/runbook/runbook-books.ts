import { existsSync } from 'node:fs';
import { PodcheckError } from '../../base/errors.ts';
import { nearest } from '../../base/text.ts';
import { readPlaybooks } from '../../catalog/load-playbooks.ts';
import { shippedPlaybooks } from '../../catalog/bundled-data.ts';
import { problemLines } from '../../catalog/yaml-problem.ts';
import type { Playbook } from '../../model/playbook.ts';
import type { Rule } from '../../model/rule.ts';
import { digestOfText } from '../../runbook/trust.ts';

export interface NamedPlaybook {
  readonly playbook: Playbook;
  /** Of a file: where it is, and the digest of the text the playbook was read from. Undefined for a shipped one. */
  readonly source?: { readonly file: string; readonly digest: string };
}

/** A shipped playbook by its name, or one of your own by its file. */
export async function playbookNamed(word: string): Promise<NamedPlaybook> {
  const shipped = await shippedPlaybooks();
  const found = shipped.find(({ name }) => name === word || `playbook/${name}` === word);
  if (found !== undefined) return { playbook: found };
  if (/\.ya?ml$/.test(word) || existsSync(word)) {
    const { playbooks, problems, texts } = await readPlaybooks([word], shipped);
    const [playbook] = playbooks;
    if (playbook === undefined || problems.length > 0)
      throw new PodcheckError(
        'bad-input',
        ['the playbook is invalid:', ...problemLines(problems, 40)].join('\n'),
        'correct it and check it with `podcheck runbook lint`; see a valid one with `podcheck runbook show first-response -o yaml`',
      );
    return { playbook, source: { file: word, digest: digestOfText(texts.get(word) ?? '') } };
  }
  const near = nearest(
    word,
    shipped.map(({ name }) => name),
  );
  throw new PodcheckError(
    'usage',
    `unknown playbook "${word}"`,
    near.length === 0 ? '`podcheck runbook list` lists all playbooks' : `did you mean ${near.join(' or ')}?`,
  );
}

/** The playbooks a rule leads to: the one it names first, then those that say they are for it. */
export function playbooksForRule(id: string, rules: readonly Rule[], playbooks: readonly Playbook[]): readonly Playbook[] {
  const named = rules.find((rule) => rule.id === id)?.playbook;
  return [
    ...playbooks.filter(({ name }) => name === named),
    ...playbooks.filter(
      (playbook) =>
        playbook.name !== named &&
        playbook.for.rules.some((pattern) => pattern === id || (pattern.endsWith('/*') && id.startsWith(pattern.slice(0, -1)))),
    ),
  ];
}
