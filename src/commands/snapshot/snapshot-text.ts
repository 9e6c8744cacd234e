import { counted } from '../../base/counted.ts';
import type { StoredEvidence } from '../../clusters/memory-reader.ts';
import { formatRef } from '../../model/kube-object.ts';
import { labelled } from '../../report/diagnosis/cause-lines.ts';
import { clusterLine } from '../../report/format/cluster-text.ts';
import { wrap } from '../../report/format/display-width.ts';
import type { Look } from '../../report/format/text-style.ts';
import { paint, shown } from '../../report/format/text-style.ts';
import type { RecordedLook } from './record-look.ts';
import type { Kept } from './snapshot-contents.ts';
import { MASKED, NEVER_TAKEN, NOT_MASKED } from './snapshot-contents.ts';

const INDENT = 9;
const REFUSALS = 5;

/** What is in a snapshot, what is not, and how to use it. */
export function snapshotText(
  { evidence, target, left }: RecordedLook,
  kept: Kept,
  file: { readonly name: string; readonly bytes: number },
  look: Look,
): string {
  const about = target === undefined ? (kept.namespace === undefined ? 'the cluster' : `namespace ${kept.namespace}`) : formatRef(target);
  const told = (label: string, words: string): readonly string[] =>
    labelled(label, wrap(clusterLine(words, 2000), look.width - INDENT), look);
  const logs = evidence.logs.filter(({ unread }) => unread === undefined).length;
  const lines = [
    paint(look, 'bold', `${file.name}: ${counted(evidence.objects.length, 'object')} and ${counted(logs, 'log')} of ${clusterLine(about)}`),
    ...told('Size', kilobytes(file.bytes)),
    ...told('Left out', [NEVER_TAKEN, ...(kept.logs ? [] : ['logs'])].join(', ')),
    ...(kept.redact ? told('Redacted', MASKED) : []),
    ...told('Check', kept.redact ? `before you send it: ${NOT_MASKED} are not redacted` : 'before you send it: nothing is redacted'),
    ...(left === 0 ? [] : told('Missing', `${counted(left, 'unhealthy object')} beyond the first 100 may need more evidence`)),
    ...refusalLines(evidence, told),
    ...told('Use', `podcheck ${target === undefined ? 'scan' : `diagnose ${formatRef(target)}`} --from ${file.name}`),
  ];
  return shown(look, lines);
}

function refusalLines({ refused }: StoredEvidence, told: (label: string, words: string) => readonly string[]): readonly string[] {
  const words = [...new Set(refused.map(({ detail, needs }) => needs ?? detail))];
  return [
    ...words.slice(0, REFUSALS).flatMap((each, index) => told(index === 0 ? 'Refused' : '', each)),
    ...(words.length > REFUSALS ? told('', `and ${String(words.length - REFUSALS)} more; the contents list all`) : []),
  ];
}

function kilobytes(bytes: number): string {
  return bytes < 1_000_000 ? `${String(Math.ceil(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
