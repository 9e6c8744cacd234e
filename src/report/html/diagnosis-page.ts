import type { Diagnosis } from '../../model/diagnosis.ts';
import { headlineWords, healthyWords } from '../diagnosis/headline.ts';
import { causeSection, gapSection } from './cause-section.ts';
import type { Html } from './markup.ts';
import { html } from './markup.ts';
import { objectTree } from './object-tree.ts';
import { page } from './page.ts';
import type { Section } from './sections.ts';
import { sectionHtml } from './sections.ts';
import { stageLanes } from './stage-lanes.ts';

const NAMED = 20;
const CANDIDATES = 10;

/** A diagnosis as one page: the cause, the way through the stages, the objects around it, the evidence, the fix, and what was not seen. */
export function diagnosisPage(diagnosis: Diagnosis, more: readonly Section[] = []): string {
  const { at, stages, causes, gaps, around = [] } = diagnosis;
  const [cause, ...others] = causes;
  const { title, counts } = headlineWords(diagnosis);
  const healthy = healthyWords(diagnosis, NAMED);
  const parts: readonly (Html | undefined)[] = [
    html`<p class="muted">${counts}</p>`,
    healthy === '' ? undefined : html`<p>${healthy}</p>`,
    cause === undefined ? undefined : causeSection(cause, `Cause: ${cause.title}`, at),
    stages.length === 0 ? undefined : stageLanes(stages, at),
    objectTree(around, { object: cause?.object }),
    others.length === 0
      ? undefined
      : html`<section><h2>Other candidates</h2>
<ol>${others.slice(0, CANDIDATES).map((other) => html`<li>${other.title}: ${other.what} <code>${other.rule}</code></li>`)}</ol></section>`,
    ...more.map(sectionHtml),
    gapSection(gaps),
  ];
  return page({ title, body: parts.filter((part) => part !== undefined) });
}
