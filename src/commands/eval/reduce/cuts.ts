import { nearest } from '../../../base/text.ts';
import { PodcheckError } from '../../../base/errors.ts';
import { eventsOnly, listingOnly, logsOnly, oneDescribe, withoutEvents, yamlAndEvents } from './by-command.ts';
import { coloured, fenced, indented, quoted, wrapped } from './by-layout.ts';
import { beginning, withoutBeginning } from './by-length.ts';
import type { CaseTexts } from './case-texts.ts';

/** A way in which evidence comes with less in it, or in another layout. */
export interface Cut {
  readonly name: string;
  /** The text that is left; undefined where the case has nothing of the kind. */
  readonly of: (texts: CaseTexts) => string | undefined;
}

export const CUTS: readonly Cut[] = [
  { name: 'listing', of: listingOnly },
  { name: 'describe', of: oneDescribe },
  { name: 'events', of: eventsOnly },
  { name: 'logs', of: logsOnly },
  { name: 'yaml-events', of: yamlAndEvents },
  { name: 'no-events', of: withoutEvents },
  { name: 'first-55', of: beginning(0.55) },
  { name: 'first-85', of: beginning(0.85) },
  { name: 'last-75', of: withoutBeginning(0.25) },
  { name: 'wrapped', of: wrapped },
  { name: 'indented', of: indented },
  { name: 'quoted', of: quoted },
  { name: 'fenced', of: fenced },
  { name: 'coloured', of: coloured },
];

/** The cuts with these names, `all` for each of them. Throws a PodcheckError (usage) for a name that there is not. */
export function cutsNamed(names: string): readonly Cut[] {
  const wanted = names.split(',').map((name) => name.trim());
  if (wanted.includes('all')) return CUTS;
  return wanted.map((name) => {
    const cut = CUTS.find((one) => one.name === name);
    if (cut !== undefined) return cut;
    const [near] = nearest(
      name,
      CUTS.map((one) => one.name),
    );
    throw new PodcheckError(
      'usage',
      `--reduce: unknown cut "${name}"${near === undefined ? '' : `; did you mean ${near}?`}`,
      `use all, or some of: ${CUTS.map((one) => one.name).join(', ')}`,
    );
  });
}
