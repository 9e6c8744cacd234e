import { fixWords } from '../format/fix-words.ts';
import { objectWords } from '../format/object-words.ts';
import { gapSection } from '../html/cause-section.ts';
import type { Html } from '../html/markup.ts';
import { html } from '../html/markup.ts';
import { page } from '../html/page.ts';
import { command, sectionHtml } from '../html/sections.ts';
import type { Problem } from '../pipeline/check.ts';
import type { Obstacle, Preflight, WorkloadOutcome } from './preflight.ts';
import { clusterWords, placeText, reachWords, titleWords, verdictWords } from './preflight-words.ts';

/** A preflight as one page: each workload with all it would meet, in order. */
export function preflightPage(preflight: Preflight): string {
  const { workloads, remarks, effects, gaps } = preflight;
  const order = ['blocked', 'unknown', 'starts'] as const;
  const parts: readonly (Html | undefined)[] = [
    html`<p class="muted">${clusterWords(preflight)}</p>`,
    ...order.flatMap((verdict) => workloads.filter((one) => one.verdict === verdict).map(workloadSection)),
    problems('Rejected or unclear', remarks),
    problems('Effect on running workloads', effects),
    gapSection(gaps),
  ];
  return page({ title: `Preflight of ${titleWords(preflight)}`, body: parts.filter((part) => part !== undefined) });
}

const CLASSES = { blocked: 'blocked', unknown: 'unknown', starts: 'passed' } as const;

function workloadSection(workload: WorkloadOutcome): Html {
  const { ref, place, verdict, obstacles } = workload;
  return html`<section><h2>${objectWords(ref)} <span class="${CLASSES[verdict]}">${verdictWords(workload)}</span></h2>
<p class="muted"><code>${placeText(place)}</code></p>
${obstacles.length === 0 ? undefined : html`<ol>${obstacles.map(obstacleItem)}</ol>`}
<p>${reachWords(workload)}.</p></section>`;
}

function obstacleItem({ stage, title, says, fix, place, rule, assumed }: Obstacle): Html {
  return html`<li><strong>${stage}: ${title}</strong>${place === undefined ? undefined : html`<br><code>${placeText(place)}</code>`}
<p>${says}</p>
${fix.map((step) => html`<p>${fixWords(step)}</p>${step.run === undefined ? undefined : command(step.run)}`)}
<p class="muted">Rule: <code>${rule}</code>${assumed === undefined ? '' : `. Assumed from here on: ${assumed}`}</p></li>
`;
}

function problems(heading: string, list: readonly Problem[]): Html | undefined {
  if (list.length === 0) return undefined;
  return sectionHtml({
    heading,
    table: [['where', 'what'], ...list.map(({ place, says }) => [place === undefined ? '' : placeText(place), says])],
  });
}
