import { describe, expect, it } from 'vitest';
import { boardOf } from '../../src/drill/board.ts';
import { boardHtml } from '../../src/drill/board-page.ts';
import { reviewHtml, reviewMarkdown } from '../../src/drill/review-text.ts';
import { reviewOf } from '../../src/drill/review.ts';
import type { CertificateReport } from '../../src/model/certificate.ts';
import type { JournalEntry, JournalRecord } from '../../src/model/journal.ts';
import { certificatesMarkdown } from '../../src/report/cert-expiry/certificates-markdown.ts';
import { journalMarkdown } from '../../src/report/playbooks/journal-markdown.ts';
import { diagnosisMarkdown, scanMarkdown } from '../../src/report/diagnosis/diagnosis-markdown.ts';
import { diagnosisPage } from '../../src/report/html/diagnosis-page.ts';
import { scanPage } from '../../src/report/html/scan-page.ts';
import { certificatesPage } from '../../src/report/cert-expiry/certificates-page.ts';
import { journalPage } from '../../src/report/playbooks/journal-page.ts';
import { preflightPage } from '../../src/report/preflight/preflight-page.ts';
import { runPage } from '../../src/report/simulation/run-page.ts';
import { PREFLIGHT, RUN } from '../support/runs.ts';
import { playbookMarkdown } from '../../src/report/playbooks/playbook-markdown.ts';
import { CANDIDATE, CAUSE, ENDED, NOW, SCAN, STOPPED } from '../support/diagnoses.ts';
import { RECORD } from '../support/drill-record.ts';
import { HOSTILE, withTexts } from '../support/hostile.ts';
import type { Rendered } from '../support/rendered.ts';
import { renderedHtml, renderedMarkdown } from '../support/rendered.ts';
import { playbooks } from '../support/runbook-runs.ts';

interface Producer {
  readonly name: string;
  /** The page with this text in every field that is a text. */
  readonly page: (text: string) => string;
  readonly rendered: (page: string) => Rendered;
}

const GAP = { kind: 'event', about: CAUSE.object, reason: 'events is forbidden', needs: 'list events in shop' } as const;
const AROUND = [{ from: STOPPED.target, to: CAUSE.object, how: 'volume', missing: true as const }];
const DIAGNOSIS = { ...STOPPED, causes: [CAUSE, CANDIDATE], around: AROUND, gaps: [GAP, GAP] };
const CERTIFICATES: CertificateReport = {
  at: NOW,
  source: 'shop',
  certificates: [ENDED, { ...ENDED, status: 'OK' }],
  tiers: [{ id: 'nodes', state: 'NOT_CHECKED', asked: true, reason: 'not allowed', found: 0 }],
  clockSkewSeconds: 400,
};
const ENTRIES: readonly JournalEntry[] = [
  {
    type: 'run',
    run: 'web-1',
    playbook: 'missing-config',
    word: 'missing-config',
    digest: 'd',
    copy: {},
    params: {},
    given: [],
    target: 'Deployment/shop/web',
    known: {},
    mode: 'run',
    who: 'eve',
    context: 'shop',
    versions: {},
    alerts: ['KubePodNotReady'],
  },
  { type: 'resumed', who: 'eve', step: 'look', note: 'n' },
  { type: 'before', outcome: 'explained', cause: 'c', words: 'w', variables: {} },
  { type: 'precondition', say: 's', is: 'i', why: 'w' },
  { type: 'output', step: 'look', of: 'kubectl get pods', text: 'one\ntwo', digest: 'd', cut: true },
  { type: 'decision', step: 'look', by: 'eve', question: 'q', answer: 'a' },
  { type: 'change', step: 'make', command: 'kubectl create', objects: ['o'], diff: ['d'] },
  { type: 'changed', step: 'make', object: 'o', uid: 'u', undo: null, back: null, made: null, why: 'w' },
  { type: 'undone', step: 'make', object: 'o', ok: true, words: 'w' },
  { type: 'done', step: 'make', result: 'done', words: 'w', next: 'n', bound: {}, milliseconds: 1 },
  { type: 'end', status: 'completed', result: 'fixed', outcome: 'healthy', cause: 'c', words: 'w', escalated: { say: 'say', to: 'to' } },
];
const journal = (text: string): readonly JournalRecord[] =>
  withTexts(ENTRIES, text, ['type']).map((entry, seq) => ({ seq, at: text, entry, hash: text }));
