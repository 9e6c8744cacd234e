import type { Instant } from '../../base/instant.ts';
import type { Cause } from '../../model/diagnosis.ts';
import type { Gap } from '../../model/fact.ts';
import { SYMPTOM } from '../diagnosis/cause-lines.ts';
import { gapTellings } from '../diagnosis/gap-lines.ts';
import { proofs } from '../diagnosis/proof-lines.ts';
import { fixWords } from '../format/fix-words.ts';
import { objectList, objectWords } from '../format/object-words.ts';
import type { Html } from './markup.ts';
import { block, html } from './markup.ts';
import { command } from './sections.ts';

const QUOTES = 12;
const AFFECTED = 20;
const GAPS = 20;

/** A cause under a heading: what and why, the evidence as quoted, the fix to copy. */
export function causeSection(cause: Cause, heading: string, now: Instant): Html {
  const { what, why, symptom, object, affected, rule, playbook, evidence, fix, references } = cause;
  const quoted = proofs(evidence, now);
  return html`<section><h2>${heading}</h2>
<p><strong>${what}</strong></p>
<p>${why}${symptom === undefined ? '' : ` ${SYMPTOM}`}</p>
<p>Object: ${objectWords(object)}${affected.length === 0 ? undefined : html`<br>Affects: ${objectList(affected, AFFECTED)}`}</p>
<h3>Fix</h3>
<ol>${fix.map((step) => html`<li>${fixWords(step)}${step.run === undefined ? undefined : command(step.run)}</li>`)}</ol>
<h3>Evidence</h3>
${quoted.slice(0, QUOTES).map(({ source, quote }) => html`<figure><figcaption>${source}</figcaption><pre>${block(quote, false)}</pre></figure>\n`)}${more(quoted.length - QUOTES)}
<p class="muted">Rule: <code>${rule}</code>${playbook === undefined ? undefined : html`<br>Runbook: <code>podcheck runbook run ${playbook}</code>`}${references.map((one) => html`<br>${reference(one)}`)}</p></section>`;
}

/** What could not be looked at, and the command that would show it; nothing where all was seen. */
export function gapSection(gaps: readonly Gap[]): Html | undefined {
  const told = gapTellings(gaps);
  if (told.length === 0) return undefined;
  return html`<section><h2>Not seen</h2>
<ul>${told.slice(0, GAPS).map((gap) => html`<li>${gap.words}${gap.command === undefined ? undefined : command(gap.command)}</li>`)}</ul>${more(told.length - GAPS)}</section>`;
}

function more(count: number): Html | undefined {
  return count > 0 ? html`<p>and ${count} more</p>` : undefined;
}

/** Only what leads to a web page is a link: rules of a folder may name anything. */
function reference(text: string): Html {
  return /^https:\/\/[\w.-]+\/[\w./#?=&%-]*$/.test(text) ? html`<a href="${text}">${text}</a>` : html`${text}`;
}
