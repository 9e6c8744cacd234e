import { formatInstant } from '../../base/instant.ts';
import type { ScanResult, Target } from '../../model/diagnosis.ts';
import { endWords, placeWords, roleWords } from '../cert-expiry/certificate-words.ts';
import { objectWords } from '../format/object-words.ts';
import { causeSection, gapSection } from './cause-section.ts';
import type { Html } from './markup.ts';
import { html } from './markup.ts';
import { page } from './page.ts';
import { sectionHtml } from './sections.ts';

const CAUSES = 200;
const ROWS = 1000;

/** A scan as one page: what there is at a glance, then each cause in full. */
export function scanPage({
  at,
  scope,
  counts,
  causes,
  unexplained,
  starting = [],
  inactive = [],
  certificates = [],
  gaps,
}: ScanResult): string {
  const where = scope.namespace === undefined ? 'All namespaces' : `Namespace ${scope.namespace}`;
  const title = `${where}: ${counts.healthy} of ${counts.targets} healthy, ${causes.length === 1 ? '1 cause' : `${causes.length} causes`}`;
  const left = causes.length - CAUSES;
  const parts: readonly (Html | undefined)[] = [
    html`<p class="muted">as of ${formatInstant(at)}</p>`,
    ...causes
      .slice(0, CAUSES)
      .map((cause) => causeSection(cause, `${cause.rank}. ${cause.title}: ${objectWords(cause.workload ?? cause.object)}`, at)),
    left > 0 ? html`<p>and ${left} more causes</p>` : undefined,
    targets('Unhealthy, and no rule names the cause', unexplained),
    targets('Not ready yet', starting),
    targets('Inactive by their own spec', inactive),
    certificates.length === 0
      ? undefined
      : sectionHtml({
          heading: 'Certificates',
          table: [
            ['status', 'certificate', 'ends', 'where', 'what fails', 'renew'],
            ...certificates
              .slice(0, ROWS)
              .map((row) => [row.status, roleWords(row), endWords(row), placeWords(row, 3).join(', '), row.breaks, row.renew]),
          ],
        }),
    gapSection(gaps),
  ];
  return page({ title, body: parts.filter((part) => part !== undefined) });
}

function targets(heading: string, list: readonly Target[]): Html | undefined {
  if (list.length === 0) return undefined;
  const rows = list.slice(0, ROWS).map(({ ref, reason = '' }) => [objectWords(ref), reason]);
  return sectionHtml({
    heading,
    table: [['object', 'state'], ...rows],
    ...(list.length > ROWS ? { lines: [`and ${list.length - ROWS} more`] } : {}),
  });
}