const PRODUCERS: readonly Producer[] = [
  { name: 'a diagnosis', page: (text) => diagnosisMarkdown(withTexts(DIAGNOSIS, text)), rendered: renderedMarkdown },
  {
    name: 'a scan',
    page: (text) => scanMarkdown({ ...withTexts(SCAN, text), certificates: [withTexts(ENDED, text, ['role', 'status'])] }),
    rendered: renderedMarkdown,
  },
  {
    name: 'a diagnosis as a page',
    page: (text) => diagnosisPage(withTexts(DIAGNOSIS, text, ['outcome', 'verdict'])),
    rendered: renderedHtml,
  },
  {
    name: 'a scan as a page',
    page: (text) => scanPage({ ...withTexts(SCAN, text), certificates: [withTexts(ENDED, text, ['role', 'status'])] }),
    rendered: renderedHtml,
  },
  {
    name: 'certificates',
    page: (text) => certificatesMarkdown(withTexts(CERTIFICATES, text, ['role', 'status', 'id', 'state'])),
    rendered: renderedMarkdown,
  },
  {
    name: 'certificates as a page',
    page: (text) => certificatesPage(withTexts(CERTIFICATES, text, ['role', 'status', 'id', 'state'])),
    rendered: renderedHtml,
  },
  { name: 'a journal', page: (text) => journalMarkdown(journal(text)), rendered: renderedMarkdown },
  { name: 'a journal as a page', page: (text) => journalPage(journal(text)), rendered: renderedHtml },
  { name: 'a run as a page', page: (text) => runPage(withTexts(RUN, text, ['outcome', 'verdict'])), rendered: renderedHtml },
  {
    name: 'a preflight as a page',
    page: (text) => preflightPage(withTexts(PREFLIGHT, text, ['verdict', 'level'])),
    rendered: renderedHtml,
  },
  {
    name: 'a review',
    page: (text) => reviewMarkdown(reviewOf(withTexts(RECORD, text, ['kind', 'ending', 'state']))),
    rendered: renderedMarkdown,
  },
  {
    name: 'a review as a page',
    page: (text) => {
      const record = withTexts(RECORD, text, ['kind', 'ending', 'state']);
      return reviewHtml(reviewOf(record), record);
    },
    rendered: renderedHtml,
  },
  {
    name: 'a board as a page',
    page: (text) => boardHtml(boardOf([withTexts(RECORD, text, ['kind', 'ending', 'state'])])),
    rendered: renderedHtml,
  },
  ...playbooks.slice(0, 8).map((playbook): Producer => ({
    name: `the playbook ${playbook.name}`,
    page: (text) =>
      playbookMarkdown(withTexts(playbook, text, ['kind', 'show', 'change', 'undo', 'effect', 'fact', 'is', 'type', 'op', 'do', 'verb'])),
    rendered: renderedMarkdown,
  })),
];
/** Letters only: nothing in it can be read as markup. */
const PLAIN = 'plain';

describe.each(PRODUCERS)('$name with hostile names', ({ page, rendered }) => {
  const skeleton = rendered(page(PLAIN)).elements;

  it.each(HOSTILE)('%j stays text, and changes nothing around it', (text) => {
    const { elements, active } = rendered(page(text));
    expect(active).toEqual([]);
    // A text that is not there may leave its paragraph out.
    if (text.trim() !== '') expect(elements).toEqual(skeleton);
  });

  it.each(HOSTILE)('%j can move no cursor and hide nothing', (text) => {
    expect(page(text)).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
  });
});
