import { formatInstant } from '../../base/instant.ts';
import type { CertificateReport, CertificateRow } from '../../model/certificate.ts';
import type { Html } from '../html/markup.ts';
import { html } from '../html/markup.ts';
import { page } from '../html/page.ts';
import { command, sectionHtml } from '../html/sections.ts';
import {
  countWords,
  endWords,
  leftWords,
  needsAHand,
  placeWords,
  roleWords,
  skewWords,
  tierTitle,
  uncheckedTiers,
} from './certificate-words.ts';

const ROWS = 1000;
const PLACES = 10;

/** Certificates as one page: those that need somebody first, each with what fails and how to renew it, then a table of all others. */
export function certificatesPage(report: CertificateReport): string {
  const { at, source, certificates } = report;
  const urgent = certificates.filter(needsAHand);
  const well = certificates.filter((row) => !needsAHand(row));
  const skew = skewWords(report);
  const unchecked = uncheckedTiers(report);
  const parts: readonly (Html | undefined)[] = [
    html`<p class="muted">as of ${formatInstant(at)}</p>`,
    skew === undefined ? undefined : html`<p>${skew}</p>`,
    ...urgent.slice(0, ROWS).map((row) => urgentSection(row, at)),
    well.length === 0
      ? undefined
      : sectionHtml({
          heading: 'Fine',
          table: [
            ['status', 'time left', 'expiry date', 'rotated by', 'certificate', 'where'],
            ...well
              .slice(0, ROWS)
              .map((row) => [row.status, leftWords(row, at), endWords(row), row.rotatedBy, roleWords(row), placeWords(row, 1).join(', ')]),
          ],
          ...(well.length > ROWS ? { lines: [`and ${well.length - ROWS} more`] } : {}),
        }),
    unchecked.length === 0
      ? undefined
      : sectionHtml({ heading: 'Not checked', lines: unchecked.map((tier) => `${tierTitle(tier)}: ${tier.reason ?? 'not checked'}`) }),
  ];
  return page({ title: `Certificates of ${source}: ${countWords(report)}`, body: parts.filter((part) => part !== undefined) });
}

function urgentSection(row: CertificateRow, at: number): Html {
  const left = leftWords(row, at);
  const ends = left === '' ? '' : left.startsWith('-') ? `, expired ${left.slice(1)} ago` : `, expires in ${left}`;
  return html`<section><h2><span class="${row.status === 'EXPIRED' ? 'blocked' : 'waiting'}">${row.status}</span> ${roleWords(row)}${ends}</h2>
<p>${row.reason}</p><p><strong>${row.breaks}</strong></p>
${command(row.renew)}
<ul>${placeWords(row, PLACES).map((place) => html`<li>${place}</li>`)}</ul>
<p class="muted">Subject: ${row.subject}<br>Issuer: ${row.issuer}</p></section>`;
}
